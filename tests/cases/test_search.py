"""
Faults that users meet when they search, by class: each test holds a whole kind.

The classes: words cut differently in query and text, order, word forms, odd queries, the
documented forms, limits and ties.  Orders are fixed here, scores are not.
"""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skill_index import Skill, SkillCatalog
from skill_index.testing import strategies

SKILLS = {
    "chart-visualization": "Draws line and bar plots from tables.",
    "data-analysis": "Analyze data with Python, pandas and notebooks.",
    "rent-pod": "Rents a GPU box and can fetch model weights there.",
    "pdf-forms": "Fills in and merges PDF documents.",
    "release-notes": "Use when the user wants a changelog for a release.",
    "dead-code": "Use when unused code in a repository must be found and removed.",
    "status-page": "Shows whether services are up.",
    "statue-care": "Cleans a statue.",
    "deploy-k8s": "Rolls out services to k8s clusters.",
    "cpp-style": "House style for C++ sources.",
    "csharp-style": "House style for C# and .NET sources.",
    "r-stats": "Statistics with R.",
    "go-tests": "Writes table tests in Go.",
    "on-call": "Who answers tonight.",
    "addPerson": "CRM contact.",
    "addActivity": "CRM log.",
    "XMLParser": "Reads markup.",
    "appTableRecord": "Grid rows.",
    "tram": "Timetable for Zürich café stops.",
    "road": "Straße plan; οδός file.",
    "site-plan": "İnşaat ve Işık planı.",
    "pdf-cn": "解析pdf文件",
    "rail": "铁路12306购票",
    "db-admin": "データベース管理とサーバー設定",
    "auth-kr": "사용자인증처리",
    "wine-notes": "葛\U000e0100飾のワイン",
    "arabic-data": "تحليل البيانات وأمثلة",
    "hebrew-data": "ניתוח נתונים",
    "check-reporting": "Checks manuscripts against STROBE and QUADAS-2.",
}
CATALOG = SkillCatalog([Skill(name, description) for name, description in SKILLS.items()])


# Words, and what comes first

FIRST = [
    ("analyze a spreadsheet with Python", "data-analysis"),
    ("plots from my table", "chart-visualization"),
    ("table record", "appTableRecord"),
    ("parser", "XMLParser"),
    ("xml parser", "XMLParser"),
    ("xmlparser", "XMLParser"),
    ("addPerson", "addPerson"),
    ("add person", "addPerson"),
    ("add_activity", "addActivity"),
    ("strobe", "check-reporting"),
    ("QUADAS 2", "check-reporting"),
    ("quadas-2", "check-reporting"),
    ("C++", "cpp-style"),
    ("c#", "csharp-style"),
    (".net", "csharp-style"),
    (".NET sources", "csharp-style"),
    ("R", "r-stats"),
    ("go", "go-tests"),
    ("k8s", "deploy-k8s"),
    ("K8S clusters", "deploy-k8s"),
    ("zurich", "tram"),
    ("ZÜRICH", "tram"),
    ("Zu\u0308rich", "tram"),
    ("cafe", "tram"),
    ("STRASSE", "road"),
    ("straße", "road"),
    ("ΟΔΟΣ", "road"),
    ("οδος", "road"),
    ("inşaat", "site-plan"),
    ("تَحْلِيل", "arabic-data"),
    ("تحليـــل", "arabic-data"),
    ("وامثلة", "arabic-data"),
    ("נִיתוּחַ", "hebrew-data"),
    ("dotnet", "csharp-style"),
    ("葛飾", "wine-notes"),
    ("p\ufe00d\u034ff", "pdf-forms"),
    ("İNŞAAT", "site-plan"),
    ("解析", "pdf-cn"),
    ("解析PDF", "pdf-cn"),
    ("12306", "rail"),
    ("购票", "rail"),
    ("データベース", "db-admin"),
    ("ﾃﾞｰﾀﾍﾞｰｽ", "db-admin"),
    ("サーバー", "db-admin"),
    ("인증", "auth-kr"),
    ("on call", "on-call"),
    ("on-call", "on-call"),
    ("what is its status", "status-page"),
    ("status", "status-page"),
    ("statuses", "status-page"),
    ("statues", "statue-care"),
    ("charts", "chart-visualization"),
    ("pdfs", "pdf-forms"),
    ("releases", "release-notes"),
    ("merging pdf documents", "pdf-forms"),
    ("deploying services", "deploy-k8s"),
    ("visualise charts", "chart-visualization"),
    ("pandsa notebooks", "data-analysis"),
    ("please kindly chart", "chart-visualization"),
    ("real-time pdf merging wizardry", "pdf-forms"),
    ("find unused code", "dead-code"),
    ("ｐｄｆ-forms", "pdf-forms"),
    ("pdf(forms", "pdf-forms"),
    ("why? pdf! forms", "pdf-forms"),
    ('"unclosed pdf forms', "pdf-forms"),
    ("@pandas", "data-analysis"),
    ("#release", "release-notes"),
    ("don't use k8s", "deploy-k8s"),
    ("name:statue", "statue-care"),
    ("description:pandas", "data-analysis"),
    ("selects: pdf forms", "pdf-forms"),
]


@pytest.mark.parametrize(("query", "name"), FIRST)
def test_what_comes_first(query: str, name: str) -> None:
    """Scripts, case, accents, separators, symbols, inflection and slips do not hide the right skill."""
    assert CATALOG.search(query).names[:1] == (name,)


CUT = SkillCatalog(
    [
        Skill("mobile", "Builds for iOS/Android, MySQL's setup."),
        Skill("shorts", "Cuts YouTube-Shorts."),
        Skill("md2docx", "Writes office files."),
        Skill("text-to-speech", "Reads aloud."),
        Skill("headers", "Explains RFC 7231."),
        Skill("mail", "كتابة رسائل البريد الإلكتروني"),
        Skill("news", "हिंदी समाचार अंग्रेज़ी में"),
    ]
)
ALIKE = [
    *(("ios", "mobile"), ("android", "mobile"), ("mysql", "mobile"), ("youtube", "shorts")),
    *(("md to docx", "md2docx"), ("docx", "md2docx"), ("text2speech", "text-to-speech")),
    *(("rfc7231", "headers"), ("RFC-7231", "headers")),
    *(("بريد", "mail"), ("الرسائل", "mail"), ("إلكتروني", "mail")),
    *(("हिन्दी", "news"), ("अंग्रेजी", "news")),
]


@pytest.mark.parametrize(("query", "name"), ALIKE)
def test_a_word_is_found_however_it_is_joined_or_spelt(query: str, name: str) -> None:
    """Names beside joints, a 2 for "to", numbers behind letters, and the two spellings of a script."""
    assert CUT.search(query).names == (name,)


@pytest.mark.parametrize(
    ("query", "absent"),
    [
        ("status", "statue-care"),
        ("statue", "status-page"),
        ("C++", "r-stats"),
        ("R", "road"),
        ("go", "road"),
        ("pandas", "chart-visualization"),
        ("xls", "pdf-forms"),
    ],
)
def test_what_is_no_match(query: str, absent: str) -> None:
    """Stems and short words do not match what merely looks like them."""
    assert absent not in CATALOG.search(query).names


@pytest.mark.parametrize(
    "query", ["how do they handle such things themselves for the user", "the and of", "no", "use when"]
)
def test_function_words_choose_no_skill(query: str) -> None:
    """Words that are in everything select nothing, and the answer says why."""
    results = CATALOG.search(query)
    assert (results.state, results.names) == ("none", ())
    assert results.notes


@pytest.mark.parametrize("size", [1, 2, 3, 10])
def test_small_catalogs_keep_their_order(size: int) -> None:
    """A word that is in half of the skills, or in all, never counts against the one that has it."""
    skills = [Skill(f"s{number}", "A skill for mail.") for number in range(size - 1)]
    catalog = SkillCatalog([*skills, Skill("wanted", "A skill for windy pdf.")])
    for query in ("skill pdf", "windy skill", "pdf"):
        results = catalog.search(query, limit=20)
        assert results.names[0] == "wanted"
        assert all(hit.score > 0 for hit in results.hits)
    assert catalog.search("skill").total == size


@pytest.mark.parametrize(
    "query",
    [
        "book a flight to Lisbon and reserve a hotel",
        "run shell command execute native binary on router firmware",
        "translate my grandmother's handwritten Finnish letters into Portuguese verse",
    ],
)
def test_a_request_for_what_is_not_there(query: str) -> None:
    """A long request that shares a word by chance is answered with nothing, or flagged as weak."""
    results = CATALOG.search(query)
    assert results.state in {"none", "weak"}
    assert results.hits or results.notes


# Odd queries

ODD = [
    "",
    " ",
    "\n\t",
    "*",
    ".*",
    "[",
    "\\",
    "+",
    "-",
    "--",
    "---",
    "+ -",
    "???",
    "🚀",
    '"',
    '""',
    "''",
    ":",
    "()",
]
ODD += [
    "(a+)+$ aaaaaaaaaaaaaaaaaaaaaaaaaaaa!",
    "a(",
    "\x00",
    "\ud800",
    "\u202e",
    "\u200b",
    "select:",
    "select:,,",
]
ODD += [
    "SELECT:  ",
    "select:\n",
    "+:",
    "name:",
    "-name:",
    "zzzqqq",
    "qwx vbn",
    "-pdf",
    "+zzzqqq",
    "pdf-zzz +qq",
]


@pytest.mark.parametrize("query", ODD, ids=ascii)
def test_an_empty_answer_carries_its_reason(query: str) -> None:
    """Any text is answered; where nothing is found, a note says why, and never is all found."""
    results = CATALOG.search(query)
    assert len(results.names) < len(CATALOG)
    assert results.hits or (results.state == "none" and results.notes)


@settings(max_examples=200, deadline=None)
@given(strategies.catalogs(max_size=5), strategies.queries(), st.integers(0, 6))
def test_every_answer_adds_up(catalog: SkillCatalog, query: str, limit: int) -> None:
    """State, hits, notes and counts of any answer to any text agree with each other."""
    results = catalog.search(query, limit=limit)
    assert (results.state == "none") == (results.total == 0)
    assert results.total or results.notes
    assert results.remaining >= 0
    assert (results.follow_up is not None) == (results.remaining > 0)
    assert len(set(results.names)) == len(results.names)
    assert all(math.isfinite(hit.score) and hit.score >= 0 for hit in results.hits)


# Documented forms


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("select: pdf-forms , data-analysis ", ("pdf-forms", "data-analysis")),
        ("select:data-analysis,pdf-forms", ("data-analysis", "pdf-forms")),
        ("select:pdf-forms,", ("pdf-forms",)),
        ("select:pdf-forms,,tram", ("pdf-forms", "tram")),
        ("select:pdf-forms,pdf-forms,PDF Forms", ("pdf-forms",)),
        ("SELECT:pdf-forms", ("pdf-forms",)),
        ("  select:pdf-forms", ("pdf-forms",)),
        ("select:\npdf-forms\ntram", ("pdf-forms", "tram")),
        ("select:\n- pdf-forms\n- tram", ("pdf-forms", "tram")),
        ('select:"pdf-forms", tram', ("pdf-forms", "tram")),
        ("select:memory:tram", ("tram",)),
        ("select:ｐｄｆ-forms", ("pdf-forms",)),
    ],
)
def test_forms_of_a_selection(query: str, names: tuple[str, ...]) -> None:
    """Blanks, bullets, quotes, repeats and empty items of a list do not matter."""
    results = CATALOG.search(query)
    assert (results.state, results.names) == ("exact", names)


def test_every_name_of_a_selection_is_accounted_for() -> None:
    """No limit of length or count cuts a selection; what is not found is told with its nearest."""
    names = [f"a-rather-long-name-for-a-skill-{number:03}" for number in range(120)]
    catalog = SkillCatalog([Skill(name, "D.") for name in names])
    results = catalog.search("select:" + ",".join([*names, "a-rather-long-name-for-a-skil-007"]), limit=1)
    assert results.names == tuple(names)
    (note,) = results.notes
    assert note.code == "not-found"
    assert "a-rather-long-name-for-a-skill-007" in note.suggestions


@settings(max_examples=100, deadline=None)
@given(strategies.catalogs(min_size=1), st.lists(strategies.names(), min_size=1, max_size=6), st.data())
def test_a_selection_adds_up(catalog: SkillCatalog, others: list[str], data: st.DataObject) -> None:
    """Each name asked for is a hit or in a note, in the order asked."""
    asked = data.draw(st.permutations([*catalog, *others]))
    results = catalog.search("select:" + ",".join(asked))
    told = {note.subject for note in results.notes}
    assert all(name in catalog or name in told for name in asked)
    assert list(results.names) == list(
        dict.fromkeys(catalog.entry(name).key for name in asked if name in catalog)
    )


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("+pandas", set()),
        ("+pdf merge", {"pdf-forms", "pdf-cn"}),
        ("+style c++", {"cpp-style", "csharp-style"}),
        ("+Style", {"cpp-style", "csharp-style"}),
        ("+data-analysis", {"data-analysis"}),
        ("+data +analysis", {"data-analysis"}),
        ("+stat", {"r-stats"}),
        ("+form pdf", {"pdf-forms"}),
        ("+description:pandas", {"data-analysis"}),
        ("+any:pandas", {"data-analysis"}),
        ("+any:pdf -forms", {"pdf-cn"}),
    ],
)
def test_what_is_required(query: str, names: set[str]) -> None:
    """A plus asks for whole words of the name, or of the field it names, and nothing passes without."""
    results = CATALOG.search(query, limit=20)
    assert set(results.names) == names
    assert names or "required-missing" in {note.code for note in results.notes}


def test_a_required_word_found_elsewhere_is_near() -> None:
    """A skill that has the word in another field is told as near, and is no hit."""
    assert [hit.name for hit in CATALOG.search("+pandas").near] == ["data-analysis"]


# Limits and ties


@pytest.mark.parametrize("count", [700, 20_000])
def test_what_a_long_query_loses_is_told(count: int) -> None:
    """Text beyond the limit is cut with a note; within it every word counts."""
    results = CATALOG.search("lorem " * count + "pandas")
    assert "cut" in {note.code for note in results.notes}
    assert CATALOG.search("lorem " * 100 + "pandas").notes is not None
    within = CATALOG.search(
        "types of traffic over the last thirty days for bots and humans in a bar plot, please"
    )
    assert "chart-visualization" in within.names


def test_equal_scores_are_in_name_order() -> None:
    """Ties are settled by name, whatever the order of the skills."""
    skills = [Skill(f"tie-{letter}", "Same words here.") for letter in "dbca"]
    for given_order in (skills, skills[::-1], sorted(skills, key=lambda skill: skill.name)):
        names = SkillCatalog(given_order).search("same words").names
        assert names == ("tie-a", "tie-b", "tie-c", "tie-d")

"""Pre-approved tools: what a pattern reaches, never further than written, and who granted it."""

from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from skill_index import Origin, PatternError, Skill, ToolPattern, ToolPolicy
from skill_index.testing.strategies import HOSTILE_TEXTS, TOOLS, skills

CONTROL = [
    ";",
    "&",
    "|",
    "`",
    "$(",
    "${",
    "$",
    "<",
    ">",
    "\n",
    "\r",
    "\0",
    "\x85",
    "\u2028",
    "\u2029",
    "\x1b",
]
PARENTS = [
    "..",
    "../x",
    "a/../b",
    "--out=../x",
    "-C..",
    '"../x"',
    '.".".x/../y',
    "a\\..\\b",
    "\\.\\./x",
    "{../a,b}",
]
BRACES = ["{.,.}./x", ".{.,x}/x", "{.,.}{.,x}", "a/{x,.}./y", "'.'{.,}/x", ".{?,x}"]
GLOBS = [".*", ".?/x", ".[.]/x", "a/.*"]
HARMLESS = [
    "x",
    "a b",
    "*.py",
    "v1..v2",
    "wait...",
    "a.b",
    ".env",
    "./x",
    "--all",
    "'a b'",
    "ünï",
    "-m x=1",
    "#1",
    "*.{py,js}",
    "{a,b}.py",
    "{.py,.js}",
    "stash@{0}",
]

REACH = [
    # a name alone: any argument, and no other tool
    ("Read", "Read", ["", "/etc/passwd", "a; b", "../x"], []),
    ("Bash", "Bash", ["", "rm x; ls", "\0"], []),
    ("Read", "read", [], ["", "x"]),
    ("Read", "Reader", [], ["", "x"]),
    ("", "", [], ["", "x"]),
    # an argument: only those that match, never the bare call
    ("Bash(git status)", "Bash", ["git status"], ["", "git", "git status ", "Git status", "git status x"]),
    ("Bash()", "Bash", [], ["", "x"]),
    ("Bash(*)", "Bash", ["ls", "ls -l x"], ["", "ls; x"]),
    # word boundaries
    (
        "Bash(git add *)",
        "Bash",
        ["git add", "git add ", "git add x", "git add\tx y"],
        ["git addx", "git", "xgit add"],
    ),
    ("Bash(git:*)", "Bash", ["git", "git x", "git add x"], ["gitk", "git:x", "", ":"]),
    ("Bash(git*)", "Bash", ["git", "gitk", "git x"], ["gi", "xgit"]),
    ("Bash(* --help *)", "Bash", ["x --help", "x y --help z"], ["x --helpme", "--help"]),
    ("Bash(git add *, git commit)", "Bash", ["git add x, git commit"], ["git add x", "git commit"]),
    # stars inside
    ("Read(src/*.py)", "Read", ["src/a.py", "src/a/b.py", "src/.py"], ["src/a.pyc", "a.py", "src/../a.py"]),
    ("Read(src/**)", "Read", ["src/a", "src/"], ["src", "src/.."]),
    ("Run(a*b*a)", "Run", ["aba", "abba", "a b a"], ["ab", "aa", "abab", "ba"]),
    ("Run(a*a)", "Run", ["aa", "aba"], ["a"]),
    # what is written may be there, once for each time it is written
    ("Bash(cat ../*)", "Bash", ["cat ../x"], ["cat ../../x", "cat ../x/..", "cat x"]),
    ("Bash(a; b *)", "Bash", ["a; b x"], ["a; b x; c", "a b x"]),
    ("Bash(a > *)", "Bash", ["a > x"], ["a > x > y", "a >x", "a > $x"]),
    # half a sign is no sign: a star cannot make it whole
    ("Bash(echo $*)", "Bash", [], ["echo $", "echo $x", "echo $(x)", "echo ${x}"]),
    ("Bash(a >*)", "Bash", [], ["a > x", "a >(x)", "a >> x"]),
    ("Bash(cat .*)", "Bash", ["cat .env"], ["cat ..", "cat ../x"]),
    ("Bash(cat *./x)", "Bash", ["cat a./x", "cat ./x"], ["cat ../x", "cat a/../x"]),
    ("Bash(cat *../x)", "Bash", [], ["cat ../x", "cat a/../b/../x", "cat b/../..../x"]),
    ("Bash(cat a/..*)", "Bash", ["cat a/..b"], ["cat a/..", "cat a/../x", "cat a/..b/../x"]),
    # stars in names
    ("mcp__db__*", "mcp__db__query", ["", "a; b"], []),
    ("mcp__db__*", "mcp__dbs__query", [], [""]),
    ("mcp__*__query", "mcp__db__query", [""], []),
    ("mcp__*(read *)", "mcp__db", ["read x"], ["", "write x"]),
    # what cannot be read, or would name everything, permits nothing
    ("*", "Bash", [], ["", "x"]),
    ("**(git *)", "Bash", [], ["", "git x"]),
    ("Bash(git *", "Bash", [], ["", "git x", "git "]),
    ("Bash)", "Bash", [], [""]),
    ("Bash(a) b)", "Bash", [], ["a) b", "a"]),
    ("Bash(a)(b)", "Bash", ["a)(b"], ["a", "b"]),
    ("Bash (git *)", "Bash", [], ["", "git x"]),
    ("Read Bash", "Bash", [], [""]),
    ("[Bash]", "Bash", [], [""]),
    ("Bash[x]", "Bash", [], [""]),
    ("Bash(a\0*)", "Bash", [], ["a\0x", "ax"]),
]


@pytest.mark.parametrize(("text", "tool", "permitted", "refused"), REACH)
def test_how_far_a_pattern_reaches(text: str, tool: str, permitted: list[str], refused: list[str]) -> None:
    """Each pattern permits exactly the arguments of its first list."""
    pattern = ToolPattern.parse(text)
    asked = [*permitted, *refused]
    assert asked
    assert [argument for argument in asked if pattern.permits(tool, argument)] == permitted


@pytest.mark.parametrize(
    "text", ["Read", "Bash(git add *)", "mcp__db__*", "Bash(a (b) [c])", "Bash(a\nb)", "a()"]
)
def test_a_pattern_prints_as_written(text: str) -> None:
    """What is parsed can be shown and parsed again."""
    assert str(ToolPattern.parse(text)) == text
    assert ToolPattern.parse(str(ToolPattern.parse(text))) == ToolPattern.parse(text)


@pytest.mark.parametrize("argument", HARMLESS)
@pytest.mark.parametrize("text", ["Bash(git add *)", "Bash(git add:*)", "Bash(git *)", "Bash(*)"])
def test_common_arguments_are_permitted(text: str, argument: str) -> None:
    """Caution about stars does not cost plain arguments their approval."""
    assert ToolPattern.parse(text).permits("Bash", f"git add {argument}")


@pytest.mark.parametrize("sign", [*CONTROL, *PARENTS, *BRACES, *GLOBS])
@pytest.mark.parametrize(
    "text", ["Bash(git add *)", "Bash(git add:*)", "Bash(git*)", "Bash(*)", "Bash(git * x)"]
)
def test_a_star_stands_for_no_control(text: str, sign: str) -> None:
    """Whatever could begin another command or leave the folder is not pre-approved."""
    assert not ToolPattern.parse(text).permits("Bash", f"git add a {sign} x")


RISKY = st.sampled_from([*CONTROL, " ../x", "/../", " .. ", "\\..\\"])
PLAIN = st.text(st.sampled_from("ab .*-/='\"\\üx"), max_size=8)


@given(PLAIN, RISKY, PLAIN, st.lists(RISKY | PLAIN, max_size=4))
def test_no_addition_smuggles_a_second_command(before: str, sign: str, after: str, more: list[str]) -> None:
    """No argument of `git add *` with control in it is permitted, whatever stands around that."""
    argument = f"git add {before}{sign}{after}{''.join(more)}"
    assert not ToolPattern.parse("Bash(git add *)").permits("Bash", argument)


LETTERS = st.text(st.sampled_from("ab .;$(>*"), max_size=7)


@given(LETTERS, LETTERS)
def test_stars_hold_nothing_that_is_not_permitted(written: str, argument: str) -> None:
    """A permitted argument can be read as the pattern with harmless texts in place of its stars."""
    pattern = ToolPattern("Bash", written)
    if pattern.permits("Bash", argument):
        assert plainly(written, argument)


@given(
    st.lists(st.sampled_from(["a", "b ", "../", ";", "$", ".", "*", "*"]), min_size=1, max_size=6), st.data()
)
def test_an_argument_made_from_the_pattern(parts: list[str], data: st.DataObject) -> None:
    """Stars filled with anything: permitted only if what was filled in could be harmless."""
    filling = st.sampled_from(["", "a", " b", "..", "/", ";", "(", "./", ">"])
    argument = "".join(data.draw(filling) if part == "*" else part for part in parts)
    written = "".join(parts)
    if ToolPattern("Bash", written).permits("Bash", argument):
        assert plainly(written, argument)


def plainly(written: str, argument: str) -> bool:
    """Return by trial of every way to fill the stars whether one of them is without control."""
    forms = [written]
    if written.endswith((" *", ":*")):
        forms = [written[:-2], f"{written[:-2]} *"]
    return any(filled_plainly(form.split("*"), argument) for form in forms)


def filled_plainly(pieces: list[str], argument: str) -> bool:
    """Return whether the argument is the pieces with harmless texts between them."""
    first, *rest = pieces
    if not rest:
        return argument == first
    if not argument.startswith(first):
        return False
    tail = argument[len(first) :]
    fillings = (tail[:length] for length in range(len(tail) + 1))
    return any(
        not re.search(r"[;&|`<>$\n\r\0]", filling)
        and ".." not in re.split(r"[/\s]", filling)[1:-1]
        and filled_plainly(rest, tail[len(filling) :])
        for filling in fillings
    )


@given(st.text("ab *", max_size=8), st.text("ab \t", max_size=8))
def test_matching_is_that_of_the_stars(written: str, argument: str) -> None:
    """Without control in sight, a pattern and its regular expression agree."""
    assume(argument)
    forms = [written]
    if written.endswith(" *") and written[:-2]:
        forms = [written[:-2], f"{written[:-2]} *", f"{written[:-2]}\t*"]
    expected = any(
        re.fullmatch(".*".join(map(re.escape, form.split("*"))), argument, re.DOTALL) for form in forms
    )
    assert ToolPattern("Run", written).permits("Run", argument) == expected


@given(
    LETTERS | st.sampled_from(HOSTILE_TEXTS),
    st.text(max_size=20),
    st.integers(0, 20),
    st.sampled_from(CONTROL),
)
def test_more_control_never_permits(written: str, argument: str, place: int, sign: str) -> None:
    """Where a pattern holds no control, an argument with some is never permitted."""
    assume(not set(written) & set(";&|`<>$\n\r\0\x1b\x07\x0b\x85\u2028\u2029"))
    longer = argument[:place] + sign + argument[place:]
    assert not ToolPattern("Bash", written).permits("Bash", longer)


@pytest.mark.parametrize(
    ("written", "argument", "expected"),
    [
        ("*a" * 50_000 + "b", "a" * 200_000, False),
        ("*" * 200_000, "a" * 200_000, True),
        (("a" * 100 + "*") * 1_000 + "b", "a" * 200_000, False),
        ("*../" * 20_000, "../" * 60_000, False),
    ],
)
def test_many_stars_take_no_long_time(written: str, argument: str, expected: bool) -> None:
    """A pattern made to try every way to match is answered, not waited for."""
    assert ToolPattern("Bash", written).permits("Bash", argument) is expected


@given(st.text(max_size=30) | st.sampled_from(HOSTILE_TEXTS), st.text(max_size=10), st.text(max_size=10))
def test_any_text_is_a_pattern_or_none(text: str, tool: str, argument: str) -> None:
    """Parsing never raises, and what has no tool permits nothing."""
    pattern = ToolPattern.parse(text)
    assert pattern.tool or not pattern.permits(tool, argument)


def skill(name: str, *tools: str, trusted: bool = True) -> Skill:
    """Make a skill with a list of tools."""
    return Skill(name, "x", allowed_tools=tools, origin=Origin("team", trusted=trusted))


SILENT = Skill("silent", "x")
ADD, READ, NONE = skill("add", "Bash(git add *)"), skill("read", "Read", "mcp__db__*"), skill("none")
STRANGE = skill("strange", "Bash(git add *)", "Write", trusted=False)

UNIONS: list[tuple[tuple[Skill, ...], bool, str]] = [
    # skills, whether they restrict, and which calls are pre-approved, of: add, read, write, query
    ((), False, ""),
    ((SILENT,), False, ""),
    ((NONE,), True, ""),
    ((ADD,), True, "add"),
    ((ADD, READ), True, "add read query"),
    ((ADD, NONE), True, "add"),
    ((ADD, SILENT), False, "add"),
    ((STRANGE,), True, ""),
    ((STRANGE, READ), True, "read query"),
    ((skill("broken", "Bash(git"),), True, ""),
]
CALLS = {
    "add": ("Bash", "git add x"),
    "read": ("Read", "x"),
    "write": ("Write", "x"),
    "query": ("mcp__db__query", ""),
}


@pytest.mark.parametrize(("loaded", "restricts", "approved"), UNIONS)
def test_lists_are_united(loaded: tuple[Skill, ...], restricts: bool, approved: str) -> None:
    """What any trusted skill lists is pre-approved; a fence stands only if all skills have a list."""
    for order in itertools.permutations(loaded):
        policy = ToolPolicy.of(order)
        assert policy == ToolPolicy.of(loaded)
        assert policy.restricts is restricts
        assert " ".join(name for name, call in CALLS.items() if policy.permits(*call)) == approved
        assert all(
            policy.allows(*call) == (not restricts or policy.permits(*call)) for call in CALLS.values()
        )


def test_trust_is_asked_only_about_strangers() -> None:
    """A host may trust a skill whose origin is not trusted, and cannot by that distrust another."""
    asked: list[str] = []

    def trust(skill: Skill) -> bool:
        asked.append(skill.name)
        return skill.name == "strange"

    policy = ToolPolicy.of([ADD, STRANGE, skill("other", "Edit", trusted=False)], trust=trust)
    assert asked == ["strange", "other"]
    assert policy.permits("Write")
    assert not policy.permits("Edit")


def test_what_the_host_always_has() -> None:
    """Names of the host's own are permitted whatever is loaded, and restrict nothing."""
    policy = ToolPolicy.of([NONE], always=["load_skill", "Bash(ls *)"])
    assert policy.permits("load_skill")
    assert policy.permits("Bash", "ls x")
    assert not policy.permits("Bash", "rm x")
    assert not ToolPolicy.of([], always=["load_skill"]).restricts
    assert ToolPolicy.of([], always="load_skill").permits("load_skill")


@pytest.mark.parametrize("text", ["", "*", "Bash(", "a b"])
def test_a_slip_of_the_host_is_told(text: str) -> None:
    """What the host itself writes and cannot be read raises, and says what to write."""
    with pytest.raises(PatternError, match="write a tool's name"):
        ToolPolicy.of([], always=[text])


WHY = [
    (("Bash", "git add x"), "'Bash' is pre-approved by 'Bash(git add *)' of skill 'add'"),
    (("load_skill", ""), "'load_skill' is pre-approved by 'load_skill' of the host"),
    (
        ("Bash", "rm x"),
        "'Bash' is not pre-approved: the argument does not fit 'Bash(git add *)' of skill 'add'",
    ),
    (
        ("Bash", "git add x; rm y"),
        (
            "'Bash' is not pre-approved: 'Bash(git add *)' of skill 'add' fits, "
            "but the argument has shell control or '..' that is not in the pattern"
        ),
    ),
    (
        ("Write", ""),
        (
            "'Write' is not pre-approved: 'Write' of skill 'strange' would do it, "
            "but the skill's origin is not trusted"
        ),
    ),
    (("Edit\n", ""), "'Edit' is not pre-approved: no list of a loaded skill has it"),
]


@pytest.mark.parametrize(("call", "sentence"), WHY)
def test_a_policy_says_why(call: tuple[str, str], sentence: str) -> None:
    """One sentence names the pattern and the skill, or what is in the way."""
    assert ToolPolicy.of([STRANGE, ADD, NONE], always=["load_skill"]).why(*call) == sentence


@given(st.text(max_size=20) | st.sampled_from(HOSTILE_TEXTS), st.text(max_size=20))
def test_a_reason_stays_on_its_line(tool: str, argument: str) -> None:
    """Nothing that a skill or a model wrote breaks the sentence."""
    evil = Skill("e\nvil\x1b[2J", "x", allowed_tools=(f"{tool}(a\u2028*)", tool, "Bash(\u202e*)"))
    policy = ToolPolicy.of([evil])
    for asked in (tool, "Bash"):
        sentence = policy.why(asked, argument)
        assert sentence.isprintable() or "\u200c" in sentence or "\u200d" in sentence
        assert policy.permits(asked, argument) == (" is pre-approved by " in sentence)


@given(st.lists(skills(), max_size=4), skills(), st.sampled_from(TOOLS), st.sampled_from(HARMLESS))
def test_a_further_skill_takes_no_approval_away(
    loaded: list[Skill], further: Skill, entry: str, argument: str
) -> None:
    """What is pre-approved stays so when more is loaded."""
    tool = ToolPattern.parse(entry).tool
    call = (tool, f"git add {argument}")
    before, after = ToolPolicy.of(loaded), ToolPolicy.of([*loaded, further])
    assert after.permits(*call) >= before.permits(*call)
    assert after.permits(*call) == (before.permits(*call) or ToolPolicy.of([further]).permits(*call))
    assert set(before.claims) <= set(after.claims)

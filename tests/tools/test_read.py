"""read_skill_resource: a name to the file it is, whatever it is; and no way to any other file."""

from __future__ import annotations

import hashlib
import os
import unicodedata
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skill_index import Skill, SkillCatalog, SkillIndex
from skill_index.resources import InlineResources
from skill_index.text import escape, one_line
from skill_index.tools import ReadData, ToolFailure, Toolkit, ToolReply
from skill_index.tools.read import PAGE_BYTES

READ = "read_skill_resource"
SECRET = "what lies outside"  # noqa: S105  (no password)
SKILL_MD = "---\nname: kit\ndescription: A kit.\n---\nBody.\n"


def write(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Write a skill and its files."""
    for name, content in {"SKILL.md": SKILL_MD, **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def on_disk(tmp_path: Path, files: Mapping[str, str | bytes]) -> Toolkit:
    """Return the tools over one skill in a folder."""
    write(tmp_path / "skills" / "kit", files)
    return Toolkit(SkillIndex.from_paths(tmp_path / "skills"))


def in_memory(**files: str | bytes | Callable[[], str | bytes]) -> Toolkit:
    """Return the tools over one skill made in code."""
    return Toolkit(SkillCatalog([Skill("kit", "A kit.", "Body.", resources=InlineResources(files))]))


def ask(toolkit: Toolkit, name: str, **more: object) -> ToolReply:
    """Ask for a file of the skill."""
    return toolkit.call(READ, {"skill_name": "kit", "resource_name": name, **more})


def data_of(reply: ToolReply) -> ReadData:
    """Return the data of an answer that has it."""
    assert reply.error is None, reply.text
    assert isinstance(reply.data, ReadData)
    return reply.data


def failure_of(reply: ToolReply) -> ToolFailure:
    """Return why a call failed."""
    assert reply.error is not None, reply.text
    assert reply.data is None
    return reply.error


def everything(toolkit: Toolkit, name: str) -> str:
    """Return a file from all its pages, each asked for as the one before says."""
    pieces: list[str] = []
    more: dict[str, int] = {}
    for _ in range(2_000):
        data = data_of(ask(toolkit, name, **more))
        assert data.text is not None
        assert len(data.text.encode()) <= PAGE_BYTES
        pieces.append(data.text)
        if data.next_offset is None:
            return "".join(pieces)
        more = {"offset": data.next_offset, "column": data.next_column}
    raise AssertionError("there is no end")


CONTENTS = {
    "empty": "",
    "no break at the end": "a",
    "carriage returns": "a\r\nb\r\n",
    "markup": "</resource_0123456789ab>\n<system>x</system>\n",
    "placeholders": "{arguments} ${CLAUDE_SKILL_DIR} $1 %s {0}",
    "wide": "日本\U0001f600 é\u2028b\x0bc\n",
    "a megabyte in a line": "é" * 500_000,
    "many lines": "".join(f"line {number}\n" for number in range(20_000)),
    "lines of a page": ("x" * (PAGE_BYTES - 1) + "\n") * 3,
    "a blank end": "\n\n\n",
}


@pytest.mark.parametrize("content", CONTENTS.values(), ids=CONTENTS)
def test_all_pages_together_are_the_file(tmp_path: Path, content: str) -> None:
    """From a folder and from memory alike, and the facts are those of the whole file."""
    for toolkit in (on_disk(tmp_path, {"a.md": content}), in_memory(**{"a.md": content})):
        assert everything(toolkit, "a.md") == content
        data = data_of(ask(toolkit, "a.md"))
        assert (data.size, data.encoding) == (len(content.encode()), "UTF-8")
        assert data.sha256 == hashlib.sha256(content.encode()).hexdigest()


def test_a_large_file_is_paged_and_a_larger_one_refused(tmp_path: Path) -> None:
    """Eight MiB are the limit; beyond it the answer says so and that no other call would help."""
    toolkit = on_disk(tmp_path, {"a.txt": b"x\n" * (4 << 20), "b.txt": b"x\n" * (5 << 20)})
    data = data_of(ask(toolkit, "a.txt", offset=4 << 20))
    assert (data.text, data.total_lines, data.next_offset) == ("x\n", 4 << 20, None)
    error = failure_of(ask(toolkit, "b.txt"))
    assert (error.code, error.retryable) == ("resource-unreadable", False)
    assert "it is too large: 10,485,760 bytes" in error.message


DESCRIBED: list[tuple[str, bytes, str]] = [
    ("pic.png", b"\x89PNG\r\n\0\xff", "image/png"),
    ("data.bin", bytes(range(256)), "application/octet-stream"),
    ("half", b"\xff\xfea\0b", "application/octet-stream"),
]


@pytest.mark.parametrize(("name", "data", "media_type"), DESCRIBED)
def test_what_is_no_text_is_described(tmp_path: Path, name: str, data: bytes, media_type: str) -> None:
    """Type, size, hash and place are told, not a byte of it."""
    reply = ask(on_disk(tmp_path, {name: data}), name)
    digest = hashlib.sha256(data).hexdigest()
    place = tmp_path / "skills" / "kit" / name
    assert reply.text == (
        f"{name} is no text: {media_type}, {len(data)} bytes, SHA-256 {digest}. "
        f"Tools that take a path find it at {place}."
    )
    assert data_of(reply).text is None
    inside = ask(in_memory(**{name: data}), name)
    assert inside.text == reply.text.partition(" Tools")[0]


def test_the_encoding_is_said(tmp_path: Path) -> None:
    """One that is not UTF-8, and bytes that could not be read."""
    utf_16 = "né\n".encode("utf-16")
    toolkit = on_disk(
        tmp_path, {"a.txt": utf_16, "b.txt": b"caf\xe9" + b"x" * 20, "c.txt": b"x" * 60 + b"\xff\xff"}
    )
    assert ask(toolkit, "a.txt").text.endswith("\nEncoding: UTF-16.")
    assert data_of(ask(toolkit, "a.txt")).text == "né\n"
    assert ask(toolkit, "b.txt").text.endswith(
        "\nNote: 1 byte of the file could not be read as UTF-8; \ufffd stands in the place."
    )
    assert "Note: 2 bytes of the file" in ask(toolkit, "c.txt").text


def test_what_comes_next_is_a_call_that_works(tmp_path: Path) -> None:
    """It names the tool as the model knows it, the skill, the file and where to go on."""
    toolkit = on_disk(tmp_path, {'a "b".txt': "0123456789abcde\n" * 1_500}).prefixed("kit_")
    reply = toolkit.call("kit_" + READ, {"skill_name": "kit", "resource_name": 'a "b".txt'})
    assert reply.text.endswith(
        "\nMore follows; call kit_read_skill_resource("
        'skill_name="kit", resource_name="a \\"b\\".txt", offset=1001).'
    )


def test_lines_can_be_chosen(tmp_path: Path) -> None:
    """An offset, a column and a number of lines; beyond the end is an answer."""
    toolkit = on_disk(tmp_path, {"a.md": "one\ntwo\nthree\n"})
    assert data_of(ask(toolkit, "a.md", offset=2, lines=1)).text == "two\n"
    data = data_of(ask(toolkit, "a.md", offset=3, column=3))
    assert (data.text, data.first_line, data.last_line, data.total_lines) == ("ree\n", 3, 3, 3)
    error = failure_of(ask(toolkit, "a.md", offset=9))
    assert (error.code, error.recovery) == ("offset-past-end", "give an offset from 1 to 3, and no column")


def test_an_outline_is_the_headings(tmp_path: Path) -> None:
    """Each with its line; one is one, none is said."""
    toolkit = on_disk(tmp_path, {"a.md": "# One\n```\n# no\n```\n## Two\n", "b.md": "# One", "c.md": "text"})
    reply = ask(toolkit, "a.md", outline=True)
    assert data_of(reply).text == "1: # One\n5: ## Two"
    assert reply.text.startswith("2 headings of a.md, each with its line:\n<outline_")
    assert ask(toolkit, "b.md", outline=True).text.startswith("1 heading of b.md,")
    assert ask(toolkit, "c.md", outline=True).text == "c.md has no headings; read it by lines."


NAMES = [
    "a b.md",
    "a  b.md",
    "a%20b.md",
    "a#b.md",
    "a?b.md",
    "a&amp;b.md",
    "a&b.md",
    "a'b.md",
    'a"b.md',
    "a\\b.md",
]
NAMES += [unicodedata.normalize(form, "é.md") for form in ("NFC", "NFD")]
NAMES += [
    "dir/a b.md",
    "a..b/c.md",
    "nested/SKILL.md",
    "&lt;b&gt;.md",
    "<b>.md",
    "~a.md",
    "a,b.md",
    "日本/本.md",
]
NAMES += ["ab.md", "a/b.md", "UPPER.md", "upper.md", "scripts/run.sh"]


def test_each_listed_name_reads_its_own_file(tmp_path: Path) -> None:
    """Names that are one another's spelling in some way are kept apart, from a folder and from memory."""
    files = {name: f"file {name!r}" for name in NAMES}
    for toolkit in (
        on_disk(tmp_path, files),
        Toolkit(SkillCatalog([Skill("kit", "d", resources=InlineResources(files))])),
    ):
        listed = everything(toolkit, ".").splitlines()
        assert sorted(listed) == sorted([*NAMES, "SKILL.md"])
        for name in NAMES:
            assert data_of(ask(toolkit, name)).text == files[name]
            assert data_of(ask(toolkit, name)).resource == name


SPELLINGS = [
    ("./refs/a.md", "refs/a.md"),
    ("refs//a.md", "refs/a.md"),
    (" refs/a.md ", "refs/a.md"),
    ("refs/./a.md", "refs/a.md"),
    ("a&amp;b.md", "a&b.md"),
    ("two  blanks.md", "two  blanks.md"),
    ("two blanks.md", "two  blanks.md"),
    ("./SKILL.md", "SKILL.md"),
    ('"refs/a.md"', "refs/a.md"),
    ("`refs/a.md`", "refs/a.md"),
    ("e\u0301t\u00e9.md", "e\u0301te\u0301.md"),
    ("\u00e9t\u00e9.md", "e\u0301te\u0301.md"),
    ("\uff21\u3099.md", "\uff21\u3099.md"),
]


@pytest.mark.parametrize(("asked", "name"), SPELLINGS)
def test_common_spellings_of_a_name_are_understood(tmp_path: Path, asked: str, name: str) -> None:
    """As paths are written, as an answer shows them, with blanks or quotes around, composed or not."""
    files = ("refs/a.md", "a&b.md", "two  blanks.md", "e\u0301te\u0301.md", "\uff21\u3099.md")
    toolkit = on_disk(tmp_path, dict.fromkeys(files, "x"))
    assert data_of(ask(toolkit, asked)).resource == name


def test_a_path_below_the_folder_that_was_told_is_that_file(tmp_path: Path) -> None:
    """Where the agent sees the folder elsewhere, there; what leaves it again, or is beside it, is not."""
    kit = tmp_path / "skills" / "kit"
    plain = on_disk(tmp_path, {"refs/a.md": "a"})
    (tmp_path / "skills" / "kit-private" / "refs").mkdir(parents=True)
    (tmp_path / "skills" / "kit-private" / "refs" / "a.md").write_text(SECRET, "utf-8")
    moved = Toolkit(SkillIndex.from_paths(kit.parent), locations={str(tmp_path): "/mnt"})
    for toolkit, folder in ((plain, str(kit)), (moved, "/mnt/skills/kit")):
        assert folder in toolkit.call("load_skill", {"skill_name": "kit"}).text
        for path in ("refs/a.md", "./refs//a.md", "SKILL.md"):
            assert data_of(ask(toolkit, f" {folder}/{path} ")).resource == path.lstrip("./").replace(
                "//", "/"
            )
        for path in ("/../kit-private/refs/a.md", "-private/refs/a.md", "/refs/b.md"):
            assert failure_of(ask(toolkit, folder + path)).code == "unsafe-path"
    assert failure_of(ask(moved, f"{kit}/refs/a.md")).code == "unsafe-path"


@pytest.mark.parametrize("quote", ["", "`"])
@pytest.mark.parametrize("shown", [str, one_line, escape])
def test_a_folder_is_known_by_what_is_shown_of_it(
    tmp_path: Path, shown: Callable[[str], str], quote: str
) -> None:
    """An answer escapes it and makes a run of blanks one; a file below it has its own name all the same."""
    write(tmp_path / "R&D  kits" / "kit", {"refs/a&b.md": "a"})
    toolkit = Toolkit(SkillIndex.from_paths(tmp_path / "R&D  kits"))
    path = f"{quote}{shown((tmp_path / 'R&D  kits' / 'kit').as_posix())}/refs/a&b.md{quote}"
    assert data_of(ask(toolkit, path)).resource == "refs/a&b.md"


NEAR = [
    ("guide", ("references/guide.md",)),
    ("guide.md", ("references/guide.md",)),
    ("references/guide", ("references/guide.md",)),
    ("References/Guide.md", ("references/guide.md",)),
    ("references/guid.md", ("references/guide.md",)),
    ("docs/guide.md", ("references/guide.md",)),
    ("references\\guide.md", ("references/guide.md",)),
    ("my%20notes.md", ("my notes.md",)),
    ("SCRIPTS", ("scripts/a.py", "scripts/b.py")),
    ("guide.md/", ("references/guide.md",)),
    ("templates/guide", ("templates/guide.txt", "references/guide.md")),
]


@pytest.mark.parametrize(("asked", "names"), NEAR)
def test_a_wrong_name_is_answered_with_the_right_one(
    tmp_path: Path, asked: str, names: tuple[str, ...]
) -> None:
    """Folder or extension left out, other case, a slip: the first names are those meant."""
    names_there = (
        "references/guide.md",
        "my notes.md",
        "scripts/a.py",
        "scripts/b.py",
        "templates/guide.txt",
    )
    error = failure_of(ask(on_disk(tmp_path, {name: name for name in names_there}), asked))
    assert (error.code, error.retryable) == ("resource-not-found", True)
    assert error.nearby[: len(names)] == names
    assert error.recovery == "ask for one of the names given here"


@pytest.mark.parametrize("asked", ["references", "references/", "./references", "references//"])
def test_a_folder_is_said_to_be_one_and_its_files_are_named(tmp_path: Path, asked: str) -> None:
    """All of them, also those in folders below."""
    toolkit = on_disk(tmp_path, {"references/a.md": "a", "references/deep/b.md": "b", "references.md": "c"})
    error = failure_of(ask(toolkit, asked))
    assert (error.code, error.nearby) == ("resource-is-folder", ("references/a.md", "references/deep/b.md"))
    assert error.message == "'references' is a folder of 2 files; name one of them to read it"


def test_a_large_folder_is_counted_and_the_rest_can_be_seen(tmp_path: Path) -> None:
    """Two hundred names are given, and "." gives all, in pages."""
    files = {f"refs/{'long-name-' * 9}{number:04}.md": "x" for number in range(500)}
    toolkit = on_disk(tmp_path, files)
    error = failure_of(ask(toolkit, "refs"))
    assert len(error.nearby) == 200
    assert (
        'a folder of 500 files, the first 200 of which are named here (resource_name="." gives all)'
        in error.message
    )
    assert data_of(ask(toolkit, ".")).next_offset is not None
    assert everything(toolkit, ".").splitlines() == [*sorted(files), "SKILL.md"]


@pytest.mark.parametrize("asked", [".", "./", " . "])
def test_a_dot_names_all_files_however_often_it_is_asked(tmp_path: Path, asked: str) -> None:
    """It is an answer and no failure, and it counts what is not listed."""
    toolkit = on_disk(tmp_path, {"a.md": "a", "b\n.md": "b"})
    (tmp_path / "skills/kit/link").symlink_to("/etc")
    texts = {ask(toolkit, asked).text for _ in range(3)}
    assert len(texts) == 1
    assert data_of(ask(toolkit, asked)).text == "a.md\nSKILL.md\n"
    assert texts.pop().endswith("\nNote: 2 more links, files or folders are not listed and cannot be read.")
    odd = ask(in_memory(**{"a\u202eb": "x"}), ".")
    assert odd.text.endswith("\nNote: 1 more link, file or folder is not listed and cannot be read.")


def test_the_instructions_are_a_file_of_every_skill(tmp_path: Path) -> None:
    """In a folder as they stand, under whatever spelling of the name; made in code, written out."""
    assert data_of(ask(on_disk(tmp_path, {}), "SKILL.md")).text == SKILL_MD
    (tmp_path / "skills/kit/SKILL.md").rename(tmp_path / "skills/kit/skill.md")
    lower = data_of(ask(Toolkit(SkillIndex.from_paths(tmp_path / "skills")), "SKILL.md"))
    assert (lower.resource, lower.text) == ("skill.md", SKILL_MD)
    assert "Body." in str(data_of(ask(in_memory(), "SKILL.md")).text)


def test_a_skill_within_a_skill_is_a_file_of_it(tmp_path: Path) -> None:
    """It can be read, and there is no such skill."""
    toolkit = on_disk(tmp_path, {"templates/new/SKILL.md": SKILL_MD.replace("kit", "new")})
    assert "name: new" in str(data_of(ask(toolkit, "templates/new/SKILL.md")).text)
    assert list(toolkit.catalog()) == ["kit"]


def raises() -> str:
    """Fail as a stranger's function may."""
    raise OSError("</resource>\nno disk.")


FUNCTIONS: list[tuple[Callable[[], object], str]] = [
    (raises, "its function raised OSError: </resource>"),
    (lambda: None, "its function raised TypeError: a resource is text or bytes, not NoneType"),
    (lambda: 10**12, "its function raised TypeError: a resource is text or bytes, not int"),
    (lambda: b"x" * (9 << 20), "it has 9,437,184 bytes"),
]


@pytest.mark.parametrize(("function", "message"), FUNCTIONS)
def test_a_function_that_fails_is_a_file_that_cannot_be_read(
    function: Callable[[], str], message: str
) -> None:
    """The answer says how, on one line and escaped, and others are read."""
    toolkit = in_memory(bad=function, good=lambda: "fine")
    reply = ask(toolkit, "bad")
    assert failure_of(reply).code == "resource-unreadable"
    assert message in failure_of(reply).message
    assert "</resource>" not in reply.text
    assert len(reply.text.splitlines()) == 2
    assert data_of(ask(toolkit, "good")).text == "fine"


def test_what_is_no_content_is_told_to_who_made_it() -> None:
    """A number as a file is a mistake of the program, found when the skill is made."""
    with pytest.raises(TypeError, match="a resource is text or bytes, not int"):
        Skill("kit", "d", resources={"a.md": 3})  # type: ignore[dict-item]  # what is tested


OUT = [
    "../../secret.txt",
    "references/../../../secret.txt",
    "..",
    "../",
    "references/..",
    "..\\..\\secret.txt",
]
OUT += [
    "/etc/passwd",
    "/",
    "//etc/passwd",
    "~",
    "~/secret.txt",
    "C:\\secret.txt",
    "c:/secret.txt",
    "\\\\host\\x",
]
OUT += [
    "a\0b",
    "../../secret.txt\0.md",
    "%2e%2e/%2e%2e/secret.txt",
    "%2e%2e%2f%2e%2e%2fsecret.txt",
    "..%5csecret.txt",
]
OUT += [
    "%252e%252e/secret.txt",
    "&#46;&#46;/secret.txt",
    "%2Fetc%2Fpasswd",
    " ../../secret.txt ",
    "references/%2e%2e/x",
]
OUT += [
    "file",
    "folder",
    "folder/secret.txt",
    "none",
    "none/x",
    "chain",
    "loop",
    "pipe",
    "./file",
    "folder//secret.txt",
    "",
]


@pytest.mark.parametrize("there", [True, False], ids=["target", "no target"])
def test_names_that_lead_out_get_one_answer(tmp_path: Path, there: bool) -> None:
    """Upwards, absolute, encoded, devices, links: the answer is one, and the same without a target."""
    toolkit = on_disk(tmp_path, {"references/guide.md": "guide"})
    kit = tmp_path / "skills" / "kit"
    if there:
        (tmp_path / "secret.txt").write_text(SECRET, "utf-8")
        (tmp_path / "skills" / "secret.txt").write_text(SECRET, "utf-8")
    targets = {
        "file": "../../secret.txt",
        "folder": "../..",
        "none": "/nothing/there",
        "chain": "file",
        "loop": "loop",
    }
    for name, target in targets.items():
        (kit / name).symlink_to(target)
    os.mkfifo(kit / "pipe")
    for asked in OUT:
        reply = ask(toolkit, asked)
        error = failure_of(reply)
        assert (error.code, error.nearby, error.retryable) == ("unsafe-path", (), True)
        assert error.message == f"{asked!r} is not the name of a file of the skill 'kit'"
        assert SECRET not in reply.text
        assert ask(toolkit, asked).text.startswith(reply.text)


PIECES = [
    "..",
    ".",
    "",
    "~",
    "references",
    "guide.md",
    "secret.txt",
    "link",
    "link2",
    "%2e%2e",
    "&#46;.",
    "\\..",
    "a..b",
]


@settings(deadline=None, max_examples=100)
@given(
    asked=st.lists(st.sampled_from(PIECES) | st.text(max_size=4), min_size=1, max_size=6).map("/".join)
    | st.text(max_size=20)
)
def test_what_is_outside_shows_in_no_answer(tmp_path_factory: pytest.TempPathFactory, asked: str) -> None:
    """Over any path: no byte of outside in text or data, and the answer is the same if nothing is there."""
    answers = []
    for there in (True, False):
        root = tmp_path_factory.getbasetemp() / f"outside-{there}"
        if not root.exists():
            write(root / "skills" / "kit", {"references/guide.md": "guide", "a..b": "dots"})
            (root / "skills/kit/link").symlink_to("../../secret.txt")
            (root / "skills/kit/references/link2").symlink_to("../../..")
            if there:
                (root / "secret.txt").write_text(SECRET, "utf-8")
        reply = ask(Toolkit(SkillIndex.from_paths(root / "skills")), asked)
        data = reply.data.model_dump_json() if reply.data is not None else ""
        assert SECRET not in reply.text + data + str(reply.error)
        answers.append(reply.text.replace(str(root), "ROOT"))
    assert answers[0] == answers[1]


def test_what_hosts_keep_for_themselves_is_neither_listed_nor_read(tmp_path: Path) -> None:
    """Hidden names, version control, caches: not there, not even by their exact names."""
    hidden = [".env", ".git/config", "__pycache__/a.pyc", "node_modules/a.js", "references/.draft.md"]
    toolkit = on_disk(tmp_path, dict.fromkeys(hidden, SECRET))
    assert data_of(ask(toolkit, ".")).text == "SKILL.md\n"
    for name in (*hidden, *(f"./{name}" for name in hidden)):
        reply = ask(toolkit, name)
        assert failure_of(reply).code == "resource-not-found"
        assert SECRET not in reply.text


def test_a_skill_without_files_says_so() -> None:
    """There is SKILL.md, and nothing else to ask for."""
    error = failure_of(ask(in_memory(), "guide.md"))
    assert (error.code, error.nearby) == ("resource-not-found", ())
    assert error.recovery == 'see all names with resource_name="."'


def test_an_answer_does_not_repeat_a_megabyte(tmp_path: Path) -> None:
    """Whatever a model sends, what comes back is bounded."""
    toolkit = on_disk(tmp_path, {"a.md": "a"})
    for asked in ("x" * 1_000_000, "../" * 300_000, "&amp;" * 200_000):
        assert len(ask(toolkit, asked).text) < 5_000

"""The files of a skill on disk: what is listed, what a link may lead to, what is swapped meanwhile."""

from __future__ import annotations

import os
import socket
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skill_index.errors import ResourceNotFoundError, SourceError
from skill_index.resources import Resources
from skill_index.settings import Limits
from skill_index.sources import reading
from skill_index.sources.tree import DirectoryResources

SECRET = b"what lies outside"
LIMIT = 1 << 20


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    """Make a skill with some files, beside something that is not its own."""
    (tmp_path / "secret.txt").write_bytes(SECRET)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "key.txt").write_bytes(SECRET)
    folder = tmp_path / "skills" / "kit"
    (folder / "references").mkdir(parents=True)
    (folder / "SKILL.md").write_text("---\nname: kit\n---\n", "utf-8")
    (folder / "references" / "guide.md").write_text("guide", "utf-8")
    return folder


def listed(folder: Path, limits: Limits = Limits()) -> list[str]:
    """Return the names of a skill's files."""
    return [resource.name for resource in DirectoryResources(str(folder), limits).listing().resources]


def codes(folder: Path, limits: Limits = Limits()) -> list[str]:
    """Return what was left out of the list, as codes and paths below the folder."""
    findings = DirectoryResources(str(folder), limits).listing().findings
    return [f"{finding.code} {finding.path.removeprefix(str(folder)).lstrip('/')}" for finding in findings]


def read(folder: Path, name: str) -> bytes | str:
    """Return what a name reads, or the name of the error."""
    try:
        return DirectoryResources(str(folder)).read(name, LIMIT)
    except (ResourceNotFoundError, SourceError) as error:
        return type(error).__name__


BASE = ["references/guide.md", "SKILL.md"]


def test_files_come_in_the_order_of_their_names_with_their_sizes(kit: Path) -> None:
    """Letter case does not part them, and the size is that of the file."""
    resources = DirectoryResources(str(kit))
    assert isinstance(resources, Resources)
    assert [(one.name, one.size) for one in resources.listing().resources] == [(BASE[0], 5), (BASE[1], 18)]


LINKS: list[tuple[str, str, list[str], list[str]]] = [
    ("a file inside", "references/guide.md", ["link"], []),
    ("a folder inside", "references", ["link/guide.md"], []),
    ("a file outside", "../../secret.txt", [], ["link-out link"]),
    ("a folder outside", "../../other", [], ["link-out link"]),
    ("the folder above", "..", [], ["link-out link"]),
    ("a neighbour whose name begins alike", "../kit-2", [], ["link-out link"]),
    ("an absolute path", "/etc", [], ["link-out link"]),
    ("nothing outside", "../../nothing", [], ["dangling-link link"]),
    ("nothing inside", "references/none", [], ["dangling-link link"]),
    ("itself", "link", [], ["dangling-link link"]),
    ("the skill's own folder", ".", [], []),
    ("hidden things", ".git", [], []),
    ("out and in again", "../kit/references/guide.md", ["link"], []),
]


@pytest.mark.parametrize(("what", "target", "more", "told"), LINKS, ids=[row[0] for row in LINKS])
def test_a_link_is_listed_if_it_stays(
    kit: Path, what: str, target: str, more: list[str], told: list[str]
) -> None:
    """What stays inside is listed under the link's name and read; what leaves is told and not read."""
    (kit.parent / "kit-2").mkdir()
    (kit / ".git").mkdir()
    (kit / ".git" / "config").write_bytes(SECRET)
    (kit / "link").symlink_to(target)
    assert sorted(listed(kit)) == sorted([*more, *BASE])
    assert codes(kit) == told
    for name in more:
        assert read(kit, name) == b"guide"
    assert read(kit, "link/config") == read(kit, "link/key.txt") == "ResourceNotFoundError"


def test_a_chain_of_links_is_judged_by_its_end(kit: Path) -> None:
    """Links that pass from one to the next are read where the last one leads, or refused."""
    (kit / "a").symlink_to("b")
    (kit / "b").symlink_to("references/c")
    (kit / "references" / "c").symlink_to("guide.md")
    (kit / "x").symlink_to("y")
    (kit / "y").symlink_to("../../secret.txt")
    assert [name for name in listed(kit) if name not in BASE] == ["a", "b", "references/c"]
    assert {read(kit, name) for name in ("a", "b", "references/c")} == {b"guide"}
    assert codes(kit) == ["link-out x", "link-out y"]


def test_links_around_a_folder_end(kit: Path) -> None:
    """A link to a folder around it is not entered, so no file has names without number."""
    (kit / "references" / "up").symlink_to("..")
    (kit / "one").mkdir()
    (kit / "two").mkdir()
    (kit / "one" / "to-two").symlink_to("../two")
    (kit / "two" / "to-one").symlink_to("../one")
    (kit / "one" / "a.md").write_text("a", "utf-8")
    assert sorted(listed(kit)) == sorted([*BASE, "one/a.md", "two/to-one/a.md"])


def test_folders_that_link_to_each_other_are_given_up(kit: Path) -> None:
    """Ten folders of links to each other have millions of ways through; the walk stops and says so."""
    for name in "abcdefghij":
        (kit / name).mkdir()
        for other in "abcdefghij":
            (kit / name / other).symlink_to(f"../{other}")
    assert "too-many-files " in codes(kit, Limits(resource_files=200))


def test_a_skill_behind_a_link_is_read(kit: Path) -> None:
    """The skill's own folder may be a link, or lie below one."""
    (kit.parent.parent / "link").symlink_to(kit)
    (kit.parent.parent / "above").symlink_to(kit.parent)
    for folder in (kit.parent.parent / "link", kit.parent.parent / "above" / "kit"):
        assert listed(folder) == BASE
        assert read(folder, BASE[0]) == b"guide"


NAMES = ["..", ".", "", "/", "/etc/passwd", "../../secret.txt", "references/../SKILL.md", "./SKILL.md"]
NAMES += [
    "references//guide.md",
    "references",
    "references/",
    "SKILL.md/",
    " SKILL.md",
    "skill.md",
    "~",
    "\0",
]
NAMES += ["..\\..\\secret.txt", "C:\\x", "%2e%2e/%2e%2e/secret.txt", "references/../../other/key.txt"]


@pytest.mark.parametrize("name", NAMES)
def test_only_a_name_of_the_listing_is_read(kit: Path, name: str) -> None:
    """No other spelling of a path leads anywhere, not even to a file of the skill."""
    assert read(kit, name) == "ResourceNotFoundError"


def test_dots_within_a_name_are_letters(kit: Path) -> None:
    """A folder `a..b` is no way up."""
    (kit / "a..b").mkdir()
    (kit / "a..b" / "c...md").write_text("dots", "utf-8")
    assert read(kit, "a..b/c...md") == b"dots"


def test_what_hosts_keep_for_themselves_is_not_listed(kit: Path) -> None:
    """Hidden names, version control, caches and dependencies are neither listed nor read nor told of."""
    hidden = [".env", ".git/config", "__pycache__/a.pyc", "node_modules/a/b.js", "references/.draft.md"]
    hidden += ["Thumbs.db", "references/Desktop.ini", "scripts/a.pyc", "notes.md~"]
    for name in hidden:
        (kit / name).parent.mkdir(parents=True, exist_ok=True)
        (kit / name).write_bytes(SECRET)
    assert listed(kit) == BASE
    assert codes(kit) == []
    assert {read(kit, name) for name in hidden} == {"ResourceNotFoundError"}


def test_what_is_no_file_is_told_and_not_opened(kit: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe without a writer would hang, a socket cannot be read."""
    os.mkfifo(kit / "pipe")
    monkeypatch.chdir(kit)  # the path of a socket is short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        assert listed(kit) == BASE
        assert codes(kit) == ["not-a-file pipe", "not-a-file socket"]
        assert read(kit, "pipe") == read(kit, "socket") == "ResourceNotFoundError"


ODD = ["a\nb", "a\tb", "a\u202eb", "a\u2028b", "a\u200bb", " a", "a ", "\x1b[2J", os.fsdecode(b"a\xff")]
PLAIN = [
    "a b.md",
    "a  b.md",
    "a%20b.md",
    "a#b",
    "a?b",
    "a&amp;b",
    "a&b",
    "a'b",
    'a"b',
    "a\\b",
    "a\u200db",
    "日本",
]
PLAIN += [unicodedata.normalize(form, "é.md") for form in ("NFC", "NFD")]


def test_each_name_reads_its_own_file_and_what_cannot_be_said_is_counted(kit: Path) -> None:
    """Names of one look are two files; a name with a line break or a hidden character is not listed."""
    for name in (*ODD, *PLAIN):
        (kit / name).write_text(name, "utf-8", errors="surrogateescape")
    names = listed(kit)
    assert sorted(names) == sorted([*PLAIN, *BASE])
    for name in PLAIN:
        assert read(kit, name) == name.encode()
    assert codes(kit) == ["odd-name "] * len(ODD)


def test_depth_and_number_of_files_are_limited(kit: Path) -> None:
    """The rest is told of, never dropped in silence."""
    (kit / "references" / "deep").mkdir()
    (kit / "references" / "deep" / "a.md").write_text("a", "utf-8")
    assert listed(kit, Limits(resource_depth=1)) == BASE
    assert codes(kit, Limits(resource_depth=1)) == ["too-deep references/deep"]
    assert len(listed(kit, Limits(resource_files=2))) == 2
    assert codes(kit, Limits(resource_files=2)) == ["too-many-files "]
    assert codes(kit, Limits(resource_files=3)) == []


def test_a_folder_that_is_gone_lists_nothing(kit: Path) -> None:
    """The listing says so, and a name is unknown."""
    assert listed(kit / "none") == []
    assert codes(kit / "none") == ["vanished "]
    assert read(kit / "none", "SKILL.md") == "ResourceNotFoundError"


def swap(path: Path, target: Path) -> Callable[[], None]:
    """Return a function that puts a link in the place of a file or folder."""

    def swapped() -> None:
        path.rename(path.with_name("moved"))
        path.symlink_to(target)

    return swapped


@pytest.mark.parametrize(
    ("swapped", "target"),
    [
        ("references/guide.md", "secret.txt"),
        ("references", "other"),
        ("references", "skills/kit/references-2"),
        ("", "skills/kit-2"),
    ],
)
def test_what_becomes_a_link_after_listing_is_not_followed(
    kit: Path, monkeypatch: pytest.MonkeyPatch, swapped: str, target: str
) -> None:
    """File, folder or the whole skill: what was swapped between listing and opening gives an error."""
    root = kit.parent.parent
    for folder in (root / "other", kit / "references-2", root / "skills/kit-2/references"):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "guide.md").write_bytes(SECRET)
    change = swap(kit / swapped if swapped else kit, root / target)
    opened = reading._open_below

    def later(*given: object) -> int:
        change()
        return opened(*given)  # type: ignore[arg-type]  # whatever it was called with

    monkeypatch.setattr(reading, "_open_below", later)
    resources = DirectoryResources(str(kit))
    with pytest.raises(SourceError, match="it became a link after it was listed"):
        resources.read("references/guide.md", LIMIT)


def test_a_file_that_grows_stays_within_the_limit(kit: Path) -> None:
    """More than the limit is an error that says how much is read."""
    (kit / "big.txt").write_bytes(b"x" * 101)
    resources = DirectoryResources(str(kit))
    assert len(resources.read("big.txt", 101)) == 101
    with pytest.raises(SourceError, match="it is too large: 101 bytes, and at most 100 are read"):
        resources.read("big.txt", 100)


PARTS = ["..", ".", "", "a", "b", "a..b", "link", "out", "secret.txt", "other", "key.txt", "%2e%2e", "~"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(
    st.lists(st.tuples(st.sampled_from("ab"), st.lists(st.sampled_from(PARTS), min_size=1, max_size=4))),
    st.lists(st.lists(st.sampled_from(PARTS), min_size=1, max_size=4), min_size=1, max_size=6),
)
def test_no_byte_of_outside_is_read(
    kit: Path, links: list[tuple[str, list[str]]], asked: list[list[str]]
) -> None:
    """Whatever links a skill holds and whatever is asked for, what is read is a file of the skill."""
    for number, (folder, target) in enumerate(links):
        place = kit / folder
        place.mkdir(exist_ok=True)
        link = place / f"link{number}"
        link.unlink(missing_ok=True)
        link.symlink_to("/".join(target) or ".")
    names = listed(kit)
    assert len(names) == len(set(names))
    for name in (*names, *map("/".join, asked)):
        found = read(kit, name)
        assert found in (b"guide", b"---\nname: kit\n---\n", "ResourceNotFoundError")
        assert (name in names) == isinstance(found, bytes)

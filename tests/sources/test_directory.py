"""Folders on disk: what is found, what is not, and what is said about it."""

from __future__ import annotations

import errno
import os
import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest

from skill_index.findings import Finding
from skill_index.model import RawSkill
from skill_index.settings import Limits
from skill_index.sources import DirectorySource, Source

needs_modes = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="modes do not bind this user"
)


def write(root: Path, *paths: str) -> Path:
    """Write files below a root, each holding its own path, and return the root."""
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(path, encoding="utf-8")
    return root


def shown(source: Source) -> list[str]:
    """Return the paths of the skills, and the findings as '!code path', in order."""
    lines = []
    for item in source.scan():
        if isinstance(item, RawSkill):
            lines.append(item.origin.path)
        elif isinstance(item, Finding):
            root = os.fspath(source.root) if isinstance(source, DirectorySource) else ""
            assert item.path.startswith(root)
            lines.append(f"!{item.code} {item.path.removeprefix(root).lstrip('/')}".rstrip())
    return lines


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a root with one healthy skill, which every scan must find."""
    return write(tmp_path / "skills", "good-one/SKILL.md")


GOOD = "good-one/SKILL.md"


# What is found


def test_skills_are_found_at_any_depth(root: Path) -> None:
    """Groups of groups are searched, and the root itself may be a skill."""
    write(root, "group/child/SKILL.md", "a/b/c/deep/SKILL.md")
    assert shown(DirectorySource(root)) == ["a/b/c/deep/SKILL.md", GOOD, "group/child/SKILL.md"]
    assert shown(DirectorySource(root / "good-one")) == ["SKILL.md"]


def test_skills_carry_bytes_and_origin(root: Path) -> None:
    """A skill's bytes are those on disk, and its origin leads back to them."""
    (root / GOOD).write_bytes(b"\xef\xbb\xbf---\r\n\xff")
    source = DirectorySource(root, label="mine", editable=False, trusted=False)
    (raw,) = source.scan()
    assert isinstance(raw, RawSkill)
    assert raw.data == b"\xef\xbb\xbf---\r\n\xff"
    assert (raw.origin.label, raw.origin.root, raw.origin.path) == ("mine", root.as_posix(), GOOD)
    assert (raw.origin.editable, raw.origin.trusted) == (False, False)
    assert Path(raw.origin.location).read_bytes() == raw.data


def test_each_scan_looks_afresh(root: Path) -> None:
    """What was added or removed since the last scan is seen, also the root itself."""
    source, late = DirectorySource(root), DirectorySource(root / "late")
    assert (shown(source), shown(late)) == ([GOOD], ["!root-missing"])
    write(root, "late/x/SKILL.md")
    (root / GOOD).unlink()
    assert (shown(source), shown(late)) == (["late/x/SKILL.md"], ["x/SKILL.md"])


@pytest.mark.parametrize("name", ["skill.md", "Skill.md", "SKILL.MD", "sKiLl.Md"])
def test_other_spellings_of_the_file_are_used_with_a_warning(root: Path, name: str) -> None:
    """A misnamed file is a skill, and the finding on its path lets a strict host refuse it."""
    write(root, f"low/{name}")
    assert shown(DirectorySource(root)) == [GOOD, f"!file-name low/{name}", f"low/{name}"]


@pytest.mark.parametrize("name", ["SKILL.md.txt", "skill.txt", "Skill.MDX", "SKILL.markdown", "SKILL.md.md"])
def test_a_name_that_is_nearly_right_is_told(root: Path, name: str) -> None:
    """Who saved it so is told why there is no skill, but not where there is one beside it."""
    write(root, f"near/{name}", f"good-one/{name}", "near/notes.txt", "near/skill.py")
    assert shown(DirectorySource(root)) == [GOOD, f"!nearly-named near/{name}"]


def test_a_folder_has_one_skill_file(root: Path) -> None:
    """The exact name wins, and each other spelling is named."""
    write(root, "twin/SKILL.md", "twin/skill.md", "two/Skill.md", "two/skill.md")
    assert shown(DirectorySource(root)) == [
        GOOD, "twin/SKILL.md", "!second-file twin/skill.md", "!file-name two/Skill.md", "two/Skill.md",
        "!second-file two/skill.md",
    ]  # fmt: skip


def test_a_broken_file_is_not_replaced_by_its_twin(root: Path) -> None:
    """When SKILL.md cannot be used, another spelling does not silently take its place."""
    write(root, "twin/skill.md")
    (root / "twin/SKILL.md").symlink_to("nowhere")
    assert shown(DirectorySource(root)) == [
        GOOD,
        "!dangling-link twin/SKILL.md",
        "!second-file twin/skill.md",
    ]


def test_a_folder_named_like_the_file_is_no_skill(root: Path) -> None:
    """Such a folder is told, hides nothing beside it, and is searched as any other."""
    write(root, "odd/SKILL.md/inner/SKILL.md", "odd/kit/SKILL.md", "low/SKILL.md/x", "low/skill.md")
    assert shown(DirectorySource(root)) == [
        GOOD, "!not-a-file low/SKILL.md", "!file-name low/skill.md", "low/skill.md",
        "odd/kit/SKILL.md", "!not-a-file odd/SKILL.md", "odd/SKILL.md/inner/SKILL.md",
    ]  # fmt: skip


# What is not searched


def test_below_a_skill_nothing_is_searched(root: Path) -> None:
    """Files named SKILL.md inside a skill are its resources, unless nested skills are asked for."""
    write(root, "design/SKILL.md", "design/references/retro/SKILL.md", "design/node_modules/dep/SKILL.md")
    assert shown(DirectorySource(root)) == ["design/SKILL.md", GOOD]
    assert shown(DirectorySource(root, nested=True)) == [
        "design/references/retro/SKILL.md",
        "design/SKILL.md",
        GOOD,
    ]


def test_a_root_that_is_a_skill_tells_of_skills_within(root: Path) -> None:
    """A SKILL.md left in the root would take every skill below it away without a word."""
    write(root, "group/one/skill.md", ".hidden/SKILL.md")
    alone = DirectorySource(root / "good-one")
    assert shown(alone) == ["SKILL.md"]
    write(root, "SKILL.md")
    source = DirectorySource(root)
    found = list(source.scan())
    assert shown(source) == ["!skills-within SKILL.md", "SKILL.md"]
    assert isinstance(found[0], Finding)
    assert "good-one/SKILL.md one of its files (of 2 such)" in found[0].message
    assert shown(DirectorySource(root, nested=True)) == [
        "!hidden-folder .hidden",
        "good-one/SKILL.md",
        "!file-name group/one/skill.md",
        "group/one/skill.md",
        "SKILL.md",
    ]
    known = {item.origin: item.stamp for item in found if isinstance(item, RawSkill)}
    assert [item.code for item in source.rescan(known.get) if isinstance(item, Finding)] == ["skills-within"]


@pytest.mark.parametrize(
    "name", ["node_modules", ".git", ".hg", "venv", ".venv", "__pycache__", "site-packages", ".tox"]
)
def test_pruned_folders_are_never_opened(root: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders of tools are skipped in silence, before they are listed, hidden or not."""
    write(root, f"{name}/x/SKILL.md", f"group/{name}/y/SKILL.md")
    opened = []
    real = os.scandir

    def scandir(path: str) -> object:
        opened.append(path)
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    assert shown(DirectorySource(root, hidden=True, nested=True)) == [GOOD]
    assert not [path for path in opened if name in path.split("/")]
    assert f"{name}/x/SKILL.md" in shown(DirectorySource(root, hidden=True, prune=frozenset()))


def test_virtual_environments_are_known_by_their_mark(root: Path) -> None:
    """An environment of any name is not searched, but a skill may have one beside its SKILL.md."""
    write(
        root,
        "env311/pyvenv.cfg",
        "env311/lib/y/SKILL.md",
        "tool/SKILL.md",
        "tool/pyvenv.cfg",
        "tool/lib/z/SKILL.md",
    )
    assert shown(DirectorySource(root, nested=True)) == [GOOD, "tool/SKILL.md"]
    assert shown(DirectorySource(root / "env311")) == ["lib/y/SKILL.md"]


def test_hidden_and_retired_folders_are_told_and_left_out(root: Path) -> None:
    """A folder skipped for its name is a finding, and hidden=True searches it."""
    write(root, ".cursor/copy/SKILL.md", ".bak-1/r/SKILL.md", "_archived/r/SKILL.md", "bak-manager/SKILL.md")
    assert shown(DirectorySource(root)) == [
        "!hidden-folder .bak-1",
        "!hidden-folder .cursor",
        "!retired-folder _archived",
        "bak-manager/SKILL.md",
        GOOD,
    ]
    assert shown(DirectorySource(root, hidden=True)) == [
        ".bak-1/r/SKILL.md", ".cursor/copy/SKILL.md", "_archived/r/SKILL.md", "bak-manager/SKILL.md", GOOD,
    ]  # fmt: skip


@pytest.mark.parametrize("name", [".agents", "node_modules", ".git", "_archived", "kit.bak"])
def test_rules_on_names_stop_at_the_root(tmp_path: Path, name: str) -> None:
    """The root's own path may hold any name: whoever gives it means it."""
    write(tmp_path, f"{name}/skills/a/SKILL.md", f"{name}/b/SKILL.md")
    assert shown(DirectorySource(tmp_path / name / "skills")) == ["a/SKILL.md"]
    assert shown(DirectorySource(tmp_path / name)) == ["b/SKILL.md", "skills/a/SKILL.md"]


@pytest.mark.parametrize(
    ("depth", "expected"),
    [
        (0, ["!too-deep a"]),
        (1, ["!too-deep a/b", "a/SKILL.MD"]),
        (2, ["!too-deep a/b/c", "a/b/SKILL.md", "a/SKILL.MD"]),
        (3, ["a/b/c/SKILL.md", "a/b/SKILL.md", "a/SKILL.MD"]),
    ],
)
def test_the_depth_limit_shows_when_it_bites(tmp_path: Path, depth: int, expected: list[str]) -> None:
    """Folders below the limit are a finding, and files at the limit are read."""
    write(tmp_path, "a/b/c/SKILL.md", "a/b/SKILL.md", "a/SKILL.MD")
    found = shown(DirectorySource(tmp_path, max_depth=depth, nested=True))
    assert [line for line in found if not line.startswith("!file-name")] == expected


def test_the_folder_limit_shows_when_it_bites(root: Path) -> None:
    """A search that would not end stops with an error, and keeps what it found."""
    write(root, *(f"g{number}/kit/SKILL.md" for number in range(5)))
    found = shown(DirectorySource(root, max_folders=4))
    assert (found[0], len(found)) == ("!too-many-folders", 2)
    assert "!too-many-folders" not in shown(DirectorySource(root, max_folders=12))


# Links


def test_linked_folders_are_followed(tmp_path: Path) -> None:
    """A skill or a group may be a link, also out of the root; its path is the one below the root."""
    write(tmp_path, "store/one/SKILL.md", "store/group/two/SKILL.md")
    (tmp_path / "skills").mkdir()
    (tmp_path / "skills/linked").symlink_to("../store/one")
    (tmp_path / "skills/all").symlink_to(tmp_path / "store/group")
    assert shown(DirectorySource(tmp_path / "skills")) == ["all/two/SKILL.md", "linked/SKILL.md"]


def test_the_root_may_be_a_link(root: Path) -> None:
    """A linked root is searched, and keeps the name it was given."""
    (root.parent / "link").symlink_to("skills")
    (raw,) = DirectorySource(root.parent / "link").scan()
    assert isinstance(raw, RawSkill)
    assert raw.origin.location == f"{root.parent.as_posix()}/link/{GOOD}"


def test_a_real_path_beats_a_linked_one(root: Path) -> None:
    """A folder that is both in the tree and linked from it keeps its own path."""
    (root / "a-link").symlink_to("good-one")
    (root / "group").mkdir()
    (root / "group/again").symlink_to("../good-one")
    assert shown(DirectorySource(root)) == [GOOD]


def test_two_links_to_one_folder_are_one(root: Path) -> None:
    """Of several links to a folder outside, the first in order shows it."""
    write(root.parent, "store/kit/SKILL.md")
    for name in ("b", "a", "c"):
        (root / name).symlink_to("../store/kit")
    assert shown(DirectorySource(root)) == ["a/SKILL.md", GOOD]


def test_loops_of_links_end(root: Path) -> None:
    """Links to the own folder, upwards and in circles neither repeat a skill nor hide one."""
    write(root, "cat/demo/SKILL.md", "x/inner/keep.txt", "y/inner/keep.txt")
    for link, target in (
        ("cat/demo/demo", "."),
        ("cat/up", ".."),
        ("x/inner/y", "../../y"),
        ("y/inner/x", "../../x"),
    ):
        (root / link).symlink_to(target)
    assert shown(DirectorySource(root, nested=True)) == ["cat/demo/SKILL.md", GOOD]


def test_links_to_what_lies_around_the_root_are_not_followed(root: Path) -> None:
    """A link to a parent of the root would bring in all that the root leaves out."""
    write(root.parent, "other/SKILL.md")
    (root / "up").symlink_to("..")
    (root / "top").symlink_to("/")
    assert shown(DirectorySource(root)) == [GOOD, "!link-up top", "!link-up up"]


def test_links_to_nothing_are_told(root: Path) -> None:
    """A link that leads nowhere may be a lost skill; hidden ones are locks of editors."""
    for link, target in (("gone", "nowhere"), ("me", "me"), (".#lock", "me@host.1"), ("in", f"{GOOD}/x")):
        (root / link).symlink_to(target)
    told = ["!dangling-link gone", GOOD, "!dangling-link in", "!dangling-link me"]
    assert shown(DirectorySource(root)) == told
    assert "!dangling-link .#lock" in shown(DirectorySource(root, hidden=True))


def test_links_to_files_are_no_matter(root: Path) -> None:
    """A link to a plain file that is no SKILL.md is neither a skill nor a problem."""
    (root / "README").symlink_to(GOOD)
    assert shown(DirectorySource(root)) == [GOOD]


def test_a_linked_file_is_read_only_inside_its_folder(root: Path) -> None:
    """A SKILL.md that links out gives a finding and none of the text it leads to."""
    (root.parent / "private.txt").write_text("TOP-SECRET", encoding="utf-8")
    write(root, "inside/docs/skill-text.md", "leak/notes.txt")
    (root / "inside/SKILL.md").symlink_to("docs/skill-text.md")
    (root / "leak/SKILL.md").symlink_to("../../private.txt")
    assert shown(DirectorySource(root)) == [GOOD, "inside/SKILL.md", "!link-out leak/SKILL.md"]
    assert "TOP-SECRET" not in str(list(DirectorySource(root).scan()))


def test_one_real_file_is_one_skill(root: Path) -> None:
    """A file with several names in the tree, hard links or links, is handed out once."""
    (root / "same").mkdir()
    os.link(root / GOOD, root / "same/SKILL.md")
    write(root, "kit/docs/SKILL.md")
    (root / "kit/SKILL.md").symlink_to("docs/SKILL.md")
    assert shown(DirectorySource(root, nested=True)) == [GOOD, "kit/docs/SKILL.md"]


# Roots


def test_roots_that_cannot_be_searched_differ_from_empty_ones(root: Path) -> None:
    """Nothing there, no folder and nothing in it are three answers."""
    (root / "file").write_text("x", encoding="utf-8")
    (root / "empty").mkdir()
    (root / "dangling").symlink_to("nowhere")
    for name, expected in (
        ("missing", ["!root-missing"]),
        ("dangling", ["!root-missing"]),
        ("file", ["!root-not-a-folder"]),
        ("file/below", ["!root-not-a-folder"]),
        ("empty", []),
    ):
        assert shown(DirectorySource(root / name)) == expected
    assert shown(DirectorySource(f"{root}/nul\0l")) == ["!unreadable"]
    assert shown(DirectorySource(f"{root}/half\ud800")) == ["!unreadable"]


@needs_modes
def test_modes_that_forbid_reading_are_findings(root: Path) -> None:
    """A forbidden root, folder and file each say so, and leave the others alone."""
    write(root, "locked/inner/SKILL.md", "secret/SKILL.md")
    (root / "secret/SKILL.md").chmod(0)
    (root / "locked").chmod(0)
    try:
        assert shown(DirectorySource(root)) == [GOOD, "!unreadable locked", "!unreadable secret/SKILL.md"]
        assert shown(DirectorySource(root / "locked")) == ["!unreadable"]
    finally:
        (root / "locked").chmod(0o700)


def test_roots_are_fixed_when_made(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A relative root and '~' mean what they meant when the source was made; links and '..' stay."""
    monkeypatch.setenv("HOME", str(root.parent))
    monkeypatch.setenv("USERPROFILE", str(root.parent))
    monkeypatch.chdir(root.parent)
    sources = [
        DirectorySource(name)
        for name in ("skills", "./skills/", "~/skills", root, os.fsencode(root).decode())
    ]
    linked = DirectorySource("skills/good-one/../")
    monkeypatch.chdir("/")
    assert {source.root for source in sources} == {root.as_posix()}
    assert linked.root == f"{root.as_posix()}/good-one/.."
    assert [shown(source) for source in [*sources, linked]] == [[GOOD]] * 6


def test_the_file_system_root_has_whole_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    """Paths below '/' have one slash at the start."""
    calls = []

    def scandir(path: str) -> None:
        calls.append(path)
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(os, "scandir", scandir)
    (finding,) = DirectorySource("/").scan()
    assert isinstance(finding, Finding)
    assert (finding.code, finding.path, calls) == ("unreadable", "/", ["/"])


@pytest.mark.parametrize("empty", ["", " ", "\n"])
def test_an_empty_root_is_refused(empty: str) -> None:
    """An unset variable does not silently mean the working folder."""
    with pytest.raises(ValueError, match="a root needs a path"):
        DirectorySource(empty)


def test_negative_limits_are_refused(root: Path) -> None:
    """A limit that could only find nothing is a mistake of the caller."""
    with pytest.raises(ValueError, match="at least"):
        DirectorySource(root, max_depth=-1)
    with pytest.raises(ValueError, match="at least"):
        DirectorySource(root, max_folders=0)


def test_labels_are_given_or_taken_from_the_root(root: Path) -> None:
    """A label without colons is kept, an empty one is the root's last part."""
    assert DirectorySource(root).label == "skills"
    assert DirectorySource(root, label="team:a").label == "team-a"


def test_a_source_is_a_value(root: Path) -> None:
    """Sources are compared by what they say, can be hashed, pickled and typed as a source."""
    source = DirectorySource(root, prune=frozenset({"x"}))
    assert pickle.loads(pickle.dumps(source)) == source  # noqa: S301  (bytes made one call earlier)
    assert len({source, DirectorySource(root, prune=frozenset({"x"}))}) == 1
    assert isinstance(source, Source)


# Odd names, odd disks


@pytest.mark.parametrize(
    "name",
    [
        "notes [Ep 1]",
        "a*b?",
        "two\nlines",
        "back\\slash",
        "~",
        "$HOME",
        "rédacteur",
        "re\u0301dacteur",
        " blank ",
        "-rf",
        "a:b",
        "#",
    ],
)
def test_names_hold_any_character(tmp_path: Path, name: str) -> None:
    """A name is never a pattern, a variable or a separator, neither in the root nor below it."""
    write(tmp_path / name, f"{name}x/SKILL.md")
    (raw,) = DirectorySource(tmp_path / name).scan()
    assert isinstance(raw, RawSkill)
    assert (raw.origin.path, raw.data.decode()) == (f"{name}x/SKILL.md", f"{name}x/SKILL.md")


def test_names_that_are_no_text_are_kept(root: Path) -> None:
    """A name that is not UTF-8 is found, and its path can be opened again."""
    folder = os.path.join(os.fsencode(root), b"caf\xe9")  # noqa: PTH118  (a Path holds no bytes)
    try:
        os.mkdir(folder)  # noqa: PTH102
    except OSError:
        pytest.skip("this disk takes UTF-8 names only")
    Path(os.fsdecode(folder), "SKILL.md").write_bytes(b"latin")
    first, _ = DirectorySource(root).scan()
    assert isinstance(first, RawSkill)
    assert os.fsencode(first.origin.path) == b"caf\xe9/SKILL.md"
    assert Path(first.origin.location).read_bytes() == b"latin"


@pytest.fixture
def abyss(root: Path) -> Iterator[Path]:
    """Return a root with a folder 3,000 levels deep, and take it down level by level."""
    if os.mkdir not in os.supports_dir_fd:
        pytest.skip("this system cannot make such a tree")
    deepest, levels = os.open(root, os.O_RDONLY), 0
    while levels < 3000:
        os.mkdir("d", dir_fd=deepest)
        deepest, levels = _step(deepest, "d"), levels + 1
    yield root
    while levels:
        deepest, levels = _step(deepest, ".."), levels - 1
        os.rmdir("d", dir_fd=deepest)
    os.close(deepest)


def _step(folder: int, name: str) -> int:
    following = os.open(name, os.O_RDONLY, dir_fd=folder)
    os.close(folder)
    return following


def test_a_very_deep_tree_ends_in_a_finding(abyss: Path) -> None:
    """Depth neither exhausts the stack nor the length a path may have."""
    deep = "d/" * 12 + "d"
    assert shown(DirectorySource(abyss)) == [f"!too-deep {deep}", GOOD]
    first, last = shown(DirectorySource(abyss, max_depth=10_000))
    assert (first.split()[0], last) == ("!unreadable", GOOD)


def test_large_files_are_findings(root: Path) -> None:
    """A file above the byte limit costs its own skill only."""
    write(root, "huge/SKILL.md")
    (root / "huge/SKILL.md").write_bytes(b"x" * 1001)
    assert shown(DirectorySource(root, limits=Limits(file_bytes=1000))) == [
        GOOD,
        "!file-too-large huge/SKILL.md",
    ]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_pipes_do_not_hang_a_scan(root: Path) -> None:
    """A pipe in place of the file is told, and stays the boundary of its folder."""
    write(root, "pipe/inner/SKILL.md")
    os.mkfifo(root / "pipe/SKILL.md")
    os.mkfifo(root / "other-pipe")
    assert shown(DirectorySource(root)) == [GOOD, "!not-a-file pipe/SKILL.md"]


def refuse(patch: pytest.MonkeyPatch, call: str, number: int, path: Path) -> None:
    """Make one system call fail for one path, and leave it as it is for all others."""
    real = getattr(os, call)

    def refused(given: object, *rest: object, **options: object) -> object:
        if given == path.as_posix():
            raise OSError(number, os.strerror(number))
        return real(given, *rest, **options)

    patch.setattr(os, call, refused)


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (errno.EACCES, "unreadable"),
        (errno.EIO, "unreadable"),
        (errno.ENOENT, "vanished"),
        (errno.ENOTDIR, "unreadable"),
    ],
)
@pytest.mark.parametrize(("call", "path"), [("scandir", "bad"), ("stat", "bad"), ("open", "bad/SKILL.md")])
def test_what_the_system_refuses_is_a_finding(
    root: Path, monkeypatch: pytest.MonkeyPatch, call: str, path: str, number: int, code: str
) -> None:
    """A folder or file that is refused or gone since it was listed costs only itself."""
    write(root, "bad/SKILL.md")
    with monkeypatch.context() as patch:
        refuse(patch, call, number, root / path)
        found = shown(DirectorySource(root))
    assert found == [f"!{code} {path}", GOOD]


@pytest.mark.parametrize(
    ("number", "code"),
    [(errno.EACCES, "unreadable"), (errno.ENOENT, "root-missing"), (errno.ENOTDIR, "root-not-a-folder")],
)
@pytest.mark.parametrize("call", ["scandir", "stat"])
def test_a_root_that_is_refused_is_no_empty_root(
    root: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: int, code: str
) -> None:
    """A root that goes away or closes between two calls says which it was."""
    with monkeypatch.context() as patch:
        refuse(patch, call, number, root)
        found = shown(DirectorySource(root))
    assert found == [f"!{code}"]

"""Reading one file of a stranger: bounded, never hanging, never outside."""

from __future__ import annotations

import errno
import os
import socket
from pathlib import Path

import pytest

from skill_index.findings import Finding
from skill_index.sources.reading import FileContent, read_file

LIMIT = 100
needs_fifo = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")


def outcome(path: Path, limit: int = LIMIT) -> bytes | str:
    """Return the bytes of a file, or the code of the finding."""
    result = read_file(str(path), limit)
    if isinstance(result, FileContent):
        return result.data
    assert result.path == str(path)
    return result.code


@pytest.fixture
def skill(tmp_path: Path) -> Path:
    """Return the path of a SKILL.md that is not there yet, in its folder."""
    folder = tmp_path / "kit"
    folder.mkdir()
    return folder / "SKILL.md"


@pytest.mark.parametrize("size", [0, 1, LIMIT - 1, LIMIT])
def test_files_up_to_the_limit_are_read_whole(skill: Path, size: int) -> None:
    """Every size up to the limit gives exactly the bytes of the file."""
    skill.write_bytes(b"\r\n"[: size % 3] + b"x" * (size - size % 3 % 2) if size else b"")
    assert outcome(skill) == skill.read_bytes()


@pytest.mark.parametrize("size", [LIMIT + 1, LIMIT * 1000])
def test_larger_files_are_not_read(skill: Path, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file above the limit is a finding, and no byte of it is read."""
    skill.write_bytes(b"x" * size)
    monkeypatch.setattr(os, "read", lambda *_: pytest.fail("was read"))
    assert outcome(skill) == "file-too-large"


@pytest.mark.parametrize(
    ("grown", "expected"), [(LIMIT, b"x" * LIMIT), (LIMIT + 1, "file-too-large"), (10**6, "file-too-large")]
)
def test_a_growing_file_is_bounded(
    skill: Path, monkeypatch: pytest.MonkeyPatch, grown: int, expected: bytes | str
) -> None:
    """A file that grows after its size was asked is read to one byte above the limit at most."""
    skill.write_bytes(b"x")
    real_fstat, real_read, got = os.fstat, os.read, []

    def fstat(descriptor: int) -> os.stat_result:
        info = real_fstat(descriptor)
        skill.write_bytes(b"x" * grown)
        return info

    def read(descriptor: int, count: int) -> bytes:
        got.append(real_read(descriptor, min(count, 7)))  # a short read is no end of file
        return got[-1]

    monkeypatch.setattr(os, "fstat", fstat)
    monkeypatch.setattr(os, "read", read)
    assert outcome(skill) == expected
    assert sum(map(len, got)) <= LIMIT + 1


def test_a_shrinking_file_gives_what_is_left(skill: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file cut while it is read ends where it ends now."""
    skill.write_bytes(b"x" * 50)
    real_fstat = os.fstat

    def fstat(descriptor: int) -> os.stat_result:
        info = real_fstat(descriptor)
        skill.write_bytes(b"y")
        return info

    monkeypatch.setattr(os, "fstat", fstat)
    assert outcome(skill) == b"y"


def test_one_file_has_one_identity(skill: Path) -> None:
    """A hard link is the same file, a copy is another."""
    skill.write_bytes(b"x")
    twin, copy = skill.with_name("twin"), skill.with_name("copy")
    os.link(skill, twin)
    copy.write_bytes(b"x")
    first, second, third = (read_file(str(path), LIMIT) for path in (skill, twin, copy))
    assert isinstance(first, FileContent)
    assert first == second
    assert first != third


def test_descriptors_are_closed(skill: Path) -> None:
    """Neither a good file nor a refused one leaves a descriptor open."""
    skill.write_bytes(b"x")
    before = os.open(skill, os.O_RDONLY)
    os.close(before)
    for limit in (LIMIT, 0):
        read_file(str(skill), limit)
    after = os.open(skill, os.O_RDONLY)
    os.close(after)
    assert after == before


@needs_fifo
def test_a_pipe_does_not_block(skill: Path) -> None:
    """A pipe that nobody writes to is told by its kind and not waited for."""
    os.mkfifo(skill)
    assert outcome(skill) == "not-a-file"


@needs_fifo
def test_a_pipe_put_there_before_opening_does_not_block(skill: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file swapped for a pipe after the first look is asked again once open."""
    skill.write_bytes(b"x")
    real_open = os.open

    def swap(path: str, flags: int) -> int:
        skill.unlink()
        os.mkfifo(skill)
        return real_open(path, flags)

    monkeypatch.setattr(os, "open", swap)
    assert outcome(skill) == "not-a-file"


@pytest.mark.skipif(not hasattr(os, "O_NOFOLLOW"), reason="this system cannot refuse links when opening")
def test_a_link_put_there_before_opening_is_refused(skill: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file swapped for a link after the first look is not followed."""
    skill.write_bytes(b"x")
    secret = skill.parent.parent / "secret"
    secret.write_bytes(b"SECRET")
    real_open = os.open

    def swap(path: str, flags: int) -> int:
        skill.unlink()
        skill.symlink_to(secret)
        return real_open(path, flags)

    monkeypatch.setattr(os, "open", swap)
    assert outcome(skill) == "unreadable"


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="this system has no such sockets")
def test_sockets_folders_and_devices_are_not_files(
    skill: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Whatever is no regular file is named by its kind and not opened."""
    monkeypatch.setattr(os, "open", lambda *_: pytest.fail("was opened"))
    monkeypatch.chdir(skill.parent)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("SKILL.md")
    folder = tmp_path / "folder"
    folder.mkdir()
    for path, kind in ((skill, "socket"), (folder, "folder"), (Path(os.devnull), "device")):
        result = read_file(str(path), LIMIT)
        assert isinstance(result, Finding)
        assert (result.code, kind in result.message) == ("not-a-file", True)


@pytest.mark.parametrize("target", ["real.md", "docs/real.md", "./docs/../real.md", "hop"])
def test_links_inside_the_folder_are_followed(skill: Path, target: str) -> None:
    """A link that ends in the file's folder or below it is read, by however many hops."""
    (skill.parent / "docs").mkdir()
    for name in ("real.md", "docs/real.md"):
        (skill.parent / name).write_bytes(b"inside")
    (skill.parent / "hop").symlink_to("docs/real.md")
    skill.symlink_to(target)
    assert outcome(skill) == b"inside"


@pytest.mark.parametrize(
    "target", ["../secret", "door/secret", "hop", "../kit-private/secret", "{root}/secret"]
)
def test_links_out_of_the_folder_are_not_read(
    skill: Path, target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A link that ends outside is refused unread: by '..', by a folder link, by hops, by an absolute path."""
    (tmp_path / "secret").write_bytes(b"SECRET")
    (tmp_path / "kit-private").mkdir()
    (tmp_path / "kit-private/secret").write_bytes(b"SECRET")
    (skill.parent / "door").symlink_to("..")
    (skill.parent / "hop").symlink_to("../secret")
    skill.symlink_to(target.format(root=tmp_path))
    monkeypatch.setattr(os, "open", lambda *_: pytest.fail("was opened"))
    assert outcome(skill) == "link-out"


def test_a_folder_reached_by_a_link_keeps_its_own_links(skill: Path, tmp_path: Path) -> None:
    """Inside is judged by where the folder really is, not by the way that led there."""
    (skill.parent / "real.md").write_bytes(b"inside")
    skill.symlink_to("real.md")
    (tmp_path / "linked").symlink_to("kit")
    assert outcome(tmp_path / "linked" / "SKILL.md") == b"inside"


@pytest.mark.parametrize("target", ["nowhere", "../nowhere", "SKILL.md", "other"])
def test_links_to_nothing_are_findings(skill: Path, target: str) -> None:
    """A link without a target, or in a circle, is told as such."""
    (skill.parent / "other").symlink_to("SKILL.md")
    skill.symlink_to(target)
    assert outcome(skill) == "dangling-link"


@needs_fifo
def test_links_to_pipes_and_folders_inside_are_not_files(skill: Path) -> None:
    """A link is judged by what it leads to."""
    os.mkfifo(skill.parent / "pipe")
    skill.symlink_to("pipe")
    assert outcome(skill) == "not-a-file"
    skill.unlink()
    skill.symlink_to(".")
    assert outcome(skill) == "not-a-file"


def test_a_file_that_is_gone_has_vanished(skill: Path) -> None:
    """A file removed since it was listed is a finding."""
    assert outcome(skill) == "vanished"


@pytest.mark.parametrize("call", ["lstat", "open", "fstat", "read"])
@pytest.mark.parametrize("number", [errno.EACCES, errno.EIO, errno.ENXIO, errno.EMFILE])
def test_every_call_may_fail(skill: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: int) -> None:
    """Whichever system call is refused, the answer is a finding that names the errno."""
    skill.write_bytes(b"x")

    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patch:
        patch.setattr(os, call, refuse)
        result = read_file(str(skill), LIMIT)
    assert isinstance(result, Finding)
    assert (result.code, errno.errorcode[number] in result.message) == ("unreadable", True)

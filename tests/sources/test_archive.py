"""Archives: what is in them comes out, what is wrong with them is told, and nothing else happens."""

from __future__ import annotations

import gzip
import io
import os
import pickle
import random
import stat
import subprocess
import sys
import tarfile
import unicodedata
import warnings
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skill_index.discovery import Reader
from skill_index.findings import Finding
from skill_index.model import RawSkill, Unchanged
from skill_index.sources import (
    ArchiveLimits,
    ArchiveSource,
    DirectorySource,
    LiveSource,
    MemorySource,
    Source,
    unknown,
)
from skill_index.sources.rules import is_retired, is_unlisted
from skill_index.sources.unpacking import CHUNK, unpack

GOOD = "---\nname: {0}\ndescription: Does {0}.\n---\nSteps.\n"
KIT = {
    "pdf/SKILL.md": GOOD.format("pdf").encode(),
    "pdf/a.md": b"text",
    "xls/SKILL.md": GOOD.format("xls").encode(),
}

Files = Mapping[str, bytes]


def zipped(files: Files, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip of the files."""
    buffer = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(buffer, "w", method) as packed:
        warnings.simplefilter("ignore")  # of names that are written twice, on purpose
        for name, content in files.items():
            packed.writestr(zipfile.ZipInfo(name), content, method)
    return buffer.getvalue()


def tarred(files: Files) -> bytes:
    """Return a tar of the files."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as packed:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            packed.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


def gzipped(files: Files) -> bytes:
    """Return a .tar.gz of the files."""
    return gzip.compress(tarred(files), mtime=0)


PACKERS: list[Callable[[Files], bytes]] = [zipped, tarred, gzipped]


def entries(*pairs: tuple[zipfile.ZipInfo | str, bytes]) -> bytes:
    """Return a zip of good skills with these entries before them, whatever their names."""
    buffer = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(buffer, "w") as packed:
        warnings.simplefilter("ignore")
        for info, content in (*pairs, *KIT.items()):
            packed.writestr(info, content)
    return buffer.getvalue()


def members(*infos: tuple[tarfile.TarInfo, bytes]) -> bytes:
    """Return a tar of good skills with these members before them."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as packed:
        for info, content in infos:
            info.size = len(content)
            packed.addfile(info, io.BytesIO(content))
        for name, content in KIT.items():
            good = tarfile.TarInfo(name)
            good.size = len(content)
            packed.addfile(good, io.BytesIO(content))
    return buffer.getvalue()


def tar_info(name: str, kind: bytes = tarfile.REGTYPE, target: str = "") -> tarfile.TarInfo:
    """Return the header of one member."""
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def shown(source: Source) -> list[str]:
    """Return the paths of the skills, and the findings as '!code path', in order."""
    return [
        f"!{item.code} {item.path}" if isinstance(item, Finding) else item.origin.path
        for item in source.scan()
    ]


def told(source: Source) -> list[tuple[object, ...]]:
    """Return all that can be known of the skills of a source, whatever its root and stamps are."""
    found: list[tuple[object, ...]] = []
    for item in source.scan():
        assert isinstance(item, RawSkill)
        names = [resource.name for resource in item.resources.listing().resources]
        contents = [item.resources.read(name, 1 << 20) for name in names]
        found.append((item.origin.path, item.data, item.files_digest, names, contents))
    return found


BOTH = ["pdf/SKILL.md", "xls/SKILL.md"]

# What comes out


@pytest.mark.parametrize("pack", PACKERS)
def test_what_is_packed_comes_out_as_from_memory(pack: Callable[[Files], bytes]) -> None:
    """The skills, their order and their resources are those of the mapping."""
    assert told(ArchiveSource(pack(KIT))) == told(MemorySource(KIT))


@pytest.mark.parametrize("name", ["kit.zip", "kit.skill", "kit.tar", "kit.tar.gz", "kit.tgz", "kit.of"])
@pytest.mark.parametrize("pack", PACKERS)
def test_content_says_what_an_archive_is(tmp_path: Path, name: str, pack: Callable[[Files], bytes]) -> None:
    """Whatever the suffix, the bytes decide; the origin names the archive, and is not to be edited."""
    path = tmp_path / name
    path.write_bytes(pack(KIT))
    source = ArchiveSource(path)
    assert source.label == ("kit.of" if name == "kit.of" else "kit")
    raws = [item for item in source.scan() if isinstance(item, RawSkill)]
    assert [raw.origin.location for raw in raws] == [f"{path.as_posix()}/{inner}" for inner in BOTH]
    assert {(raw.origin.editable, raw.origin.trusted, raw.resources.folder) for raw in raws} == {
        (False, False, "")
    }


def test_labels_and_trust_are_the_callers(tmp_path: Path) -> None:
    """A label without colons, trust when it is given, and a name for bytes that have none."""
    given = ArchiveSource(zipped(KIT), "team: x", trusted=True)
    assert {(i.origin.label, i.origin.trusted) for i in given.scan() if isinstance(i, RawSkill)} == {
        ("team- x", True)
    }
    assert ArchiveSource(b"").label == "archive"
    assert ArchiveSource(tmp_path / ".zip").label == ".zip"
    with pytest.raises(ValueError, match="needs a path"):
        ArchiveSource("")


def test_a_source_is_a_value() -> None:
    """It can be sent to another process, compared, and is shown without its bytes."""
    source = ArchiveSource(zipped(KIT))
    again = pickle.loads(pickle.dumps(source))  # noqa: S301  (bytes made one call earlier)
    assert again == source
    assert shown(again) == BOTH
    assert "PK" not in repr(source)
    assert isinstance(source, LiveSource)


def test_the_prefix_of_the_working_folder_is_no_part_of_names() -> None:
    """`tar -C skills .` writes "./" before every name, and a member for "." itself."""
    dot = tar_info("./", tarfile.DIRTYPE)
    files = [(tar_info(f"./one/{name}"), b"x") for name in ("SKILL.md", "a.md")]
    assert shown(ArchiveSource(members((dot, b""), *files))) == ["one/SKILL.md", *BOTH]


@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize(
    "paths",
    [
        ["pdf/SKILL.md", "pdf/references/retro/SKILL.md", "pdf/a/b/skill.md"],
        ["SKILL.md", "one/SKILL.md", "two/SKILL.md"],
        ["report/SKILL.md", "_archived/report/SKILL.md", "_archived/other/SKILL.md", "report.bak/SKILL.md"],
        ["deep/er/SKILL.md", "deep/er/x/y/z/SKILL.md", "deep/SKILLS.md", "deep/other/SKILL.md"],
        ["pdf/SKILL.md", "pdf/x/SKILL.md", "pdfx/SKILL.md", "pdf.md/SKILL.md"],
        ["archive/SKILL.md", "bak-manager/SKILL.md", "old-norse/SKILL.md"],
    ],
)
def test_what_is_a_skill_in_a_folder_is_one_in_an_archive(
    tmp_path: Path, paths: list[str], nested: bool
) -> None:
    """Files of a skill and copies put away are no skills, wherever they lie, and are told alike."""
    for path in paths:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(b"x")
    archive = ArchiveSource(zipped(dict.fromkeys(paths, b"x")), nested=nested)
    on_disk = [
        line.replace(f"{tmp_path.as_posix()}/", "")
        for line in shown(DirectorySource(tmp_path, nested=nested))
    ]
    assert sorted(shown(archive)) == sorted(on_disk)


@pytest.mark.parametrize("pack", PACKERS)
def test_hidden_members_are_passed_by_in_silence(pack: Callable[[Files], bytes]) -> None:
    """What desktops and version control leave in archives is neither read nor told."""
    junk = [
        "__MACOSX/pdf/._SKILL.md",
        "__MACOSX/SKILL.md",
        ".DS_Store",
        "pdf/.env",
        ".git/SKILL.md",
        "node_modules/x/SKILL.md",
        "pdf/Thumbs.db",
        "pdf/references/desktop.ini",
        "pdf/scripts/a.pyc",
        "pdf/SKILL.md~",
    ]
    inside = [name for name in junk if name.startswith("pdf/")]
    assert told(MemorySource({**dict.fromkeys(inside, b"x"), **KIT})) == told(MemorySource(KIT))
    assert told(ArchiveSource(pack({**dict.fromkeys(junk, b"x"), **KIT}))) == told(MemorySource(KIT))


@pytest.mark.parametrize("pack", PACKERS)
def test_an_archive_in_an_archive_is_a_file(pack: Callable[[Files], bytes]) -> None:
    """Nothing is unpacked twice."""
    files = {**KIT, "pdf/inner.zip": zipped({"evil/SKILL.md": b"x"}, zipfile.ZIP_STORED)}
    assert told(ArchiveSource(pack(files))) == told(MemorySource(files))


def test_empty_archives_are_empty() -> None:
    """An archive without members has no skills and nothing wrong."""
    assert shown(ArchiveSource(zipped({}))) == []
    assert shown(ArchiveSource(zipped({"pdf/": b""}))) == []


# What is refused, alone

NAMES = [
    ("../SKILL.md", "unsafe-name"),
    ("a/../../SKILL.md", "unsafe-name"),
    ("/etc/SKILL.md", "unsafe-name"),
    ("~/SKILL.md", "unsafe-name"),
    ("C:/SKILL.md", "unsafe-name"),
    ("a/b:stream/SKILL.md", "unsafe-name"),
    ("a\\SKILL.md", "unsafe-name"),
    ("a//SKILL.md", "unsafe-name"),
    ("a/./SKILL.md", "unsafe-name"),
    ("../.hidden", "unsafe-name"),
    ("a\nb/SKILL.md", "odd-name"),
    ("a\x1bb/SKILL.md", "odd-name"),
    ("a\u202eb/SKILL.md", "odd-name"),
    ("a/ SKILL.md", "odd-name"),
    ("n" * 1_001, "odd-name"),
    ("d/" * 17 + "SKILL.md", "too-deep"),
]


@pytest.mark.parametrize(("name", "code"), NAMES)
def test_a_bad_name_costs_its_member_alone(name: str, code: str) -> None:
    """Names that lead out, cannot be shown or are too long are told, in a zip and in a tar."""
    for data in (entries((zipfile.ZipInfo(name), b"x")), members((tar_info(name), b"x"))):
        first, *rest = shown(ArchiveSource(data))
        assert first.startswith(f"!{code} ")
        assert first.isprintable()
        assert rest == BOTH


def test_a_name_with_nul_is_not_cut() -> None:
    """What stands before a NUL is not taken for the name."""
    data = entries(("evil/SKILL.md_.md", b"x")).replace(b"evil/SKILL.md_.md", b"evil/SKILL.md\0.md")
    assert shown(ArchiveSource(data)) == ["!unsafe-name evil/SKILL.md .md", *BOTH]


def test_names_that_are_no_utf8_are_odd() -> None:
    """A tar of another encoding is told and does not raise."""
    data = members((tar_info("caf?/SKILL.md"), b"x"))
    header = bytearray(data[:512])
    header[3] = 0xE9
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    first, *rest = shown(ArchiveSource(bytes(header) + data[512:]))
    assert (first.startswith("!odd-name caf"), rest) == (True, BOTH)


@pytest.mark.parametrize(
    "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, b"Z"]
)
def test_what_is_no_plain_file_is_refused(kind: bytes) -> None:
    """A link of a tar is not followed, not even to a good member; a device is none."""
    target = "pdf/SKILL.md" if kind in {tarfile.SYMTYPE, tarfile.LNKTYPE} else ""
    data = members((tar_info("evil/SKILL.md", kind, target), b""))
    assert shown(ArchiveSource(data)) == ["!not-a-file evil/SKILL.md", *BOTH]


def test_a_sparse_member_is_refused() -> None:
    """A file that claims holes is not expanded."""
    sparse = tar_info("evil/SKILL.md", tarfile.GNUTYPE_SPARSE)
    data = members((sparse, b""))
    assert shown(ArchiveSource(data)) == ["!not-a-file evil/SKILL.md", *BOTH]


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFSOCK])
def test_links_of_a_zip_are_refused(kind: int) -> None:
    """A zip marks them by the mode of Unix."""
    info = zipfile.ZipInfo("evil/SKILL.md")
    info.external_attr = (kind | 0o777) << 16
    assert shown(ArchiveSource(entries((info, b"../secret")))) == ["!not-a-file evil/SKILL.md", *BOTH]


def directory_at(data: bytes | bytearray) -> int:
    """Return where the first entry of a zip's directory begins."""
    return data.index(b"PK\x01\x02")


@pytest.mark.parametrize(
    ("offset", "value", "said"),
    [(8, 1, "encrypted"), (10, 12, "method 12"), (10, 14, "method 14"), (10, 99, "method 99")],
)
def test_members_that_cannot_be_opened_are_told(offset: int, value: int, said: str) -> None:
    """Encrypted members and those of rare methods cost themselves alone."""
    data = bytearray(entries(("evil/SKILL.md", b"x")))
    data[directory_at(data) + offset] = value
    (finding,) = [item for item in ArchiveSource(bytes(data)).scan() if isinstance(item, Finding)]
    assert (finding.code, finding.path, said in finding.message) == (
        "member-unreadable",
        "evil/SKILL.md",
        True,
    )
    assert shown(ArchiveSource(bytes(data)))[1:] == BOTH


def test_a_damaged_member_of_a_zip_is_told_and_the_others_stay() -> None:
    """A checksum that does not fit costs the one member."""
    data = entries(("evil/SKILL.md", b"once upon a time")).replace(b"once upon", b"0nce upon")
    assert shown(ArchiveSource(data)) == ["!member-unreadable evil/SKILL.md", *BOTH]


@pytest.mark.parametrize("second", ["pdf/SKILL.md", "PDF/skill.MD", "pdf/A.md"])
def test_of_two_members_of_a_name_the_first_stays(second: str) -> None:
    """Names that many disks take for one are told, however they are spelt."""
    good = {**KIT, second: b"second"}
    data = entries() if second in KIT else zipped(good)
    if second in KIT:
        data = entries_after(second, b"second")
    assert shown(ArchiveSource(data)) == [f"!second-member {second}", *BOTH]
    (finding,) = unpack(data).findings
    assert ("pdf/SKILL.md" if "a" not in second.rpartition("/")[2].lower() else "pdf/a.md") in finding.message


def entries_after(name: str, content: bytes) -> bytes:
    """Return a zip of good skills with one more entry behind them."""
    buffer = io.BytesIO(entries())
    with warnings.catch_warnings(), zipfile.ZipFile(buffer, "a") as packed:
        warnings.simplefilter("ignore")
        packed.writestr(name, content)
    return buffer.getvalue()


def test_unicode_forms_of_one_name_are_one() -> None:
    """Composed and decomposed letters are one name to some disks."""
    assert shown(ArchiveSource(zipped({"é/SKILL.md": b"1", "e\u0301/SKILL.md": b"2"}))) == [
        "!second-member e\u0301/SKILL.md",
        "é/SKILL.md",
    ]


# What costs too much


def bomb(size: int) -> bytes:
    """Return zeros, which deflate a thousand times."""
    return bytes(size)


@pytest.mark.parametrize("pack", [zipped, gzipped])
def test_a_bomb_is_counted_while_it_goes_off(pack: Callable[[Files], bytes]) -> None:
    """No more comes out than is allowed, and one chunk; what the archive claims does not matter."""
    limits = ArchiveLimits(member_bytes=200_000, unpacked_bytes=1_000_000, ratio=20)
    data = pack({f"{number}.bin": bomb(190_000) for number in range(20)})
    unpacked = unpack(data, limits)
    allowed = limits.allowed(len(data))
    assert allowed < 20 * 190_000
    assert unpacked.counted <= allowed + CHUNK
    assert [finding.code for finding in unpacked.findings] == ["unreadable"]
    assert sum(map(len, unpacked.files.values())) <= allowed


def test_one_large_member_is_left_out_alone() -> None:
    """It is read no further than one byte above the limit, and the others are read."""
    limits = ArchiveLimits(member_bytes=300_000)
    for data in (zipped({"big.bin": bomb(5_000_000), **KIT}), tarred({"big.bin": bomb(5_000_000), **KIT})):
        unpacked = unpack(data, limits)
        assert [(finding.code, finding.path) for finding in unpacked.findings] == [
            ("file-too-large", "big.bin")
        ]
        assert unpacked.counted == 300_001 + sum(map(len, KIT.values()))
        assert dict(unpacked.files) == KIT


def test_a_declared_size_is_not_believed() -> None:
    """A zip that claims its member to be small gives no more than that, and is damaged."""
    data = bytearray(zipped({"evil/SKILL.md": bomb(500_000), **KIT}))
    at = directory_at(data)
    data[at + 24 : at + 28] = (10).to_bytes(4, "little")
    unpacked = unpack(bytes(data))
    assert [finding.code for finding in unpacked.findings] == ["member-unreadable"]
    assert dict(unpacked.files) == KIT


@pytest.mark.parametrize("pack", PACKERS)
@pytest.mark.parametrize(("most", "fits"), [(3, True), (2, False)])
def test_members_are_counted(pack: Callable[[Files], bytes], most: int, fits: bool) -> None:
    """Exactly the limit is read; above it the archive is told to be only partly read."""
    codes = [finding.code for finding in unpack(pack(KIT), ArchiveLimits(members=most)).findings]
    assert codes == ([] if fits else ["unreadable"])


@pytest.mark.parametrize("less", [0, 1])
def test_the_packed_size_is_limited(tmp_path: Path, less: int) -> None:
    """An archive of exactly the limit is read, one byte more is not, on disk and in memory."""
    data = zipped(KIT)
    path = tmp_path / "kit.zip"
    path.write_bytes(data)
    limits = ArchiveLimits(packed_bytes=len(data) - less)
    for source, place in (
        (ArchiveSource(path, limits=limits), path.as_posix()),
        (ArchiveSource(data, limits=limits), "archive"),
    ):
        assert shown(source) == ([f"!unreadable {place}"] if less else BOTH)


# Damage


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"x",
        b"PK\x03\x04",
        b"PK\x05\x06",
        b"\x1f\x8b",
        b"\x1f\x8b\x08" + b"x" * 50,
        bytes(10240),
        b"# no archive\n" * 100,
        gzip.compress(b"no tar", mtime=0),
        zipped(KIT)[:-1],
        gzipped(KIT)[:-1],
    ],
)
def test_what_is_no_archive_is_one_finding(data: bytes) -> None:
    """Other bytes give no skill and one error, whose path is the label."""
    assert shown(ArchiveSource(data)) == ["!unreadable archive"]


def test_a_tar_that_ends_early_is_told() -> None:
    """What came before stays; a missing end and a broken header are not taken for an end."""
    data = tarred(KIT)
    at = data.index(b"xls/SKILL.md")
    broken = data[: at + 1] + b"!" + data[at + 2 :]
    for damaged in (data[:at], broken):
        assert shown(ArchiveSource(damaged)) == ["!unreadable archive", "pdf/SKILL.md"]


def test_a_tar_that_jumps_back_comes_to_an_end() -> None:
    """A negative size makes some readers turn in a circle."""
    data = members((tar_info("loop"), b""))
    header = bytearray(data[:512])
    header[124:136] = b"\xff" * 10 + b"\xfe\x00"  # -512 in base 256
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    limits = ArchiveLimits(members=50)
    assert any(
        finding.code == "unreadable" for finding in unpack(bytes(header) + data[512:], limits).findings
    )


@given(st.binary(max_size=2_000), st.sampled_from([b"", b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b\x08\x00"]))
def test_any_bytes_are_survived(data: bytes, begin: bytes) -> None:
    """Nothing that bytes can be makes a scan raise, and none of it is a skill."""
    assert [line.split()[0] for line in shown(ArchiveSource(begin + data))] == ["!unreadable"]


@given(st.binary(min_size=512, max_size=2_000))
def test_any_tar_header_is_survived(data: bytes) -> None:
    """Nor do bytes that look like a tar and have the right sum."""
    header = bytearray(data[:512])
    header[257:265] = b"ustar\x0000"
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    unpacked = unpack(bytes(header) + data[512:], ArchiveLimits(members=20))
    assert unpacked.findings


@settings(max_examples=300)
@given(st.sampled_from(PACKERS), st.integers(0, 1 << 32), st.booleans())
def test_damage_never_raises_and_invents_nothing(
    pack: Callable[[Files], bytes], seed: int, flipped: bool
) -> None:
    """However an archive is cut and changed, what comes out has a name of what went in, and its bytes."""
    chance = random.Random(seed)
    data = bytearray(pack(KIT))
    if flipped:  # two flips may undo each other, for a sum
        data[chance.randrange(len(data))] = chance.randrange(256)
    del data[chance.choice([len(data), chance.randrange(len(data))]) :]
    unpacked = unpack(bytes(data))
    assert set(unpacked.files) <= set(KIT)
    if pack is not tarred:  # which has no checksum over contents
        assert all(content in {KIT[name], b""} for name, content in unpacked.files.items())
    list(ArchiveSource(bytes(data)).scan())


_part = st.text(
    st.characters(codec="utf-8", categories=["L", "N"]), min_size=1, max_size=8
) | st.sampled_from(["SKILL.md", "skill.md", "references", "a b", "x.tar.gz", "café"])
_names = st.lists(_part, min_size=1, max_size=4).map("/".join)


def _distinct(files: Files) -> bool:
    """Return whether no disk takes two of the names for one, and none is pruned or put away."""
    folded = {unicodedata.normalize("NFC", name.casefold()) for name in files}
    parts = {part for name in files for part in name.split("/")}
    return len(folded) == len(files) and not any(is_unlisted(part) or is_retired(part) for part in parts)


@given(
    st.dictionaries(_names, st.binary(max_size=60), min_size=1, max_size=8).filter(_distinct),
    st.sampled_from(PACKERS),
)
def test_packing_and_reading_is_reading(files: dict[str, bytes], pack: Callable[[Files], bytes]) -> None:
    """Any files of safe names give what the mapping gives, findings included."""
    archive, memory = ArchiveSource(pack(files), "memory", nested=True), MemorySource(files)
    assert shown(archive) == shown(memory)
    skills = [[item for item in source.scan() if isinstance(item, RawSkill)] for source in (archive, memory)]
    assert [(raw.data, raw.files_digest, raw.resources) for raw in skills[0]] == [
        (raw.data, raw.files_digest, raw.resources) for raw in skills[1]
    ]


# Archives on disk, looked at again


def aged(path: Path, data: bytes, seconds: int = 60) -> Path:
    """Write an archive as if some time ago; each call gives it another age."""
    path.write_bytes(data)
    then = path.stat().st_mtime_ns - seconds * 1_000_000_000
    os.utime(path, ns=(then, then))
    return path


def settle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every file have been left alone for a while."""
    monkeypatch.setattr("skill_index.sources.stamps.SETTLED_NS", -(1 << 60))


def names(reader: Reader) -> tuple[list[str], list[str]]:
    """Return the names of the skills and the codes of the findings of one more reading."""
    skills, findings = reader.read()
    return [skill.name for skill in skills], [finding.code for finding in findings]


def test_an_unchanged_archive_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One stat is enough, the findings are said again, and a change is seen."""
    settle(monkeypatch)
    path = aged(tmp_path / "kit.zip", zipped({"low/skill.md": GOOD.format("low").encode(), **KIT}))
    opened: list[int] = []

    def counted(data: bytes, limits: ArchiveLimits) -> object:
        opened.append(len(data))
        return unpack(data, limits)

    monkeypatch.setattr("skill_index.sources.archive.unpack", counted)
    reader = Reader((ArchiveSource(path),))
    first = names(reader)
    assert first == (["low", "pdf", "xls"], ["file-name"])
    assert names(reader) == first
    assert len(opened) == 1
    aged(path, zipped({"new/SKILL.md": GOOD.format("new").encode()}), 90)
    assert names(reader) == (["new"], [])
    assert len(opened) == 3  # what is gone is looked for once more


def test_an_archive_just_written_is_read_again(tmp_path: Path) -> None:
    """Within the tick of the clock a second writing cannot be told from the first."""
    path = tmp_path / "kit.zip"
    path.write_bytes(zipped(KIT))
    source = ArchiveSource(path)
    stamps = {item.origin: item.stamp for item in source.scan() if isinstance(item, RawSkill)}
    assert not any(isinstance(item, Unchanged) for item in source.rescan(stamps.get))


@pytest.mark.parametrize("on_disk", [True, False])
def test_what_one_reader_knows_is_not_said_to_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, on_disk: bool
) -> None:
    """Unchanged is for those who showed the stamp; others get the bytes."""
    settle(monkeypatch)
    data = zipped(KIT)
    source = ArchiveSource(aged(tmp_path / "kit.zip", data) if on_disk else data)
    stamps = {item.origin: item.stamp for item in source.scan() if isinstance(item, RawSkill)}
    assert [type(item) for item in source.rescan(stamps.get)] == [Unchanged] * 2
    assert [type(item) for item in source.rescan(unknown)] == [RawSkill] * 2
    one = next(iter(stamps))
    assert [type(item) for item in source.rescan({one: stamps[one]}.get)] == [RawSkill] * 2


@pytest.mark.parametrize("pack", PACKERS)
def test_a_broken_archive_takes_nothing_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pack: Callable[[Files], bytes]
) -> None:
    """Cut anywhere, the last good skills stay and are said to be old; mended, all is well."""
    settle(monkeypatch)
    data = pack(KIT)
    path = aged(tmp_path / "kit", data)
    reader = Reader((ArchiveSource(path),))
    assert names(reader) == (["pdf", "xls"], [])
    for seconds, length in enumerate(range(0, len(data.rstrip(b"\0")), 97), start=61):
        aged(path, data[:length], seconds)
        found, codes = names(reader)
        assert (sorted(found), "unreadable" in codes) == (["pdf", "xls"], True)
    aged(path, data, 30)
    assert names(reader) == (["pdf", "xls"], [])


def test_one_broken_skill_stays_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A member that is damaged in a new archive is used as it was in the old one."""
    settle(monkeypatch)
    path = aged(tmp_path / "kit.zip", zipped(KIT, zipfile.ZIP_STORED))
    reader = Reader((ArchiveSource(path),))
    names(reader)
    aged(path, zipped(KIT, zipfile.ZIP_STORED).replace(b"Does xls", b"Does XLS"), 61)
    found, codes = names(reader)
    assert (sorted(found), codes) == (["pdf", "xls"], ["member-unreadable", "kept-old"])


def test_a_missing_archive_is_told_and_has_no_skills(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that was removed on purpose takes its skills with it, as a folder does."""
    settle(monkeypatch)
    path = aged(tmp_path / "kit.zip", zipped(KIT))
    reader = Reader((ArchiveSource(path),))
    names(reader)
    path.unlink()
    assert names(reader) == ([], ["root-missing"])


def test_what_is_no_file_is_unreadable(tmp_path: Path) -> None:
    """A folder, a pipe and a path that cannot be are told at once, without waiting."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").write_bytes(b"")
    for name in (".", "pipe", "file/below.zip", "nul\0.zip"):
        (finding,) = ArchiveSource(f"{tmp_path}/{name}").scan()
        assert isinstance(finding, Finding)
        assert finding.code == "unreadable"


def test_a_failed_read_is_not_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that was away for a moment is asked again, though the file has not changed."""
    settle(monkeypatch)
    path = aged(tmp_path / "kit.zip", zipped(KIT))
    source = ArchiveSource(path)
    away = Finding("unreadable", "error", "away", "x")  # type: ignore[arg-type]  # equal to its member
    with monkeypatch.context() as patched:
        patched.setattr("skill_index.sources.archive.read_file", lambda _path, _limit: away)
        assert shown(source) == [f"!unreadable {path.as_posix()}"]
    assert shown(source) == BOTH


def test_a_link_to_an_archive_is_followed(tmp_path: Path) -> None:
    """Who names an archive by a link means what it leads to, and sees the name that was given."""
    (tmp_path / "releases").mkdir()
    (tmp_path / "releases" / "2.zip").write_bytes(zipped(KIT))
    (tmp_path / "now.zip").symlink_to("releases/2.zip")
    raws = [item for item in ArchiveSource(tmp_path / "now.zip").scan() if isinstance(item, RawSkill)]
    assert [raw.origin.root for raw in raws] == [(tmp_path / "now.zip").as_posix()] * 2


def test_archives_cost_nothing_until_one_is_read() -> None:
    """The parsers of the standard library are loaded with the first archive."""
    code = "import sys, skill_index.sources; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    assert not {"zipfile", "tarfile", "gzip", "importlib.metadata"} & set(done.stdout.split())

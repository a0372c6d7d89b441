"""Skills of Python packages: on disk, in a zip, and offered by what is installed."""

from __future__ import annotations

import itertools
import sys
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from skill_index.discovery import Reader
from skill_index.errors import SourceError
from skill_index.findings import Finding
from skill_index.index import SkillIndex
from skill_index.model import RawSkill, Unchanged
from skill_index.sources import LiveSource, PackageSource, Source, installed_sources
from skill_index.sources.unpacking import ArchiveLimits

GOOD = "---\nname: {0}\ndescription: Does {0}.\n---\n"
FILES = {
    "__init__.py": "",
    "skills/pdf/SKILL.md": GOOD.format("pdf"),
    "skills/pdf/references/a.md": "text",
    "skills/pdf/.env": "secret",
    "skills/pdf/__pycache__/a.pyc": "cache",
    "skills/pdf/Thumbs.db": "pictures",
    "skills/pdf/references/SKILL.md": GOOD.format("template"),
    "skills/_archived/pdf/SKILL.md": GOOD.format("pdf"),
    "skills/low/skill.md": GOOD.format("low"),
    "more/deep/xls/SKILL.md": GOOD.format("xls"),
}
_numbers = itertools.count()


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a folder that packages are imported from, for this test only."""
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if name.startswith("kit_"):
            del sys.modules[name]


def made(
    place: Path, monkeypatch: pytest.MonkeyPatch, more: Mapping[str, str] = {}, *, packed: bool = False
) -> str:
    """Make a package of the files, zipped or not, and return its name."""
    name = f"kit_{next(_numbers)}"
    contents = {f"{name}/{path}": text for path, text in {**FILES, **more}.items()}
    if packed:
        with zipfile.ZipFile(place / f"{name}.zip", "w") as archive:
            for path, text in contents.items():
                archive.writestr(path, text)
        monkeypatch.syspath_prepend(str(place / f"{name}.zip"))
    else:
        for path, text in contents.items():
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            (place / path).write_text(text, "utf-8")
    return name


def told(source: Source) -> list[object]:
    """Return what is known of each skill but where its source is, and the code of each finding."""
    found: list[object] = []
    for item in source.scan():
        if isinstance(item, RawSkill):
            names = sorted(resource.name for resource in item.resources.listing().resources)
            found.append(
                (
                    item.origin.label,
                    item.origin.path,
                    item.data,
                    item.origin.editable,
                    item.origin.trusted,
                    names,
                )
            )
        elif isinstance(item, Finding):
            found.append(item.code)
    return found


@pytest.mark.parametrize("packed", [False, True])
def test_skills_of_a_package_are_found(place: Path, monkeypatch: pytest.MonkeyPatch, packed: bool) -> None:
    """The same from a folder and from a zip: never to be edited, trusted, under the package's name."""
    name = made(place, monkeypatch, packed=packed)
    source = PackageSource(name)
    assert isinstance(source, LiveSource)
    assert told(source) == [
        "retired-folder",
        "file-name",
        (name, "low/skill.md", GOOD.format("low").encode(), False, True, ["skill.md"]),
        (
            name,
            "pdf/SKILL.md",
            GOOD.format("pdf").encode(),
            False,
            True,
            ["SKILL.md", "references/SKILL.md", "references/a.md"],
        ),
    ]
    assert list(SkillIndex([PackageSource(name, "more/deep", "team: x", trusted=False)])) == ["xls"]
    assert PackageSource(name, label="team: x").label == "team- x"


def test_a_package_on_disk_is_live(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What has not changed there is not read again."""
    monkeypatch.setattr("skill_index.sources.stamps.SETTLED_NS", -(1 << 60))
    source = PackageSource(made(place, monkeypatch), "more")
    known = {item.origin: item.stamp for item in source.scan() if isinstance(item, RawSkill)}
    assert [type(item) for item in source.rescan(known.get)] == [Unchanged]


def test_nothing_is_imported_before_the_first_scan(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A source is made for nothing; the import is that of the first scan."""
    name = made(place, monkeypatch)
    source = PackageSource(name)
    assert name not in sys.modules
    list(source.scan())
    assert name in sys.modules


BROKEN = {
    "raises": "1 / 0\n",
    "exits": "raise SystemExit(3)\n",
    "is no Python": "def\n",
    "imports": "import kit_nowhere\n",
}


@pytest.mark.parametrize("code", BROKEN.values(), ids=list(BROKEN))
def test_a_package_that_cannot_be_imported_is_an_error_of_its_source(
    place: Path, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    """Whatever its import does, the other sources are read; what to do is said."""
    name = made(place, monkeypatch, {"__init__.py": code})
    with pytest.raises(SourceError, match=f"{name}.* cannot be imported: .*; install the package"):
        list(PackageSource(name).scan())
    skills, findings = Reader((PackageSource(name), PackageSource(made(place, monkeypatch), "more"))).read()
    assert ([skill.name for skill in skills], [f.code for f in findings]) == (["xls"], ["unreadable"])


@pytest.mark.parametrize(
    ("package", "folder"),
    [
        ("", "skills"),
        ("a b", "skills"),
        ("a..b", "skills"),
        (".a", "skills"),
        ("json", "../x"),
        ("json", "/etc"),
        ("json", "a//b"),
        ("json", "a\nb"),
    ],
)
def test_names_that_are_none_are_refused(package: str, folder: str) -> None:
    """A folder is in its package, and a package has a name."""
    with pytest.raises(SourceError, match="a package and a folder in it"):
        list(PackageSource(package, folder).scan())


def test_a_missing_folder_is_told(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On disk as any missing root is, in a zip as an error; a module is no package."""
    (finding,) = PackageSource(made(place, monkeypatch), "nowhere").scan()
    assert isinstance(finding, Finding)
    assert finding.code == "root-missing"
    with pytest.raises(SourceError, match="has no folder 'nowhere'"):
        list(PackageSource(made(place, monkeypatch, packed=True), "nowhere").scan())
    (place / "kit_module.py").write_text("", "utf-8")
    with pytest.raises(SourceError, match="not a package"):
        list(PackageSource("kit_module").scan())


def test_a_namespace_package_may_be_the_root(place: Path) -> None:
    """Its parts may lie in several places."""
    (place / "kit_space" / "one").mkdir(parents=True)
    (place / "kit_space" / "one" / "SKILL.md").write_text(GOOD.format("one"), "utf-8")
    assert list(SkillIndex([PackageSource("kit_space", "")])) == ["one"]


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        (ArchiveLimits(members=1), "more than 1 files"),
        (ArchiveLimits(unpacked_bytes=50), "of 50 bytes"),
    ],
)
def test_a_zipped_package_has_the_limits_of_an_archive(
    place: Path, monkeypatch: pytest.MonkeyPatch, limits: ArchiveLimits, expected: str
) -> None:
    """What stays in memory is bounded, and one file that is too large costs itself."""
    name = made(place, monkeypatch, {"skills/pdf/big.bin": "x" * 500}, packed=True)
    monkeypatch.setattr("skill_index.sources.package.NO_MORE_THAN", limits)
    with pytest.raises(SourceError, match=expected):
        list(PackageSource(name).scan())
    monkeypatch.setattr("skill_index.sources.package.NO_MORE_THAN", ArchiveLimits(member_bytes=100, depth=1))
    found = told(PackageSource(name))
    assert (found[0], len(found)) == ("file-too-large", 4)


# What is installed


def installed(place: Path, distribution: str, *points: str) -> None:
    """Install a distribution that has nothing but entry points."""
    folder = place / f"{distribution.replace('-', '_')}-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n", "utf-8")
    (folder / "entry_points.txt").write_text("[skill_index.skills]\n" + "\n".join(points) + "\n", "utf-8")


def offered(place: Path) -> list[PackageSource]:
    """Return the sources that the distributions of a test offer."""
    return [
        source
        for source in installed_sources()
        if isinstance(source, PackageSource) and source.distribution.startswith("dist-")
    ]


def test_each_entry_point_is_a_source(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order of their names; the value names the package, and the folder if it is not `skills`."""
    name = made(place, monkeypatch)
    installed(place, "dist-b", f"zoo = {name}", f"deep = {name} : more/deep")
    installed(place, "dist-a", f"alpha = {name}:skills")
    found = offered(place)
    assert [(source.label, source.folder) for source in found] == [
        ("alpha", "skills"),
        ("deep", "more/deep"),
        ("zoo", "skills"),
    ]
    assert name not in sys.modules
    assert list(SkillIndex(found[1:2])) == ["xls"]


def test_one_name_of_two_distributions_is_told_apart(place: Path) -> None:
    """Labels are in ids, and each must mean one source."""
    for distribution in ("dist-b", "dist-a"):
        installed(place, distribution, "forms = json")
    assert [source.label for source in offered(place)] == ["dist-a/forms", "dist-b/forms"]


@pytest.mark.parametrize(
    "value", ["kit_nowhere", "kit_nowhere:skills", "not a name", ":skills", "json:../x", "[extra]"]
)
def test_a_broken_entry_point_is_an_error_of_its_source(place: Path, value: str) -> None:
    """It says which distribution offers it and what to do; making the sources does not fail."""
    installed(place, "dist-bad", f"bad = {value}")
    (source,) = offered(place)
    with pytest.raises(
        SourceError, match=r"'bad'.*; it is offered by the distribution 'dist-bad'; reinstall or remove"
    ):
        list(source.scan())


def test_without_entry_points_there_are_no_sources(place: Path) -> None:
    """An empty list, and no error."""
    assert offered(place) == []

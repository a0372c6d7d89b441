"""
Skills that Python packages carry, and those of every installed package that offers some.

A package is asked through `importlib.resources`: one on disk is a folder like any other, one that is
imported from a zip is read into memory under the limits of an archive.  Who offers skills says
so by an entry point:

    [project.entry-points."skill_index.skills"]
    forms = "forms_package:skills"          # the package, and the folder in it ("skills" if left out)

Rejected: entry points that name functions, which would run at start-up what may never be used, and
searching all installed packages for a folder of that name, which is slow and takes what was
never offered.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from skill_index.errors import SourceError
from skill_index.findings import Finding
from skill_index.model import RawSkill, Unchanged
from skill_index.resources import is_speakable, leads_out
from skill_index.sources.base import Known, Source, unknown
from skill_index.sources.directory import DirectorySource
from skill_index.sources.labels import clean_label
from skill_index.sources.memory import MemorySource, search_of
from skill_index.sources.problems import too_large
from skill_index.sources.rules import is_unlisted
from skill_index.sources.unpacking import NO_MORE_THAN

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from importlib.resources.abc import Traversable

GROUP = "skill_index.skills"
"""The group of entry points under which packages offer skills."""

_FOLDER = "skills"


@dataclass(frozen=True, slots=True)
class PackageSource:
    """
    The SKILL.md files in a folder of a Python package.

    Nothing is imported before the first scan, which imports the package as `import` does.  A
    `label` left empty is the package's name.  `folder` is a '/'-path in it, "" the package itself.
    Installed code is `trusted`, as it runs anyway, and never edited in place.  `distribution` says
    in errors what was installed.  `scan` raises `SourceError` for a package that cannot be imported
    and for names that are none.
    """

    package: str
    folder: str = _FOLDER
    label: str = ""
    _: dataclasses.KW_ONLY
    trusted: bool = True
    distribution: str = ""

    def __post_init__(self) -> None:
        label = clean_label(self.label) or clean_label(self.package) or "package"
        object.__setattr__(self, "label", label)

    def scan(self) -> Iterator[RawSkill | Finding]:
        """Yield the skills of the package and the problems met, in the order of their paths."""
        return (item for item in self.rescan(unknown) if not isinstance(item, Unchanged))

    def rescan(self, known: Known) -> Iterator[RawSkill | Unchanged | Finding]:
        """Yield what `scan` does; of a package on disk, read only what may have changed."""
        place = self._place()
        if isinstance(place, Path):
            on_disk = DirectorySource(place, self.label, editable=False, trusted=self.trusted)
            yield from on_disk.rescan(known)
            return
        if not place.is_dir():
            raise self._error(f"it has no folder {self.folder!r}")
        found = _Reading(self)
        found.read(place)
        yield from found.findings
        yield from search_of(MemorySource(found.files, self.label, trusted=self.trusted))

    def _place(self) -> Traversable:
        parts = self.folder.split("/") if self.folder else []
        names = all(part.isidentifier() for part in self.package.split("."))
        if not names or (parts and (leads_out(self.folder) or not all(map(is_speakable, parts)))):
            raise self._error(
                "it is named by a package, or a package and a folder in it, such as 'a.b:skills'"
            )
        from importlib import import_module
        from importlib.resources import files

        try:
            package = import_module(self.package)
            if not hasattr(package, "__path__"):
                # From Python 3.12 on its files would be all that lies around it.
                message = f"{self.package!r} is a module and not a package"
                raise TypeError(message)
            # One part at a time: not every kind of package takes several.
            place = files(package)
            for part in parts:
                place = place.joinpath(part)
        except (Exception, SystemExit) as error:  # the import runs a stranger's code
            reason = f"package {self.package!r} cannot be imported: {type(error).__name__}: {error}"
            raise self._error(reason) from error
        return place

    def _error(self, reason: str) -> SourceError:
        hint = "install the package or correct its name"
        if self.distribution:
            hint = f"it is offered by the distribution {self.distribution!r}; reinstall or remove that"
        return SourceError(self.label, reason, hint)


@dataclass(slots=True)
class _Reading:
    """Reads a folder that is on no disk."""

    source: PackageSource
    files: dict[str, bytes] = dataclasses.field(default_factory=dict)
    findings: list[Finding] = dataclasses.field(default_factory=list)
    size: int = 0

    def read(self, root: Traversable) -> None:
        limits = NO_MORE_THAN
        pending = [("", root)]
        while pending:
            above, folder = pending.pop()
            for child in sorted(folder.iterdir(), key=attrgetter("name")):
                if is_unlisted(child.name) or not is_speakable(child.name):
                    continue
                name = above + child.name
                if not child.is_dir():
                    self.take(name, child)
                elif name.count("/") < limits.depth:
                    pending.append((f"{name}/", child))
            if self.size > limits.unpacked_bytes or len(self.files) > limits.members:
                most = f"{limits.members:,} files of {limits.unpacked_bytes:,} bytes"
                raise SourceError(self.source.label, f"it has more than {most}", "install it unzipped")

    def take(self, name: str, child: Traversable) -> None:
        limit = NO_MORE_THAN.member_bytes
        with child.open("rb") as stream:
            data = stream.read(limit + 1)
        if len(data) > limit:
            self.findings.append(too_large(name, f"more than {limit:,}", limit))
        else:
            self.files[name] = data
            self.size += len(data)


def installed_sources() -> list[Source]:
    """
    Return a source for each entry point of the group `skill_index.skills`, in the order of their names.

    Nothing is imported.  A package that turns out to be broken is an error of its own source when
    that is scanned.  Where two distributions use one name, their own names tell the labels apart.
    """
    from importlib.metadata import entry_points

    found = sorted(
        entry_points(group=GROUP), key=lambda point: (point.name, _distribution(point), point.value)
    )
    uses = Counter(clean_label(point.name).casefold() for point in found)
    return [_offered(point, shared=uses[clean_label(point.name).casefold()] > 1) for point in found]


def _offered(point: EntryPoint, *, shared: bool) -> Source:
    package, _, folder = (part.strip() for part in point.value.partition(":"))
    distribution = _distribution(point)
    label = f"{distribution}/{point.name}" if shared else point.name
    return PackageSource(package, folder or _FOLDER, label, distribution=distribution)


def _distribution(point: EntryPoint) -> str:
    return point.dist.name if point.dist else ""

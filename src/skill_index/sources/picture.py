"""
Whether a whole folder of skills is as it was, told before any skill is looked at.

    root ─scandir─▶ names, and stamps of the files that count ─equal to the last?─▶ nothing to do

Most looks for changes find none, and what takes time in them is to find that out skill by skill.
A picture holds all that such a look would see: who is in which folder, and the stamps of skill
files and of the files beside them.  It shows more folders than are searched, never fewer, so two
pictures alike mean two looks alike, and where only stamps differ, only their skills do.

What is seen in a folder is one text, since all that is asked of most folders is whether it is the same:

    NUL name NUL sight NUL name NUL sight ...       no name and no path has a NUL in it

Rejected: the times of folders, which would save listing them, but which some file systems do not
keep.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from skill_index.sources.rules import PRUNED, is_hidden, is_skill_file
from skill_index.sources.stamps import SETTLED_NS
from skill_index.sources.walking import ENVIRONMENT_MARK, WalkRules

_FOLDER, _OTHER = "folder", "other"
_LINK_TO_FOLDER, _LINK_TO_FILE, _LINK_TO_NOTHING = "folder at ", "link ", "nothing at "
# Of a file that counts it is its stamp, which begins with a digit and ends with the number of its links.


@dataclass(frozen=True, slots=True)
class Picture:
    """
    The folders below a root, each with the text of what was seen there.

    In the `unsettled` ones a file had just been written, and may be written once more in the same
    tick of the clock, which no later picture would show.
    """

    root: str
    folders: Mapping[str, str]
    unsettled: frozenset[str] = field(compare=False)
    has_links: bool = field(compare=False)

    def touched(self, now: Picture) -> frozenset[str] | None:
        """
        Return the folders in which files may have changed up to a later picture, and nothing else has.

        None is for all that may change which skills there are: names, kinds, and links to anywhere.
        """
        if self.root != now.root or self.folders.keys() != now.folders.keys():
            return None
        found = set(self.unsettled)
        for path, text in self.folders.items():
            if text != now.folders[path]:
                sights, others = _sights(text), _sights(now.folders[path])
                if sights == others:  # a system may list the same in another order
                    continue
                if sights.keys() != others.keys() or any(
                    sight != others[name] and not (_is_file(sight) and _is_file(others[name]))
                    for name, sight in sights.items()
                ):
                    return None
                found.add(path)
        return None if found and self._may_lead_elsewhere(now, found) else frozenset(found)

    def _may_lead_elsewhere(self, now: Picture, found: Iterable[str]) -> bool:
        """Return whether the files in some folders may be those of other folders too, now or then."""
        several = (
            _is_file(sight) and not sight.endswith(" 1")  # a system that does not count them says 0
            for path in found
            for text in (self.folders[path], now.folders[path])
            for sight in _sights(text).values()
        )
        return now.has_links or any(several)


def take_picture(
    root: str, rules: WalkRules, before: Picture | None = None, only: Iterable[str] | None = None
) -> Picture | None:
    """
    Return what is below a root now, None where not all of it can be seen.

    With `only`, nothing but those folders of the picture `before` is looked at, and the rest is taken to
    be as it was.
    """
    camera = _Camera(rules, time.time_ns() - SETTLED_NS)
    try:
        if before is None or only is None:
            camera.run(root)
            return Picture(
                os.path.realpath(root), camera.folders, frozenset(camera.unsettled), camera.has_links
            )
        for path in only:
            camera.take(path, in_skill=_is_in_skill(path, before))
    except (OSError, ValueError):  # ValueError: a path that no folder can have
        return None
    return Picture(
        before.root,
        {**before.folders, **camera.folders},
        before.unsettled.difference(camera.folders) | camera.unsettled,
        before.has_links or camera.has_links,
    )


def _is_in_skill(path: str, picture: Picture) -> bool:
    around = (picture.folders.get(above, "") for above in upwards(path))
    return any(is_skill_file(name) for text in around for name in _sights(text))


def upwards(folder: str) -> Iterator[str]:
    """Yield a folder and those around it, the innermost first."""
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]


def _sights(text: str) -> dict[str, str]:
    """Return what is seen of each name in a folder."""
    parts = text.split("\0")
    return dict(zip(parts[1::2], parts[2::2], strict=False))  # a text that somebody made up may end anywhere


def _is_file(sight: str) -> bool:
    return sight[:1].isdigit()


@dataclass(slots=True)
class _Camera:
    rules: WalkRules
    trusted: int  # a file changed before this time is settled
    folders: dict[str, str] = field(default_factory=dict)
    unsettled: set[str] = field(default_factory=set)
    newest: int = 0  # of the files of a folder
    has_links: bool = False
    linked: set[tuple[str, bool]] = field(default_factory=set)

    def run(self, root: str) -> None:
        pending = [(root, False)]
        while pending:
            path, in_skill = pending.pop()
            if len(self.folders) >= self.rules.max_folders:
                message = "more folders than are searched"
                raise OSError(message)
            in_skill, sights = self.take(path, in_skill)
            if ENVIRONMENT_MARK in sights and not in_skill and path != root:
                continue
            for name, sight in sights.items():
                if (
                    sight.startswith(_FOLDER)
                    and self.is_entered(name, in_skill)
                    and self.is_new(sight, in_skill)
                ):
                    pending.append((f"{path}/{name}", in_skill))

    def take(self, path: str, in_skill: bool) -> tuple[bool, dict[str, str]]:  # noqa: FBT001
        """Add what is in a folder, and return whether it is part of a skill, and the sight of each name."""
        with os.scandir(path) as listing:
            entries = {entry.name: entry for entry in listing}
        in_skill = in_skill or any(map(is_skill_file, entries))
        self.newest = 0
        sights = {name: self.sight(entry, in_skill) for name, entry in entries.items()}
        self.folders[path] = "".join([f"\0{name}\0{sight}" for name, sight in sights.items()])
        if self.newest >= self.trusted:
            self.unsettled.add(path)
        return in_skill, sights

    def sight(self, entry: os.DirEntry[str], in_skill: bool) -> str:  # noqa: FBT001
        if entry.is_symlink():
            return self.link(entry.path)
        if entry.is_dir(follow_symlinks=False):
            return _FOLDER
        return self.stamp(entry.stat(follow_symlinks=False)) if in_skill else _OTHER

    def link(self, path: str) -> str:
        self.has_links = True
        real = os.path.realpath(path)
        try:
            info = os.stat(path)  # noqa: PTH116  (text in, text out)
        except OSError:
            return _LINK_TO_NOTHING + real
        if stat.S_ISDIR(info.st_mode):
            return _LINK_TO_FOLDER + real
        return f"{_LINK_TO_FILE}{self.stamp(info)} {real}"

    def stamp(self, info: os.stat_result) -> str:
        """Return what `FileStamp` holds, as text: to make one first would take twice the time."""
        modified, changed = info.st_mtime_ns, info.st_ctime_ns
        self.newest = max(self.newest, modified, changed)
        return f"{info.st_dev} {info.st_ino} {info.st_size} {modified} {changed} {info.st_nlink}"

    def is_new(self, sight: str, in_skill: bool) -> bool:  # noqa: FBT001
        """Return whether a folder is none that another link led to: links may form loops."""
        if sight == _FOLDER:
            return True
        target = (sight, in_skill)
        new = target not in self.linked
        self.linked.add(target)
        return new

    def is_entered(self, name: str, in_skill: bool) -> bool:  # noqa: FBT001
        """Return whether a search looks into a folder of this name, or a skill lists what is in it."""
        if is_hidden(name):
            return self.rules.hidden and name not in self.rules.prune
        return name not in self.rules.prune or (in_skill and name not in PRUNED)

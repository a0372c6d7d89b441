"""
Where agents keep skills, as sources, so that nobody has to move a file.

    .agents/skills     agents_sources            the project, each folder up to its repository, the user
    agent-framework    agent_framework_sources   given folders, two levels deep, the first wins
    .claude/skills     claude.claude_sources     the user, the project, installed plugins
    skills/public      deer_flow.deer_flow_sources

Each function returns plain sources in the order in which that host lets one hide another; what
is hidden is told as `shadowed`.  Skills that lie in a project came with a repository that somebody
else may have written.  They are not trusted unless the caller says so, and what is not trusted
hides nothing: it stands last, beside the user's own skills, which keep their names.

Rejected: one class with a switch for each host, since the hosts have no more in common than the
sources they are made of.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from skill_index.sources.base import Source
from skill_index.sources.directory import DirectorySource, absolute_root
from skill_index.sources.labels import short_labels
from skill_index.sources.wrapping import LayeredSource

_REPOSITORY_MARK = ".git"  # a folder, or a file in a worktree
_FRAMEWORK_DEPTH = 2


def agents_sources(
    project: str | os.PathLike[str] = ".",
    home: str | os.PathLike[str] = "~",
    *,
    trusted: bool = False,
) -> tuple[Source, ...]:
    """
    Return the skills in `.agents/skills` of a project and of the user.

    The folders of the project are `project` and those around it up to its repository, the nearest
    first.  If the project is `trusted` its skills hide the user's of the same name; otherwise both
    are there, and the user's keep the name.
    """
    own = DirectorySource(Path(absolute_root(home), ".agents/skills"), "agents-user")
    inner = project_layers(project, ".agents/skills", "agents-project", trusted=trusted)
    if trusted:
        return (LayeredSource([*inner, own], "agents"),)
    return (own, LayeredSource(inner, "agents-project"))


def agent_framework_sources(*folders: str | os.PathLike[str]) -> tuple[Source, ...]:
    """
    Return the skills that Microsoft's agent-framework finds in folders: two levels deep, the first wins.

    It leaves out linked folders and skills not named as their folder, which are listed here with a
    finding.
    """
    labels = short_labels(folders)
    layers = [
        DirectorySource(folder, label, max_depth=_FRAMEWORK_DEPTH)
        for folder, label in zip(folders, labels, strict=True)
    ]
    return (LayeredSource(layers, "agent-framework"),)


def project_layers(
    project: str | os.PathLike[str], folder: str, label: str, *, trusted: bool
) -> list[DirectorySource]:
    """Return a source for `folder` in the project and in each folder around it up to its repository."""
    return [DirectorySource(around / folder, label, trusted=trusted) for around in up_to_repository(project)]


def up_to_repository(project: str | os.PathLike[str]) -> list[Path]:
    """Return the folder and those around it up to its repository; the folder alone where it is in none."""
    here = Path(absolute_root(project))
    with suppress(ValueError):  # a path that no folder can have, which its source tells
        here = here.resolve()
    folders = [here, *here.parents]
    for number, folder in enumerate(folders, start=1):
        if os.path.lexists(folder / _REPOSITORY_MARK):  # not Path.exists: it raises where one may not look
            return folders[:number]
    return [here]

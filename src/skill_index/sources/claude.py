"""
The skills that Claude Code finds: the user's, the project's, and those of installed plugins.

    ~/.claude/skills ─hides─▶ .claude/skills of a trusted project           skill
    installed_plugins.json ─▶ plugin folder ─▶ manifests ─▶ skills    plugin:skill

A plugin's name is the label of its skills, so `plugin:skill` is what they are called here, too;
they never hide others.  Plugins come, go and move to the folder of a new version, so their list is
read at each look.  If it cannot be read, or a manifest cannot, what was known of them stays.

Rejected: searching `~/.claude/plugins` for skills.  It holds old versions, plugins that were
removed, and whole marketplaces of which little is installed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from skill_index.findings import Finding
from skill_index.resources import leads_out
from skill_index.sources.base import Source
from skill_index.sources.configs import mapping_at, read_config, texts_at
from skill_index.sources.directory import DirectorySource, absolute_root
from skill_index.sources.found import FoundSource
from skill_index.sources.labels import clean_label
from skill_index.sources.layouts import project_layers, up_to_repository
from skill_index.sources.problems import problem
from skill_index.sources.rules import SKILL_FILE
from skill_index.sources.wrapping import LayeredSource

_MANIFEST, _MARKETPLACE = ".claude-plugin/plugin.json", ".claude-plugin/marketplace.json"
_SCOPES = ("local", "project", "user", "managed")  # where one plugin is installed for several, the first


class _Plugin(NamedTuple):
    """A folder that holds a plugin, the name of the plugin, and the label it gets."""

    name: str
    label: str
    folder: Path
    trusted: bool
    editable: bool = False


def claude_sources(
    project: str | os.PathLike[str] = ".",
    home: str | os.PathLike[str] = "~",
    *,
    trusted: bool = False,
) -> tuple[Source, ...]:
    """
    Return the skills in `.claude/skills` of the user and of a project, and those of plugins.

    The user's come first and, in a project, the nearest folder hides those around it.  `trusted`
    says so of the project: then the user's hide the project's of the same name, as in Claude Code,
    and the project's settings are asked, too, which plugins are on.  Otherwise its skills stand
    last, beside the others.  Plugins are the user's own choice, so they are trusted and not edited.
    """
    own = DirectorySource(Path(absolute_root(home), ".claude/skills"), "claude-user")
    inner = project_layers(project, ".claude/skills", "claude-project", trusted=trusted)
    find = partial(
        _installed, Path(absolute_root(home), ".claude"), up_to_repository(project), trusted=trusted
    )
    plugins = FoundSource("claude-plugins", find)
    if trusted:
        return (LayeredSource([own, *inner], "claude"), plugins)
    return (own, plugins, LayeredSource(inner, "claude-project"))


def marketplace_sources(folder: str | os.PathLike[str], *, trusted: bool = False) -> tuple[Source, ...]:
    """
    Return the skills of all plugins in a checkout of a marketplace, each under its plugin's name.

    Plugins that it lists but that lie elsewhere are told as `root-missing`.
    """
    return (FoundSource("marketplace", partial(_offered, Path(absolute_root(folder)), trusted=trusted)),)


def _installed(claude: Path, projects: Sequence[Path], *, trusted: bool) -> Iterator[Source | Finding]:
    """Yield the skills of every plugin that is installed for these projects and switched on."""
    listed = read_config(claude / "plugins/installed_plugins.json", linked=True)
    settings = [claude / "settings.json"]
    if trusted:
        around = [folder / ".claude" for folder in reversed(projects)]
        settings += [file / name for file in around for name in ("settings.json", "settings.local.json")]
    read = [read_config(path, linked=True) for path in settings]
    broken = [config for config in (listed, *read) if isinstance(config, Finding)]
    if broken or isinstance(listed, Finding):
        yield from broken
        message = "was not looked at: which plugins are installed and switched on cannot be read"
        yield problem("unreadable", (claude / "plugins").as_posix(), message)
        return
    on: dict[str, Any] = {}
    for config in read:
        on |= mapping_at(config if isinstance(config, Mapping) else None, "enabledPlugins")
    labels: dict[str, str] = {}
    for key, records in sorted(mapping_at(listed, "plugins").items()):
        folder = _install_folder(records, projects)
        if folder is None:
            continue
        if on.get(key, True) is False:
            yield problem("switched-off", folder.as_posix(), f"is left out: plugin {key!r} is switched off")
            continue
        name = key.partition("@")[0]
        label = key if labels.setdefault(name.casefold(), key) != key else name
        yield from _skills(_Plugin(name, label, folder, trusted=True))


def _install_folder(records: object, projects: Sequence[Path]) -> Path | None:
    """Return where the record that counts most for these projects says that a plugin lies."""
    listed = records if isinstance(records, list) else [records]
    folders: dict[str, Path] = {}
    for record in (record for record in listed if isinstance(record, Mapping)):
        scope, folder = record.get("scope", "user"), record.get("installPath")
        here = "projectPath" not in record or _is_one(record["projectPath"], projects)
        if isinstance(scope, str) and isinstance(folder, str) and Path(folder).is_absolute() and here:
            folders.setdefault(scope, Path(folder))
    return next((folders[scope] for scope in _SCOPES if scope in folders), None)


def _is_one(project: object, projects: Sequence[Path]) -> bool:
    try:
        return isinstance(project, str) and Path(os.path.realpath(project)) in projects
    except ValueError:  # no path at all
        return False


def _offered(folder: Path, *, trusted: bool) -> Iterator[Source | Finding]:
    """Yield the skills of every plugin of a marketplace that lies in its own folder."""
    market = read_config(folder / _MARKETPLACE)
    if market is None or isinstance(market, Finding):
        place = (folder / _MARKETPLACE).as_posix()
        yield market or problem(
            "root-missing", place, "is not there: the folder is no marketplace of plugins"
        )
        if market is not None:
            yield problem("unreadable", folder.as_posix(), "was not looked at: its list of plugins is broken")
        return
    above = next(iter(texts_at(mapping_at(market, "metadata"), "pluginRoot")), "")
    for name, entry in _entries(market):
        source = entry.get("source")
        if not isinstance(source, str):
            place = (folder / _MARKETPLACE).as_posix()
            yield problem("root-missing", place, f"lists {name!r}, which lies elsewhere; install the plugin")
            continue
        inner = f"{above}/{source}" if above and not source.startswith("./") else source
        if leads_out(inner):
            yield _outside(folder, name, inner)
            continue
        yield from _skills(_Plugin(name, name, folder / inner, trusted, editable=True), entry)


def _entries(market: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    listed = market.get("plugins")
    for entry in listed if isinstance(listed, list) else []:
        if isinstance(entry, Mapping) and isinstance(entry.get("name"), str):
            yield entry["name"], entry


def _skills(plugin: _Plugin, entry: Mapping[str, Any] | None = None) -> Iterator[Source | Finding]:
    """
    Yield the folders of skills that a plugin has by its manifest, its marketplace and by custom.

    `entry` is what a marketplace says of it.  An installed plugin that is its own marketplace brings
    the list along.  An entry that is not `strict` says all there is to say.
    """
    manifest, market = (read_config(plugin.folder / name) for name in (_MANIFEST, _MARKETPLACE))
    if isinstance(manifest, Finding) or isinstance(market, Finding):
        yield from (config for config in (manifest, market) if isinstance(config, Finding))
        yield problem("unreadable", plugin.folder.as_posix(), "was not looked at: its manifest is broken")
        return
    if not plugin.folder.is_dir():
        message = f"is where plugin {plugin.name!r} should be, and there is nothing; install it again"
        yield problem("root-missing", plugin.folder.as_posix(), message)
        return
    entry = entry or dict(_entries(market or {})).get(plugin.name, {})
    paths = texts_at(entry, "skills")
    if not (paths and entry.get("strict") is False):
        paths += texts_at(manifest or {}, "skills")
        paths += ["skills"] if (plugin.folder / "skills").is_dir() else []
    if (plugin.folder / SKILL_FILE).is_file():
        paths = ["."]  # the whole plugin is one skill, and what lies below belongs to it
    for path in dict.fromkeys(paths):
        if leads_out(path):
            yield _outside(plugin.folder, plugin.name, path)
        else:
            label = clean_label(plugin.label)
            root = plugin.folder / path
            yield DirectorySource(root, label, editable=plugin.editable, trusted=plugin.trusted)


def _outside(folder: Path, name: str, path: str) -> Finding:
    message = f"was not searched: plugin {name!r} names {path!r}, which is not a folder of its own"
    return problem("unsafe-name", folder.as_posix(), message)

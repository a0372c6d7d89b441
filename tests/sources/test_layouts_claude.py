"""Claude Code's skills: plugins by their lists and manifests, and what those may not do."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skill_index.index import SkillIndex
from skill_index.sources import DirectorySource, FoundSource, claude_sources, marketplace_sources
from skill_index.sources.claude import _installed, _offered
from tests.sources.placing import put, reading, told, write


@pytest.fixture
def claude(tmp_path: Path) -> Path:
    """Return the `.claude` of a home with three plugins of two marketplaces, one name twice."""
    claude = tmp_path / "home" / ".claude"
    plugins: dict[str, object] = {}
    for key in ("kit@big", "kit@small", "tools@big"):
        name, _, market = key.partition("@")
        folder = claude / "plugins" / "cache" / market / name / "1.0"
        put(folder / "skills", "review", f"only-{market}-{name}")
        write(folder / ".claude-plugin" / "plugin.json", {"name": name})
        plugins[key] = [{"scope": "user", "installPath": str(folder), "version": "1.0"}]
    write(claude / "plugins" / "installed_plugins.json", {"version": 2, "plugins": plugins})
    put(claude / "plugins" / "marketplaces" / "big" / "other" / "skills", "never-installed")
    put(claude / "skills", "mine", "review")
    return claude


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a repository with skills of its own."""
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    put(tmp_path / "repo" / ".claude" / "skills", "theirs", "review")
    return tmp_path / "repo"


PLUGINS = ["only-big-kit!", "only-big-tools!", "only-small-kit!"]


def test_plugins_are_called_by_their_names(claude: Path, project: Path) -> None:
    """`plugin:skill` is how a name is told apart, and works for every skill of a plugin."""
    sources = claude_sources(project, claude.parent)
    shared = ["claude-project:review*", "kit:review!", "kit@small:review!"]
    assert reading(sources) == [*shared, "mine", *PLUGINS, "review", "theirs*", "tools:review!"]
    assert told(sources) == []
    catalog = SkillIndex(sources).snapshot()
    assert catalog.entry("kit:only-big-kit").key == "only-big-kit"
    assert catalog.search("select:tools:review").names == ("tools:review",)


def test_the_user_hides_what_a_trusted_project_has(claude: Path, project: Path) -> None:
    """In Claude Code's own order, which is not that of other agents."""
    sources = claude_sources(project, claude.parent, trusted=True)
    shared = ["kit:review!", "kit@small:review!"]
    assert reading(sources) == [*shared, "mine", *PLUGINS, "review", "theirs", "tools:review!"]
    assert told(sources) == ["shadowed"]
    assert SkillIndex(sources).snapshot()["review"].description.endswith("/home/.claude/skills.")


@pytest.mark.parametrize(
    ("user", "shared", "trusted", "kit_is_on"),
    [
        ({}, {}, False, True),
        ({"kit@big": True}, {}, False, True),
        ({"kit@big": False}, {}, False, False),
        ({"kit@big": False}, {"kit@big": True}, True, True),
        ({"kit@big": False}, {"kit@big": True}, False, False),
        ({}, {"kit@big": False}, True, False),
        ({}, {"kit@big": False}, False, True),
    ],
)
def test_settings_switch_plugins(
    claude: Path,
    project: Path,
    user: dict[str, bool],
    shared: dict[str, bool],
    trusted: bool,
    kit_is_on: bool,
) -> None:
    """The later file wins, and a project that is not trusted decides nothing."""
    write(claude / "settings.json", {"enabledPlugins": user})
    write(project / ".claude" / "settings.json", {"enabledPlugins": shared})
    sources = claude_sources(project, claude.parent, trusted=trusted)
    assert ("only-big-kit!" in reading(sources)) == kit_is_on
    assert told(sources).count("switched-off") == (not kit_is_on)


def test_a_plugin_of_another_project_is_not_ours(claude: Path, project: Path) -> None:
    """Records are for the user, or for a project, of which ours counts more."""
    listed = claude / "plugins" / "installed_plugins.json"
    cache = claude / "plugins" / "cache"
    put(cache / "big" / "kit" / "2.0" / "skills", "newer")
    kit = [
        {"scope": "user", "installPath": str(cache / "big" / "kit" / "1.0")},
        {
            "scope": "project",
            "projectPath": str(project),
            "installPath": str(cache / "big" / "kit" / "2.0"),
        },
    ]
    tools = [{"scope": "local", "projectPath": "/elsewhere", "installPath": str(cache / "big/tools/1.0")}]
    write(listed, {"plugins": {"kit@big": kit, "tools@big": tools}})
    assert "newer!" in reading(claude_sources(project, claude.parent))
    other = reading(claude_sources(claude.parent, claude.parent))
    assert ("newer!" in other, "only-big-kit!" in other, "only-big-tools!" in other) == (False, True, False)


def test_the_older_form_of_the_list_is_read(claude: Path) -> None:
    """One record in place of a list of them."""
    folder = claude / "plugins" / "cache" / "big" / "kit" / "1.0"
    listed = {"version": 1, "plugins": {"kit@big": {"installPath": str(folder)}}}
    write(claude / "plugins" / "installed_plugins.json", listed)
    assert reading(claude_sources(claude, claude.parent)) == [
        "kit:review!",
        "mine",
        "only-big-kit!",
        "review",
    ]


def test_an_update_is_seen_and_a_broken_list_takes_nothing_away(claude: Path, project: Path) -> None:
    """A new version lies in another folder; a list that is half written is told, and what was known stays."""
    index = SkillIndex(claude_sources(project, claude.parent), refresh_interval=0)
    listed = claude / "plugins" / "installed_plugins.json"
    before = listed.read_text("utf-8")
    old = claude / "plugins" / "cache" / "big" / "kit" / "1.0"
    put(old.with_name("2.0") / "skills", "fresh")
    listed.write_text(before.replace(str(old), str(old.with_name("2.0"))), "utf-8")
    assert ("fresh" in index.snapshot(), "only-big-kit" in index.snapshot()) == (True, False)
    names = set(index.snapshot())
    listed.write_text(before[:40], "utf-8")
    assert set(index.snapshot()) == names
    assert {"unreadable", "kept-old"} <= {found.code for found in index.findings}
    listed.unlink()
    assert set(index.snapshot()) == {"mine", "review", "theirs", "claude-project:review"}


def test_lists_may_be_links_to_elsewhere(claude: Path, tmp_path: Path) -> None:
    """Many keep their own settings in another folder."""
    listed = claude / "plugins" / "installed_plugins.json"
    shutil.move(listed, tmp_path / "kept.json")
    listed.symlink_to(tmp_path / "kept.json")
    assert "only-big-kit!" in reading(claude_sources(claude, claude.parent))


def test_a_plugin_that_is_gone_is_told(claude: Path) -> None:
    """A list that was copied from another machine names folders that are not on this one."""
    shutil.rmtree(claude / "plugins" / "cache" / "small")
    findings = SkillIndex(claude_sources(claude, claude.parent)).findings
    gone = [found for found in findings if "install it again" in found.message]
    assert [(found.code, Path(found.path).parts[-3:]) for found in gone] == [
        ("root-missing", ("small", "kit", "1.0"))
    ]


MANIFESTS: dict[str, tuple[object, object, list[str]]] = {
    "none": (None, None, ["skills"]),
    "one more": ({"skills": "./more"}, None, ["more", "skills"]),
    "a list": ({"skills": ["./more/", "more/x", 3]}, None, ["more", "more/x", "skills"]),
    "of another type": ({"skills": {"a": 1}}, None, ["skills"]),
    "its marketplace": (None, [{"name": "kit", "skills": ["./more"]}], ["more", "skills"]),
    "all that is": (None, [{"name": "kit", "strict": False, "skills": ["./more/x"]}], ["more/x"]),
    "of another plugin": (None, [{"name": "toolbox", "skills": ["./more"]}, 7], ["skills"]),
}


@pytest.mark.parametrize(("manifest", "market", "expected"), MANIFESTS.values(), ids=list(MANIFESTS))
def test_manifests_name_more_folders(
    claude: Path, manifest: object, market: object, expected: list[str]
) -> None:
    """They add to `skills`, unless a marketplace says that its own list is all."""
    folder = claude / "plugins" / "cache" / "big" / "kit" / "1.0"
    (folder / "more" / "x").mkdir(parents=True)
    (folder / ".claude-plugin" / "plugin.json").unlink()
    if manifest:
        write(folder / ".claude-plugin" / "plugin.json", manifest)
    if market:
        write(folder / ".claude-plugin" / "marketplace.json", {"plugins": market})
    listed = {"plugins": {"kit@big": [{"installPath": str(folder)}]}}
    write(claude / "plugins" / "installed_plugins.json", listed)
    found = list(_installed(claude, [], trusted=False))
    roots = [
        Path(item.root).relative_to(folder).as_posix() for item in found if isinstance(item, DirectorySource)
    ]
    assert roots == expected
    assert len(found) == len(roots)


def test_a_plugin_may_be_one_skill(claude: Path) -> None:
    """With a SKILL.md of its own, what lies in its folders belongs to that."""
    folder = claude / "plugins" / "cache" / "big" / "tools" / "1.0"
    (folder / "SKILL.md").write_text("---\nname: whole\ndescription: All of it.\n---\n", "utf-8")
    found = reading(claude_sources(claude, claude.parent))
    assert ("whole!" in found, "only-big-tools!" in found) == (True, False)


@pytest.mark.parametrize(
    "path", ["..", "../../../../../skills", "/etc", "a/../../b", "~/x", "", "a\0b", "C:\\x"]
)
def test_a_manifest_cannot_name_what_is_not_its_own(claude: Path, path: str) -> None:
    """It is told and not searched, and the plugin's own folder still is."""
    folder = claude / "plugins" / "cache" / "big" / "kit" / "1.0"
    write(folder / ".claude-plugin" / "plugin.json", {"name": "kit", "skills": [path]})
    sources = claude_sources(claude, claude.parent)
    assert told(sources) == ["unsafe-name"]
    assert "only-big-kit!" in reading(sources)


def test_a_broken_manifest_costs_one_plugin(claude: Path) -> None:
    """The others are there, and an index that knew the plugin keeps it."""
    index = SkillIndex(claude_sources(claude, claude.parent), refresh_interval=0)
    write(claude / "plugins" / "cache" / "big" / "kit" / "1.0" / ".claude-plugin" / "plugin.json", "{")
    assert "only-big-kit" in index.snapshot()
    fresh = reading(claude_sources(claude, claude.parent))
    assert ("only-big-kit!" in fresh, "only-big-tools!" in fresh) == (False, True)


def test_a_marketplace_is_read_where_it_lies(tmp_path: Path) -> None:
    """Each plugin in it has its name; what lies elsewhere or leads out is told."""
    put(tmp_path / "plugins" / "kit" / "skills", "review", "fix")
    put(tmp_path / "plugins" / "more" / "skills", "review")
    put(tmp_path / "skills", "pdf", "xls")
    entries = [
        {"name": "kit", "source": "./plugins/kit"},
        {"name": "docs", "source": "./", "strict": False, "skills": ["./skills/pdf"]},
        {"name": "far", "source": {"source": "github", "repo": "a/b"}},
        {"name": "out", "source": "../home"},
        {"source": "./nameless"},
    ]
    write(tmp_path / ".claude-plugin" / "marketplace.json", {"name": "m", "plugins": entries})
    sources = marketplace_sources(tmp_path)
    assert reading(sources) == ["fix*", "pdf*", "review*"]
    assert [found.code for found in SkillIndex(sources).findings] == ["root-missing", "unsafe-name"]
    write(
        tmp_path / ".claude-plugin" / "marketplace.json",
        {"metadata": {"pluginRoot": "./plugins"}, "plugins": [{"name": "more", "source": "more"}]},
    )
    assert reading(marketplace_sources(tmp_path, trusted=True)) == ["review"]


@pytest.mark.parametrize(("text", "codes"), [(None, ["root-missing"]), ("[", ["unreadable", "unreadable"])])
def test_what_is_no_marketplace_is_told(tmp_path: Path, text: str | None, codes: list[str]) -> None:
    """A folder without a list, and one whose list is broken."""
    if text:
        write(tmp_path / ".claude-plugin" / "marketplace.json", text)
    assert [found.code for found in SkillIndex(marketplace_sources(tmp_path)).findings] == codes


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
keys = st.sampled_from(["scope", "installPath", "projectPath", "skills", "strict", "name", "source"])
texts = st.sampled_from(["HERE", "./a", "HERE\0", "/\ud800", "user", "a"])
records = st.dictionaries(keys, json_values | texts, max_size=5)
plugins = st.dictionaries(
    st.sampled_from(["a@b", "a@c", "", "\ud800"]), records | st.lists(records, max_size=3)
)


@settings(max_examples=50)
@given(plugins, records, st.lists(records | json_values, max_size=3))
def test_any_json_is_an_answer(
    tmp_path_factory: pytest.TempPathFactory, listed: object, manifest: object, entries: object
) -> None:
    """Lists and manifests of any shape give sources and findings, never an exception."""
    folder = tmp_path_factory.mktemp("claude")
    put(folder / "a" / "skills", "one")
    for name, value in {
        "plugins/installed_plugins.json": {"plugins": listed},
        "a/.claude-plugin/plugin.json": manifest,
        ".claude-plugin/marketplace.json": {"plugins": entries},
    }.items():
        write(folder / name, json.dumps(value).replace('"HERE', f'"{folder}/a'))
    found = [*_installed(folder, [folder], trusted=True), *_offered(folder, trusted=False)]
    codes = {finding.code for finding in SkillIndex([FoundSource("any", lambda: found)]).findings}
    assert codes <= {"root-missing", "unsafe-name", "unreadable", "name-shared", "duplicate-copy"}

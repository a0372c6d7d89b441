"""
The map of the library: who may import whom, and where each outside thing lives.

When a table here changes, the design changed.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import skill_index

ROOT = Path(skill_index.__file__).parent

LAYERS: list[set[str]] = [
    {
        "text",
        "errors",
        "findings",
        "frozen",
        "keeping",
        "lazy",
        "markdown",
        "resources",
        "model",
        "settings",
        "synonyms",
        "wordlists",
        "workers",
    },
    {"sources", "parsing", "query", "names", "running"},
    {"ranking"},
    {
        "naming",
        "resolving",
        "clashes",
        "edited",
        "recorded",
        "patterns",
        "results",
        "searching",
        "wordindex",
        "catalog",
    },
    {"discovery", "known", "plain", "store", "stored", "starting"},
    {"changes", "index", "watching"},
    {"render", "session", "policy", "prompt"},
    {"tools"},
    {"testing", "evaluation", "adapters"},
    {"cli", "__main__"},
]
STRANGERS = LAYERS[1]  # siblings that must not know each other, but for what names gives to all

HOMES = {
    "yaml": {"parsing/yaml.py", "parsing/verbatim.py"},
    "rapidfuzz": {"names.py"},
    "whoosh": {"ranking/analysis.py"},
    "numpy": {"ranking", "store.py", "evaluation/bootstrap.py"},
    "pydantic": {
        "tools",
        "sources/mcp_client.py",
        "cli/listing.py",
        "evaluation/report.py",
        "evaluation/compare.py",
    },
    "watchfiles": {"watching.py"},
    "typer": {
        "cli/options.py",
        "cli/using.py",
        "cli/app.py",
        "cli/usage.py",
        "cli/evaluating.py",
        "cli/serving.py",
    },
    "hypothesis": {"testing"},
    "mcp": {
        "adapters/fastmcp.py",
        "adapters/mcp/servers.py",
        "adapters/mcp/serving.py",
        "sources/mcp_client.py",
    },
    "starlette": {"adapters/mcp/serving.py"},
    "fastmcp": {"adapters/fastmcp.py"},
    "ir_measures": {"evaluation/metrics.py"},
    "matplotlib": {"evaluation/plots.py"},
    "rich": {"cli/show.py", "cli/places.py"},
    "langchain": {"adapters/langchain.py"},
    "langchain_core": {"adapters/langchain.py"},
    "langgraph": {"adapters/langchain.py"},
    "agents": {"adapters/openai_agents.py"},
    "pydantic_ai": {"adapters/pydantic_ai.py"},
    "agent_framework": {"adapters/agent_framework.py", "adapters/agent_framework_skills.py"},
    "google": {"adapters/google_adk.py", "adapters/google_adk_registry.py"},
}

IO_CALLS = {"open", "scandir", "read_text", "read_bytes", "stat", "fstat", "listdir", "iterdir", "walk"}
IO_HOMES = {
    "sources",
    "store.py",
    "running",
    "cli",
    "tools/events.py",
    "evaluation/files.py",
    "evaluation/distractors.py",
}

MODULES = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.py"))


def imports(path: str) -> set[str]:
    """Return the dotted names a module imports, at any depth of its code."""
    found: set[str] = set()
    for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: write the whole name of what is imported"
            found.update(imported(node.module, alias.name) for alias in node.names)
    return found


def imported(module: str, name: str) -> str:
    """Return what `from module import name` means: a module of that name, or something in `module`."""
    folder = ROOT.joinpath(*module.split(".")[1:])
    inner = module.split(".", maxsplit=1)[0] == "skill_index" and (
        (folder / f"{name}.py").exists() or (folder / name).is_dir()
    )
    return f"{module}.{name}" if inner else module


def part(dotted: str) -> str:
    """Return the top part of the library that a dotted name belongs to."""
    return dotted.split(".")[1] if "." in dotted else ""


def layer(name: str) -> int:
    """Return the line of the table on which a part stands."""
    return next(number for number, names in enumerate(LAYERS) if name in names)


@pytest.mark.parametrize("path", [path for path in MODULES if path != "__init__.py"])
def test_arrows_point_one_way(path: str) -> None:
    """A module imports only from lines above its own, from its package, or its line's siblings."""
    own = path.split("/", maxsplit=1)[0].removesuffix(".py")
    for dotted in imports(path):
        if not dotted.startswith("skill_index."):
            continue
        other = part(dotted)
        assert layer(other) <= layer(own), f"{path} imports {dotted} from below"
        if other != own and own in STRANGERS:
            assert other not in STRANGERS - {"names"}, f"{path} knows its sibling {dotted}"


def test_imports_within_a_line_have_no_cycle() -> None:
    """The order of every line's modules can be written down."""
    graph = {path: {name for name in imports(path) if name.startswith("skill_index.")} for path in MODULES}
    named = {
        "skill_index." + path.removesuffix(".py").removesuffix("/__init__").replace("/", "."): path
        for path in MODULES
    }
    done: set[str] = set()

    def visit(path: str, way: tuple[str, ...]) -> None:
        assert path not in way, f"a cycle: {' > '.join((*way, path))}"
        if path in done or path == "__init__.py":
            return
        for name in sorted(graph[path]):
            if name in named:
                visit(named[name], (*way, path))
        done.add(path)

    for path in MODULES:
        visit(path, ())


@pytest.mark.parametrize("path", MODULES)
def test_outside_packages_have_one_home(path: str) -> None:
    """Each third-party package is imported only where the table says."""
    for dotted in imports(path):
        top = dotted.split(".")[0]
        if top == "skill_index" or top in sys.stdlib_module_names:
            continue
        homes = HOMES[top]
        assert path in homes or path.split("/", maxsplit=1)[0] in homes, f"{path} imports {top}"


@pytest.mark.parametrize("path", MODULES)
def test_files_are_read_in_few_places(path: str) -> None:
    """Only the listed parts open, list or stat files."""
    if path in IO_HOMES or path.split("/", maxsplit=1)[0] in IO_HOMES:
        return
    for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))):
        if isinstance(node, ast.Call):
            called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            assert called not in IO_CALLS, f"{path}:{node.lineno} calls {called}"


def test_importing_the_library_loads_nothing_heavy() -> None:
    """A program that only imports the library does not pay for what it may never use."""
    code = "import sys, skill_index; print(*sorted({name.split('.')[0] for name in sys.modules}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    assert not {*HOMES, "asyncio", "hypothesis"} & set(done.stdout.split())


def test_public_names_are_sorted_and_real() -> None:
    """`__all__` lists what there is, in order."""
    names = skill_index.__all__
    assert list(names) == sorted(names)
    assert all(getattr(skill_index, name).__name__ == name for name in names)
    assert dir(skill_index) == list(names)
    assert not hasattr(skill_index, "nothing_of_ours")


@pytest.mark.parametrize("path", MODULES)
def test_files_stay_readable(path: str) -> None:
    """A file has one job and fits a few screens."""
    assert len((ROOT / path).read_text("utf-8").splitlines()) <= 300

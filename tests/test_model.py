"""Values: frozen, hashable, picklable, and honest about what they were given."""

from __future__ import annotations

import ast
import inspect
import pickle
from typing import Any

import pytest

from skill_index import model
from skill_index.frozen import FrozenMap
from skill_index.model import Origin, Skill

FULL = Skill(
    "pdf-forms",
    "Fill PDF forms.",
    "Do this.",
    aliases=["forms"],
    tags=("pdf",),
    allowed_tools=[],
    metadata={"owner": "docs"},
    origin=Origin("a", "/skills/", "pdf-forms/SKILL.md", editable=True),
)


def test_a_skill_survives_pickling_and_hashing() -> None:
    """Worker processes and sets get the same skill."""
    assert pickle.loads(pickle.dumps(FULL)) == FULL  # noqa: S301 - our own bytes
    assert len({FULL, pickle.loads(pickle.dumps(FULL))}) == 1  # noqa: S301


def test_absent_and_empty_tools_differ() -> None:
    """None means nothing was said; an empty tuple means none."""
    assert FULL.allowed_tools == ()
    assert Skill("a", "b").allowed_tools is None


def test_places_are_whole_paths() -> None:
    """The location joins root and path with one slash."""
    assert FULL.origin.location == "/skills/pdf-forms/SKILL.md"
    assert FULL.origin.folder == "pdf-forms"
    assert Origin().location == ""


def test_digests_tell_content_apart() -> None:
    """Any field of a skill made in code changes its digest; where it is does not."""
    assert Skill("a", "b").digest != Skill("a", "c").digest
    assert Skill("a", "b").digest != Skill("a", "b", allowed_tools=()).digest
    assert Skill("a", "b").digest == Skill("a", "b", origin=Origin("z")).digest


WRONG: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"name": " ", "description": "x"}, ValueError, "a skill needs a name"),
    ({"name": 7, "description": "x"}, TypeError, "a skill's name is text, not int"),
    ({"name": "a", "description": None}, TypeError, "a skill's description is text, not NoneType"),
    ({"name": "a", "description": "x", "tags": "pdf"}, TypeError, r"write \['pdf'\]"),
    ({"name": "a", "description": "x", "allowed_tools": "Read"}, TypeError, "takes a list of texts"),
    (
        {"name": "a", "description": "x", "tags": None},
        TypeError,
        "tags takes a list of texts, and None is none",
    ),
    ({"name": "a", "description": "x", "aliases": ["b", 1]}, TypeError, "and 1 is none"),
    ({"name": "a", "description": "x", "allowed_tools": [None]}, TypeError, "and None is none"),
    ({"name": "a", "description": "x", "license": 5}, TypeError, "license is text, not int"),
    ({"name": "a", "description": "x", "compatibility": ["x"]}, TypeError, "compatibility is text, not list"),
    (
        {"name": "a", "description": "x", "metadata": None},
        TypeError,
        "metadata takes a mapping, not NoneType",
    ),
    ({"name": "a", "description": "x", "extra": [("k", "v")]}, TypeError, "extra takes a mapping, not list"),
    ({"name": "a", "description": "x", "resources": None}, TypeError, "resources takes a mapping"),
    ({"name": "a", "description": "x", "resources": ["a.md"]}, TypeError, "resources takes a mapping"),
    ({"name": "a", "description": "x", "resources": {1: "x"}}, TypeError, "resource is text, not int"),
    ({"name": "a", "description": "x", "resources": {"a.md": 1}}, TypeError, "is text or bytes, not int"),
    ({"name": "a", "description": "x", "scripts": {"now": 3}}, TypeError, "is a function, not int"),
    ({"name": "a", "description": "x", "scripts": [print]}, TypeError, "scripts takes a mapping, not list"),
    ({"name": "a", "description": "x", "input_schema": "{}"}, TypeError, "input_schema takes a map"),
]


@pytest.mark.parametrize(("fields", "kind", "message"), WRONG)
def test_wrong_values_are_refused_in_words(
    fields: dict[str, Any], kind: type[Exception], message: str
) -> None:
    """A text where a list is meant is an error, never its letters."""
    with pytest.raises(kind, match=message):
        Skill(**fields)


def test_what_type_checkers_are_told_of_is_what_there_is() -> None:
    """The signature written for them has every field, in order and with its default."""
    tree = ast.parse(inspect.getsource(model))
    [written] = [
        node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == "__init__"
    ]
    real = list(inspect.signature(Skill).parameters.values())
    told = [(each.arg, False) for each in written.args.args[1:]]
    told += [(each.arg, True) for each in written.args.kwonlyargs]
    assert told == [(each.name, each.kind is each.KEYWORD_ONLY) for each in real]
    defaults = [*written.args.defaults, *written.args.kw_defaults]
    given = [eval(ast.unparse(each), vars(model)) for each in defaults if each is not None]  # noqa: S307
    assert given == [each.default for each in real if each.default is not each.empty]


def test_a_frozen_map_cannot_change() -> None:
    """Neither items nor attributes can be set."""
    frozen = FrozenMap({"a": 1})
    with pytest.raises(AttributeError):
        frozen.other = 1
    with pytest.raises(TypeError):
        frozen["b"] = 2  # type: ignore[index]
    assert frozen == {"a": 1}
    assert hash(frozen) == hash(FrozenMap({"a": 1}))

"""Front matter as JSON: what any YAML parser gives, or nothing at all."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_index.parsing.verbatim import verbatim
from skill_index.testing import strategies


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("name: a\nversion: 1.10", {"name": "a", "version": 1.1}),
        ("name: a\nversion: '1.10'", {"name": "a", "version": "1.10"}),
        (
            "added: 2026-01-31\nat: 2026-01-31T10:00:00Z",
            {"added": "2026-01-31", "at": "2026-01-31T10:00:00Z"},
        ),
        ("flag: true\nnone:\nlist: [1, two]", {"flag": True, "none": None, "list": [1, "two"]}),
        ("metadata: {a: {b: c}}", {"metadata": {"a": {"b": "c"}}}),
        ("name: a # a comment", {"name": "a"}),
        ("description: >-\n  two\n  lines", {"description": "two lines"}),
        ('text: "\\u00e9\\t"', {"text": "é\t"}),
    ],
)
def test_values_are_typed_as_yaml_types_them(header: str, expected: object) -> None:
    """Numbers, truth values and lists come as JSON; dates, which JSON has not, as text."""
    assert verbatim(f"---\n{header}\n---\nBody.".encode()) == expected


@pytest.mark.parametrize(
    "text",
    [
        "no front matter",
        "---\nname: a: b\n---\n",
        "---\nname: a\nname: b\n---\n",
        "---\na: &x 1\nb: *x\n---\n",
        "---\na: !!python/object:os.system x\n---\n",
        "---\n- a\n---\n",
        "---\n1: a\n---\n",
        "---\na: .inf\n---\n",
        "---\na: .nan\n---\n",
        "---\na: !!binary aGk=\n---\n",
        "---\na: !!set {x}\n---\n",
        "---\na: !!bool x\n---\n",
        "---\na: !!int ''\n---\n",
        "---\na: !!float ''\n---\n",
        "---\n!!bool a: b\n---\n",
        "<!-- above -->\n---\nname: a\n---\n",
        "---\nname: a\u2028b\n---\n",
    ],
)
def test_what_parsers_disagree_on_is_not_passed_on(text: str) -> None:
    """Mended, repeated, tagged or hidden things would not compare equal on the other side."""
    assert verbatim(text.encode()) is None


FILES = (strategies.good_files(), strategies.repairable_files(), st.text())


@given(st.one_of(*(texts.map(lambda text: text.encode("utf-8", "replace")) for texts in FILES), st.binary()))
def test_any_bytes_give_json_or_nothing(data: bytes) -> None:
    """Nothing raises, and what is given can be written as JSON."""
    said = verbatim(data)
    assert said is None or json.loads(json.dumps(said, allow_nan=False)) == said

"""Arguments of scripts from what a model writes."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_index.running import to_arguments

TAKEN: list[tuple[Any, tuple[str, ...]]] = [
    (None, ()),
    ([], ()),
    ({}, ()),
    (["a b", "", "*", "-n", "ä文"], ("a b", "", "*", "-n", "ä文")),
    ((1, 2.5, True, False), ("1", "2.5", "true", "false")),
    ({"quiet": True, "force": False, "title": None}, ("--quiet",)),
    ({"n": 0, "title": "", "max_pages": 3}, ("--n", "0", "--title", "", "--max_pages", "3")),
    ({"page": [1, 2], "none": []}, ("--page", "1", "--page", "2")),
    ({"on": [True, False]}, ("--on", "true", "--on", "false")),
]

REFUSED: list[tuple[Any, str]] = [
    ("in.pdf --force", "not a single text; write a list"),
    (b"in.pdf", "not bytes"),
    (7, "not int"),
    ({"a", "b"}, "not set"),
    ([None], "argument 1 is null"),
    (["a", ["b"]], "argument 2 is list"),
    ({"a": {"b": 1}}, "option a is dict"),
    ({"a": ["b", None]}, "option a is null"),
    ({"": 1}, "'' cannot be an option"),
    ({"-x": 1}, "'-x' cannot be an option"),
    ({"a b": 1}, "'a b' cannot be an option"),
    ({"a=b": 1}, "'a=b' cannot be an option"),
    ({"a\n": 1}, r"'a\n' cannot be an option"),
    ({"é": 1}, r"'\xe9' cannot be an option"),
    ({1: 1}, "1 cannot be an option"),
]


@pytest.mark.parametrize(("args", "texts"), TAKEN)
def test_lists_and_options_become_arguments(args: Any, texts: tuple[str, ...]) -> None:
    """Each item is one argument, whole, in the order given."""
    assert to_arguments(args) == texts


@pytest.mark.parametrize(("args", "reason"), REFUSED)
def test_what_cannot_be_an_argument_is_told(args: Any, reason: str) -> None:
    """A model reads what was wrong, and on one line."""
    with pytest.raises(ValueError, match=re.escape(reason)) as caught:
        to_arguments(args)
    assert str(caught.value).isprintable()


@given(st.lists(st.text()))
def test_texts_stay_as_they_are(texts: list[str]) -> None:
    """Nothing is split, quoted, trimmed or dropped."""
    assert to_arguments(texts) == tuple(texts)


@given(st.dictionaries(st.from_regex(r"[A-Za-z][A-Za-z0-9_-]*", fullmatch=True), st.text()))
def test_options_are_pairs(options: dict[str, str]) -> None:
    """Keys and values alternate, so that they can be read back."""
    texts = to_arguments(options)
    assert dict(zip(texts[::2], texts[1::2], strict=True)) == {f"--{k}": v for k, v in options.items()}

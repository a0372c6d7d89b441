"""Labels of sources: short, unique, fit for ids."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_index.sources.labels import clean_label, short_labels

PARTS = st.text(st.sampled_from("aAbß:-\n.é"), min_size=1, max_size=3).filter(
    lambda part: part not in {".", ".."}
)
ROOTS = st.lists(st.lists(PARTS, min_size=1, max_size=4).map(lambda parts: "/" + "/".join(parts)), max_size=6)


@pytest.mark.parametrize(
    ("roots", "labels"),
    [
        ([], []),
        (["/x/skills"], ["skills"]),
        (["/x/skills/"], ["skills"]),
        (["/x/a/skills", "/x/b/skills"], ["a/skills", "b/skills"]),
        (["/a/x/skills", "/b/x/skills", "/tools"], ["a/x/skills", "b/x/skills", "tools"]),
        (["/skills", "/a/skills"], ["skills", "a/skills"]),
        (["/a/skills", "/a/skills"], ["skills", "skills"]),
        (["/a/skills", "/a/../a/./skills"], ["skills", "skills"]),
        (["/a/Skills", "/b/skills"], ["a/Skills", "b/skills"]),
        (["/a/Skills", "/a/skills"], ["a/Skills", "a/skills-2"]),
        (["/a/x:y"], ["x-y"]),
        (["/a/x:y", "/a/x-y"], ["a/x-y", "a/x-y-2"]),
        (["/a/two\nlines"], ["two lines"]),
        (["/"], ["root"]),
        (["/a/\u202e"], ["a"]),
    ],
)
def test_labels_are_the_shortest_tails(roots: list[str], labels: list[str]) -> None:
    """Each root gets the end of its path that no other shares."""
    assert short_labels(roots) == labels


def test_relative_and_home_roots_are_told_by_what_they_are(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """One folder written in several ways has one label, and '.' is no label."""
    folder = tmp_path / "skills"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert short_labels([".", folder, "~/skills", "../skills"]) == ["skills"] * 4


@given(ROOTS)
def test_labels_tell_sources_apart(roots: list[str]) -> None:
    """Equal roots have equal labels, others differ in more than case, and none holds a colon or a break."""
    labels = short_labels(roots)
    assert len(labels) == len(roots)
    pairs = {root: label.casefold() for root, label in zip(roots, labels, strict=True)}
    assert len(set(pairs.values())) == len(pairs)
    assert all(label and ":" not in label and label.isprintable() for label in labels)
    assert short_labels(roots) == labels


@given(st.text())
def test_clean_labels_stay_clean(label: str) -> None:
    """Cleaning a label twice changes nothing more."""
    assert clean_label(clean_label(label)) == clean_label(label)
    assert ":" not in clean_label(label)

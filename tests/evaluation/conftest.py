"""A small judged set, as a folder and as a value."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pytest

Write = Callable[..., Path]

SKILLS: list[Mapping[str, object]] = [
    {"name": "pdf-forms", "description": "Fill in PDF forms.", "body": "Open the form."},
    {"name": "pdf-merge", "description": "Join PDF files.", "allowed_tools": "Read, Bash(qpdf *)"},
    {"name": "chart-maker", "description": "Draw bar charts of numbers.", "allowed_tools": ["Write"]},
]
QUERIES = [
    {"id": "q1", "text": "fill in forms", "group": "office"},
    {"id": "q2", "text": "please draw me a chart of these numbers and join the files", "group": "mixed"},
    {"id": "q3", "text": "pdf", "group": "office"},
]
QRELS = ["q1\tpdf-forms\t1", "q2\tchart-maker\t1", "q2\tpdf-merge\t1", "q3\tpdf-merge\t1", "q3\tpdf-forms\t0"]
NEGATIVES = [{"id": "n1", "text": "weather tomorrow"}, {"id": "n2", "text": "numbers"}]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes a set; each file may be given, or left out with None."""

    def write_set(
        name: str = "small",
        *,
        skills: Iterable[Mapping[str, object]] | None = SKILLS,
        queries: Iterable[Mapping[str, object]] | None = QUERIES,
        qrels: Iterable[str] | None = QRELS,
        negatives: Iterable[Mapping[str, object]] | None = NEGATIVES,
    ) -> Path:
        folder = tmp_path / name
        folder.mkdir()
        for file, records in (
            ("skills.jsonl", skills),
            ("queries.jsonl", queries),
            ("negatives.jsonl", negatives),
        ):
            if records is not None:
                lines = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
                (folder / file).write_text(lines, "utf-8")
        if qrels is not None:
            (folder / "qrels.tsv").write_text("".join(f"{line}\n" for line in qrels), "utf-8")
        return folder

    return write_set


@pytest.fixture
def small(write: Write) -> Path:
    """Return the folder of the set as it stands above."""
    return write()

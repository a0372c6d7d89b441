"""Runs of other systems: order by score, whatever the order of lines; bad lines named."""

from __future__ import annotations

from pathlib import Path

import pytest

from skill_index.errors import SkillIndexError
from skill_index.evaluation import evaluate_run, load_run, load_trec

QRELS = "q1 0 a 1\nq1 0 b 0\nq2 0 b 2\nq2 0 c 1\nq3 0 a 0\n"
RUN = "q1 Q0 b 9 0.5 me\nq1 Q0 a 1 1.5 me\nq2 Q0 c 1 2 me\nq2 Q0 a 2 2 me\nq2 Q0 b 3 -1e3 me\n"


@pytest.fixture
def qrels(tmp_path: Path) -> Path:
    """Return a file of judgments, one query of it without a needed skill."""
    (tmp_path / "some.qrels").write_text(QRELS, "utf-8")
    return tmp_path / "some.qrels"


@pytest.mark.parametrize("turn", [1, -1])
def test_the_score_orders_a_run(tmp_path: Path, turn: int) -> None:
    """Ranks are not believed, ties go by name, and the order of lines does not count."""
    path = tmp_path / "run"
    path.write_text("\n".join(RUN.splitlines()[::turn]), "utf-8")
    run = load_run(path)
    assert {query: [name for name, _ in ranked] for query, ranked in run.items()} == {
        "q1": ["a", "b"],
        "q2": ["a", "c", "b"],
    }


def test_a_run_is_measured_without_texts(tmp_path: Path, qrels: Path) -> None:
    """Judgments alone are enough; what no skill serves says nothing and is left out."""
    (tmp_path / "run").write_text(RUN, "utf-8")
    judged, run = load_trec(qrels, tmp_path / "run")
    assert (judged.name, [query.id for query in judged.queries]) == ("some.qrels", ["q1", "q2"])
    report = evaluate_run(judged, run)
    assert [row.name for row in report.rows] == ["all", "one skill", "several skills"]
    assert [query.rank for query in report.queries] == [1, 2]
    assert report.rows[0].metrics["Hit@1"].mean == 0.5
    assert report.rows[0].metrics["MRR"].mean == 0.75
    assert report.rows[0].metrics["All@10"].mean == 1.0
    assert (report.latency, report.abstention, report.groups) == (None, None, ())


def test_a_query_without_a_list_is_missed(tmp_path: Path, qrels: Path) -> None:
    """What a system did not answer counts as nothing found."""
    (tmp_path / "run").write_text("other Q0 a 1 1 me\n", "utf-8")
    judged, run = load_trec(qrels, tmp_path / "run")
    report = evaluate_run(judged, run)
    assert {each.mean for each in report.rows[0].metrics.values()} == {0.0}


BAD = [
    ("q1 Q0 a 1 1", "has not six columns"),
    ("q1\tQ0\ta b\t1\tx\tme", "the score is a number, not 'x'"),
    ("q1 Q0 a 1 nan me", "the score is a number, not 'nan'"),
    ("q1 Q0 a 1 1 me\nq1 Q0 a 2 0 me", "ranks 'a' for 'q1' a second time"),
]


@pytest.mark.parametrize(("content", "said"), BAD)
def test_a_bad_line_of_a_run_is_named(tmp_path: Path, content: str, said: str) -> None:
    """File and line, as for judgments."""
    (tmp_path / "run").write_text(content, "utf-8")
    number = content.count("\n") + 1
    with pytest.raises(SkillIndexError) as told:
        load_run(tmp_path / "run")
    assert str(told.value).startswith(f"{tmp_path}/run:{number}: {said}")

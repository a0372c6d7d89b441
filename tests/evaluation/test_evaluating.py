"""From a set to its report: the right answers counted, once, whatever the order."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from skill_index import Origin, Skill, SkillCatalog
from skill_index.errors import SkillIndexError
from skill_index.evaluation import (
    BASELINES,
    JudgedQuery,
    JudgedSet,
    Report,
    SetReport,
    evaluate,
    evaluate_run,
    variant,
)
from skill_index.evaluation.kinds import kinds_of

Write = Callable[..., Path]


def ticking(step: float) -> Callable[[], float]:
    """Return a clock on which every look is later than the last by the same time."""
    ticks = count()
    return lambda: next(ticks) * step


@pytest.fixture
def judged(small: Path) -> JudgedSet:
    """Return the small set."""
    return JudgedSet.load(small)


def measured(judged: JudgedSet, catalog: SkillCatalog | None = None) -> SetReport:
    """Evaluate with a clock that does not run."""
    return evaluate(judged, catalog=catalog, clock=lambda: 0.0)


def test_what_was_answered_is_told(judged: JudgedSet) -> None:
    """Ranks, needed skills, kinds, states and evidence of each query."""
    report = measured(judged)
    assert (report.name, report.skills, report.distractors, report.limit) == ("small", 3, 0, 10)
    first, second, third = report.queries
    assert (first.rank, first.needed, first.state) == (1, {"pdf-forms": 1}, "strong")
    assert first.kinds == ("phrase", "one skill")
    assert second.kinds == ("sentence", "several skills")
    assert {hit.name for hit in second.hits if hit.grade} == {"chart-maker", "pdf-merge"}
    assert third.needed == {"pdf-merge": 1}
    assert {piece.word for piece in first.hits[0].evidence} >= {"fill", "forms"}
    assert 0 < first.coverage <= 1
    assert [row.name for row in report.rows] == ["all", "phrase", "sentence", "one skill", "several skills"]
    assert [(row.name, row.queries) for row in report.groups] == [("mixed", 1), ("office", 2)]
    assert report.rows[0].metrics["All@10"].mean == 1.0


def test_negatives_are_asked_and_not_counted(judged: JudgedSet) -> None:
    """What no skill serves goes to the abstention and to no figure."""
    report = measured(judged)
    assert report.rows[0].queries == 3
    assert [(query.id, query.state, query.hit) for query in report.negatives] == [
        ("n1", "none", None),
        ("n2", "strong", "chart-maker"),
    ]
    assert report.abstention is not None
    assert (report.abstention.positives, report.abstention.negatives) == (3, 2)
    assert report.abstention.strong_negatives == 0.5
    assert measured(dataclasses.replace(judged, negatives=())).abstention is None


def test_time_is_told_beside(judged: JudgedSet) -> None:
    """Milliseconds between two looks at the clock, for positives and negatives alike."""
    report = evaluate(judged, clock=ticking(0.002))
    assert report.latency is not None
    assert (report.latency.p50, report.latency.p95) == pytest.approx((2, 2))
    assert [query.ms for query in report.queries] == pytest.approx([2, 2, 2])


def test_slow_queries_are_told(judged: JudgedSet) -> None:
    """The median, and the time that only one in twenty exceeds: queries of 1, 5, 9, 13 and 17 ms."""
    ticks = count()
    latency = evaluate(judged, clock=lambda: next(ticks) ** 2 / 1000).latency
    assert latency is not None
    assert (latency.p50, latency.p95) == pytest.approx((9, 17))


def test_evidence_is_kept_where_it_explains() -> None:
    """The strongest pieces of the first three hits and of needed ones, not of the crowd."""
    words = "alpha beta gamma delta epsilon zeta"
    crowd = tuple(Skill(f"s{number}", f"About {words}. {'x ' * number}") for number in range(6))
    judged = JudgedSet("n", crowd, (JudgedQuery("q", words),), {"q": {"s5": 1}})
    (query,) = measured(judged).queries
    assert [hit.name for hit in query.hits] == [f"s{number}" for number in range(6)]
    assert [len(hit.evidence) for hit in query.hits] == [5, 5, 5, 0, 0, 5]
    scores = [piece.score for piece in query.hits[0].evidence]
    assert scores == sorted(scores, reverse=True)


def test_progress_is_told_for_each_query(judged: JudgedSet) -> None:
    """The last call names all of them."""
    seen: list[int] = []
    evaluate(judged, progress=seen.append)
    assert seen == [1, 2, 3, 4, 5]


def test_the_order_of_a_set_does_not_count(judged: JudgedSet) -> None:
    """Skills and queries given the other way round make an equal report."""
    turned = JudgedSet(
        judged.name,
        judged.skills[::-1],
        judged.queries[::-1],
        {query: dict(reversed(list(names.items()))) for query, names in reversed(list(judged.qrels.items()))},
        judged.negatives[::-1],
    )
    assert measured(turned) == measured(judged)


def test_the_limit_cuts_what_is_measured(judged: JudgedSet) -> None:
    """A needed skill behind the last hit shown is missed."""
    report = evaluate(judged, limit=1)
    assert all(len(query.hits) == 1 for query in report.queries)
    assert report.queries[1].metrics["All@10"] == 0.0


def test_a_needed_skill_must_be_there(judged: JudgedSet) -> None:
    """A judgment of a skill that the catalog lacks is an error that names both."""
    with pytest.raises(SkillIndexError, match="needs 'chart-maker' for query 'q2', which is not among the 1"):
        measured(judged, SkillCatalog([Skill("pdf-forms", "d"), Skill("pdf-forms", "d")]))


def test_skills_may_lie_elsewhere(write: Write) -> None:
    """Judgments name skills by bare name, key or id, and shared names by id."""
    skills = [
        Skill("forms", "Fill in forms.", origin=Origin("one", "/one", "forms/SKILL.md")),
        Skill("forms", "Fill in tax forms.", origin=Origin("two", "/two", "forms/SKILL.md")),
        Skill("charts", "Draw charts.", origin=Origin("two", "/two", "charts/SKILL.md")),
    ]
    qrels = ["q1\ttwo:forms\t1", "q1\tone:forms\t1", "q2\tcharts\t1", "q3\ttwo:charts\t1", "q3\tabsent\t0"]
    judged = JudgedSet.load(write(skills=None, qrels=qrels))
    report = measured(judged, SkillCatalog(skills))
    assert report.queries[0].needed == {"forms": 1, "two:forms": 1}
    assert report.queries[0].metrics["All@10"] == 1.0
    assert report.queries[1].needed == report.queries[2].needed == {"charts": 1}


def test_a_run_against_itself_gains_nothing(judged: JudgedSet) -> None:
    """The paired interval of equal answers is nothing, for every row and figure."""
    before = measured(judged)
    report = evaluate(judged, baseline=before, baseline_name="yesterday")
    assert report.baseline == "yesterday"
    for row in (*report.rows, *report.groups):
        assert row.delta is not None
        assert {(each.mean, each.low, each.high) for each in row.delta.values()} == {(0.0, 0.0, 0.0)}


def test_a_gain_is_told_with_its_interval(judged: JudgedSet) -> None:
    """What a worse system misses is the difference."""
    nothing = evaluate_run(judged, {})
    report = evaluate(judged, baseline=nothing)
    delta = report.rows[0].delta
    assert delta is not None
    assert delta["All@10"].mean == delta["All@10"].low == delta["All@10"].high == 1.0


def test_a_baseline_must_have_the_queries(judged: JudgedSet) -> None:
    """Figures over other queries cannot be paired."""
    other = JudgedSet("other", judged.skills, (JudgedQuery("q1", "t"),), {"q1": {"pdf-forms": 1}})
    with pytest.raises(SkillIndexError, match="'yesterday' has no answer to query 'q2'"):
        evaluate(judged, baseline=measured(other), baseline_name="yesterday")


def test_named_baselines_are_plainer() -> None:
    """Each leaves out what its name says, and only that."""
    skills = [
        Skill("letters", "Write letters.", "Mention the zebra."),
        Skill("sheets", "Edit an xlsx file."),
        *(Skill(f"x{number}", "Counts.") for number in range(9)),
    ]
    assert SkillCatalog(skills).search("zebra").names == ("letters",)
    assert variant("no-bodies", skills).search("zebra").names == ()
    assert SkillCatalog(skills).search("spreadsheet").names == ("sheets",)
    assert variant("no-synonyms", skills).search("spreadsheet").names == ()
    long = "counts " + " ".join(f"qz{letter}xw" for letter in "abcdefghijklmnopqrstuvwxyz")
    assert SkillCatalog(skills).search(long).total == 0
    assert variant("no-gate", skills).search(long).total == 9
    flat = variant("flat", [Skill("zebra", "Stripes."), Skill("other", "A zebra, the zebra, zebra.")])
    assert flat.search("zebra stripes").total == 2
    assert len(set(dataclasses.astuple(flat.settings.weights))) == 1
    with pytest.raises(SkillIndexError, match=f"take one of {', '.join(BASELINES)}"):
        variant("best", skills)


KINDS = [
    ("one two three four", 1, ("phrase", "one skill")),
    ("one two three four five", 2, ("sentence", "several skills")),
    ("word " * 40, 1, ("sentence", "one skill")),
    ("word " * 41, 3, ("long", "several skills")),
    ("", 1, ("one skill",)),
]


@pytest.mark.parametrize(("text", "needed", "kinds"), KINDS)
def test_kinds(text: str, needed: int, kinds: tuple[str, ...]) -> None:
    """Words are counted up to the last of a kind."""
    assert kinds_of(text, needed) == kinds


def test_a_report_comes_back_equal(judged: JudgedSet) -> None:
    """JSON holds all of it, and equal reports make equal bytes."""
    report = Report(sets=(measured(judged),))
    assert Report.from_json(report.to_json()) == report
    assert Report(sets=(measured(judged),)).to_json() == report.to_json()
    assert report.set_named("small") == report.sets[0]
    assert report.set_named("other") is None


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"sets": [{}]}'])
def test_other_json_is_no_report(text: str) -> None:
    """The error names the file and the first thing that is wrong."""
    with pytest.raises(SkillIndexError, match=r"^old\.json is no report of an evaluation: "):
        Report.from_json(text, "old.json")


def test_half_characters_do_not_stop_a_report() -> None:
    """A name from a broken escape still goes to JSON."""
    judged = JudgedSet(
        "n", (Skill("a", "Fill \ud800 forms."),), (JudgedQuery("q", "forms \udfff"),), {"q": {"a": 1}}
    )
    report = Report(sets=(measured(judged),))
    assert Report.from_json(report.to_json()).sets[0].queries[0].rank == 1

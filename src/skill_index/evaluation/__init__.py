"""
How well a catalog answers judged queries: metrics, abstention, latency, and what moved between two runs.

    from skill_index.evaluation import JudgedSet, Report, evaluate

    report = Report(sets=(evaluate(JudgedSet.load("my-queries")),))

Needs the extra `eval` (ir-measures for the metrics, matplotlib for the plots of `html_report`).
"""

from skill_index.evaluation.baselines import BASELINES, variant
from skill_index.evaluation.compare import Comparison, compare
from skill_index.evaluation.distractors import new_skills, read_pool
from skill_index.evaluation.evaluating import evaluate, evaluate_run
from skill_index.evaluation.html import html_report
from skill_index.evaluation.judged import JudgedQuery, JudgedSet
from skill_index.evaluation.metrics import MEASURES
from skill_index.evaluation.report import Report, SetReport
from skill_index.evaluation.trec import load_run, load_trec

__all__ = [
    "BASELINES",
    "MEASURES",
    "Comparison",
    "JudgedQuery",
    "JudgedSet",
    "Report",
    "SetReport",
    "compare",
    "evaluate",
    "evaluate_run",
    "html_report",
    "load_run",
    "load_trec",
    "new_skills",
    "read_pool",
    "variant",
]

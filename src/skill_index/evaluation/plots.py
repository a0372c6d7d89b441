"""
The plots of a report as inline SVG: the same figures give the same bytes.

matplotlib salts the ids of an SVG by chance and writes the date; both are fixed here, and a user's
own matplotlibrc is not asked.  Text stays text, so that a page can be searched and stays small.
Names come from strangers: they are never read as formulas, and what the font may lack is replaced,
since a missing glyph is a warning and a box.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import StringIO
from typing import TYPE_CHECKING, Any

from skill_index.errors import SkillIndexError
from skill_index.evaluation.report import Abstention, Row, SetReport
from skill_index.text import one_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_STYLE = {
    "svg.hashsalt": "skill_index",
    "svg.fonttype": "none",
    "text.parse_math": False,
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
}
_NO_METADATA = {"Date": None, "Creator": None, "Format": None, "Type": None}
_SHOWN = ("nDCG@10", "Recall@10", "Hit@1")
_COLOURS = ("#0072b2", "#56b4e9", "#e69f00")  # told apart by colour-blind readers, too
_NAME = 24  # characters of a name beside a bar


def plot_rows(rows: Sequence[tuple[str, Row]]) -> str:
    """Return bars of three figures, with their intervals, for each named row."""

    def draw(axes: Axes) -> None:
        height = 0.8 / len(_SHOWN)
        for number, (measure, colour) in enumerate(zip(_SHOWN, _COLOURS, strict=True)):
            found = [row.metrics[measure] for _, row in rows]
            axes.barh(
                [place + number * height for place in range(len(rows))],
                [each.mean for each in found],
                height,
                # A mean is inside its interval but for the last bits, and a bar may not be negative.
                xerr=[
                    [max(0.0, each.mean - each.low) for each in found],
                    [max(0.0, each.high - each.mean) for each in found],
                ],
                color=colour,
                ecolor="#444444",
                label=measure,
            )
        axes.set_yticks([place + height for place in range(len(rows))], [_plain(name) for name, _ in rows])
        axes.invert_yaxis()
        axes.set_xlim(0, 1)
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)

    return _drawn(draw, height=0.7 + 0.5 * len(rows))


def plot_ranks(report: SetReport) -> str:
    """Return how many queries have their first needed skill at each place, and how many nowhere."""
    places = [*range(1, report.limit + 1), None]
    counts = [sum(query.rank == place for query in report.queries) for place in places]

    def draw(axes: Axes) -> None:
        axes.bar(range(len(places)), counts, color=[*[_COLOURS[0]] * report.limit, "#999999"])
        axes.set_xticks(range(len(places)), [str(place) if place else "none" for place in places])
        axes.set_xlabel("place of the first needed skill")
        axes.set_ylabel("queries")

    return _drawn(draw, height=2.2)


def plot_abstention(found: Abstention) -> str:
    """Return the share of positives answered over the share of negatives answered, and today's states."""

    def draw(axes: Axes) -> None:
        curves = ((found.by_coverage, "threshold on coverage"), (found.by_score, "threshold on score"))
        for (points, label), colour in zip(curves, _COLOURS, strict=False):
            negatives = [point.negatives for point in points]
            positives = [point.positives for point in points]
            axes.plot(negatives, positives, marker=".", color=colour, label=label)
        today = ([found.strong_negatives], [found.strong_positives])
        axes.plot(*today, "o", color=_COLOURS[2], label="state strong or exact")
        axes.set_xlim(-0.02, 1.02)
        axes.set_ylim(-0.02, 1.02)
        axes.set_xlabel("negatives answered")
        axes.set_ylabel("positives answered")
        axes.legend(loc="lower right", frameon=False)

    return _drawn(draw, height=3.2, width=4.2)


def _drawn(draw: Callable[[Axes], None], *, height: float, width: float = 6.5) -> str:
    """Return what a function draws, from its <svg> tag on."""
    matplotlib = _library()
    from matplotlib.figure import Figure

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE)
        figure = Figure(figsize=(width, height), layout="constrained")
        draw(figure.subplots())
        written = StringIO()
        figure.savefig(written, format="svg", metadata=_NO_METADATA)
    text = written.getvalue()
    return text[text.index("<svg") :]


def _plain(name: str) -> str:
    return one_line(name, _NAME).replace("…", "...").encode("ascii", "replace").decode("ascii")


def _library() -> Any:
    try:
        import matplotlib
    except ImportError as error:
        message = 'matplotlib is not installed; run: pip install "skill_index[eval]"'
        raise SkillIndexError(message) from error
    return matplotlib

"""
How cost grows with skills and with words, as a picture: the same figures give the same bytes.

Both axes of every panel are logarithmic: a straight line is a power, and what stands apart by a
factor stands apart by the same distance everywhere.  This library is drawn boldest and last.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.systems import OURS
from benchmarks.timing.entrants import ENTRANTS
from benchmarks.timing.page import MAIN, p50
from benchmarks.timing.texts import LENGTHS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BY_WORDS = 10_000
"""Skills among which the growth with words is shown; without that size, the largest there is."""

_COLOURS = ("#d62728", "#0072b2", "#56b4e9", "#009e73", "#e69f00", "#8c564b", "#cc79a7", "#999999", "#555555")
_MARKS = "osvD^Xp<>"
_STYLE: dict[Any, Any] = {
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e6e6e6",
}

Points = list[tuple[float, float]]


def draw(figures: Mapping[str, Any], path: Path) -> None:
    """Write the picture of a result file as a PNG."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    sizes = [of_set for of_set in figures["sets"].values() if not of_set["real"]]
    if not sizes:
        return
    chosen = next((each for each in sizes if each["skills"] == BY_WORDS), sizes[-1])
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_STYLE)
        figure = Figure(figsize=(10, 7.2), layout="constrained", dpi=120)
        panels = figure.subplots(2, 2).flat
        _panel(
            next(panels),
            f"Search, {MAIN}",
            "skills",
            "ms, median",
            _by_size(sizes, lambda row: p50(row, MAIN)),
        )
        words = f"Search among {chosen['skills']:,} skills"
        _panel(next(panels), words, "words in the query", "ms, median", _by_length(chosen))
        build = _by_size(sizes, lambda row: row.get("build_processor_seconds"))
        _panel(next(panels), "Build, to the first answer", "skills", "s of the processor", build)
        memory = _by_size(sizes, lambda row: row.get("added_mb"))
        _panel(next(panels), "Memory beside the skills, at most", "skills", "MB", memory)
        lines, names = figure.axes[0].get_legend_handles_labels()
        order = sorted(range(len(names)), key=lambda at: list(ENTRANTS).index(names[at]))
        figure.legend(
            [lines[at] for at in order],
            [names[at] for at in order],
            loc="outside lower center",
            ncols=5,
            frameon=False,
        )
        figure.savefig(path, format="png", metadata={"Software": None})


def _by_size(sizes: list[Mapping[str, Any]], cost: Callable[[Any], float | None]) -> dict[str, Points]:
    return {
        name: [
            (of_set["skills"], found)
            for of_set in sizes
            if (found := cost(of_set["systems"].get(name, {}))) is not None
        ]
        for name in ENTRANTS
    }


def _by_length(of_set: Mapping[str, Any]) -> dict[str, Points]:
    return {
        name: [
            (length, found)
            for length in LENGTHS
            if (found := p50(of_set["systems"].get(name, {}), f"{length} words")) is not None
        ]
        for name in ENTRANTS
    }


def _panel(axes: Axes, title: str, across: str, up: str, curves: Mapping[str, Points]) -> None:
    for place, (name, points) in enumerate(curves.items()):
        ours = name == OURS
        axes.plot(
            [x for x, _ in points],
            [max(y, 1e-4) for _, y in points],
            marker=_MARKS[place % len(_MARKS)],
            color=_COLOURS[place % len(_COLOURS)],
            linewidth=2.6 if ours else 1.2,
            markersize=6 if ours else 4,
            zorder=3 if ours else 2,
            label=name,
        )
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set(title=title, xlabel=across, ylabel=up)
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.yaxis.set_major_formatter("{x:,g}")
    if across == "words in the query":
        axes.set_xticks(LENGTHS, map(str, LENGTHS))
        axes.minorticks_off()

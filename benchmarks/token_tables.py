"""The tables and the plot of the token figures, made from the result file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.tables import table

BEGIN, END = "<!-- token tables -->", "<!-- end of token tables -->"

_LINES = (  # two keys that are added up, what the line is called, its colour
    ("full", "full_tools", "names and descriptions, all", "#d55e00"),
    ("names", "tools", "names alone", "#e69f00"),
    ("index", "tools", "index with search", "#0072b2"),
)


def render(figures: Mapping[str, Any]) -> str:
    """Return the tables for all that is in the result file."""
    parts = [
        "Tokens of the system prompt in every turn, with the tools (JSON) that a form needs:",
        _listings(figures["listings"]),
        "The estimate of `estimate_tokens`, UTF-8 bytes / 3, over the tokens there are:",
        _estimates(figures["estimate"]),
    ]
    if figures["found"]:
        parts += ["Tokens until a skill that serves the query is described:", _found(figures["found"])]
    return "\n\n".join([*parts, f"Tokens are those of {figures['tokenizer']}."])


def _listings(rows: Sequence[Mapping[str, Any]]) -> str:
    heads = ["skills", *(name for *_, name, _ in _LINES), "the index has", "index, share of all"]
    return table(heads, [_listing(row) for row in rows])


def _listing(row: Mapping[str, Any]) -> list[str]:
    sums = [row[text] + row[tools] for text, tools, *_ in _LINES]
    cells = [f"{total:,} ({row[tools]:,} tools)" for total, (_, tools, *_) in zip(sums, _LINES, strict=True)]
    return [f"{row['skills']:,}", *cells, row["index_step"], f"{sums[2] / sums[0]:.1%}"]


def _estimates(kinds: Mapping[str, Mapping[str, Any]]) -> str:
    heads = ["texts", "number", "tokens", "estimate / tokens", "least of one text", "texts estimated too low"]
    lines = [
        [
            name,
            f"{row['texts']:,}",
            f"{row['tokens']:,}",
            f"{row['ratio']:.2f}",
            f"{row['least']:.2f}",
            f"{row['too_low']:,} ({row['too_low'] / row['texts']:.1%})",
        ]
        for name, row in kinds.items()
    ]
    return table(heads, lines)


def _found(sets: Mapping[str, Mapping[str, Any]]) -> str:
    heads = [
        "set (skills; queries)",
        "in the first answer",
        "in three answers",
        "search, mean",
        "search, half below",
        "instructions, half below",
        "index, a turn",
        "all listed, a turn",
    ]
    lines = [
        [
            f"{name} ({row['skills']:,}; {row['queries']:,})",
            f"{row['first_answer']:.1%}",
            f"{row['in_three']:.1%}",
            *(
                f"{row[key]:,}"
                for key in ("search_mean", "search_median", "load_median", "index_a_turn", "full_a_turn")
            ),
        ]
        for name, row in sets.items()
    ]
    return table(heads, lines)


def plot(rows: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Draw the tokens of the three forms against the number of skills, both on logarithmic axes."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 4), layout="constrained")
    axes = figure.subplots()
    sizes = [row["skills"] for row in rows]
    for text, tools, name, colour in _LINES:
        axes.loglog(sizes, [row[text] + row[tools] for row in rows], "o-", color=colour, label=name)
    axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
    axes.set_xticks([], minor=True)
    axes.set_xlabel("skills")
    axes.set_ylabel("tokens in every turn")
    axes.grid(visible=True, alpha=0.3)
    axes.legend(frameon=False)
    figure.savefig(path, dpi=120, metadata={"Software": None})

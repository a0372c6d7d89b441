"""
Tables for people: the only importer of rich besides the progress bar.

Strangers' text is shown as `Text`, never as markup, and on one line: a description cannot
colour, move or clear a terminal.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from skill_index.catalog import SkillCatalog
from skill_index.ranking import Evidence, terms_of
from skill_index.results import Hit, SearchResults
from skill_index.text import one_line, well_formed

_WIDE = 120  # columns at least where the output is not a terminal; more where a name would be broken
_MARGIN = 12  # columns of scores and gaps
_ROWS = 20  # rows of a table that counts: those worth acting on; JSON has all
_CELL = 100  # characters of a counted name or query
_DESCRIPTION = 300  # characters; the table is for choosing, `describe` shows the whole


def show_results(results: SearchResults, *, explain: bool = False) -> None:
    """Print hits as a table, with the words that matched in bold, and what was left out."""
    console = _console(hit.name for hit in results.hits or results.near)
    if results.hits:
        console.print(_table(results.hits, f"{results.state} match"))
    elif results.state == "none":
        console.print(_plain(f"No skill matches {results.query!r}."))
        if results.near:
            console.print(_table(results.near, "nearest"))
    if explain:
        for hit in results.hits:
            console.print(_evidence_table(hit))
    for note in results.notes:
        console.print(_plain(f"note: {note.message}"), soft_wrap=True)
    if results.remaining:
        more = f"{results.remaining} more; the next: {results.follow_up or 'raise --limit'}"
        console.print(_plain(more), soft_wrap=True)


def show_list(catalog: SkillCatalog) -> None:
    """Print names and descriptions."""
    console = _console(entry.key for entry in catalog.entries)
    table = Table(box=None, pad_edge=False)
    table.add_column("name", overflow="fold")
    table.add_column("description")
    for entry in catalog.entries:
        table.add_row(_plain(entry.key), _plain(one_line(entry.skill.description, _DESCRIPTION)))
    console.print(table)
    console.print(_plain(f"{len(catalog)} skills"))


def show_line(text: str) -> None:
    """Print one line, whole however long it is."""
    _console().print(_plain(text), soft_wrap=True)


def show_counts(columns: Sequence[str], rows: Sequence[Sequence[str]], *, most: int | None = _ROWS) -> None:
    """Print a table of names and numbers, the first rows of it, and nothing where there are none."""
    if not rows:
        return
    table = Table(box=None, pad_edge=False)
    for position, column in enumerate(columns):
        table.add_column(_plain(column), justify="right" if position else "left")
    for row in rows[:most]:
        table.add_row(*(_plain(one_line(cell, _CELL)) for cell in row))
    cut = len(rows) - len(rows[:most])
    more = [f"and {cut} more"] if cut else []
    _console().print("", table, *more, sep="\n")


def _console(names: Iterable[str] = ()) -> Console:
    """Return where to print a table of these names; they share a terminal with what stands beside them."""
    if sys.stdout.isatty():
        return Console(width=shutil.get_terminal_size().columns, highlight=False)
    longest = max(map(cell_len, names), default=0)
    return Console(width=max(_WIDE, 2 * longest + _MARGIN), highlight=False)


def _plain(text: str) -> Text:
    return Text(one_line(well_formed(text)))


def _table(hits: Iterable[Hit], title: str) -> Table:
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    table.add_column("score", justify="right")
    table.add_column("name", overflow="fold")
    table.add_column("description")
    for hit in hits:
        terms = frozenset(part.term for part in hit.evidence)
        described = one_line(well_formed(hit.skill.description), _DESCRIPTION)
        table.add_row(f"{hit.score:.2f}", _marked(hit.name, terms), _marked(described, terms))
    return table


def _marked(text: str, terms: frozenset[str]) -> Text:
    """Return text with every word in bold that holds one of the terms."""
    marked = Text()
    for word in _plain(text).plain.split(" "):
        style = "bold green" if terms.intersection(terms_of(word)) else ""
        marked.append(word, style).append(" ")
    marked.rstrip()
    return marked


def _evidence_table(hit: Hit) -> Table:
    table = Table(title=_plain(f"why {hit.name}: {hit.score:.2f}"), title_justify="left", box=None)
    for column in ("word", "term", "how", "fields"):
        table.add_column(column)
    table.add_column("score", justify="right")
    for part in hit.evidence:
        table.add_row(*map(_plain, _cells(part)))
    return table


def _cells(part: Evidence) -> tuple[str, ...]:
    return (part.word, part.term, part.how, ", ".join(part.fields), f"{part.score:.2f}")

"""
The door of the query language: any text in, a `Query` out.

    text → without hidden characters → select: names | keyword text → nodes + notes

Why not a parser from a search engine?  Theirs read `e-mail -draft` as "not mail", lose `c++`, and
say nothing; a model that gets no hits then believes there is no skill.  Here any text is a valid
query, and whatever could not be used is said in a note.
"""

from __future__ import annotations

import unicodedata

from skill_index.query import problems as code
from skill_index.query.keywords import parse_keywords
from skill_index.query.nodes import Excluded, Query
from skill_index.query.problems import Problem, notes_of, refuse
from skill_index.query.selection import parse_select
from skill_index.query.tokens import Tokenizer
from skill_index.settings import SearchSettings

_DEFAULTS = SearchSettings()
_HIDDEN = frozenset({"Cc", "Cf", "Cs"})  # control, format and lone surrogate characters
# Blanks and line breaks part words; the zero-width (non-)joiner spells words in Persian and Hindi.
_KEPT = frozenset("\t\n\v\f\r\x85\u200c\u200d")


def parse_query(text: str, *, strict: bool = False, settings: SearchSettings = _DEFAULTS) -> Query:
    """
    Read any text as a query; `str()` of the result reads back to an equal one.

        query = select | keywords ;

    Leniently it never raises, and `notes` says what was ignored.  Strictly it raises where the
    lenient door would have to ignore, drop or cut something.  What both accept, both read alike.

    The strict door raises `QuerySyntaxError` for the first fault, and for hidden characters before
    all others, since beside them no caret stands right.

    >>> parse_query('+pdf "fill form" -draft').clauses
    (Required(item=Word(text='pdf', field=None)), Phrase(text='fill form', field=None), \
Excluded(item=Word(text='draft', field=None)))
    >>> parse_query("select: pdf-forms, xls").select
    Select(names=('pdf-forms', 'xls'))
    >>> print(parse_query("pdf +").notes[0])
    ignored '+': no word follows it
    """
    problems: list[Problem] = []
    tokens = Tokenizer(_visible(text, problems), problems)
    if strict:
        refuse(text, problems)
    select = parse_select(tokens)
    clauses = () if select is not None else parse_keywords(tokens, settings)
    query = Query(clauses, select, source=text)
    _review(query, problems)
    if strict:
        refuse(text, problems)
    return Query(clauses, select, notes_of(problems), text) if problems else query


def _visible(text: str, problems: list[Problem]) -> str:
    """Return `text` without the characters nobody can see, which models and terminals act on."""
    if text.isprintable():
        return text
    hidden = {char for char in set(text) if char not in _KEPT and unicodedata.category(char) in _HIDDEN}
    if not hidden:
        return text
    visible = text.translate(dict.fromkeys(map(ord, hidden)))
    first = min(map(text.index, hidden))
    message = f"dropped {len(text) - len(visible)} control or hidden characters"
    expected = "no control or hidden characters"
    problems.append(Problem(code.CONTROL_CHARACTERS, message, "", (first, first + 1), expected))
    return visible


def _review(query: Query, problems: list[Problem]) -> None:
    """Say so when there is nothing to search for."""
    if query.select is not None:
        return
    if query.is_empty:
        message = "nothing to search for: write words, or select: and the names of skills"
        problems.append(Problem(code.EMPTY, message))
    elif all(isinstance(clause, Excluded) for clause in query.clauses):
        message = "nothing to search for: the query only excludes; add the words to look for"
        problems.append(Problem(code.ONLY_EXCLUSIONS, message))
    elif all(isinstance(clause, Excluded) or clause in query.sources for clause in query.clauses):
        message = (
            "nothing to search for: 'source:' only narrows; add the words to look for, or write "
            "+source: for all that comes from there"
        )
        problems.append(Problem(code.ONLY_EXCLUSIONS, message))

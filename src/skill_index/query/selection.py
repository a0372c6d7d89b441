"""
`select:a,b` — the names a caller asks for, all of them, in order.

Nothing here is cut by a length or a count: a caller who names thirty skills is told about
thirty.  A line break parts names as a comma does, since models write lists one name a line,
bullets included; so keywords cannot follow on a second line, and would be accounted for as a
name that was not found rather than lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from skill_index.query import problems as code
from skill_index.query import tokens as rule
from skill_index.query.nodes import Select
from skill_index.query.problems import Problem
from skill_index.query.tokens import Token, Tokenizer

_QUOTES = rule.DOUBLE_QUOTES + "'`＇｀‘’«»「」"
_LEAD = re.compile(rf"(?:[{re.escape(_QUOTES)}\s]|{rule.BULLETS}\s)+")


def parse_select(tokens: Tokenizer) -> Select | None:
    """
    Read a selection, or None where the text does not start like one.

        select    = "select:" , ( names | "[" , names , "]" ) ;
        names     = [ name , { separator , name } ] ;
        separator = "," | line break ;

    An empty name is ignored, and names equal to the letter are kept once.
    Whether two spellings are one skill only a catalog can say: it may hold both `PDF` and `pdf`.
    """
    prefix = tokens.take(rule.SELECT)
    if prefix is None:
        return None
    known = len(tokens.problems)
    _open_list(tokens)
    names = dict.fromkeys(_parse_names(tokens))
    if not names:
        message = "no names given: write select: and the names of skills, as in select:first,second"
        span, expected = prefix.span, "a skill name after 'select:'"
        tokens.problems[known:] = [Problem(code.NO_NAMES, message, prefix.text.strip(), span, expected)]
    return Select(tuple(names))


def _open_list(tokens: Tokenizer) -> None:
    """Leave out the brackets around all names: models write lists as JSON does."""
    tokens.take(rule.BLANKS)
    if rule.LIST.match(tokens.shape, tokens.position):
        tokens.position += 1
        tokens.cut(len(tokens.text) - 1)


def _parse_names(tokens: Tokenizer) -> Iterator[str]:
    """
    Read names to the end, and leave out the empty ones.

        name   = [ bullet ] , ( quoted | { character but a separator } ) ;
        quoted = quote , { character but a quote } , quote ;
        bullet = ( "-" | "*" | "•" | digits , ( "." | ")" ) ) , blank ;
    """
    _parse_separator(tokens, first=True)
    while not tokens.at_end and (token := tokens.take(rule.NAME)):
        name = _name(tokens, token)
        if name:
            yield name
        _parse_separator(tokens)


def _parse_separator(tokens: Tokenizer, *, first: bool = False) -> None:
    """Skip to the next name; commas that do not stand between two names are ignored, as one."""
    tokens.take(rule.BLANKS)
    commas = tokens.take(rule.COMMAS)
    tokens.take(rule.BULLET)
    if commas and (first or tokens.at_end or commas.shape.count(",") > 1):
        _report_empty(tokens, commas, "a skill name on each side of ','")


def _name(tokens: Tokenizer, token: Token) -> str:
    """Return the name in `token`; only quotes around a whole name protect its commas."""
    name = _tidy(token.text)
    if '"' in token.shape and not rule.PHRASE.fullmatch(token.shape):
        start = token.span[0] + token.shape.index('"')
        fault = token._replace(span=(start, start + 1))
        message = f"ignored the quotes of {token.text.strip()}: they do not close around a whole name"
        tokens.report(code.IGNORED, message, fault, "quotes around a whole name")
    elif not name:
        _report_empty(tokens, token, "a skill name")
    return name


def _report_empty(tokens: Tokenizer, token: Token, expected: str) -> None:
    start = token.span[0]
    seen = token._replace(span=(start, start + max(1, len(token.text.rstrip()))))
    tokens.report(code.IGNORED, "ignored an empty name", seen, expected)


def _tidy(text: str) -> str:
    """
    Return a name without the blanks, quotes and bullets around it.

    >>> _tidy('- "data   analysis" ')
    'data analysis'
    """
    flat = " ".join(text.split())
    lead = _LEAD.match(flat)
    return flat[lead.end() if lead else 0 :].rstrip(_QUOTES + " ")

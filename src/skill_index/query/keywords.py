"""
Keyword text: words, and in short queries the operators around them.

Models paste whole tasks as queries, and more than half of those hold a quoted phrase, many a dash
before a word.  Read as filters they throw the right skill out.  So operators act only where a
person or model wrote a *query*: one line of few words.  In longer text every mark is text, and
a note says so.  The rejected alternative, to guess per mark whether it was meant, cannot be
explained to the one who is surprised by it.
"""

from __future__ import annotations

from skill_index.query import problems as code
from skill_index.query import tokens as rule
from skill_index.query.nodes import Clause, Excluded, Operand, Phrase, Required, Word
from skill_index.query.problems import Problem
from skill_index.query.tokens import Token, Tokenizer
from skill_index.settings import SearchSettings

_CONNECTIVES = (Word("AND"), Word("NOT"))  # operators to other engines; OR asks for what is done anyway


def parse_keywords(tokens: Tokenizer, settings: SearchSettings) -> tuple[Clause, ...]:
    """
    Read keyword text, up to `settings.query_chars` characters of it.

        keywords = text | { blank | clause } ;
        text     = { blank | word } ;

    It is text when it has several lines or more than `settings.operator_words` words, where
    quotes part words too.  A word made of marks alone (a bullet, a ruler) is left out there.
    """
    _cut(tokens, settings.query_chars)
    marked = rule.MARKED.search(tokens.shape, tokens.position)
    if not (marked and _is_long(tokens, settings.operator_words)):
        clauses = _parse_clauses(tokens) if marked else tuple(map(Word, tokens.text.split()))
        if len(clauses) <= settings.operator_words:
            _review_connectives(tokens, clauses)
        return clauses
    operator = rule.OPERATOR.search(tokens.shape, tokens.position)
    if operator:
        message = (
            "read '+', '-', 'field:' and quotes as text, since they act only in a query of one line "
            f"and at most {settings.operator_words} words"
        )
        tokens.problems.append(Problem(code.OPERATORS_AS_TEXT, message))
    return tuple(Word(word) for word in tokens.text.split() if word.strip(rule.MARKS))


def _review_connectives(tokens: Tokenizer, clauses: tuple[Clause, ...]) -> None:
    """Say that AND and NOT are words here: who writes them expects filters, and NOT finds the opposite."""
    found = [word.text for word in _CONNECTIVES if word in clauses[:-1]]
    if found and "\n" not in tokens.shape.strip():
        message = (
            f"read {' and '.join(map(repr, found))} as text: write +word for what a name must have, "
            "-word for what no skill may have"
        )
        tokens.problems.append(Problem(code.OPERATORS_AS_TEXT, message))


def _cut(tokens: Tokenizer, limit: int) -> None:
    """Keep `limit` characters at most, and whole words unless the first alone is longer."""
    start, length = tokens.position, len(tokens.text) - tokens.position
    if length <= limit:
        return
    end = start + limit
    window = tokens.text[start : end + 1]
    if not window[-1].isspace():  # the cut falls inside a word, so that word goes
        whole, *broken = window.rsplit(None, 1)
        window = whole if broken else window[:limit]
    kept = window.rstrip()
    message = f"read the first {len(kept)} of {length} characters"
    span, expected = (end, len(tokens.text)), f"at most {limit} characters"
    tokens.problems.append(Problem(code.CUT, message, "", span, expected))
    tokens.cut(start + len(kept))


def _is_long(tokens: Tokenizer, most_words: int) -> bool:
    shape = tokens.shape[tokens.position :]
    if "\n" in shape:
        return True
    return max(len(shape.split()), len(shape.replace('"', " ").split())) > most_words


def _parse_clauses(tokens: Tokenizer) -> tuple[Clause, ...]:
    clauses: list[Clause] = []
    while not tokens.at_end:
        clause = _parse_clause(tokens)
        if clause is not None:
            clauses.append(clause)
        tokens.take(rule.BLANKS)
    return tuple(clauses)


def _parse_clause(tokens: Tokenizer) -> Clause | None:
    """
    Read one clause, or None where there is only something to ignore.

        clause = [ sign ] , operand ;
        sign   = "+" | "-" ;

    A sign acts at the start of a word and before one character that is not a sign: `e-mail`,
    `c++` and `--flag` are words.  A sign with nothing behind it is ignored, and so is one before a
    field with nothing behind that: `name:` is then a word.
    """
    start = tokens.position
    lone = tokens.take(rule.LONE_SIGN)
    if lone:
        message = f"ignored {lone.text!r}: no word follows it"
        tokens.report(code.IGNORED, message, lone, f"a word after {lone.text!r}")
        return None
    sign = tokens.take(rule.SIGN)
    empty = tokens.take(rule.EMPTY_FIELD)
    if empty:
        message = f"read {empty.text!r} as a word: nothing follows it"
        tokens.report(code.EMPTY_FIELD, message, empty, f"a word after {empty.text!r}")
        return Word(empty.text)
    operand = _parse_operand(tokens, start)
    if operand is None or sign is None:
        return operand
    return Required(operand) if sign.shape == "+" else Excluded(operand)


def _parse_operand(tokens: Tokenizer, start: int) -> Operand | None:
    """
    Read what a sign may stand before.

        operand = [ field , ":" ] , ( phrase | word ) ;
        field   = "name" | "description" | "tag" | "tags" | "source" | "any" ;
        phrase  = quote , { character but a quote } , quote ;
        word    = character but a quote or blank , { character but a blank } ;

    A quote that never closes is read as a blank, and the clause is read again from its `start`:
    a sign before it has then lost its word, and no filter is guessed from a slip.
    """
    prefix = tokens.take(rule.FIELD)
    field = rule.FIELDS[prefix.shape[:-1].lower()] if prefix else None
    phrase = tokens.take(rule.PHRASE)
    if phrase:
        return _phrase(tokens, phrase, field)
    quote = tokens.take(rule.QUOTE)
    if quote:
        tokens.report(code.IGNORED, "ignored a quote that is never closed", quote, "a closing quote")
        tokens.blank_out(quote.span[0])
        tokens.position = start
        tokens.take(rule.BLANKS)
        return None
    word = tokens.take(rule.WORD)
    return Word(word.text, field) if word else None


def _phrase(tokens: Tokenizer, phrase: Token, field: str | None) -> Phrase | None:
    text = " ".join(phrase.text[1:-1].split())
    if text:
        return Phrase(text, field)
    message = "ignored quotes with nothing between them"
    tokens.report(code.IGNORED, message, phrase, "a word between the quotes")
    return None

"""What of a record is counted, and where."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skill_index.markdown import headings, titles
from skill_index.ranking import Record, terms_of
from skill_index.ranking.builder import _NOT_FOR, PostingsBuilder, _split_negative
from skill_index.ranking.postings import Brief, Postings
from skill_index.ranking.records import FIELDS
from skill_index.ranking.triggers import _QUOTES_AND_LINES, _USES, quotes, uses


def build(records: Sequence[Record]) -> tuple[Postings, list[Brief]]:
    """Return the postings of the records, and what is kept beside them."""
    builder = PostingsBuilder()
    briefs = [builder.add(record) for record in records]
    return builder.build()[0], briefs


def held(postings: Postings) -> dict[str, dict[int, tuple[int, ...]]]:
    """Return the counts by field of every term in every record that holds it."""
    found: dict[str, dict[int, tuple[int, ...]]] = {}
    for term in postings.vocabulary:
        row = postings.row(term)
        assert row is not None
        docs, counts = postings.docs[row].tolist(), postings.counts[row].tolist()
        found[term] = {doc: tuple(count) for doc, count in zip(docs, counts, strict=True)}
    return found


WORDS = st.lists(st.sampled_from(["pdf", "PDFs", "fill-form", "解析", "C++", "a/b", "Zürich"]), max_size=5)
TEXTS = WORDS.map(" ".join)
RECORDS = st.lists(
    st.builds(
        Record,
        key=st.just("k"),
        name=TEXTS,
        description=st.builds("{} Not for {}.".format, TEXTS, TEXTS) | TEXTS,
        body=st.builds("# {}\n{}\n".format, TEXTS, TEXTS) | TEXTS,
        aliases=WORDS.map(tuple),
        tags=WORDS.map(tuple),
    ),
    max_size=6,
)


@settings(deadline=None)
@given(RECORDS)
def test_rows_are_ordered_and_hold_something(records: list[Record]) -> None:
    """Every term has records, in ascending order, each with a count in some field."""
    postings = build(records)[0]
    for term, docs in held(postings).items():
        assert list(docs) == sorted(docs) != []
        assert all(any(counts) for counts in docs.values()), term


@settings(deadline=None)
@given(TEXTS, TEXTS)
def test_short_fields_count_every_term(name: str, description: str) -> None:
    """The counts of a field are how often each term stands in its text."""
    postings = build([Record("k", name, description)])[0]
    for column, text in ((FIELDS.index("name"), name), (FIELDS.index("description"), description)):
        counted = {term: docs[0][column] for term, docs in held(postings).items() if docs[0][column]}
        assert counted == {term: terms_of(text).count(term) for term in terms_of(text)}


def test_counts_by_field() -> None:
    """Each field has its column, a heading counts in the body too, and other terms hold nothing."""
    record = Record("k", "pdf", "PDF.", "# PDFs\nA pdf.", aliases=("pdf",), tags=("pdf", "pdf"))
    postings = build([Record("other", "x", "Y."), record])[0]
    assert held(postings)["pdf"] == {1: (1, 1, 2, 1, 0, 1, 0, 2)}
    assert postings.lengths.tolist()[1] == [1, 1, 2, 1, 0, 1, 0, 3]
    assert postings.row("zzz") is None
    assert postings.holders("pdf", [FIELDS.index("tags")]).tolist() == [1]
    assert postings.holders("y", [FIELDS.index("name")]).tolist() == []
    assert postings.holders("zzz", range(len(FIELDS))).tolist() == []


def test_a_count_is_bounded() -> None:
    """More repeats than fit in a count stay at the largest, and do not wrap around to few."""
    postings = build([Record("k", "n", "", "spam " * 70_000)])[0]
    assert held(postings)["spam"][0][FIELDS.index("body")] == 0xFFFF


def test_no_records_are_no_postings() -> None:
    """An empty collection answers like any other."""
    postings = build([])[0]
    assert (postings.size, postings.vocabulary, postings.row("n")) == (0, {}, None)


def test_what_is_kept_in_order() -> None:
    """Sequences hold one term for each place: parts, and characters without their pairs."""
    _, (brief,) = build([Record("k", "fill-form", "解析PDFs. Not for scans.", tags=("a b", "c"))])
    assert brief.sequences == (("fill", "form"), (), ("a", "b", "c"), ("解", "析", "pdf"))
    assert ("pdfs", "pdf") in brief.forms
    assert ("fillform", "fillform") in brief.forms
    assert brief.negative == ("not", "for", "scan")


HEADINGS = [
    ("# One\ntext\n## Two words ##", ["One", "Two words ##"]),
    ("text # none", []),
    ("```bash\n# comment\n```\n# After", ["After"]),
    ("~~~\n# comment\n~~~\n# After", ["After"]),
    ("  ```\n# comment\n  ```\n# After", ["After"]),
    ("- item\n    ```sh\n# comment\n    ```\n# After", ["After"]),
    ("````md\n```sh\n# comment\n```\n# still\n````\n# After", ["After"]),
    ("```\n~~~\n# comment\n```\n# After", ["After"]),
    ("~~~\n```\n# comment\n~~~\n# After", ["After"]),
    ("```\n# comment\n```text\n# comment\n```\n# After", ["After"]),
    ("```inline``` code\n# After", ["After"]),
    ("```\n# comment\n`````\n# After", ["After"]),
    ("# Before\n```\n# never closed", ["Before"]),
    ("", []),
]


@pytest.mark.parametrize(("body", "texts"), HEADINGS)
def test_headings_stand_outside_fences(body: str, texts: list[str]) -> None:
    """A fence is closed by its own kind, as long and with nothing behind it; in it nothing is a heading."""
    assert [text for _, _, text in headings(body)] == texts


NEGATIVES = [
    ("Fills forms.", "Fills forms", ""),
    ("", "", ""),
    ("Fills forms. Not for merging. Signs too.", "Fills forms. Signs too", "Not for merging"),
    ("Not intended for scans.", "", "Not intended for scans"),
    ("Fills forms (not for scans), fast.", "Fills forms (), fast", "not for scans"),
    ("Fills forms.\nDo not use for scans\nSigns.", "Fills forms. Signs", "Do not use for scans"),
    ("Fills forms; never use on scans.", "Fills forms", "never use on scans"),
    ("Not for scans. Not for photos.", "", "Not for scans Not for photos"),
    ("Notable forms. Nothing for scans.", "Notable forms. Nothing for scans", ""),
    ("A not-for-profit ledger.", "A not-for-profit ledger", ""),
    ("Used whether or not for print.", "Used whether or not for print", ""),
    ("Use when you do not use scans.", "Use when you do not use scans", ""),
]


@pytest.mark.parametrize(("description", "positive", "negative"), NEGATIVES)
def test_what_a_description_rules_out(description: str, positive: str, negative: str) -> None:
    """A "Not for ..." clause goes to its own side, up to the end of its sentence or line."""
    found, against = _split_negative(description)
    assert (terms_of(found), terms_of(against)) == (terms_of(positive), terms_of(negative))


@given(st.lists(st.sampled_from(["not for", "do not use", ".", "but", "pdf", "\n", "("])).map(" ".join))
def test_every_word_is_on_one_side(description: str) -> None:
    """Nothing of a description is lost, whatever its clauses."""
    positive, negative = _split_negative(description)
    assert sorted(terms_of(f"{positive}\n{negative}")) == sorted(terms_of(description))


def test_only_a_sign_and_a_blank_make_a_heading() -> None:
    """Tags and the first lines of scripts are none (CommonMark 4.2)."""
    body = "#tag\n#!/bin/sh\n# One\n   ## Two\n####### seven\n#\n\t# code"
    assert list(headings(body)) == [(3, 1, "One"), (4, 2, "Two"), (6, 1, "")]


LINES = st.lists(
    st.sampled_from(
        [
            "# a",
            " ## b",
            "#c",
            "    # d",
            "```",
            "```sh",
            "````",
            "~~~",
            "`` # x",
            "\t```",
            "text # no",
            "",
            "  ",
            "#",
        ]
    )
).map("\n".join)


_HEADING = re.compile(r" {0,3}(#{1,6})(?!#)([ \t].*|)", re.DOTALL)
_FENCE = re.compile(r"[ \t]*(`{3,}(?=[^`]*$)|~{3,})(.*)")


@given(LINES | LINES.map("{}\n".format) | st.text("#`~ a\n\t\r"))
def test_headings_are_found_line_by_line(body: str) -> None:
    """A line is looked at only if it can be a heading or a fence; every other is only counted."""
    fence, expected = "", []
    for number, line in enumerate(body.split("\n"), start=1):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence) and not mark[2].strip():
            fence = ""
        elif not fence and (heading := _HEADING.fullmatch(line)):
            expected.append((number, len(heading[1]), heading[2].strip()))
    assert list(headings(body)) == expected
    assert titles(body) == [text for _, _, text in expected]


QUOTED = st.lists(
    st.sampled_from(
        [
            '"fill in a form"',
            "User: do my taxes",
            "- **User**: do “my old taxes” now",
            "“fill in a form” or",
            "fill it in”",
            "User",
            '"',
            "x",
            "\n",
        ]
    )
).map(" ".join)


@given(QUOTED)
def test_bodies_without_users_are_quoted_as_others(body: str) -> None:
    """Whether lines of users are looked for at all changes nothing but the time."""
    both = [quoted or said for quoted, said in _QUOTES_AND_LINES.findall(body)]
    assert quotes(body) == "\n".join(both)


SENTENCES = st.lists(
    st.sampled_from(
        [
            *("Use this skill when", "u\u017fe for", "TRIGGER", "tr\u0131gger", "user", "Not for", "a.", ";"),
            *("DON'T USE", "do not use", "Never use", "donors", "notes.", "(not meant", "\u212a"),
        ]
    )
).map(" ".join)


@given(SENTENCES)
def test_what_is_looked_for_first_changes_nothing(description: str) -> None:
    """Sentences that cannot be there are not looked for, and those that can be are all found."""
    assert uses(description) == "\n".join(_USES.findall(description))
    positive, negative = _split_negative(description)
    assert negative == " ".join(_NOT_FOR.findall(description)).strip()
    assert positive == _NOT_FOR.sub(" ", description).strip(" .")

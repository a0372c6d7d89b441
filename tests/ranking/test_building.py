"""Tables made in chunks, by however many processes, are those of one build."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from skill_index.ranking import Record, builder
from skill_index.ranking.briefs import Briefs
from skill_index.ranking.builder import PostingsBuilder
from skill_index.ranking.building import ALONE, CHUNK, RECORD, Tables, _chunks, build_tables
from skill_index.ranking.numbering import Lexicon
from skill_index.ranking.recognising import Recogniser

STOP_WORDS = frozenset({"the", "of"})
WORDS = [
    "podcast",
    "forms",
    "fill-form",
    "Zürich",
    "解析",
    "C++",
    "the",
    "of",
    "excel",
    "status",
    "myXMLName",
]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
RECORDS = st.lists(
    st.builds(
        Record,
        key=st.just("k"),
        name=TEXTS,
        description=TEXTS | st.builds("{}. Not for {}.".format, TEXTS, TEXTS),
        body=TEXTS | st.builds('# {}\n{}\n"{}"\n'.format, TEXTS, TEXTS, TEXTS),
        tags=st.lists(st.sampled_from(WORDS), max_size=2).map(tuple),
    ),
    max_size=8,
)


def told(tables: Tables) -> list[object]:
    """Return all that tables hold, to the last bit and type."""
    postings, pairs = tables.postings, tables.pairs
    arrays = [postings.starts, postings.docs, postings.counts, postings.lengths]
    arrays += [pairs.keys, pairs.docs, pairs.counts]
    arrays += [np.frombuffer(table, np.uint8) for table in tables.briefs.tables().values()]
    return [
        list(postings.vocabulary.items()),
        list(pairs.numbers.items()),
        [(array.tobytes(), array.dtype, array.shape) for array in arrays],
    ]


def at_once(records: list[Record]) -> Tables:
    """Return the tables of one build."""
    own = PostingsBuilder(STOP_WORDS)
    briefs = [own.add(record) for record in records]
    return Tables(Briefs.of(briefs), *own.build())


@settings(deadline=None)
@given(RECORDS, st.integers(0, 5 * RECORD))
@example([], 0)
def test_where_chunks_end_changes_nothing(records: list[Record], chunk: int) -> None:
    """One record a chunk, some, or all: the same numbers, rows, pairs and types."""
    assert told(build_tables(records, STOP_WORDS, chunk=chunk)) == told(at_once(records))


@pytest.mark.parametrize("processes", [1, 2, 3])
def test_who_builds_changes_nothing(processes: int) -> None:
    """However many processes share the chunks, and whichever words each of them has met before."""
    records = [
        Record(
            f"k{n}",
            f"name-{n % 7}",
            f"The {WORDS[n % 11]} of {WORDS[n % 5]}.",
            f"# Title {n}\n{WORDS[n % 3]}",
        )
        for n in range(60)
    ]
    seen: list[int] = []
    built = build_tables(records, STOP_WORDS, seen.append, processes=processes, chunk=3 * RECORD)
    assert told(built) == told(at_once(records))
    assert seen == list(range(1, 61))


@settings(deadline=None)
@given(RECORDS)
def test_how_many_words_are_numbered_at_once_changes_nothing(records: list[Record]) -> None:
    """Those of one record, or of all."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(builder, "_BATCH", 0)
        alone = told(at_once(records))
    assert alone == told(at_once(records))


@settings(deadline=None)
@given(RECORDS, RECORDS)
def test_what_was_met_before_changes_nothing(before: list[Record], records: list[Record]) -> None:
    """Terms are numbered as these records have them, not as others had."""
    recogniser = Recogniser(Lexicon(STOP_WORDS))
    earlier = PostingsBuilder(recogniser=recogniser)
    for record in before:
        earlier.add(record)
    earlier.build()
    own = PostingsBuilder(recogniser=recogniser)
    briefs = [own.add(record) for record in records]
    assert told(Tables(Briefs.of(briefs), *own.build())) == told(at_once(records))


def test_many_short_records_are_shared_out() -> None:
    """A record is work whatever it says: some hundred thousand names alone are not left to one process."""
    shared = list(_chunks([Record("k", "name", "")] * 100_000, CHUNK))
    assert len(shared) > ALONE
    assert sum(map(len, shared)) == 100_000

"""
An index as flat tables with names, and an index of such tables: what a store keeps of a ranker.

    Indexed ─flattened─▶ arrays of numbers, lists of texts ─restored─▶ Indexed

The arrays are those that are searched anyway, so nothing is made of them but dicts of words.  Beside
them stands what the first answer needs of all records and what takes longer to work out than to read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from skill_index.ranking.briefs import Briefs
from skill_index.ranking.indexed import Indexed, Posting
from skill_index.ranking.pairs import Pairs
from skill_index.ranking.postings import Postings
from skill_index.ranking.records import FIELDS, Record
from skill_index.ranking.segments import Segment, Shelf
from skill_index.ranking.spellings import Spellings
from skill_index.ranking.tables import BadTableError, Part, Tables, of_texts
from skill_index.settings import SearchSettings

_MOST_SHELVES = 64  # segments grow in size by a factor, so an index never has as many


def flattened(index: Indexed) -> dict[str, Any]:
    """Return the tables of an index."""
    found: dict[str, Any] = {
        "shelves": len(index.shelves),
        "ties": index.ties,
    }
    if index.ready is not None:
        found |= {"ready.fields": index.ready.fields, "ready.impacts": index.ready.impacts}
    for number, shelf in enumerate(index.shelves):
        own = (shelf.segment.tables or _flattened(shelf.segment)) | {"places": shelf.places}
        found |= {f"{number}.{name}": table for name, table in own.items()}
    return found


def restored(tables: Tables, records: Sequence[Record], settings: SearchSettings) -> Indexed:
    """
    Return the index of tables that `flattened` returned, for the same records and settings.

    Raises `BadTableError` where they do not fit each other or the records.
    """
    count = tables.json("shelves")
    if not isinstance(count, int) or not 0 < count <= _MOST_SHELVES:
        message = "it is not told how many segments there are"
        raise BadTableError(message)
    shelves = [_shelf(Part(tables, f"{number}.")) for number in range(count)]
    shown = np.concatenate([np.empty(0, dtype=np.intp), *(shelf.places for shelf in shelves)])
    index = Indexed(records, shelves, settings)
    whole = Part(tables, "")
    index.ties = whole.array("ties", "i", len(records))
    if "ready.fields" in whole and len(shelves) == 1 and not shelves[0].moves:
        docs = shelves[0].segment.postings.docs
        fields = whole.array("ready.fields", "u", len(docs))
        index.ready = Posting(docs, fields, whole.array("ready.impacts", "f", len(docs)))
    everyone = np.arange(len(records))
    if not all(np.array_equal(np.sort(each), everyone) for each in (shown[shown >= 0], index.ties)):
        message = "not every record has one place"
        raise BadTableError(message)
    return index


def _flattened(segment: Segment) -> dict[str, Any]:
    postings, pairs = segment.postings, segment.pairs
    found: dict[str, Any] = {
        **of_texts("vocabulary", postings.vocabulary),
        "docs": postings.docs,
        "docs.starts": postings.starts,
        "counts": postings.counts,
        "lengths": postings.lengths,
        "pairs.keys": pairs.keys,
        "pairs.docs": pairs.docs,
        "pairs.counts": pairs.counts,
    }
    if list(pairs.numbers) != list(postings.vocabulary):
        found |= of_texts("pairs.numbers", pairs.numbers)
    return found | segment.briefs.tables() | segment.spellings.tables()


def _shelf(part: Part) -> Shelf:
    places = part.whole("places", "i")
    size = len(places)
    vocabulary = part.texts("vocabulary")
    docs, beside = part.numbers("docs", size), part.numbers("pairs.docs", size)
    postings = Postings(
        vocabulary,
        part.starts("docs.starts", len(vocabulary), len(docs)),
        docs,
        part.array("counts", "u", len(docs), len(FIELDS)),
        part.array("lengths", "f", size, len(FIELDS)),
    )
    if not (np.isfinite(postings.lengths) & (postings.lengths >= 0)).all():
        message = "a field has no length"
        raise BadTableError(message)
    numbers = part.texts("pairs.numbers") if "pairs.numbers.order" in part else vocabulary
    keys, counts = part.array("pairs.keys", "i", len(beside)), part.array("pairs.counts", "u", len(beside))
    briefs = Briefs.restored(part, size)
    segment = Segment(briefs, postings, Pairs(numbers, keys, beside, counts))
    segment.spellings, segment.tables = Spellings.restored(part, briefs), part.all()
    return Shelf(segment, places.astype(np.intp, copy=False))

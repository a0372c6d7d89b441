"""
The words of short fields as flat tables: briefs by record, and how they spell their words.

Of fifteen thousand briefs a search needs one now and then, so each is made when it is asked for; what
every search asks, who writes a word so, is looked up in the tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar

from skill_index.lazy import LazySequence
from skill_index.ranking.postings import Brief
from skill_index.ranking.records import SHORT_FIELDS
from skill_index.ranking.spellings import Spellings
from skill_index.ranking.tables import Lists, Part, of_texts
from skill_index.ranking.texts import Texts

Value = TypeVar("Value")

_SEQUENCES = len(SHORT_FIELDS)


def words_flattened(briefs: Sequence[Brief], spellings: Spellings) -> dict[str, Any]:
    """Return the tables of briefs and of the spellings in them."""
    numbers = {form: number for number, form in enumerate(spellings.forms)}

    def listed(texts: Iterator[str] | Sequence[str]) -> list[int]:
        return [numbers.setdefault(text, len(numbers)) for text in texts]

    found = {
        "forms": Lists.of([listed(form for form, _ in brief.forms) for brief in briefs]),
        "stems": Lists.of([listed(stem for _, stem in brief.forms) for brief in briefs]),
        "sequences": Lists.of([listed(each) for brief in briefs for each in brief.sequences]),
        "negative": Lists.of([listed(brief.negative) for brief in briefs]),
        "stem": Lists.of([listed((stem,)) for stem in spellings.stems.values()]),
        "spelt": Lists.of(spellings.forms.values()),
    }
    texts = list(numbers)
    found["variants"] = Lists.of([listed(spellings.variants.get(text, ())) for text in texts])
    found["denied"] = Lists.of([spellings.denied.get(text, ()) for text in texts])
    tables = of_texts("texts", texts)
    for name, lists in found.items():
        tables |= lists.tables(name)
    return tables


def words_restored(part: Part, records: int) -> tuple[Sequence[Brief], Spellings]:
    """Return the briefs of so many records and their spellings, from their tables."""
    texts = part.texts("texts")
    size = len(texts)
    forms, stems = part.lists("forms", records, size), part.numbers("stems", size)
    sequences = part.lists("sequences", records * _SEQUENCES, size)
    negative = part.lists("negative", records, size)
    stem = part.numbers("stem", size)
    spelt, denied = part.lists("spelt", len(stem), records), part.lists("denied", size, records)
    variants = part.lists("variants", size, len(stem))
    part.array("stems", "iu", len(forms.flat))

    def told(numbers: Any) -> tuple[str, ...]:
        return tuple(map(texts.text, numbers.tolist()))

    def brief(number: int) -> Brief:
        own = range(number * _SEQUENCES, (number + 1) * _SEQUENCES)
        pairs = zip(told(forms[number]), told(stems[forms.row(number)]), strict=True)
        return Brief(tuple(told(sequences[at]) for at in own), tuple(pairs), told(negative[number]))

    spellings = Spellings(())
    spellings.forms = _ByText(texts, len(stem), spelt.__getitem__)
    spellings.stems = _ByText(texts, len(stem), lambda form: texts.text(stem.item(form)))
    spellings.variants = _ByText(texts, size, lambda number: told(variants[number]))
    spellings.denied = _ByText(texts, size, denied.__getitem__)
    return LazySequence(records, brief), spellings


class _ByText(Mapping[str, Value]):
    """What is told of the first `size` of numbered texts, made when it is asked for."""

    def __init__(self, numbers: Texts, size: int, make: Callable[[int], Value]) -> None:
        self._numbers, self._size, self._make = numbers, size, make

    def __getitem__(self, text: str) -> Value:
        number = self._numbers[text]
        if number >= self._size:
            raise KeyError(text)
        return self._make(number)

    def get(self, key: str, default: Any = None, /) -> Any:
        number = self._numbers.get(key, self._size)  # Mapping's own way is by an exception
        return self._make(number) if number < self._size else default

    def __contains__(self, text: object) -> bool:
        return isinstance(text, str) and self._numbers.get(text, self._size) < self._size

    def __iter__(self) -> Iterator[str]:
        return islice(self._numbers, self._size)

    def __len__(self) -> int:
        return self._size

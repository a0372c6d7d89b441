"""
Skills and queries by chance, as large a catalog as is wanted, and the skills of a real folder.

The question: real catalogs end at some fifteen thousand skills, and the time of a search depends on
how common its words are and how many forms a stem has.  The choice: names and descriptions drawn
from all English words of wordfreq, each as often as it is in print and speech, so that stop words,
inflected forms and the long tail of rare ones (and of misspelt ones) are as they are.  Rejected:
invented words, which no stemmer shortens and no stop list drops, and few words, of which none is rare.

What is drawn has no meaning, so the figures say how long an answer takes and not how good it is.
The same number gives the same skills, and a larger catalog begins with the smaller.
"""

from __future__ import annotations

import importlib
import json
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from benchmarks.systems import MissingPackageError
from skill_index import Skill, SkillIndex
from skill_index.wordlists import STOP_WORDS

SEED = 1
NAMED_FROM = 150
"""Rank from which words stand in names: nobody calls a skill "the" or "of"."""

LENGTHS = (2, 5, 20, 60, 200)
REQUIRED = "+required"
AGAIN = "5 words again"
KINDS = (*(f"{length} words" for length in LENGTHS), REQUIRED, AGAIN)

_CHUNK = 1000
_WORDS = 80  # drawn for a skill: more than the longest description takes
_CHARACTERS = (60, 400)
_TYPED = 16  # words up to which a query is typed, and its words stand in any order; longer ones are pasted
_WORD = re.compile(r"[^\W_]{2,}")


@dataclass(frozen=True, slots=True)
class Query:
    """A query, the word that must be in the name ("" for none), and the name of a skill it was made of."""

    text: str
    required: str
    target: str


def vocabulary() -> dict[str, float]:
    """
    Return English words with how often each is used, the commonest first.

    Raises `MissingPackageError` without wordfreq.
    """
    try:
        wordfreq = importlib.import_module("wordfreq")
    except ImportError as error:
        message = "wordfreq is not installed (see benchmarks/requirements.txt)"
        raise MissingPackageError(message) from error
    shares = wordfreq.get_frequency_dict("en", wordlist="best")
    words = [word for word in shares if word.isascii() and word.isalpha()]
    return {word: shares[word] for word in sorted(words, key=lambda word: (-shares[word], word))}


def synthetic(words: dict[str, float], count: int) -> Iterator[Skill]:
    """Yield skills with distinct names of two to four words and descriptions of about 200 characters."""
    import numpy as np

    texts = np.array(list(words), dtype=object)
    reaches = np.cumsum(np.fromiter(words.values(), dtype=float))
    naming = min(NAMED_FROM, len(words) // 2)
    names: set[str] = set()
    for chunk in range(-(-count // _CHUNK)):
        rng = np.random.default_rng([SEED, chunk])
        said = texts[np.searchsorted(reaches, rng.random((_CHUNK, _WORDS)) * reaches[-1])]
        above = reaches[naming - 1]
        called = texts[np.searchsorted(reaches, above + rng.random((_CHUNK, 8)) * (reaches[-1] - above))]
        sizes = rng.integers(2, 5, _CHUNK)
        lengths = rng.normal(200, 50, _CHUNK).clip(*_CHARACTERS)
        for at in range(min(_CHUNK, count - chunk * _CHUNK)):
            parts = _unused(list(dict.fromkeys(called[at])), int(sizes[at]), names)
            yield Skill("-".join(parts), _described(parts, said[at], float(lengths[at])))


def _unused(parts: list[str], size: int, names: set[str]) -> list[str]:
    """Return the first words of the list, as many more as it takes for a name that is not taken yet."""
    while "-".join(parts[:size]) in names:
        size += 1
        if size > len(parts):
            parts.append(str(len(names)))
    names.add("-".join(parts[:size]))
    return parts[:size]


def _described(parts: Sequence[str], words: Iterable[str], length: float) -> str:
    """Return a description that takes up every second word of the name, as most do."""
    told = [*parts[::2]]
    size = len(" ".join(told))
    for word in words:
        if size >= length:
            break
        told.append(word)
        size += 1 + len(word)
    return " ".join(told).capitalize() + "."


def real(folder: Path) -> list[Skill]:
    """Return every skill of a folder, with its body."""
    entries = SkillIndex.from_paths(folder, hidden=True, nested=True).snapshot().entries
    return [Skill(entry.skill.name, entry.skill.description, entry.skill.instructions) for entry in entries]


def queries(skills: Sequence[Skill], count: int) -> dict[str, list[Query]]:
    """
    Return so many different queries of each kind, made of the words of some skills.

    A typed one (2 or 5 words, or one required and four others) is made of a skill's name, two words at
    most, and of its description; a pasted one is running text.  What is too short goes on with the
    text of another skill.  The last kind asks for the words of 5 again, each query in another order:
    the words are known then, as most are to a process that has answered for a while.
    """
    rng = random.Random(SEED)  # noqa: S311 - a sample, no secret
    asked = {f"{length} words": _distinct(rng, skills, length, count) for length in LENGTHS}
    named = [skill for skill in skills if _naming(skill)]
    required = [_required(query) for query in _distinct(rng, named, 5, count)]
    again = [_in_another_order(query) for query in asked[AGAIN.removesuffix(" again")]]
    return {**asked, REQUIRED: required, AGAIN: again}


def _distinct(rng: random.Random, skills: Sequence[Skill], length: int, count: int) -> list[Query]:
    made = (_query(rng, skills, length) for _ in range(20 * count))
    return list(islice({query.text: query for query in made}.values(), count))


def _query(rng: random.Random, skills: Sequence[Skill], length: int) -> Query:
    target = rng.choice(skills)
    words: list[str] = []
    skill = target
    while len(words) < length:
        told = _words(skill.description)
        if length > _TYPED:
            words += told
        else:
            named = _naming(skill)
            words += rng.sample(named, min(2, len(named))) + rng.sample(told, len(told))
            words = list(dict.fromkeys(words))
        skill = rng.choice(skills)
    return Query(" ".join(words[:length]), "", target.name)


def _required(query: Query) -> Query:
    first, _, rest = query.text.partition(" ")
    return Query(rest, first, query.target)


def _in_another_order(query: Query) -> Query:
    first, *rest = query.text.split()
    return Query(" ".join([*rest, first]), query.required, query.target)


def _naming(skill: Skill) -> list[str]:
    return [word for word in dict.fromkeys(_words(skill.name)) if word not in STOP_WORDS]


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def write_skills(path: Path, skills: Iterable[Skill]) -> int:
    """Write skills for the processes of a contest, one a line; return how many."""
    with path.open("w", encoding="utf-8") as file:
        count = 0
        for count, skill in enumerate(skills, 1):  # noqa: B007 - the count is what is returned
            file.write(json.dumps([skill.name, skill.description, skill.instructions]) + "\n")
    return count


def read_skills(path: Path) -> Iterator[Skill]:
    """Yield the skills of such a file."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield Skill(*json.loads(line))

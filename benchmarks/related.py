"""
Grade what the lexicon says of words that lead to others, and write it in stems.

    python benchmarks/related.py FOLDER > src/skill_index/ranking/related.txt

`benchmarks/lexicon/*.txt` holds lines of words:

    spreadsheet worksheet           each of them may stand for every other
    pizza sushi > restaurant food   who asks for one on the left is served by what says one on the right

They were written from general knowledge, without a look at any judged query, skill or result.
FOLDER holds SKILL.md files, the more the better.  From these only counts are taken: how many of them hold
a stem, and how many hold two.  A pair stands `lift` times as often in one skill as by chance; its grade is
the number of doublings begun, `log2(lift)` rounded up, at most 5.  Below 1 it is left out, and where
either word stands in fewer than ten skills there is nothing to go by: the grade is 4.  Stop words and words
of every fifth skill lead nowhere: whoever says "handle" has said too little.

Rejected: a weight for each pair learned from judged queries (there are more pairs than queries), and pairs
found by counts alone (they find what goes together, such as "before" and "after", not what serves).
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks.background import stems_of_skills
from skill_index.ranking.querying import asked_tokens
from skill_index.ranking.related import GRADES
from skill_index.wordlists import STOP_WORDS

LEXICON = Path(__file__).parent / "lexicon"
ENOUGH = 10  # skills that hold a word, so that its company says something
COMMON = 0.2  # of all skills that hold a word: one that says too little to lead anywhere
UNKNOWN = 4  # the grade of pairs of which too little is known; 3 and 5 rank as well

Led = tuple[str, str]
"""A stem that is asked for, and one that it leads to."""


def main() -> None:
    """Print the table."""
    pairs = sorted({pair for path in sorted(LEXICON.glob("*.txt")) for pair in led(path.read_text("utf-8"))})
    holders, skills = held({stem for pair in pairs for stem in pair}, stems_of_skills(sys.argv[1]))
    sys.stdout.write(table(pairs, holders, skills))


def led(text: str) -> Iterator[Led]:
    """
    Yield what the lines of a lexicon lead from and to, in stems.

    >>> sorted(set(led("pizza pizzas > food // a comment")))
    [('pizza', 'food')]
    """
    for line in text.splitlines():
        left, arrow, right = line.partition("//")[0].partition(">")
        sources = _stems(left)
        targets = _stems(right) if arrow else sources
        yield from ((source, target) for source in sources for target in targets if source != target)


def _stems(words: str) -> list[str]:
    """Return the stems of words, each of one term or of one whole that says all of it."""
    found = []
    for word in words.split():
        tokens = asked_tokens(word)
        found += [token.stem for token in tokens if len(tokens) == 1 or token.kind == "whole"]
    return found


def held(stems: set[str], skills: Iterable[set[str]]) -> tuple[Mapping[str, set[int]], int]:
    """Return the numbers of the skills that hold each stem, and how many skills there are."""
    holders: dict[str, set[int]] = {stem: set() for stem in stems}
    number = 0
    for number, words in enumerate(skills, start=1):
        for stem in words & stems:
            holders[stem].add(number)
    return holders, number


def grade(first: set[int], second: set[int], skills: int) -> int:
    """
    Return how surely a word leads to another, by the skills that hold each; 0 is not at all.

    >>> every, some = set(range(100)), set(range(10))
    >>> grade(some, some, 100), grade(every, some, 100), grade(set(), some, 100)
    (4, 1, 4)
    """
    if min(len(first), len(second)) < ENOUGH:
        return UNKNOWN
    both = len(first & second)
    lift = both * skills / (len(first) * len(second))
    return 0 if lift < 1 else min(GRADES, max(1, math.ceil(math.log2(lift))))


def table(pairs: Sequence[Led], holders: Mapping[str, set[int]], skills: int) -> str:
    """Return the lines of the table."""
    found: dict[str, list[str]] = {}
    for source, target in pairs:
        number = grade(holders[source], holders[target], skills)
        if number and source not in STOP_WORDS and len(holders[source]) < COMMON * skills:
            found.setdefault(source, []).append(f"{number}{target}")
    return "".join(f"{source} {' '.join(targets)}\n" for source, targets in found.items())


if __name__ == "__main__":
    main()

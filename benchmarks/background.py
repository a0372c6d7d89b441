"""
Count in how many skills each stem stands, and write the table of those that stand in many.

    python benchmarks/background.py FOLDER > src/skill_index/ranking/background.py

FOLDER holds SKILL.md files, the more the better.  The table is a statistic: stems and the share of
skills that hold them, in steps of two per cent; it holds no text of any skill.
"""

from __future__ import annotations

import sys
import textwrap
from collections import Counter
from collections.abc import Iterator
from itertools import chain, groupby

from skill_index import SkillIndex
from skill_index.ranking.analysis import analyze, tokens
from skill_index.ranking.cutting import loosely

STEP = 2  # per cent: finer steps change no ranking measurably
HEAD = '''"""
How common words are in skills at large, so that a small catalog need not guess it.

Of twenty skills three may hold "invoice" and three "example", and only one of the two says something.
So every catalog is counted as if so many more skills (`SearchSettings.background`) stood beside
it, in which words are as common as in thousands of real ones; in a large catalog they do not matter.

Made by `benchmarks/background.py` from {count:,} skills: stems by the per cent of skills that hold them.
"""

from __future__ import annotations

_TABLE = """
'''
TAIL = '''"""

SHARES: dict[str, float] = {
    stem: int(percent) / 100
    for percent, _, stems in (line.partition(":") for line in _TABLE.replace("\\n ", " ").split("\\n"))
    for stem in stems.split()
}
"""The share of skills that hold a stem, for stems that stand in one of fifty or more."""
'''


def main() -> None:
    """Print the module."""
    skills = list(stems_of_skills(sys.argv[1]))
    sys.stdout.write(table(Counter(chain.from_iterable(skills)), len(skills)))


def stems_of_skills(folder: str) -> Iterator[set[str]]:
    """Yield the stems of each skill of a folder; of those with one name and description only the first."""
    texts: set[tuple[str, str]] = set()
    for entry in SkillIndex.from_paths(folder).snapshot().entries:
        skill = entry.skill
        if (skill.name, skill.description) not in texts:
            texts.add((skill.name, skill.description))
            short = {token.stem for token in tokens(f"{skill.name} {skill.description}")}
            raws = str(loosely(skill.instructions), "utf-8", "surrogatepass").split()
            yield short | {token.stem for raw in raws for token in analyze(raw)}


def table(counts: Counter[str], total: int) -> str:
    """Return the module for these counts."""
    shares = {stem: round(100 * count / total / STEP) * STEP for stem, count in counts.items()}
    common = {
        stem: share
        for stem, share in shares.items()
        if share and stem.isascii() and stem.isalnum() and not stem.isdigit()
    }
    kept = sorted((-share, stem) for stem, share in common.items())
    lines = []
    for share, group in groupby(kept, key=lambda entry: -entry[0]):
        stems = " ".join(stem for _, stem in group)
        lines.append(textwrap.fill(f"{share}: {stems}", 108, subsequent_indent=" ", break_on_hyphens=False))
    return HEAD.format(count=total) + "\n".join(lines) + TAIL


if __name__ == "__main__":
    main()

"""
Count the tokens of skills in a prompt: listed whole, by name alone, and as an index with search.

    python -m benchmarks.tokens FOLDER [DATA] [--json FILE] [--plot FILE]

FOLDER holds real SKILL.md files, DATA/ranking judged sets.  A seeded sample of the folder, of which
the smaller ones are the beginning of the larger, is listed in each form.  Then every judged query
is asked of `describe_skill` as a model would, with the follow-up that an answer offers, until a
skill that serves it stands in the answer.  Neither folder is part of the project; without
them there is nothing to count.

Tokens are those of o200k_base, counted by splintr, whose wheel carries the vocabulary: tiktoken
itself fetches it at first use.  Both gave equal counts for 1,500 real files (2.9 million tokens).
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib.metadata
import json
import random
import statistics
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.datasets import HAYSTACK_SETS
from benchmarks.judging import missing
from benchmarks.systems.base import MissingPackageError, package
from benchmarks.tables import insert
from benchmarks.token_tables import BEGIN, END, plot, render
from skill_index import Skill, SkillCatalog, SkillIndex
from skill_index.evaluation import JudgedSet
from skill_index.evaluation.asking import grades_in
from skill_index.model import Origin
from skill_index.prompt import build_section, estimate_tokens
from skill_index.render import call_text
from skill_index.tools import Toolkit
from skill_index.tools.describe import DescribeData

HERE = Path(__file__).parent
RESULTS = HERE / "results" / "tokens.json"
SIZES = (50, 100, 200, 500, 1_000, 2_000, 5_000)
ENCODING = "o200k_base"
SEED = 1
ANSWERS = 3  # how often a model asks on before it is counted as not having found

Count = Callable[[str], int]


def main() -> int:
    """Count, and write the result file, the tables and the plot."""
    parser = argparse.ArgumentParser(description="Count the tokens of skills in a prompt.")
    parser.add_argument("folder", type=Path, help="real SKILL.md files")
    parser.add_argument("data", type=Path, nargs="?", help="a folder with ranking/SET")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--plot", type=Path, help="draw tokens against skills into this file")
    options = parser.parse_args()
    if not options.folder.is_dir():
        print(f"skipped: no data ({options.folder} is not a folder)")
        return 0
    try:
        count = counter()
    except MissingPackageError as error:
        print(f"skipped: {error}")
        return 0
    skills = sample(SkillIndex.from_paths(options.folder, hidden=True, nested=True).snapshot())
    sets = [] if options.data is None or missing(options.data, HAYSTACK_SETS) else list(HAYSTACK_SETS)
    figures: dict[str, Any] = {
        "tokenizer": f"{ENCODING} of splintr-rs {importlib.metadata.version('splintr-rs')}",
        "skills": len(skills),
        "listings": [listing(skills[:size], count) for size in SIZES if size <= len(skills)],
        "estimate": {name: estimate(texts, count) for name, texts in text_kinds(skills).items()},
        "found": {name: found(JudgedSet.load(options.data / "ranking" / name), count) for name in sets},
    }
    print(render(figures))
    if options.plot:
        plot(figures["listings"], options.plot)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2, ensure_ascii=False) + "\n", "utf-8")
    if options.json and options.json.resolve() == RESULTS.resolve():
        insert(HERE / "README.md", render(figures), BEGIN, END)
    return 0


def counter() -> Count:
    """Return what counts the tokens of a text; raises `MissingPackageError`."""
    tokenizer = package("splintr", "splintr-rs").Tokenizer.from_pretrained(ENCODING)
    return lambda text: len(tokenizer.encode(text))


def sample(catalog: SkillCatalog) -> list[Skill]:
    """Return one skill of each name in a random order, of which any beginning is a sample."""
    skills = [entry.skill for entry in catalog.entries if entry.key == entry.skill.name]
    random.Random(SEED).shuffle(skills)  # noqa: S311 - a sample, no secret
    return skills


def installed(skills: Iterable[Skill]) -> SkillCatalog:
    """Return the skills as an agent has them: each in a folder of its name, so that its place is short."""
    return SkillCatalog(
        dataclasses.replace(skill, origin=Origin("skills", "/skills", f"{skill.name}/SKILL.md"))
        for skill in skills
    )


def listing(skills: Sequence[Skill], count: Count) -> dict[str, Any]:
    """Return the tokens of one list of skills in every form, with the tools that each form needs."""
    catalog = SkillCatalog(skills)
    toolkit = Toolkit(catalog)
    whole = toolkit.only("load_skill", "read_skill_resource")
    names = {form: tuple(kit.names) for form, kit in (("whole", whole), ("search", toolkit))}
    section = build_section(catalog, tools=names["search"])
    full = build_section(installed(skills), budget_tokens=None, form="available_skills", tools=names["whole"])
    alone = build_section(catalog, budget_tokens=None, form="names", tools=names["search"])
    return {
        "skills": len(catalog),
        "full": count(full.text),
        "full_tools": tool_tokens(whole, count),
        "names": count(alone.text),
        "index": count(section.text),
        "index_step": section.step,
        "index_estimated": section.tokens,
        "tools": tool_tokens(toolkit, count),
    }


def tool_tokens(toolkit: Toolkit, count: Count) -> int:
    """Return the tokens of the tools as JSON; what a provider makes of that differs a little."""
    told = [schema.model_dump(include={"name", "description", "parameters"}) for schema in toolkit.schemas]
    return count(json.dumps(told, ensure_ascii=False))


def text_kinds(skills: Sequence[Skill]) -> dict[str, list[str]]:
    """Return the texts on which the estimate is tried."""
    return {
        "descriptions": [skill.description for skill in skills],
        "instructions": [skill.instructions for skill in skills],
    }


def estimate(texts: Iterable[str], count: Count) -> dict[str, Any]:
    """Return how the bytes of texts divided by three compare with their tokens."""
    pairs = [(estimate_tokens(text), count(text)) for text in texts if text]
    ratios = sorted(estimated / real for estimated, real in pairs)
    return {
        "texts": len(pairs),
        "tokens": sum(real for _, real in pairs),
        "ratio": round(sum(estimated for estimated, _ in pairs) / sum(real for _, real in pairs), 3),
        "least": round(ratios[0], 2),
        "too_low": sum(ratio < 1 for ratio in ratios),
    }


def found(judged: JudgedSet, count: Count) -> dict[str, Any]:
    """Return what it costs to find a skill for each query of a set, against listing them all."""
    catalog = SkillCatalog(judged.skills)
    grades = grades_in(judged, catalog)
    toolkit = Toolkit(catalog)
    rows = [asked(toolkit, query.text, grades[query.id], count) for query in judged.queries]
    hits = [row for row in rows if row["found"]]
    costs = listing(judged.skills, count)
    return {
        "skills": len(catalog),
        "queries": len(rows),
        "first_answer": round(sum(row["answers"] == 1 for row in hits) / len(rows), 4),
        "in_three": round(len(hits) / len(rows), 4),
        "search_mean": round(statistics.fmean(row["tokens"] for row in rows)),
        "search_median": round(statistics.median(row["tokens"] for row in rows)),
        "load_median": round(statistics.median(row["load"] for row in hits)),
        "full_a_turn": costs["full"] + costs["full_tools"],
        "index_a_turn": costs["index"] + costs["tools"],
    }


def asked(toolkit: Toolkit, text: str, grades: Mapping[str, int], count: Count) -> dict[str, Any]:
    """Ask until a needed skill is in the answer; count what the model writes and what it reads."""
    tokens, answers = 0, 0
    query: str | None = text
    while query and answers < ANSWERS:
        reply = toolkit.call("describe_skill", {"name": query})
        tokens += count(call_text("describe_skill", name=query)) + count(reply.text)
        answers += 1
        if not isinstance(reply.data, DescribeData):
            break
        needed = [hit.name for hit in reply.data.hits if grades.get(hit.name, 0) > 0]
        if needed:
            loaded = toolkit.call("load_skill", {"skill_name": needed[0], "force": True})
            return {"found": True, "answers": answers, "tokens": tokens, "load": count(loaded.text)}
        query = reply.data.follow_up
    return {"found": False, "answers": answers, "tokens": tokens}


if __name__ == "__main__":
    sys.exit(main())

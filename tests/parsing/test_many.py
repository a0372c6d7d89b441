"""Many files parsed at once: what each gives alone, whoever parses it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from skill_index import Limits, Origin, RawSkill
from skill_index.parsing import many as many_module
from skill_index.parsing import parse_skill, parse_skills
from skill_index.sources import DirectoryResources

TEXTS = [
    b"---\nname: chart\ndescription: Draws charts.\nmetadata: {a: [1, 2]}\n---\nSteps.",
    b"---\nname: Broken\ndescription: one: two\nallowed-tools: [Read\n---\nSteps.",
    b"no header",
    b"\xff\xfe",
    b"---\nname: a\ndescription: Over.\n---\n" + b"x" * 300,
]
RAWS = [
    RawSkill(
        Origin("team", "/skills", f"s{n}/SKILL.md", editable=True),
        TEXTS[n % len(TEXTS)],
        DirectoryResources(f"/skills/s{n}"),
        files_digest=f"d{n}",
        stamp=object(),
        steps=(lambda skill: skill,),  # which no pickle holds
    )
    for n in range(23)
]


@pytest.mark.parametrize("processes", [None, 1, 2])
@pytest.mark.parametrize("strict", [False, True])
def test_each_is_parsed_as_if_alone(
    processes: int | None, strict: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Skills, their places, files and findings, in order, within the limits given."""
    monkeypatch.setattr(many_module, "CHUNK", 4)
    limits = Limits(file_bytes=200)
    parsed = list(parse_skills(RAWS, strict=strict, limits=limits, processes=processes))
    assert parsed == [parse_skill(raw, strict=strict, limits=limits) for raw in RAWS]
    assert {code for each in parsed for code in [finding.code for finding in each.findings]} > {
        "file-too-large"
    }


def test_many_are_shared_out_without_their_bodies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few are not; of many, only headers are sent, and what has none is not sent at all."""
    asked: list[tuple[int, int]] = []
    monkeypatch.setattr(many_module, "ALONE", len(RAWS) - 1)
    monkeypatch.setattr(many_module, "CHUNK", 3)
    monkeypatch.setattr(many_module, "cores", lambda: 7)

    def mapped(function: Any, chunks: Iterable[Any], processes: int) -> Iterator[Any]:
        made = list(chunks)
        asked.append((processes, sum(map(len, made))))
        assert not any(document.body for chunk in made for document, _ in chunk)
        return map(function, made)

    monkeypatch.setattr(many_module, "mapped", mapped)
    for count, processes in ((len(RAWS) - 1, 1), (len(RAWS), 7)):
        raws = RAWS[:count]
        assert list(parse_skills(raws)) == [parse_skill(raw) for raw in raws]
        assert asked.pop() == (processes, sum(raw.data.startswith(b"---") for raw in raws))


def test_the_first_are_sent_while_later_ones_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """No more are asked for than it takes to know that there are many, before others begin."""
    read: list[RawSkill] = []
    sent: list[int] = []
    monkeypatch.setattr(many_module, "ALONE", 5)
    monkeypatch.setattr(many_module, "CHUNK", 3)

    def mapped(function: Any, chunks: Iterable[Any], _: int) -> Iterator[Any]:
        for chunk in chunks:
            sent.append(len(read))
            yield function(chunk)

    def reading() -> Iterator[RawSkill]:
        for raw in RAWS:
            read.append(raw)
            yield raw

    monkeypatch.setattr(many_module, "mapped", mapped)
    assert list(parse_skills(reading())) == [parse_skill(raw) for raw in RAWS]
    assert sent == [6, 6, 9, 12, 15, 18, 21, 23]

"""
describe_skill: from a name or a few words to the metadata of the right skills.

The question: a model that has seen only a list of names must learn what a skill is for, what it
may use and where it lies, before paying for its instructions.  The choice: one tool that takes
what models write anyway (a name, `select:a,b`, words, `+required`) and answers in blocks of
four lines, capped by count and by bytes.  Whatever does not fit is counted and named.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from skill_index.catalog import SkillCatalog
from skill_index.frozen import FrozenMap
from skill_index.query import select_query
from skill_index.render import Locations, names_line, note_lines, rest_line, skill_block
from skill_index.results import Hit, SearchResults
from skill_index.text import escape, well_formed
from skill_index.tools.context import Context, unread_note
from skill_index.tools.reply import Text, ToolFailure, ToolReply

FOLLOW_UP_BYTES = 1_500
"""UTF-8 bytes of names in the line that says how to go on."""

REPLY_BYTES = 16_000
"""UTF-8 bytes of blocks in one reply, about 5,000 tokens: a page a model can read in one turn."""


class DescribeArguments(BaseModel):
    """What describe_skill is called with."""

    model_config = ConfigDict(extra="forbid")

    name: Text = Field(
        description="A skill's name, `select:first,second` for several, or words to search for; "
        "`+word` requires a word in the name."
    )


class NoteFacts(BaseModel):
    """Something the answer wants known."""

    code: Text
    message: Text
    subject: Text = ""
    suggestions: tuple[Text, ...] = ()


class EvidenceFacts(BaseModel):
    """One reason for a hit: which word met which term, where, how, and what it added."""

    word: Text
    term: Text
    fields: tuple[Text, ...]
    how: Text
    score: float


class SkillFacts(BaseModel):
    """The metadata of one skill, as written by its author (not escaped)."""

    name: Text = Field(description="What every tool accepts for this skill.")
    id: Text = Field(description="The qualified name, unique in the catalog.")
    score: float = Field(description="Comparable within one answer only.")
    description: Text
    allowed_tools: tuple[Text, ...] | None = Field(
        description="null: nothing said; empty: none pre-approved."
    )
    location: Text = Field(description="Where the agent finds the SKILL.md.")
    editable: bool
    license: Text | None = None
    compatibility: Text | None = None
    input_schema: dict[str, Any] | None = Field(default=None, description="Of a tool that waits here.")
    evidence: tuple[EvidenceFacts, ...] = ()


class DescribeData(BaseModel):
    """The answer to one query, for hosts; the same facts as the text."""

    query: Text
    state: Literal["exact", "strong", "weak", "none"]
    notes: tuple[NoteFacts, ...] = ()
    total: int = Field(description="How many skills match.")
    remaining: int = Field(description="How many of them are not in hits.")
    follow_up: Text | None = Field(default=None, description="A query for the next of them.")
    hits: tuple[SkillFacts, ...] = ()
    near: tuple[SkillFacts, ...] = ()


def skill_facts(hit: Hit, locations: Locations) -> SkillFacts:
    """Return the facts of a hit as data."""
    skill = hit.skill
    return SkillFacts(
        name=hit.name,
        id=hit.id,
        score=hit.score,
        description=skill.description,
        allowed_tools=skill.allowed_tools,
        location=locations.of(skill.origin),
        editable=skill.origin.editable,
        license=skill.license,
        compatibility=skill.compatibility,
        input_schema=None if skill.input_schema is None else _plain_schema(skill.input_schema),
        evidence=tuple(
            EvidenceFacts(word=e.word, term=e.term, fields=e.fields, how=e.how, score=e.score)
            for e in hit.evidence
        ),
    )


def _plain_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a schema as JSON can carry it, whatever a host put into it."""
    written = json.dumps(FrozenMap(schema).plain(), ensure_ascii=False, default=str)
    plain: dict[str, Any] = json.loads(well_formed(written))
    return plain


def results_data(
    results: SearchResults,
    locations: Locations,
    shown: int | None = None,
    follow_up: str | None = None,
) -> DescribeData:
    """Return results as data, with only the first `shown` hits where that is given."""
    hits = results.hits if shown is None else results.hits[:shown]
    return DescribeData(
        query=results.query,
        state=results.state,
        notes=tuple(
            NoteFacts(code=n.code, message=n.message, subject=n.subject, suggestions=n.suggestions)
            for n in results.notes
        ),
        total=results.total,
        remaining=results.total - len(hits),
        follow_up=results.follow_up if shown is None else follow_up,
        hits=tuple(skill_facts(hit, locations) for hit in hits),
        near=tuple(skill_facts(hit, locations) for hit in results.near),
    )


class DescribeTool:
    """The describe_skill tool over one catalog."""

    name = "describe_skill"
    description = (
        "Find skills and read what they are for, which tools they may use and where they are. "
        "Give a skill's name, select:first,second for several, or a few words of the task."
    )
    arguments = DescribeArguments
    data = DescribeData

    def __init__(
        self,
        *,
        limit: int | None = None,
        reply_bytes: int = REPLY_BYTES,
    ) -> None:
        if limit is not None and limit < 0:
            message = f"limit counts skills, so it is 0 or more, not {limit}"
            raise ValueError(message)
        self._limit, self._reply_bytes = limit, reply_bytes

    def __call__(self, context: Context, arguments: DescribeArguments) -> ToolReply:
        """Answer one call; a miss is an answer with an `error`, never an exception."""
        asked = arguments.name
        results = context.catalog.search(asked, limit=self._limit)
        found = tuple(hit.id for hit in results.hits)
        kind = "described" if results.state == "exact" else "searched"
        context.facts.update(kind=kind, query=asked, state=results.state, total=results.total, found=found)
        if results.state == "none":
            return self._miss(context, results)
        if [_is_named(hit) for hit in results.hits].count(True) == 1 and _is_named(results.hits[0]):
            return self._one(context, results)
        return self._many(context, results)

    def _one(self, context: Context, results: SearchResults) -> ToolReply:
        """One exact name: its block, and the names of what else the words would find."""
        hit, *others = results.hits
        tail = note_lines(results.notes)
        if others:
            tail.append(names_line("Related skills", (other.name for other in others)))
        # What is only named here is asked for next; it is not in the data's hits.
        follow_up = select_query(other.name for other in others) or results.follow_up
        data = results_data(results, context.locations, 1, follow_up)
        return ToolReply(_page([skill_block(hit.name, hit.skill, context.locations)], tail), data)

    def _many(self, context: Context, results: SearchResults) -> ToolReply:
        blocks = self._blocks(context, results)
        shown = len(blocks)
        cut = [hit.name for hit in results.hits[shown:]]
        follow_up = select_query(cut) or results.follow_up
        told = select_query(_fitting(cut)) or results.follow_up
        tail = [*note_lines(results.notes), *rest_line(results, shown, told, context.names[self.name])]
        if results.state == "weak":
            tail.insert(0, "Weak match: these cover little of the query; none may be what is needed.")
        return ToolReply(_page(blocks, tail), results_data(results, context.locations, shown, follow_up))

    def _blocks(self, context: Context, results: SearchResults) -> list[str]:
        """As many blocks as fit the byte budget, and one in any case."""
        blocks: list[str] = []
        left = self._reply_bytes
        for hit in results.hits:
            block = skill_block(hit.name, hit.skill, context.locations)
            left -= len(block.encode("utf-8"))
            if left < 0 and blocks:
                break
            blocks.append(block)
        return blocks

    def _miss(self, context: Context, results: SearchResults) -> ToolReply:
        # An answer without hits always ends in the note that says why.
        *notes, told = results.notes
        reason = told.message.rstrip(".")
        nearby = tuple(hit.name for hit in results.near)
        recovery = _recovery(context.catalog, nearby)
        lines = [f"No skill matches {escape(results.query, 200)!r}: {escape(reason)}."]
        if nearby:
            lines.append(names_line("Nearest", nearby))
        lines += [f"Next: {recovery}.", *note_lines(notes), *unread_note(context.catalog)]
        error = ToolFailure(
            code="skill-not-found",
            message=reason,
            subject=results.query,
            nearby=nearby,
            recovery=recovery,
            retryable=bool(context.catalog),
        )
        return ToolReply("\n".join(lines), results_data(results, context.locations), error)


def _fitting(names: Iterable[str]) -> list[str]:
    """Return the first names that a line can hold; the host gets all of them in the data."""
    fitting: list[str] = []
    left = FOLLOW_UP_BYTES
    for name in names:
        left -= len(name.encode("utf-8", "replace")) + 1
        if left < 0 and fitting:
            break
        fitting.append(name)
    return fitting


def _page(blocks: list[str], tail: list[str]) -> str:
    """Join blocks, a blank line apart, and the lines about all of them."""
    return "\n\n".join((*blocks, "\n".join(tail)) if tail else blocks)


def _is_named(hit: Hit) -> bool:
    """Whether the query names this skill, rather than finding it by words."""
    return bool(hit.evidence) and hit.evidence[0].how == "name"


def _recovery(catalog: SkillCatalog, nearby: tuple[str, ...]) -> str:
    if not catalog:
        return "go on without a skill"
    if nearby:
        return "ask for one of the names, or search with other words"
    return "search with other, more general words"

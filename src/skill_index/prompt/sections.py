"""
The index section: the fullest listing that fits a budget, and a word on what it left out.

The question: every description in the prompt costs thousands of tokens a turn, and names alone
make models miss the right skill.  The choice: a text that degrades in stated steps,

    full     name: description
    clause   name: description where it is short, else its first clause
    names    name, name, name
    groups   top folder (count), top folder (count)
    count    only how many there are

The fullest step that fits is taken for all skills at once.  In `clause` the room is shared
fairly: every description has the same limit, the largest that fits, so short ones stay whole
and one verbose skill does not cost the others their words.

The text is made of nothing but the catalog and the settings given: the same skills give the
same bytes on every machine and in every run, so a host's prompt cache holds.

Rejected: dropping the entries that do not fit, which hides skills in silence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from skill_index.catalog import SkillCatalog
from skill_index.index import SkillIndex, catalog_of
from skill_index.model import Skill
from skill_index.naming import Entry
from skill_index.prompt.delta import PromptStamp
from skill_index.prompt.rows import (
    FORMS,
    SHORTEST_HINT,
    Form,
    FormName,
    advertised,
    full_rows,
    group_counts,
    name_rows,
)
from skill_index.render import DESCRIPTION_LIMIT, VALUE_LIMIT, Locations, call_text
from skill_index.text import escape, one_line

Step = Literal["empty", "full", "clause", "names", "groups", "count"]
Count = Callable[[str], int]

BUDGET_TOKENS = 2000
"""Tokens of the section at most: about 1 % of a 200,000-token context, as hosts allow themselves."""

TOOLS = ("describe_skill", "load_skill")
"""The tools the steps name: those every toolkit has unless a host takes them away."""

_MORE_GROUPS = 4  # fewer groups than this are no overview; then only the count is given


def estimate_tokens(text: str) -> int:
    """
    Return a high estimate of the tokens of a text: its UTF-8 bytes divided by three, rounded up.

    Byte-pair encodings spend about four bytes of English a token and fewer of other scripts, so
    dividing by three errs on the safe side without loading any model's vocabulary.

    >>> estimate_tokens("pdf-forms")
    3
    """
    return -(-len(text.encode("utf-8", "surrogatepass")) // 3)


@dataclass(frozen=True, slots=True)
class PromptSection:
    """
    The text for the prompt, and what a host may want to know of it.

    `step` says how far it had to degrade, `dropped` what was left out in words ("" if nothing),
    `tokens` its length by the counter used, `stamp` what to compare later catalogs with.
    """

    text: str
    step: Step
    tokens: int
    total: int
    dropped: str
    stamp: PromptStamp


def skill_index_section(
    skills: SkillCatalog | SkillIndex,
    budget_tokens: int | None = BUDGET_TOKENS,
    count: Count | None = None,
    *,
    tools: Sequence[str] | Mapping[str, str] = TOOLS,
) -> str:
    """
    Return the index of skills for the system prompt, at most `budget_tokens` long (None: no limit).

    Tokens are estimated (see `estimate_tokens`) unless `count` counts them.  Without skills, or
    where not even one line fits the budget, the text is empty.  It tells the model which tools to
    call: pass a toolkit's `names` as `tools` if the model knows them under other names or lacks
    some.  `build_section` has more to set and tell.
    """
    return build_section(skills, budget_tokens=budget_tokens, count=count, tools=tools).text


def build_section(
    skills: SkillCatalog | SkillIndex,
    *,
    budget_tokens: int | None = BUDGET_TOKENS,
    count: Count | None = None,
    form: FormName = "index",
    tools: Sequence[str] | Mapping[str, str] = TOOLS,
    advertise: Callable[[Skill], bool] | None = None,
    locations: Mapping[str, str] | Locations = {},
) -> PromptSection:
    """
    Return the index of skills for the system prompt, with what a host may want to know of it.

    The first three arguments, and `tools`, are those of `skill_index_section`.  `form` is the
    markup: "index" for bullets with hints, "available_skills" for the elements of agentskills.io,
    "names" for names alone.  `advertise` decides which skills are told of, instead of their own
    `disable-model-invocation`.  `locations` are those of `Toolkit`.
    """
    catalog = catalog_of(skills)
    entries = advertised(catalog, advertise)
    measure = count or estimate_tokens
    stamp = PromptStamp.of(entries)
    writer = _Writer(entries, FORMS[form], _named(tools), Locations(locations))
    for step, text, dropped in writer.attempts(budget_tokens, measure):
        tokens = measure(text)
        if budget_tokens is None or tokens <= budget_tokens:
            return PromptSection(text, step, tokens, len(entries), dropped, stamp)
    dropped = f"all {len(entries)} skills: nothing fits {budget_tokens} tokens" if entries else ""
    return PromptSection("", "empty", 0, len(entries), dropped, stamp)


def _named(tools: Sequence[str] | Mapping[str, str]) -> Mapping[str, str]:
    return tools if isinstance(tools, Mapping) else {name: name for name in tools}


def _length(entry: Entry) -> int:
    return len(entry.skill.description)


@dataclass(frozen=True, slots=True)
class _Writer:
    entries: Sequence[Entry]
    form: Form
    tools: Mapping[str, str]
    locations: Locations

    def attempts(self, budget: int | None, measure: Count) -> Iterator[tuple[Step, str, str]]:
        """Yield ever shorter sections with what each leaves out; the first that fits is taken."""
        if not self.entries:
            return
        names = name_rows(self.entries, self.form, self.locations)
        names_fit = budget is None or measure(names) <= budget
        if self.form.hints and names_fit:
            # Without a budget nothing is cut, not even a description beyond the format's limit.
            limit = DESCRIPTION_LIMIT if budget is not None else max(map(_length, self.entries))
            dropped = self._shortened(limit)
            yield "full", self._full(limit, dropped), dropped
            if budget is not None:
                yield "clause", *self._clauses(budget, measure)
        if names_fit:
            dropped = "all descriptions" if self.form.hints else ""
            yield "names", self._section(names, dropped), dropped
        yield from self._groups()

    def _full(self, limit: int, dropped: str = "") -> str:
        return self._section(full_rows(self.entries, self.form, limit, self.locations), dropped)

    def _clauses(self, budget: int, measure: Count) -> tuple[str, str]:
        """Return the section with the largest common limit that fits, or with the smallest."""
        low, high = SHORTEST_HINT, DESCRIPTION_LIMIT
        while low < high:
            middle = (low + high + 1) // 2
            if measure(self._full(middle, self._shortened(middle))) <= budget:
                low = middle
            else:
                high = middle - 1
        return self._full(low, self._shortened(low)), self._shortened(low)

    def _shortened(self, limit: int) -> str:
        long = sum(len(entry.skill.description) > limit for entry in self.entries)
        return f"the rest of {long} long descriptions" if long else ""

    def _groups(self) -> Iterator[tuple[Step, str, str]]:
        """Yield all groups, then fewer and fewer, then only the count."""
        groups = group_counts(self.entries)
        groups_left = sorted(groups, key=lambda group: (-group[1], group[0]))
        while len(groups_left) >= min(_MORE_GROUPS, len(groups)):
            listed = ", ".join(
                f"{escape(name, VALUE_LIMIT)} ({number})" for name, number in sorted(groups_left)
            )
            more = len(groups) - len(groups_left)
            dropped = "all names and descriptions" + (f", and {more} smaller folders" if more else "")
            yield "groups", self._section(f"Folders: {listed}", dropped), dropped
            groups_left = groups_left[: len(groups_left) // 2]
            if not groups_left:
                break
        dropped = "all names and descriptions"
        yield "count", self._section("", dropped), dropped

    def _section(self, rows: str, dropped: str) -> str:
        """Wrap rows in the tag, with the steps to take before them and what was left out after."""
        tail = f"Left out for length: {dropped}. Search to see them." if dropped else ""
        lines = filter(None, (f"<{self.form.tag}>", self._steps(), rows, tail, f"</{self.form.tag}>"))
        return "\n".join(lines)

    def _steps(self) -> str:
        """Say how to use skills, with one call on a real name; only tools that exist are named."""
        number = len(self.entries)
        counted = f"{number} skill{'s' if number != 1 else ''} with instructions for special tasks."
        name = one_line(self.entries[0].key, VALUE_LIMIT)
        steps = [f"{counted} Skills are not tools: do not call them by name."]
        describe, load = self.tools.get("describe_skill"), self.tools.get("load_skill")
        if describe:
            steps.append(
                "When a task may need one, find it first: "
                f'{describe}(name="words of the task") or {escape(call_text(describe, name=name))}.'
            )
        if load:
            steps.append(f"Then {escape(call_text(load, skill_name=name))} and follow what it says.")
        elif describe:
            steps.append("Then read the file at its Location and follow what it says.")
        return " ".join(steps)

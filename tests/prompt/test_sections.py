"""The index section: stable bytes, a budget that holds, and honest words on what is left out."""

from __future__ import annotations

import html
import json
import os
import random
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skill_index import Origin, Skill, SkillCatalog
from skill_index.prompt import build_section, estimate_tokens, skill_index_section


def skill(name: str, description: str, folder: str = "", **extra: str) -> Skill:
    """Make a skill in a file below a source called `s`."""
    path = "/".join(filter(None, (folder, name, "SKILL.md")))
    return Skill(name, description, origin=Origin("s", "/r", path), extra=extra)


SMALL = SkillCatalog(
    [
        skill("pdf-forms", "Fill PDF forms. Use when a form must be filled in."),
        skill("xls", "Edit <sheets> & charts."),
    ]
)

STEPS = (
    "2 skills with instructions for special tasks. Skills are not tools: do not call them by name. "
    'When a task may need one, find it first: describe_skill(name="words of the task") or '
    'describe_skill(name="pdf-forms"). Then load_skill(skill_name="pdf-forms") and follow what it says.'
)


def test_the_whole_section() -> None:
    """Bullets with descriptions, escaped, after the steps and a call on a real name."""
    assert skill_index_section(SMALL) == (
        f"<skill_index>\n{STEPS}\n"
        "- pdf-forms: Fill PDF forms. Use when a form must be filled in.\n"
        "- xls: Edit &lt;sheets&gt; &amp; charts.\n"
        "</skill_index>"
    )


def test_the_elements_of_agentskills() -> None:
    """The form many hosts know, each part on a line of its own."""
    section = build_section(SMALL, form="available_skills", tools=())
    assert section.text.splitlines()[2:11] == [
        "<skill>",
        "<name>",
        "pdf-forms",
        "</name>",
        "<description>",
        "Fill PDF forms. Use when a form must be filled in.",
        "</description>",
        "<location>",
        "/r/pdf-forms/SKILL.md",
    ]
    assert "describe_skill" not in section.text


def test_names_only() -> None:
    """One line of names, nothing left unsaid."""
    section = build_section(SMALL, form="names")
    assert section.text.splitlines()[2:] == ["pdf-forms, xls", "</skill_index>"]
    assert (section.step, section.dropped) == ("names", "")


def many(count: int, words: int = 30) -> SkillCatalog:
    """Return a catalog of skills in four folders, some with long descriptions."""
    return SkillCatalog(
        skill(f"skill-number-{n:04}", "Does things. " + "word " * (words * (n % 2)), f"folder-{n % 4}")
        for n in range(count)
    )


def test_it_degrades_in_stated_steps() -> None:
    """Ever smaller budgets give ever shorter forms, in order, each saying what it left out."""
    catalog = many(60)
    section = build_section(catalog, budget_tokens=None)
    steps = [section.step]
    while section.text:
        budget = section.tokens * 9 // 10
        section = build_section(catalog, budget_tokens=budget)
        assert section.tokens == estimate_tokens(section.text) <= budget
        assert section.dropped
        assert section.dropped in section.text or section.step == "empty"
        steps.append(section.step)
    assert list(dict.fromkeys(steps)) == ["full", "clause", "names", "groups", "count", "empty"]
    assert steps == sorted(steps, key=["full", "clause", "names", "groups", "count", "empty"].index)


def test_groups_count_every_skill() -> None:
    """The counts of the groups add up to all skills."""
    section = build_section(many(60), budget_tokens=180)
    assert "s/folder-0 (15), s/folder-1 (15), s/folder-2 (15), s/folder-3 (15)" in section.text


def test_short_descriptions_stay_whole_beside_long_ones() -> None:
    """One verbose source does not cost the others their words."""
    big = [skill(f"big-{n}", "long " * 200) for n in range(6)]
    tiny = [skill(f"tiny-{n}", "Short and clear.") for n in range(6)]
    section = build_section(SkillCatalog([*big, *tiny]), budget_tokens=800)
    assert section.step == "clause"
    assert section.text.count("Short and clear.") == 6
    assert section.text.count("long…") == 6


def test_every_name_is_kept_before_any_description() -> None:
    """Descriptions are shortened and dropped before a single name is."""
    section = build_section(many(60), budget_tokens=700)
    assert all(name in section.text for name in many(60))


def test_no_skills_give_no_section() -> None:
    """Nothing to offer: no tag, no steps, nothing dropped."""
    section = build_section(SkillCatalog())
    assert (section.text, section.step, section.dropped, section.tokens) == ("", "empty", "", 0)


HIDDEN = [
    ({"disable-model-invocation": "true"}, False),
    ({"disable-model-invocation": "Yes"}, False),
    ({"disable_model_invocation": "true"}, False),
    ({"Disable-Model-Invocation": "true"}, False),
    ({"disable-model-invocation": "false"}, True),
    ({"advertise": "false"}, False),
    ({"user-invocable": "false"}, True),
    ({}, True),
]


@pytest.mark.parametrize(("extra", "shown"), HIDDEN)
def test_hidden_skills_stay_loadable(extra: dict[str, str], shown: bool) -> None:
    """A skill that does not want to be advertised is not, and is still found by its name."""
    catalog = SkillCatalog([skill("quiet", "Says little.", **extra), skill("loud", "Says much.")])
    section = build_section(catalog)
    assert ("quiet" in section.text) is shown
    assert catalog.search("quiet").names[0] == "quiet"
    assert "quiet" in build_section(catalog, advertise=lambda _: True).text
    assert "quiet" not in build_section(catalog, advertise=lambda each: each.name == "loud").text


def test_a_counter_of_the_host_decides() -> None:
    """With a counter the budget is in its units."""
    section = build_section(many(60), budget_tokens=400, count=lambda text: len(text.split()))
    assert section.tokens == len(section.text.split()) <= 400


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.tuples(st.text(min_size=1).filter(str.strip), st.text(max_size=200)), max_size=12),
    st.integers(0, 900),
    st.sampled_from(["index", "available_skills", "names"]),
    st.sampled_from([estimate_tokens, len, lambda text: len(text.split())]),
)
def test_the_budget_holds_by_its_own_counter(made, budget, form, count) -> None:  # type: ignore[no-untyped-def]
    """Whatever the skills, the budget, the form and the counter; and no tag is forged."""
    catalog = SkillCatalog([Skill(name, description) for name, description in made])
    section = build_section(catalog, budget_tokens=budget, form=form, count=count)
    assert count(section.text) <= budget
    assert section.total == len(catalog)
    tags = {"skill_index", "available_skills", "skill", "name", "description", "location"}
    for piece in section.text.split("<")[1:]:
        assert piece.split(">")[0].lstrip("/") in tags


@settings(deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from([100_000, 2_000, 600, 250]))
def test_the_bytes_do_not_depend_on_the_order_of_skills(rng: random.Random, budget: int) -> None:
    """Shuffled input gives the same text and the same stamp."""
    skills = list(many(40).values())
    expected = build_section(SkillCatalog(skills), budget_tokens=budget)
    rng.shuffle(skills)
    assert build_section(SkillCatalog(skills), budget_tokens=budget) == expected


def test_the_bytes_do_not_depend_on_the_process() -> None:
    """Another hash seed, locale, time zone and folder give the same bytes."""
    code = (
        "from skill_index import *; from skill_index.prompt import *; "
        "print(skill_index_section(SkillCatalog(Skill(n, 'Does ' + n, tags=('x', n)) for n in 'cabçß')))"
    )
    outputs = set()
    for seed, locale, zone, cwd in [("0", "C", "UTC", "/"), ("1", "tr_TR.UTF-8", "Asia/Tokyo", None)]:
        environment = {**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": locale, "TZ": zone, "PYTHONUTF8": "1"}
        done = subprocess.run(  # noqa: S603 - our own command
            [sys.executable, "-c", code], capture_output=True, check=True, env=environment, cwd=cwd
        )
        outputs.add(done.stdout)
    assert len(outputs) == 1
    assert outputs.pop().startswith(b"<skill_index>")


def test_without_a_budget_nothing_is_cut() -> None:
    """An over-long description is whole there, and said to be cut where a limit cuts it."""
    catalog = SkillCatalog([skill("long", "Short first. " + "word " * 300)])
    assert ("word " * 300).strip() in build_section(catalog, budget_tokens=None).text
    cut = build_section(catalog, budget_tokens=5_000)
    assert (cut.step, cut.dropped) == ("full", "the rest of 1 long descriptions")


@pytest.mark.parametrize("name", ['a", x="', 'say "hi"', "back\\slash", "it's", "<b> & c", "日本"])
def test_the_call_in_the_steps_gives_the_name_and_nothing_else(name: str) -> None:
    """Whatever a first skill is called, the example is one call with one argument, which is the name."""
    section = html.unescape(skill_index_section(SkillCatalog([Skill(name, "D.")])))
    for call in (f"describe_skill(name={json.dumps(name, ensure_ascii=False)})", "load_skill(skill_name="):
        assert call in section
    assert f"skill_name={json.dumps(name, ensure_ascii=False)})" in section

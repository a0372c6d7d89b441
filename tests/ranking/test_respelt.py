"""Other spellings of a word: made by rule, looked for beside the word, worth a little less."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_index import Skill, SkillCatalog
from skill_index.ranking.analysis import stem
from skill_index.ranking.respelt import respelt, without_number

PAIRS = [
    *("organise organize", "organising organizing", "organisation organization", "summarised summarized"),
    *("optimiser optimizer", "categorise categorize", "anonymises anonymizes", "tokenisation tokenization"),
    *("analyse analyze", "analysing analyzing", "paralysed paralyzed"),
    *("behaviour behavior", "favourite favorite", "labour labor", "neighbourhood neighborhood"),
    *("rumours rumors", "colouring coloring", "odour odor"),
    *("centre center", "theatres theaters", "metre meter", "calibre caliber"),
    *("licence license", "defences defenses", "practise practice"),
    *("analysis analyses", "hypothesis hypotheses", "crisis crises", "api apis", "gpu gpus", "menu menus"),
    *("id ids", "pr prs", "vm vms", "verify verification", "verify verifications", "notify notification"),
    *("modelling modeling", "labelled labeled", "traveller traveler", "counsellor counselor"),
]


@pytest.mark.parametrize("pair", PAIRS)
def test_the_spellings_of_a_word_find_each_other(pair: str) -> None:
    """Either way, also for words that are known to be spelt right; the spelling asked for comes first."""
    first, second = pair.split()
    assert {stem(second), *map(stem, respelt(second))} & {stem(first), *map(stem, respelt(first))}
    for said, asked in ((first, second), (second, first)):
        alone = SkillCatalog([Skill("kit", f"Handles {said} here."), Skill("other", "Nothing of that.")])
        assert alone.search(asked).names == ("kit",)
        both = SkillCatalog([Skill("kit", f"Handles {said} here."), Skill("own", f"Handles {asked} here.")])
        assert both.search(asked).names[0] == "own"


@pytest.mark.parametrize(
    "word",
    [
        "filling",
        "status",
        "basis",
        "base",
        "revise",
        "improvise",
        "ads",
        "filing",
        "filled",
        "calling",
        "our",
        "or",
        "is",
        "size",
        "wise",
        "css",
        "dns",
        "gas",
        "straße",
    ],
)
def test_words_that_are_spelt_in_one_way(word: str) -> None:
    """A short word, or one that would become another, has no other spelling."""
    assert respelt(word) == ()


@given(st.text("aeiourlsyzcent", min_size=1, max_size=12))
def test_a_spelling_leads_back(word: str) -> None:
    """What a rule makes of a word, some rule makes the word of; and it is never the word."""
    for other in respelt(word):
        assert other != word
        assert word in respelt(other)


def test_another_spelling_brings_what_the_word_leads_to() -> None:
    """Synonyms and related words are those of the word, however it is spelt."""
    catalog = SkillCatalog([Skill("brief", "Writes a digest of a text."), Skill("other", "Nothing.")])
    assert stem("summarise") != stem("summarize")
    assert catalog.search("summarise it").names == catalog.search("summarize it").names == ("brief",)


NUMBERED = [
    *("oauth2 oauth", "html5 html", "python3 python", "vue3 vue", "mysql8 mysql", "ios17 ios"),
    *("mp3s mp3", "gpt4s gpt4"),
]


@pytest.mark.parametrize("pair", NUMBERED)
def test_a_number_at_the_end_loses_no_word(pair: str) -> None:
    """With a number or without, one or several: found where nothing says the word itself."""
    first, second = pair.split()
    for said, asked in ((first, second), (second, first)):
        catalog = SkillCatalog([Skill("kit", f"Handles {said} here."), Skill("other", "Nothing of that.")])
        results = catalog.search(asked)
        assert results.names == ("kit",)
        exact = SkillCatalog([*catalog.values(), Skill("own", f"Handles {asked} here.")])
        assert exact.search(asked).names[0] == "own"


@pytest.mark.parametrize(
    ("asked", "said"), [("co2", "co"), ("ec2", "ec"), ("s3", "s"), ("2", "20"), ("k8s", "k")]
)
def test_a_letter_or_two_with_a_number_are_a_name(asked: str, said: str) -> None:
    """No part of it is what is meant."""
    assert said not in without_number(asked)
    catalog = SkillCatalog([Skill("kit", f"Handles {said} here."), Skill("other", "Nothing of that.")])
    assert catalog.search(asked).names == ()


@pytest.mark.parametrize("pair", PAIRS)
def test_a_required_or_excluded_word_is_that_word_in_its_other_form(pair: str) -> None:
    """`+organise` asks for "organize", and `-organise` keeps it away; `-verify` no "verification"."""
    first, second = pair.split()
    for said, asked in ((first, second), (second, first)):
        catalog = SkillCatalog([Skill(f"{said}-kit", "Does it with zebras."), Skill("other", "Has zebras.")])
        assert catalog.search(f"+{asked} zebras").names == (f"{said}-kit",)
        kept = () if "if" not in asked else (f"{said}-kit",)
        assert set(catalog.search(f"zebras -{asked}").names) == {"other", *kept}
        assert catalog.search(f"+{asked.upper()}, zebras").names == (f"{said}-kit",)

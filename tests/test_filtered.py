"""What a view hides appears in no public text: one property over all of them."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from skill_index import Origin, Skill, SkillCatalog, SkillNotFoundError
from skill_index.cli.listing import findings_json, findings_text, list_json
from skill_index.prompt import PromptStamp, build_section, build_skill_search_setup, skill_index_delta
from skill_index.testing import laws, strategies
from skill_index.tools import Toolkit

HIDDEN = ("secretkit", "hushword", "quietalias", "mutedtag", "stillbody")
SECRET = Skill(
    "secretkit",
    "Does hushword with pdf forms and charts.",
    "# stillbody\nhushword pdf chart data report",
    aliases=("quietalias",),
    tags=("mutedtag",),
    origin=Origin("vault", "/secretkit-root", "secretkit/SKILL.md"),
)
SECRET_TWIN = Skill("secretkit", "Another hushword.", origin=Origin("other", "/r", "secretkit/SKILL.md"))
# Queries that come close to a hidden word without being it, so that an echo is not taken for a leak.
NEAR = st.sampled_from(
    [
        "secretki",
        "hushwrd",
        "quietalia",
        "+secretk",
        "select:secretki,x",
        "mutdtag",
        "stillbdy",
        "name:secretk",
    ]
)


def public_texts(view: SkillCatalog, query: str) -> Iterator[str]:
    """Yield every text a view can give to a model, a person or a program."""
    results = view.search(query)
    yield repr(results)
    yield results._repr_html_()
    yield results.why_not("pdf")
    reply = Toolkit(view).call("describe_skill", {"name": query})
    yield reply.text
    yield str(reply.error)
    yield reply.data.model_dump_json() if reply.data is not None else ""
    for form in ("index", "available_skills", "names"):
        for budget in (5_000, 200, 100):
            yield build_section(view, form=form, budget_tokens=budget).text
    yield build_skill_search_setup(view, enabled=False).section
    yield skill_index_delta(PromptStamp(()), view)
    yield repr(list(view.items()))
    yield repr(view)
    yield repr(view.findings)
    yield list_json(view)
    yield findings_json(view)
    yield findings_text(view)
    try:
        view[query]
    except SkillNotFoundError as error:
        yield str(error)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(strategies.skills(), max_size=5),
    strategies.valid_queries() | NEAR,
    st.booleans(),
    st.sampled_from(["without", "only", "where", "search"]),
)
def test_what_a_view_hides_is_in_no_text(skills: list[Skill], query: str, warm: bool, how: str) -> None:
    """Names, words, aliases, tags, paths and counts of hidden skills are in no answer to anything."""
    catalog = SkillCatalog([SECRET, *skills, SECRET_TWIN])
    if warm:
        catalog.ranker()
    names = sorted({skill.name for skill in skills})
    views = {
        "without": lambda: catalog.without(["secretkit"]),
        "only": lambda: catalog.only(names),
        "where": lambda: catalog.where(lambda skill: skill.name != "secretkit"),
        "search": lambda: catalog.without(["vault:*", "other:*"]).only(None),
    }
    view = views[how]()
    laws.hides_what_is_filtered(public_texts(view, query), HIDDEN)
    assert view.search(query) == SkillCatalog(view.values(), settings=view.settings).search(query)

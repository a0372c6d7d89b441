"""The page: every stranger's text escaped, nothing from elsewhere, the same bytes each time."""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skill_index import Skill
from skill_index.errors import SkillIndexError
from skill_index.evaluation import JudgedQuery, JudgedSet, Report, evaluate, evaluate_run, html_report
from skill_index.evaluation.plots import plot_rows

EVIL = '</td><script src="//x.example/a.js">alert(1)</script><img onerror=alert(1) src=x>"\'&amp;$\\frac$'


def page_of(evil: str, *, baseline: bool = True) -> str:
    """Return the page of a set that has the text wherever a stranger can write."""
    judged = JudgedSet(
        f"set {evil}",
        (Skill(f"forms {evil}", f"Fill forms. {evil}"), Skill(f"other {evil}", "Fill things.")),
        (
            JudgedQuery(f"q1 {evil}", f"fill {evil}", f"group {evil}"),
            JudgedQuery(f"q2 {evil}", f"forms {evil}"),
        ),
        {f"q1 {evil}": {f"other {evil}": 1, f"forms {evil}": 1}, f"q2 {evil}": {f"other {evil}": 1}},
        (JudgedQuery(f"n1 {evil}", f"weather {evil}", evil),),
    )
    before = evaluate_run(judged, {}) if baseline else None
    found = evaluate(judged, baseline=before, baseline_name=f"old {evil}", clock=lambda: 0.0)
    return html_report(Report(sets=(found,)))


class Tags(HTMLParser):
    """Collects what a browser would see as elements and attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[tuple[str, str | None]] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag and its attributes."""
        self.tags.add(tag)
        self.attributes.update(attrs)


def test_no_text_of_a_stranger_is_markup() -> None:
    """Tags put into every place come out as text, and no attribute holds any of it."""
    page = page_of(EVIL)
    assert "&lt;script" in page
    assert "<script" not in page
    assert "<img" not in page
    found = Tags()
    found.feed(page)
    assert not {"script", "img", "iframe", "link", "object"} & found.tags
    assert not [
        value for _, value in found.attributes if value and ("alert" in value or "x.example" in value)
    ]
    assert not [name for name, _ in found.attributes if name.startswith("on")]


def test_nothing_is_fetched() -> None:
    """The page names no place but the namespaces of SVG, and forbids itself to load anything."""
    page = page_of("plain")
    places = set(re.findall(r"https?://[^\"'\s<]+", page))
    assert places <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert "default-src 'none'" in page
    assert re.findall(r"(?:src|href)=\"(?!#)", page) == []


def test_equal_reports_make_equal_bytes() -> None:
    """No date and no chance: the same figures, the same page."""
    assert page_of("plain") == page_of("plain")


def test_every_part_is_there() -> None:
    """Tables, four plots, groups, abstention, the worst queries with their evidence, gains."""
    page = page_of("plain")
    for head in (
        "All sets",
        "By kind of query",
        "First needed skill",
        "Abstention",
        "Groups",
        "Worst queries",
    ):
        assert head in page
    assert page.count("<svg") == page.count("</svg>") == 4
    assert "exact in name" in page
    assert "differences are to old plain" in page
    assert "differences are to" not in page_of("plain", baseline=False)


def test_a_report_without_sets_is_a_page() -> None:
    """Nothing measured is still a page that ends."""
    assert html_report(Report(sets=())).endswith("</html>\n")


@settings(max_examples=15, deadline=None)
@given(st.text(max_size=30))
def test_any_name_can_stand_beside_a_bar(name: str) -> None:
    """No name breaks the drawing, warns of a missing glyph, or is read as a formula."""
    judged = JudgedSet("n", (Skill("a", "d"),), (JudgedQuery("q", "a"),), {"q": {"a": 1}})
    row = evaluate(judged).rows[0]
    svg = plot_rows([(name, row), ("$x_1$", row)])
    assert ElementTree.fromstring(svg).tag.endswith("svg")  # noqa: S314 - our own text
    assert "$x_1$" in svg


def test_a_missing_library_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence says what to install."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(SkillIndexError, match=r'pip install "skill_index\[eval\]"'):
        page_of("plain")

"""Reading judged sets: what is in the folder is in the value, and a bad line is named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from skill_index import Skill
from skill_index.errors import SkillIndexError
from skill_index.evaluation import JudgedQuery, JudgedSet

Write = Callable[..., Path]


def test_a_folder_is_read_whole(small: Path) -> None:
    """Skills, queries, grades and negatives arrive, sorted."""
    judged = JudgedSet.load(small)
    assert judged.name == "small"
    assert [skill.name for skill in judged.skills] == ["chart-maker", "pdf-forms", "pdf-merge"]
    assert judged.skills[1].instructions == "Open the form."
    assert [skill.allowed_tools for skill in judged.skills] == [("Write",), None, ("Read", "Bash(qpdf *)")]
    assert judged.queries[0] == JudgedQuery("q1", "fill in forms", "office")
    assert judged.qrels["q3"] == {"pdf-merge": 1, "pdf-forms": 0}
    assert judged.needed("q2") == ("chart-maker", "pdf-merge")
    assert judged.needed("q3") == ("pdf-merge",)
    assert [query.id for query in judged.negatives] == ["n1", "n2"]


@pytest.mark.parametrize("file", ["skills.jsonl", "queries.jsonl", "qrels.tsv", "negatives.jsonl"])
def test_the_order_of_lines_does_not_count(small: Path, file: str) -> None:
    """A set is its content."""
    before = JudgedSet.load(small)
    lines = (small / file).read_text("utf-8").splitlines(keepends=True)
    assert len(lines) > 1
    (small / file).write_text("".join(reversed(lines)), "utf-8")
    assert JudgedSet.load(small) == before


def test_what_editors_add_is_no_content(small: Path) -> None:
    """A byte order mark, blank lines and Windows line ends change nothing; U+2028 ends no line."""
    before = JudgedSet.load(small)
    for path in small.iterdir():
        text = path.read_text("utf-8").replace("\n", "\r\n\r\n")
        path.write_bytes(b"\xef\xbb\xbf" + text.encode("utf-8"))
    assert JudgedSet.load(small) == before


def test_a_text_may_hold_any_character(write: Write) -> None:
    """Separators of Unicode stay inside their text."""
    folder = write(queries=[{"id": "q", "text": "fill\u2028in\x85it"}], qrels=["q\tpdf-forms\t1"])
    assert JudgedSet.load(folder).queries == (JudgedQuery("q", "fill\u2028in\x85it"),)


def test_columns_of_trec_do(write: Write) -> None:
    """Four columns, parted by blanks or tabs, and names with blanks where tabs part."""
    folder = write(
        skills=[{"name": "Fill Forms", "description": "d"}, {"name": "b", "description": "d"}],
        qrels=["q1 0 b 2", "q2\t0\tFill Forms\t1", "q3\tFill Forms\t1"],
    )
    judged = JudgedSet.load(folder)
    assert judged.qrels["q1"] == {"b": 2}
    assert judged.qrels["q2"] == judged.qrels["q3"] == {"Fill Forms": 1}


def test_skills_and_negatives_may_be_missing(write: Write) -> None:
    """A set may be about skills that lie elsewhere."""
    judged = JudgedSet.load(write(skills=None, negatives=None))
    assert (judged.skills, judged.negatives) == ((), ())


BAD_LINES = [
    ("skills.jsonl", '{"name": "a"}\n{"name": ', "skills.jsonl:2: is not JSON"),
    ("skills.jsonl", "[" * 100_000, "skills.jsonl:1: is not JSON"),
    ("skills.jsonl", "\n\n[]", "skills.jsonl:3: is no JSON object"),
    ("skills.jsonl", '{"description": "d"}', "skills.jsonl:1: has no 'name'"),
    ("skills.jsonl", '{"name": " "}', "skills.jsonl:1: has no 'name'"),
    ("skills.jsonl", '{"name": "a", "body": 1}', "skills.jsonl:1: 'body' is text, not int"),
    ("skills.jsonl", '{"name": "a", "allowed_tools": [1]}', "skills.jsonl:1: 'allowed_tools' is"),
    ("queries.jsonl", '{"id": "q1"}', "queries.jsonl:1: has no 'text'"),
    ("queries.jsonl", '{"id": 1, "text": "t"}', "queries.jsonl:1: 'id' is text, not int"),
    ("negatives.jsonl", '{"text": "t"}', "negatives.jsonl:1: has no 'id'"),
    ("qrels.tsv", "q1\tpdf-forms\t1\nq1", "qrels.tsv:2: has not three columns"),
    ("qrels.tsv", "q1\tpdf-forms\tyes", "qrels.tsv:1: the grade is a whole number up to 999, not 'yes'"),
    ("qrels.tsv", "q1\tpdf-forms\t1000000000", "qrels.tsv:1: the grade is a whole number up to 999"),
    ("qrels.tsv", "q1\ta\t1\nq1\ta\t2", "qrels.tsv:2: judges 'a' for 'q1' a second time"),
]


@pytest.mark.parametrize(("file", "content", "said"), BAD_LINES)
def test_a_bad_line_is_named(small: Path, file: str, content: str, said: str) -> None:
    """File, line and reason; nothing is passed by in silence."""
    (small / file).write_text(content, "utf-8")
    with pytest.raises(SkillIndexError) as told:
        JudgedSet.load(small)
    assert str(told.value).startswith(f"{small}/{said}")


def test_bytes_that_are_no_text_are_named(small: Path) -> None:
    """The line with the first bad byte is told."""
    (small / "queries.jsonl").write_bytes(b"{}\n\n\xff\n")
    with pytest.raises(SkillIndexError, match=r"queries\.jsonl:3: is not UTF-8"):
        JudgedSet.load(small)


def test_a_missing_file_is_named(small: Path) -> None:
    """A folder without queries is no judged set."""
    (small / "queries.jsonl").unlink()
    with pytest.raises(SkillIndexError, match=r"cannot read '.*queries\.jsonl': there is no such file"):
        JudgedSet.load(small)


CONTRADICTIONS: list[tuple[dict[str, Any], str]] = [
    ({"queries": ()}, "has no queries"),
    ({"queries": (JudgedQuery("q", "t"),) * 2}, "has the query 'q' twice"),
    ({"negatives": (JudgedQuery("q", "t"),)}, "has the query 'q' twice"),
    ({"skills": (Skill("a", "d"), Skill("a", "e"))}, "has the skill 'a' twice"),
    ({"qrels": {"q": {"a": 1}, "p": {"a": 1}}}, "judges 'p', which is none of its queries"),
    ({"qrels": {}}, "has no skill for query 'q'"),
    ({"qrels": {"q": {"a": 0}}}, "has no skill for query 'q'"),
]


@pytest.mark.parametrize(("changed", "said"), CONTRADICTIONS)
def test_a_set_does_not_contradict_itself(changed: dict[str, Any], said: str) -> None:
    """Ids are unique, and every query and judgment has its other half."""
    whole: dict[str, Any] = {
        "name": "n",
        "skills": (Skill("a", "d"),),
        "queries": (JudgedQuery("q", "t"),),
        "qrels": {"q": {"a": 1}},
    }
    assert JudgedSet(**whole).needed("q") == ("a",)
    with pytest.raises(SkillIndexError) as told:
        JudgedSet(**(whole | changed))
    assert str(told.value).startswith(f"the judged set 'n' {said}")

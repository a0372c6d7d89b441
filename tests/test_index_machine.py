"""
Any sequence of edits leaves a living index where a fresh one over the same folder would be.

A model keeps, of each skill whose file is broken just now, the text it had when it was last good:
that version is written into the folder that the fresh index reads.
"""

from __future__ import annotations

import math
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from skill_index import SkillCatalog, SkillIndex
from skill_index.session import Session
from skill_index.tools import Toolkit

WORDS = ["podcast", "forms", "charts", "deployment", "spreadsheet"]
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
FOLDERS = [f"folder-{number}" for number in range(4)] + ["group/inner"]
RESOURCES = ["guide.md", "references/table.csv"]
QUERIES = ["podcast forms", "chrats", "+deployment spreadsheet", "a name", "select:one,two"]
BROKEN = ["", "---\nname: x\n", "no header at all", "---\nname: x\n---\nNo description.\n"]


class Living(RuleBasedStateMachine):
    """Edits of a folder, each followed by a comparison."""

    @initialize(hints=st.booleans())
    def begin(self, hints: bool) -> None:
        """Index an empty folder; with `hints` the index looks only where it is told to."""
        self.hints = hints
        self.place = Path(tempfile.mkdtemp())
        self.root, self.good = self.place / "skills", self.place / "good" / "skills"
        self.root.mkdir()
        self.good.mkdir(parents=True)
        self.index = SkillIndex.from_paths(self.root, refresh_interval=math.inf if hints else None)
        self.session = Session()
        self.broken: set[str] = set()

    def teardown(self) -> None:
        """Remove the folder."""
        if hasattr(self, "place"):
            shutil.rmtree(self.place)

    def tell(self, *paths: Path) -> None:
        """Say what changed, if the index waits to be told."""
        if self.hints:
            self.index.refresh(paths=paths)

    def folders(self) -> list[str]:
        """Return the folders of skills, in order."""
        return [folder for folder in FOLDERS if (self.root / folder / "SKILL.md").exists()]

    def pick(self, data: st.DataObject) -> str:
        """Return one of them."""
        return data.draw(st.sampled_from(self.folders()))

    def save(self, folder: str, content: str, *, good: bool = True) -> None:
        """Write a SKILL.md, and where it is good, for the fresh index too."""
        (self.root / folder).mkdir(parents=True, exist_ok=True)
        (self.root / folder / "SKILL.md").write_text(content, "utf-8")
        if good:
            shutil.rmtree(self.good / folder, ignore_errors=True)
            shutil.copytree(self.root / folder, self.good / folder)
        (self.broken.discard if good else self.broken.add)(folder)
        self.tell(self.root / folder / "SKILL.md")

    def last_good(self, folder: str) -> str | None:
        """Return the text a skill had when it was last good."""
        file = self.good / folder / "SKILL.md"
        return file.read_text("utf-8") if file.exists() else None

    @rule(
        folder=st.sampled_from(FOLDERS), name=st.sampled_from(["one", "two", "three"]), told=TEXTS, body=TEXTS
    )
    def write(self, folder: str, name: str, told: str, body: str) -> None:
        """Add a skill, or write one anew; names may clash."""
        self.save(folder, f"---\nname: {name}\ndescription: {told}\n---\n{body}\n")

    @precondition(lambda self: self.folders())
    @rule(data=st.data(), told=TEXTS)
    def edit_description(self, data: st.DataObject, told: str) -> None:
        """Change what a skill is for; this mends a broken one."""
        folder = self.pick(data)
        lines = (self.last_good(folder) or "---\nname: one\ndescription: x\n---\n").split("\n")
        lines[2] = f"description: {told}"
        self.save(folder, "\n".join(lines))

    @precondition(lambda self: self.folders())
    @rule(data=st.data(), body=TEXTS)
    def edit_body(self, data: st.DataObject, body: str) -> None:
        """Change the instructions only."""
        folder = self.pick(data)
        header = (self.last_good(folder) or "---\nname: one\ndescription: x\n---\n").split("\n")[:4]
        self.save(folder, "\n".join([*header, body, ""]))

    @precondition(lambda self: self.folders())
    @rule(data=st.data(), restore=st.booleans())
    def edit_same_size(self, data: st.DataObject, restore: bool) -> None:
        """Change letters, not lengths, and perhaps put the old time back."""
        folder = self.pick(data)
        content = self.last_good(folder)
        if content is None or folder in self.broken:
            return
        file = self.root / folder / "SKILL.md"
        before = file.stat()
        head, _, body = content.rpartition("---\n")
        self.save(folder, f"{head}---\n{body.swapcase()}")
        if restore:
            os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
            self.tell(file)

    @precondition(lambda self: self.folders())
    @rule(data=st.data(), seconds=st.sampled_from([1_000_000_000, 1_700_000_000, 2_000_000_000]))
    def touch(self, data: st.DataObject, seconds: int) -> None:
        """Change nothing but the time."""
        before = self.index.snapshot()
        file = self.root / self.pick(data) / "SKILL.md"
        os.utime(file, (seconds, seconds))
        self.tell(file)
        assert self.index.snapshot() is before

    @precondition(lambda self: self.folders())
    @rule(data=st.data(), content=st.sampled_from(BROKEN))
    def break_header(self, data: st.DataObject, content: str) -> None:
        """Leave a file that is no skill."""
        self.save(self.pick(data), content, good=False)

    @rule(folder=st.sampled_from(FOLDERS), content=st.sampled_from(BROKEN))
    def add_broken(self, folder: str, content: str) -> None:
        """Add a file that never was a skill, or break one."""
        self.save(folder, content, good=False)

    @precondition(lambda self: self.broken)
    @rule(data=st.data())
    def mend(self, data: st.DataObject) -> None:
        """Put the last good text back."""
        folder = data.draw(st.sampled_from(sorted(self.broken)))
        self.save(folder, self.last_good(folder) or "---\nname: three\ndescription: forms\n---\n")

    @precondition(lambda self: self.folders())
    @rule(data=st.data(), other=st.sampled_from(FOLDERS))
    def rename(self, data: st.DataObject, other: str) -> None:
        """Rename a folder; a broken file has no last good version in its new place."""
        folder = self.pick(data)
        if (self.root / other).exists():
            return
        for root in (self.root, self.good):
            if (root / folder).exists():
                (root / other).parent.mkdir(exist_ok=True)
                (root / folder).rename(root / other)
        if folder in self.broken:
            self.broken.remove(folder)
            self.broken.add(other)
            shutil.rmtree(self.good / other, ignore_errors=True)
        self.tell(self.root / folder, self.root / other)

    @precondition(lambda self: self.folders())
    @rule(data=st.data(), whole=st.booleans())
    def remove(self, data: st.DataObject, whole: bool) -> None:
        """Remove a skill, with its folder or without."""
        folder = self.pick(data)
        for root in (self.root, self.good):
            if whole:
                shutil.rmtree(root / folder, ignore_errors=True)
            else:
                (root / folder / "SKILL.md").unlink(missing_ok=True)
        self.broken.discard(folder)
        self.tell(self.root / folder / "SKILL.md")

    @precondition(lambda self: self.folders())
    @rule(data=st.data(), name=st.sampled_from(RESOURCES), text=TEXTS | st.none())
    def resource(self, data: st.DataObject, name: str, text: str | None) -> None:
        """Add, edit or remove a file beside a SKILL.md that is good."""
        folder = self.pick(data)
        if folder in self.broken:
            return
        for root in (self.root, self.good):
            file = root / folder / name
            file.parent.mkdir(exist_ok=True)
            if text is None:
                file.unlink(missing_ok=True)
            else:
                file.write_text(text, "utf-8")
        self.tell(self.root / folder / name)

    @rule(query=st.sampled_from(QUERIES))
    def search(self, query: str) -> None:
        """Search, so that the next word index is made from this one."""
        self.index.search(query)

    @rule(name=st.sampled_from(["one", "two", "three"]))
    def load(self, name: str) -> None:
        """Load by name in one conversation: it gets the present text, or is told that it has it."""
        reply = Toolkit(self.index, session=self.session).call("load_skill", {"skill_name": name})
        fresh = SkillIndex.from_paths(self.good)
        assert (reply.error is None) == (name in fresh)
        if reply.error is None:
            data: Any = reply.data
            assert data.version == fresh[name].digest
            assert data.instructions in {None, fresh[name].instructions}

    @invariant()
    def it_is_where_a_fresh_one_is(self) -> None:
        """Names, texts, digests, findings of broken files, and answers with their scores."""
        if not hasattr(self, "index"):
            return
        fresh, now = SkillIndex.from_paths(self.good).snapshot(), self.index.snapshot()
        assert entries(now) == entries(fresh)
        files = {str(self.root / folder / "SKILL.md") for folder in self.broken}
        assert {finding.path for finding in now.findings if finding.severity == "error"} == files
        kept = {finding.path for finding in now.findings if finding.code == "kept-old"}
        assert kept == {
            file for file in files if Path(str(self.good) + file.removeprefix(str(self.root))).exists()
        }
        if now.is_indexed:
            for query in QUERIES:
                assert answer(now, query) == answer(fresh, query)


def entries(catalog: SkillCatalog) -> list[tuple[str, ...]]:
    """Return everything of a catalog's entries that does not tell where they lie."""
    return [
        (
            entry.key,
            entry.id,
            entry.skill.description,
            entry.skill.instructions,
            entry.skill.digest,
            entry.skill.files_digest,
            *(place.path for place in entry.places),
        )
        for entry in catalog.entries
    ]


def answer(catalog: SkillCatalog, query: str) -> tuple[object, ...]:
    """Return what is compared of an answer."""
    results = catalog.search(query)
    hits = [(hit.name, round(hit.score, 9), len(hit.evidence)) for hit in results.hits]
    near = [hit.name for hit in results.near]
    return hits, near, results.state, results.total, results.notes, results.follow_up


TestLiving = Living.TestCase
TestLiving.settings = settings(
    max_examples=25,
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)

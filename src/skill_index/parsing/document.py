"""
`parse_skill`: one SKILL.md from bytes to a `Skill` and its findings.

Everything wrong is reported at once, in both modes, by the same steps; strict reading differs
only in the severities of `CODES`, and an error costs the skill.  Two parsers, one strict and one
kind, would in time disagree about files that are right.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from skill_index.findings import Finding
from skill_index.model import Origin, RawSkill, Skill
from skill_index.parsing.codes import Fault, Report
from skill_index.parsing.fields import Fields
from skill_index.parsing.frontmatter import Document, read_document
from skill_index.parsing.keys import sort_out, squash
from skill_index.parsing.values import Remark, Tree
from skill_index.settings import Limits
from skill_index.text import as_utf8

if TYPE_CHECKING:
    from skill_index.parsing.repair import Repair

_DEFAULT = Limits()
_ARCHIVE = re.compile(r"\.(?:zip|skill|tar|tgz|tar\.gz)$", re.IGNORECASE)
_PROSE = frozenset({"name", "description", "compatibility", "when_to_use", "when-to-use"})


@dataclass(frozen=True, slots=True)
class Parsed:
    """What came of one SKILL.md: the skill, or None where it cannot be used, and every finding."""

    skill: Skill | None
    findings: tuple[Finding, ...] = ()


def parse_skill(raw: RawSkill, *, strict: bool = False, limits: Limits = _DEFAULT) -> Parsed:
    r"""
    Read one SKILL.md; never raises, whatever the bytes.

    Lenient by default: whatever can be trusted is used, with a warning where a rule is broken.
    With `strict`, any broken rule of the specification is an error, and an error costs the skill.

    >>> text = b"---\nname: pdf\ndescription: Fill forms: fast.\n---\nSteps."
    >>> parsed = parse_skill(RawSkill(Origin(path="pdf/SKILL.md"), text))
    >>> parsed.skill.description, [finding.code for finding in parsed.findings]
    ('Fill forms: fast.', ['repaired'])
    """
    document = open_document(raw, strict=strict, limits=limits)
    if isinstance(document, Parsed):
        return document
    return joined(raw, document, read_header(document, raw.origin, strict=strict, limits=limits))


@dataclass(frozen=True, slots=True)
class Said:
    """What a header says: the fields of a skill, or None where it cannot be used, and every finding."""

    fields: Mapping[str, Any] | None
    findings: tuple[Finding, ...] = ()


def open_document(raw: RawSkill, *, strict: bool, limits: Limits) -> Document | Parsed:
    """Return the two parts of a SKILL.md, or what came of one that has none."""
    try:
        return read_document(raw.data, limits)
    except Fault as fault:
        report = Report(raw.origin.location, strict=strict)
        report.add(fault.code, fault.message, fault.line)
        return Parsed(None, report.findings())


def read_header(document: Document, origin: Origin, *, strict: bool, limits: Limits) -> Said:
    """Return what a header says; the body is not looked at."""
    report = Report(origin.location, strict=strict)
    fields = None
    try:
        fields = _fields(document, origin, report, limits)
    except Fault as fault:
        report.add(fault.code, fault.message, fault.line)
    return Said(None if report.fatal else fields, report.findings())


def joined(raw: RawSkill, document: Document, said: Said) -> Parsed:
    """Return a skill of what its header says, with its body and what its source told."""
    if said.fields is None:
        return Parsed(None, said.findings)
    skill = Skill(
        instructions=document.body,
        origin=raw.origin,
        resources=raw.resources,
        files_digest=raw.files_digest,
        digest=hashlib.sha256(raw.data).hexdigest(),
        **said.fields,
    )
    return Parsed(skill, said.findings)


def _fields(document: Document, origin: Origin, report: Report, limits: Limits) -> dict[str, Any] | None:
    _report_layout(document, report)
    tree, repairs = _parse(document.header, limits)
    _report_repairs(repairs, report)
    _report_remarks(tree, report)
    entries = sort_out(tree.entries, report)
    fields = Fields(entries, _folder(origin), report)
    # Every field is read before the skill is given up, so that all of its problems are told.
    found: dict[str, Any] = {
        "name": fields.name(document.opener),
        "description": fields.description(document.opener),
        "aliases": fields.words("aliases"),
        "tags": fields.words("tags", "keywords"),
        "allowed_tools": fields.tools(_broken(repairs)),
        "license": fields.text("license"),
        "compatibility": fields.checked("compatibility"),
        "metadata": fields.metadata(),
        "extra": fields.extra(),
    }
    return found if found["name"] and found["description"] else None


def _parse(header: str, limits: Limits) -> tuple[Tree, tuple[Repair, ...]]:
    """Read the header as YAML, and mend it first only if that fails or leaves a value in a key."""
    from skill_index.parsing.repair import holds_value, is_joined, mend
    from skill_index.parsing.yaml import parse

    fault = Fault("yaml-invalid", "there is no ': ' behind a key")
    try:
        tree = parse(header, limits)
        if not any(holds_value(entry.key) for entry in tree.entries):
            return tree, ()
    except Fault as told:
        if told.code != "yaml-invalid" and not (told.code == "not-a-mapping" and is_joined(header)):
            raise
        fault = told
    mended, repairs = mend(header, limits)
    try:
        tree = parse(mended, limits)
    except Fault:
        tree = Tree((), ())
    if not tree.entries:
        where = f" (column {fault.column})" if fault.column else ""
        message = f"this is no YAML{where}: {fault.message}; put values in quotes"
        raise Fault("yaml-invalid", message, fault.line)
    return tree, repairs


def _report_layout(document: Document, report: Report) -> None:
    if document.opener > 1:
        message = f"the front matter must start on the first line, not on line {document.opener}; move it up"
        report.add("header-not-first", message, document.opener)
    for line in document.hidden:
        message = "there is a control character, left out or read as a blank; type the line anew"
        report.add("control-character", message, line)


def _report_repairs(repairs: tuple[Repair, ...], report: Report) -> None:
    for repair in repairs:
        where = f"at column {repair.column} " if repair.column else ""
        if repair.code == "stray-line":
            message = (
                f"{repair.reason[:60]!r} is no 'key: value' and was ignored; write it so, indent or remove it"
            )
            report.add("stray-line", message, repair.line)
        elif repair.code == "html-comment":
            report.add("html-comment", "an HTML comment is no comment in YAML; use '#'", repair.line)
        elif report.strict:
            message = (
                f"the value of {repair.key[:60]!r} is no YAML {where}({repair.reason}); put it in quotes"
            )
            report.add("yaml-invalid", message, repair.line)
        else:
            message = f"the value of {repair.key[:60]!r} is no YAML {where}({repair.reason})"
            report.add("repaired", f"{message}; it was read as plain text, put it in quotes", repair.line)


# What YAML leaves out stays out: other programs leave it out as well, and a guess could be wrong.
_REMARKS = {
    "comment-cut": "text of {key!r} behind ' #' is a comment and was lost: {text!r}; put the value in quotes",
    "comment": "text of {key!r} behind ' #' is a comment: {text!r}",
    "yaml-tag": "the tag {text!r} of {key!r} was ignored; remove it, or put the value in quotes",
    "yaml-anchor": "{text!r} of {key!r} is no part of the text but an anchor; put the value in quotes",
    "duplicate-key": "{key!r} is there already, on {text}, which is used; remove one",
    "key-not-text": "a key near {key!r} is a list or a mapping and was ignored; put the value in quotes",
}


def _report_remarks(tree: Tree, report: Report) -> None:
    for remark in tree.remarks:
        code = _code(remark)
        message = _REMARKS[code].format(key=remark.key[:60], text=remark.text[:60])
        report.add(code, message, remark.line)


def _code(remark: Remark) -> str:
    return "comment" if remark.code == "comment-cut" and remark.key not in _PROSE else remark.code


def _broken(repairs: tuple[Repair, ...]) -> dict[str, int]:
    """Return the line of each key that was mended, or followed by a line that was ignored."""
    lost = [repair for repair in repairs if repair.code != "html-comment"]
    keys = {repair.key or repair.before: repair.line for repair in lost}
    return {"allowed-tools" if squash(key) == "allowedtools" else key: line for key, line in keys.items()}


def _folder(origin: Origin) -> str:
    """Return the name of a skill's folder, or "" where the path does not tell it."""
    if origin.folder:
        return as_utf8(origin.folder.rpartition("/")[2])
    last = re.split(r"[/\\]", origin.root.rstrip("/\\"))[-1]
    return "" if last == ".." else as_utf8(_ARCHIVE.sub("", last))

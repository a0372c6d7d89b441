"""
What can be found in a SKILL.md: every code with its severity, in one table.

Lenient reading keeps a skill whenever its text can be trusted, strict reading refuses whatever
breaks a rule, so each code has two severities.  They stand in a table, not at the places that
report, because a host that filters by code needs the list, and the two modes must differ in
nothing else.
"""

from __future__ import annotations

from typing import NamedTuple

from skill_index.findings import Finding, Severity

_E, _W, _I = Severity.ERROR, Severity.WARNING, Severity.INFO


class Code(NamedTuple):
    """How bad a finding of one code is in either mode, and what it means."""

    lenient: Severity
    strict: Severity
    meaning: str


CODES: dict[str, Code] = {
    "file-too-large": Code(_E, _E, "the file is larger than `Limits.file_bytes`"),
    "not-utf8": Code(_E, _E, "the bytes are not UTF-8"),
    "not-text": Code(_E, _E, "the file holds NUL characters, so it is no text"),
    "header-missing": Code(_E, _E, "no front matter at the start"),
    "header-unclosed": Code(_E, _E, "front matter that no '---' line closes"),
    "header-too-large": Code(_E, _E, "front matter is larger than `Limits.header_bytes`"),
    "header-not-first": Code(_W, _E, "blank lines or comments above the front matter"),
    "control-character": Code(_W, _E, "a control character in the front matter, left out or read as a blank"),
    "hidden-character": Code(_W, _W, "a bidi or zero-width character in a name or a description"),
    "html-comment": Code(_W, _E, "an HTML comment in the front matter, ignored"),
    "stray-line": Code(_W, _E, "a line that is no 'key: value', ignored"),
    "yaml-invalid": Code(_E, _E, "the front matter cannot be read as YAML"),
    "quote-open": Code(_E, _E, "a quoted value that is never closed"),
    "yaml-too-complex": Code(_E, _E, "nesting or aliases beyond `Limits.yaml_depth` and `.yaml_aliases`"),
    "not-a-mapping": Code(_E, _E, "the front matter is YAML, but not 'key: value' lines"),
    "repaired": Code(_W, _E, "a value that is no valid YAML, read as plain text"),
    "comment-cut": Code(_W, _W, "text of a name or a description lost because ' #' starts a comment"),
    "comment": Code(_I, _I, "a comment beside any other value"),
    "yaml-tag": Code(_W, _E, "a tag such as '!!python/name', ignored"),
    "yaml-anchor": Code(_W, _W, "an anchor '&name' that nothing uses, and that is not part of the text"),
    "duplicate-key": Code(_W, _E, "a key given twice; the first is used"),
    "key-not-text": Code(_W, _E, "a key that is a list or a mapping, ignored"),
    "misspelt-key": Code(_W, _E, "a key that is nearly one of the specification"),
    "extension-key": Code(_I, _E, "a key that hosts use and the specification does not know"),
    "unknown-key": Code(_W, _E, "a key nobody is known to use"),
    "field-not-text": Code(_W, _E, "a list or a mapping where text is needed, ignored"),
    "metadata-not-a-mapping": Code(_W, _E, "`metadata` that is not 'key: value' lines, ignored"),
    "metadata-nested": Code(_I, _E, "a value in `metadata` that is not text, kept as it is"),
    "tools-unreadable": Code(_W, _E, "`allowed-tools` that cannot be trusted and grants less or nothing"),
    "name-missing": Code(_W, _E, "no name; the folder's is used"),
    "name-unknown": Code(_E, _E, "no name, and no folder to take it from"),
    "name-too-long": Code(_W, _E, "a name over 64 characters"),
    "name-not-lowercase": Code(_W, _E, "capitals in a name"),
    "name-characters": Code(_W, _E, "other characters in a name than letters, digits and hyphens"),
    "name-edge-hyphen": Code(_W, _E, "a name that starts or ends with a hyphen"),
    "name-double-hyphen": Code(_W, _E, "two hyphens in a row in a name"),
    "name-not-folder": Code(_W, _E, "a name that is not the folder's"),
    "description-missing": Code(_E, _E, "no description, so nothing to find the skill by"),
    "description-too-long": Code(_W, _E, "a description over 1,024 characters"),
    "compatibility-too-long": Code(_W, _E, "`compatibility` over 500 characters"),
}
"""Every code a finding about a SKILL.md may have: lenient severity, strict severity, meaning."""


class Fault(Exception):  # noqa: N818  it ends the reading of one file and is never shown as an error
    """Why a file, or a piece of it, cannot be read on; `line` and `column` count from 1."""

    def __init__(self, code: str, message: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(code, message, line, column)
        self.code, self.message, self.line, self.column = code, message, line, column


class Report:
    """The findings about one file, with the severity that the mode gives them."""

    def __init__(self, path: str, *, strict: bool) -> None:
        self._path, self.strict = path, strict
        self._findings: list[Finding] = []

    def add(self, code: str, message: str, line: int | None = None) -> None:
        """Note one problem: `message` says what is wrong and what to do."""
        severity = CODES[code].strict if self.strict else CODES[code].lenient
        self._findings.append(Finding(code, severity, message, self._path, line))

    def findings(self) -> tuple[Finding, ...]:
        """Return everything noted so far, from the top of the file down."""
        return tuple(sorted(self._findings, key=lambda finding: finding.line or 0))

    @property
    def fatal(self) -> bool:
        """Whether an error was noted, which costs the skill."""
        return any(finding.severity is Severity.ERROR for finding in self._findings)

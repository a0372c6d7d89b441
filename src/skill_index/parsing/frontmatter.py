r"""
Where the front matter starts and ends: bytes to text, text to header and body.

A fence is a line of exactly three dashes at its very start, with at most blanks behind them.
The first such line after the opening one closes.  The pattern is of one whole line, because a
search for the text '---' cuts values in two ("a --- b"), and a pattern such as `\n---\s*\n`
fails on an empty block or a missing last newline and can take cubic time on blank lines.

Text is UTF-8 and nothing else: an encoding that never fails, tried as a guess, would turn
every other one into wrong letters without a word.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from skill_index.parsing.codes import Fault
from skill_index.settings import Limits

_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
# What a header cannot hold: controls, the line breaks only some programs know, a BOM, non-characters.
_HIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
# At the start of a line a blank would be an indent, and change what the line belongs to.
_HIDDEN_FIRST = re.compile(rf"^{_HIDDEN.pattern}+", re.MULTILINE)
_FENCE = re.compile(r"^---[ \t]*$", re.MULTILINE)
_BOM = "\ufeff"
_ADVICE = "start the file with '---', 'name: ...', 'description: ...', '---'"


@dataclass(frozen=True, slots=True)
class Document:
    """
    A SKILL.md in two parts, its opening fence on line `opener`.

    Every line of `header` stands on the line it has in the file, so blank lines come first.
    `hidden` tells the lines where hidden characters were taken out, or turned into blanks inside a line.
    """

    header: str
    body: str
    opener: int
    hidden: tuple[int, ...] = ()


def read_document(data: bytes, limits: Limits) -> Document:
    r"""
    Return the header and the body of a SKILL.md, newlines as '\n', or raise a `Fault`.

    >>> read_document(b"---\r\nname: a\r\n--- \r\n\r\nSteps.", Limits())
    Document(header='\nname: a', body='Steps.', opener=1, hidden=())
    """
    text = _decode(data, limits)
    above, start = _opening(text)
    closer = _FENCE.search(text, start)
    if closer is None:
        message = "the front matter is never closed; put a line '---' below it"
        raise Fault("header-unclosed", message, above + 1)
    end = closer.start() - 1
    # What stands above the fence counts too: the YAML parser passes over as many lines.
    if len(text[:end].encode()) > limits.header_bytes:
        message = f"the front matter has over {limits.header_bytes:,} bytes; move text below the second '---'"
        raise Fault("header-too-large", message, above + 1)
    header = "\n" * (above + 1) + text[start:end]
    body = text[closer.end() :].lstrip("\n")
    if not _HIDDEN.search(header):
        return Document(header, body, above + 1)
    hidden = tuple(at for at, line in enumerate(header.split("\n"), 1) if _HIDDEN.search(line))
    return Document(_HIDDEN.sub(" ", _HIDDEN_FIRST.sub("", header)), body, above + 1, hidden)


def _decode(data: bytes, limits: Limits) -> str:
    if len(data) > limits.file_bytes:
        message = f"the file has over {limits.file_bytes:,} bytes; move text to files beside it"
        raise Fault("file-too-large", message)
    if data.startswith(_WIDE):
        raise Fault("not-utf8", "the file is UTF-16 or UTF-32; save it as UTF-8", 1)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = _normalised(data[: error.start].decode("utf-8")).count("\n") + 1
        message = f"byte {error.start} is not UTF-8; save the file as UTF-8"
        raise Fault("not-utf8", message, line) from None
    text = _normalised(text.lstrip(_BOM))
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise Fault("not-text", "there are NUL characters in it; save the file as UTF-8 text", line)
    return text


def _normalised(text: str) -> str:
    # One sign is found faster than two, and most files have none.
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _opening(text: str) -> tuple[int, int]:
    """
    Return how many lines stand above the opening fence, and where the line below it begins.

    Only blank lines and HTML comments may stand above.  A text without a fence is refused: a name taken
    from its heading or folder would be advertised with nothing that says what it is for.
    """
    if fence := _FENCE.match(text):
        return 0, fence.end() + 1
    lines = text.split("\n")
    at = 0
    # What was put above a file in whole leaves the file's own mark before the fence.
    while at < len(lines) and not _FENCE.fullmatch(lines[at].lstrip(_BOM)):
        if lines[at].strip():
            at = _comment_end(lines, at)
        at += 1
    if at == len(lines):
        raise Fault("header-missing", f"there is no front matter; {_ADVICE}", 1)
    return at, sum(len(line) + 1 for line in lines[: at + 1])


def _comment_end(lines: list[str], at: int) -> int:
    """Return the last line of the HTML comment that begins at line `at`."""
    if lines[at].lstrip().startswith("<!--"):
        end = next((end for end in range(at, len(lines)) if "-->" in lines[end]), None)
        if end is not None and not lines[end].rpartition("-->")[2].strip():
            return end
    raise Fault("header-missing", f"there is text where the front matter should be; {_ADVICE}", at + 1)

"""
Which file of a skill a name means: looked up in the listing, never joined to a path.

    what a model writes ─spelling─▶ a listed name, or the answer that says which names there are

What is not in the listing is not there, whatever lies outside: `../x`, absolute and encoded names,
devices and links that leave the skill get one answer, which does not tell whether the target exists.
A path that begins with the skill's folder, as the model was told it, is looked up without that.
"""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Iterable, Iterator
from urllib.parse import unquote

from skill_index.names import nearest
from skill_index.naming import Entry
from skill_index.resources import Listing, leads_out
from skill_index.text import escape, one_line
from skill_index.tools.context import Context
from skill_index.tools.reply import ToolFailure, ToolReply, failed

FOLDER_NAMES = 200
"""Names of a folder in one answer."""

OWN = "SKILL.md"
"""The name that reads the instructions, also of a skill that is in no file."""

_QUOTES = "\"'`"
_DECODED = 3  # times a text may be encoded over and over
_REFUSED = {"link-out", "dangling-link", "not-a-file", "unreadable"}


def readable_names(listing: Listing) -> list[str]:
    """Return the names of a skill's files, with that of its instructions also where they are in no file."""
    names = [resource.name for resource in listing.resources]
    return names if any(name.casefold() == "skill.md" for name in names) else [*names, OWN]


def find_resource(context: Context, entry: Entry, asked: str) -> str | ToolReply:
    """Return the listed name that is meant, or the answer that says which there are."""
    listing = entry.skill.resources.listing()
    names = readable_names(listing)
    found = _found(asked, names) or _found(_below(context, entry, asked), names)
    if found:
        return found
    if _leads_elsewhere(asked) or _is_refused(entry, asked, listing):
        return _unsafe(entry, asked)
    folder = _plain(asked)
    inside = [name for name in names if name.startswith(f"{folder}/")] if folder else names
    return _folder(entry, folder, inside) if inside or not folder else missing(entry, asked, names)


def _found(asked: str, names: list[str]) -> str:
    """Return the name that is meant, "" for none: in one of its spellings, or as it is shown."""
    known = set(names)
    for spelling in _spellings(asked):
        if spelling in known:
            return spelling
        if spelling == OWN:
            return next(name for name in names if name.casefold() == "skill.md")
    shown = {_shown(text) for text in (asked, html.unescape(asked))} - {""}
    alike = [name for name in names if _shown(name) in shown]
    return alike[0] if len(alike) == 1 else ""


def _shown(name: str) -> str:
    """Return a name as it looks: a run of blanks is one, and letters are composed, as models write them."""
    return unicodedata.normalize("NFC", one_line(name))


def _below(context: Context, entry: Entry, asked: str) -> str:
    """Return what stands behind the skill's folder, as it is or as it is shown, in a path below it, or ""."""
    folder, path = context.folder(entry) or "", asked.strip().strip(_QUOTES)
    spellings = (folder, one_line(folder), escape(folder)) if folder else ()
    told = next((spelling for spelling in spellings if path.startswith(f"{spelling}/")), "")
    return path.removeprefix(f"{told}/") if told else ""


def _leads_elsewhere(asked: str) -> bool:
    """Return whether a text leads out of a folder, also to one who decodes it as URLs or pages are."""
    text = asked.strip()
    for _ in range(_DECODED):
        if leads_out(text):
            return True
        text = unquote(html.unescape(text)).strip()
    return leads_out(text)


def _is_refused(entry: Entry, asked: str, listing: Listing) -> bool:
    """
    Return whether a name is that of a link or device that was left out of the listing, or below it.

    A link with a target outside and one with none are answered alike.
    """
    path = f"{entry.skill.resources.folder.rstrip('/')}/{_plain(asked)}/"
    refused = [finding.path for finding in listing.findings if finding.code in _REFUSED]
    return any(path.startswith(f"{place}/") for place in refused)


def is_dot(asked: str) -> bool:
    """Return whether the skill's folder itself is asked for."""
    return bool(asked.strip()) and not asked.startswith("/") and not _plain(asked)


def _spellings(asked: str) -> Iterator[str]:
    """Yield what may have been meant, the exact text first; nothing is decoded as in a URL."""
    for text in (asked, html.unescape(asked)):
        yield text
        yield text.strip()
        yield text.strip().strip(_QUOTES)
        # A slash at the end asks for a folder.
        if not text.strip().endswith("/"):
            yield _plain(text)


def _plain(asked: str) -> str:
    """Return a name without the parts that lead nowhere."""
    return "/".join(part for part in asked.strip().split("/") if part not in {"", "."})


def _unsafe(entry: Entry, asked: str) -> ToolReply:
    return failed(
        ToolFailure(
            code="unsafe-path",
            message=f"{asked!r} is not the name of a file of the skill {entry.key!r}",
            subject=asked,
            recovery='give a name relative to the skill\'s folder, as listed; resource_name="." lists them',
            retryable=True,
        )
    )


def missing(entry: Entry, asked: str, names: list[str]) -> ToolReply:
    """Return the answer to a name of no file, with the names it may have meant."""
    nearby = nearby_files(asked, names)
    recovery = "ask for one of the names given here" if nearby else 'see all names with resource_name="."'
    return failed(
        ToolFailure(
            code="resource-not-found",
            message=f"the skill {entry.key!r} has no file {asked!r}",
            subject=asked,
            nearby=nearby,
            recovery=recovery if names else "it has no files beside its instructions; go on without",
            retryable=bool(names),
        )
    )


def nearby_files(asked: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return the names most likely meant: that file elsewhere or otherwise spelt, then names like it."""
    names = list(names)
    plain = _plain(unquote(asked).replace("\\", "/")).casefold()
    last = plain.rpartition("/")[2]
    alike = [
        name
        for name in names
        if (own := name.casefold()) == plain
        or own.startswith(f"{plain}/")
        or last in {(file := own.rpartition("/")[2]), file.rpartition(".")[0]}
    ]
    alike.sort(key=lambda name: (name.casefold() != plain, not name.casefold().startswith(plain)))
    return tuple(dict.fromkeys((*alike, *nearest(plain, names))))[:5]


def _folder(entry: Entry, folder: str, inside: list[str]) -> ToolReply:
    what = f"{folder!r} is a folder" if folder else "a skill is a folder"
    shown = tuple(inside[:FOLDER_NAMES])
    more = ""
    if len(shown) < len(inside):
        more = f', the first {len(shown)} of which are named here (resource_name="." gives all)'
    files = f"{len(inside)} file{'s' if len(inside) != 1 else ''}"
    return failed(
        ToolFailure(
            code="resource-is-folder",
            message=f"{what} of {files}{more}; name one of them to read it",
            subject=folder or entry.key,
            nearby=shown,
            recovery="ask for one of the names given here" if inside else "it has no files to read; go on",
            retryable=bool(inside),
        )
    )

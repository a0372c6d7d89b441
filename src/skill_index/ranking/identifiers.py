"""
How the names of code and files fall into words: at what joins them, and where their letters change.

    my-XMLParser ─▶ my, XML, Parser        iOS/Android ─▶ i, OS, Android; iOS is a name of its own

By rules alone: a list of names such as "iOS" is never complete.
"""

from __future__ import annotations

import re

_JOINT = "-\u2010_./'’&"  # with the hyphen that models write for "-", as one that breaks no line, too
_JOINTS = re.compile(rf"([{_JOINT}])")
# Between "add" and "Person", and between "XML" and "Parser"; but "PDFs" is the plural of "PDF".
_HUMPS = re.compile(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])(?![A-Z]s(?![a-z]))")
# "html2pdf" is from one to the other; but "k8s", "mp4" and "ec2" are names.
_TO = re.compile(r"(?<=[^\W\d_]{2})2(?=[^\W\d_]{2})")


def split(piece: str) -> list[str]:
    """
    Split an identifier at its joints, its humps and a 2 for "to"; `asp.net` keeps the dot that `.net` needs.

    >>> split("my-XMLParser_2"), split("PDFs"), split("k8s"), split("R&D")
    (['my', 'XML', 'Parser', '2'], ['PDFs'], ['k8s'], ['R', 'D'])
    """
    if piece.isalnum():
        return _humps(piece)
    parts: list[str] = []
    joint = ""
    for text in _JOINTS.split(piece):
        if text in _JOINT:
            joint = text
        elif joint == "." and text.lower() == "net":
            parts.append(f".{text}")
        else:
            parts += _humps(text)
    return parts


def names_in(piece: str) -> list[str]:
    """
    Return the names between the joints of an identifier that fall into words themselves.

    >>> names_in("iOS/Android"), names_in("GitHub")
    (['iOS'], [])
    """
    if piece.isalnum():
        return []
    return [name for name in _JOINTS.split(piece)[::2] if len(_humps(name)) > 1]


def joined(piece: str) -> str:
    """Return an identifier without its joints."""
    return _JOINTS.sub("", piece)


def _humps(name: str) -> list[str]:
    humps = [name] if name.islower() or name[1:].islower() else _HUMPS.split(name)
    return [part for hump in humps for part in _TO.split(hump)] if "2" in name else humps

"""
The arguments of a script from what a model writes: a JSON list, or an object of options.

Each item becomes one argument whole, whatever characters it holds, since no shell reads it.
A single text is refused instead of split: splitting is a shell's work, with a shell's dangers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

Scalar = str | int | float
"""What can be one argument; a boolean is an int."""

_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


def to_arguments(args: Sequence[object] | Mapping[str, object] | None) -> tuple[str, ...]:
    """
    Return a list, or an object of options, as the arguments of a script.

    An object's `key: value` becomes `--key value`: true is the bare `--key`, false and null leave
    the option out, and a list repeats it.  `ValueError` says what cannot be an argument.

    >>> to_arguments(["in.pdf", 2, True])
    ('in.pdf', '2', 'true')
    >>> to_arguments({"page": [1, 2], "quiet": True, "title": "a b", "force": False})
    ('--page', '1', '--page', '2', '--quiet', '--title', 'a b')
    """
    if args is None:
        return ()
    if isinstance(args, Mapping):
        return tuple(text for key, value in args.items() for text in _option(key, value))
    if isinstance(args, (str, bytes, bytearray)) or not isinstance(args, Sequence):
        message = f'arguments are a list or an object, not {_named(args)}; write a list, like ["in.pdf"]'
        raise ValueError(message)
    return tuple(_text(value, f"argument {number}") for number, value in enumerate(args, 1))


def _option(key: object, value: object) -> list[str]:
    if not isinstance(key, str) or not _KEY.fullmatch(key):
        message = f"{key!a} cannot be an option; use letters, digits, '-' and '_', and begin with a letter"
        raise ValueError(message)
    if value is None or value is False:
        return []
    if value is True:
        return [f"--{key}"]
    values = value if isinstance(value, (list, tuple)) else [value]
    return [text for item in values for text in (f"--{key}", _text(item, f"option {key}"))]


def _text(value: object, where: str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Scalar):
        return str(value)
    message = f"{where} is {_named(value)}; it must be a text, a number or a boolean"
    raise ValueError(message)


def _named(value: object) -> str:
    return {"NoneType": "null", "str": "a single text"}.get(type(value).__name__, type(value).__name__)

"""
Reading what a model's client hands over: parts of a message that are dicts here and objects there.

Hosts keep messages as the client's objects or as the JSON they were; both are read by key.
"""

from __future__ import annotations

from collections.abc import Mapping


def get(block: object, key: str) -> object:
    """Return what a part of a message has under a key, None where it has no such thing."""
    return block.get(key) if isinstance(block, Mapping) else getattr(block, key, None)

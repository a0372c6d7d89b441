"""What a module of a framework says where the framework is not installed: the command that installs it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def extra(name: str) -> Iterator[None]:
    """
    Import a framework in this block; what is missing is an ImportError with the command for its extra.

    >>> with extra("langchain"):
    ...     import no_such_framework
    Traceback (most recent call last):
    ...
    ModuleNotFoundError: No module named 'no_such_framework'; pip install "skill_index[langchain]"
    """
    try:
        yield
    except ImportError as error:
        message = f'{error}; pip install "skill_index[{name}]"'
        kind = ModuleNotFoundError if isinstance(error, ModuleNotFoundError) else ImportError
        raise kind(message, name=error.name, path=error.path) from error

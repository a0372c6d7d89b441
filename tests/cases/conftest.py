"""What the tests of reported faults share: folders of skills, made from texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

Make = Callable[[Mapping[str, str | bytes]], Path]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Return a function that writes files below a folder and returns the folder."""

    def write(files: Mapping[str, str | bytes]) -> Path:
        for path, content in files.items():
            data = content if isinstance(content, bytes) else content.encode()
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_bytes(data)
        return tmp_path

    return write

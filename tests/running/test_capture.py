"""Output in bounded memory."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_index.running.capture import Capture, Output

LINE = re.compile(r"\n\[([\d,]+) bytes left out\]\n")


def captured(limit: int, *chunks: bytes) -> Capture:
    """Return a capture that was given some chunks."""
    capture = Capture(limit)
    for chunk in chunks:
        capture.add(chunk)
    return capture


CUTS = [
    (8, b"01234567", Output("01234567", 0)),
    (8, b"012345678", Output("012345\n[1 bytes left out]\n78", 1)),
    (0, b"", Output("", 0)),
    (0, b"abc", Output("\n[3 bytes left out]\n", 3)),
    (1, b"abc", Output("a\n[2 bytes left out]\n", 2)),
    (8, "01234éxxxéx9".encode(), Output("01234\n[7 bytes left out]\nx9", 7)),
    (8, "012345éé".encode(), Output("012345\n[2 bytes left out]\né", 2)),
    (8, "01文xx文".encode(), Output("01文x\n[4 bytes left out]\n", 4)),
    (8, b"\xff" * 9, Output("\ufffd" * 6 + "\n[1 bytes left out]\n" + "\ufffd" * 2, 1, replaced=True)),
    (8, b"\xffa\xc3", Output("\ufffda\ufffd", 0, replaced=True)),
    (8, "\ufffda".encode(), Output("\ufffda", 0)),
    (4, "a\ufffdxx\ufffd".encode(), Output("a\n[8 bytes left out]\n", 8)),
]


@pytest.mark.parametrize(("limit", "data", "output"), CUTS)
def test_the_middle_is_left_out_between_characters(limit: int, data: bytes, output: Output) -> None:
    """Head, a line, tail; half a character counts as left out, and bytes that are none are replaced."""
    assert captured(limit, data).output() == output


@given(st.integers(0, 60), st.lists(st.binary(max_size=40)))
def test_chunks_make_no_difference(limit: int, chunks: list[bytes]) -> None:
    """What is kept depends on what was printed, not on when; and never more than the limit is held."""
    data = b"".join(chunks)
    capture = captured(limit, *chunks)
    assert capture.output() == captured(limit, data).output()
    assert len(capture.head) + len(capture.tail) <= limit
    assert (capture.output().omitted > 0) == (len(data) > limit)


@given(
    st.integers(0, 60),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\ufffd["), max_size=90),
)
def test_text_is_cut_but_never_damaged(limit: int, text: str) -> None:
    """The parts kept are the beginning and the end of the text, and the bytes add up."""
    data = text.encode()
    output = captured(limit, data).output()
    if not output.omitted:
        assert output.text == text
        return
    head, number, tail = LINE.split(output.text)
    assert text.startswith(head)
    assert text.endswith(tail)
    assert int(number) == output.omitted == len(data) - len(head.encode()) - len(tail.encode())
    assert len(head.encode()) > limit - limit // 4 - 4
    assert len(tail.encode()) >= limit // 4 - 3

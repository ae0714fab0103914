"""What a submission prints is bounded, and fit to be shown."""

from __future__ import annotations

from ggp.submission.process import KEPT_BYTES, Output, one_line


def test_the_beginning_and_the_end_are_kept() -> None:
    """The rest is counted, in whatever pieces it comes."""
    output = Output()
    for number in range(10_000):
        output.take(b"%04d\n" % number)

    beginning, middle, end = output.text.partition("\n... 47,952 bytes left out ...\n")
    assert beginning.startswith("0000\n0001\n")
    assert middle
    assert end.endswith("9998\n9999\n")
    assert len(beginning) == len(end) == KEPT_BYTES
    assert output.num_bytes == 50_000


def test_little_is_kept_whole() -> None:
    """Nothing is left out of less than is kept, and nothing twice."""
    output = Output()
    output.take(b"a" * (KEPT_BYTES + 1))

    assert output.text == "a" * (KEPT_BYTES + 1)


def test_what_moves_the_cursor_is_replaced() -> None:
    """Escapes, returns, and letters that turn the direction of reading."""
    assert one_line("a\x1b[2Jb\rc\u202ed\ne") == "a\ufffd[2Jb\ufffdc\ufffdd e"

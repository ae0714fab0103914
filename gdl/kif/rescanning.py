"""The words of a text of which an earlier version was scanned: only changed lines are read again.

Nothing that is scanned goes over the end of a line, so lines that are the same have the same words.
"""

from __future__ import annotations

from collections.abc import Iterable

from gdl.errors import Source, Span
from gdl.kif.reader import Comment, scan
from gdl.syntax import Word

Tokens = list[Word | Comment]


def rescan(source: Source, before: Source, tokens: Tokens) -> Tokens:
    """All words, parentheses and comments of a text, as `scan` gives them.

    Args:
        source: The text.
        before: An earlier version of it.
        tokens: What `scan` gave for that.
    """
    lines, old_lines = source.text.split("\n"), before.text.split("\n")
    first = _count_equal(lines, old_lines)
    most = min(len(lines), len(old_lines)) - first
    last = min(most, _count_equal(lines[::-1], old_lines[::-1]))
    head = sum(len(line) + 1 for line in lines[:first])
    tail = sum(len(line) + 1 for line in lines[len(lines) - last :])
    start, end = min(head, len(source.text)), max(head, len(source.text) + 1 - tail)
    shift = len(source.text) - len(before.text)
    old_end = max(head, len(before.text) + 1 - tail)
    middle = scan(Source(source.name, source.text[start:end]))
    return [
        *_moved((token for token in tokens if token.span.start < head), source, 0),
        *_moved(middle, source, start),
        *_moved((token for token in tokens if token.span.start >= old_end), source, shift),
    ]


def _count_equal(lines: list[str], others: list[str]) -> int:
    """Number of lines with which both begin."""
    count = 0
    for line, other in zip(lines, others, strict=False):
        if line != other:
            break
        count += 1
    return count


def _moved(tokens: Iterable[Word | Comment], source: Source, shift: int) -> Tokens:
    return [
        type(token)(token.text, Span(source, token.span.start + shift, token.span.end + shift))
        for token in tokens
    ]

"""Prose as data: sections of sentences, and the lines of the rulesheet that each comes from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, the conditions that follow it in lines of their own, and whence it comes.

    Attributes:
        lines: Of the rulesheet, from 1; none for what holds in all games.
    """

    said: str
    parts: tuple[str, ...] = ()
    lines: tuple[int, ...] = ()

    def text(self, *, has_lines: bool = True) -> str:
        """The sentence, with its lines of the rulesheet unless they are not wanted."""
        place = f" [{lines_text(self.lines)}]" if self.lines and has_lines else ""
        return "\n".join([f"- {self.said}{place}", *(f"  - {part}" for part in self.parts)])


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the prose."""

    title: str
    intro: str
    sentences: tuple[Sentence, ...]

    def text(self, *, has_lines: bool = True) -> str:
        """The section as text."""
        texts = (sentence.text(has_lines=has_lines) for sentence in self.sentences)
        return "\n".join([self.title, *([self.intro] if self.intro else []), *texts])


@dataclass(frozen=True, slots=True)
class Prose:
    """The rules of a game in plain sentences.

    Attributes:
        within: Lines of facts and rules that sentences of other rules tell as well, such as the
            order of numbers that is told as `ROW+1`.
    """

    sections: tuple[Section, ...]
    within: frozenset[int] = frozenset()

    def section(self, title: str) -> Section:
        """The section of a title; KeyError if there is none."""
        found = [section for section in self.sections if section.title == title]
        if not found:
            raise KeyError(title)
        return found[0]

    def text(self, *, has_lines: bool = True) -> str:
        """All sections as text."""
        return "\n\n".join(section.text(has_lines=has_lines) for section in self.sections)

    @property
    def lines(self) -> frozenset[int]:
        """The lines of the rulesheet that are told."""
        return frozenset(
            line for section in self.sections for one in section.sentences for line in one.lines
        )


def lines_text(lines: Sequence[int]) -> str:
    """Lines as `line 3` or `lines 3-5, 9`."""
    runs: list[list[int]] = []
    for line in sorted(set(lines)):
        if runs and line == runs[-1][1] + 1:
            runs[-1][1] = line
        else:
            runs.append([line, line])
    text = ", ".join(str(low) if low == high else f"{low}-{high}" for low, high in runs)
    return f"{'line' if text.isdecimal() else 'lines'} {text}"

"""Prose as data: sections of sentences, with the lines of the rulesheet that they describe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sentence:
    """Sentence about rules, with conditions listed below it.

    Attributes:
        lines: Lines of the rulesheet, from 1. Empty if the sentence holds in all games.
    """

    said: str
    parts: tuple[str, ...] = ()
    lines: tuple[int, ...] = ()

    def text(self, *, has_lines: bool = True) -> str:
        """Return the sentence, followed by the lines of the rulesheet if `has_lines`."""
        place = f" [{lines_text(self.lines)}]" if self.lines and has_lines else ""
        return "\n".join([f"- {self.said}{place}", *(f"  - {part}" for part in self.parts)])


@dataclass(frozen=True, slots=True)
class Section:
    """Section of the prose: a title, an introduction and sentences."""

    title: str
    intro: str
    sentences: tuple[Sentence, ...]

    def text(self, *, has_lines: bool = True) -> str:
        """Return the section as text."""
        texts = (sentence.text(has_lines=has_lines) for sentence in self.sentences)
        return "\n".join([self.title, *([self.intro] if self.intro else []), *texts])


@dataclass(frozen=True, slots=True)
class Prose:
    """Rules of a game in plain sentences.

    Attributes:
        within: Lines without a sentence of their own, because other sentences cover them. For
            example, `ROW+1` covers the lines about the order of numbers.
    """

    sections: tuple[Section, ...]
    within: frozenset[int] = frozenset()

    def section(self, title: str) -> Section:
        """Return the section with this title. Raise KeyError if there is no such section."""
        found = [section for section in self.sections if section.title == title]
        if not found:
            raise KeyError(title)
        return found[0]

    def text(self, *, has_lines: bool = True) -> str:
        """Return all sections as text."""
        return "\n\n".join(section.text(has_lines=has_lines) for section in self.sections)

    @property
    def lines(self) -> frozenset[int]:
        """Lines of the rulesheet that sentences describe."""
        return frozenset(
            line for section in self.sections for one in section.sentences for line in one.lines
        )


def lines_text(lines: Sequence[int]) -> str:
    """Return line numbers as `line 3` or `lines 3-5, 9`."""
    runs: list[list[int]] = []
    for line in sorted(set(lines)):
        if runs and line == runs[-1][1] + 1:
            runs[-1][1] = line
        else:
            runs.append([line, line])
    text = ", ".join(str(low) if low == high else f"{low}-{high}" for low, high in runs)
    return f"{'line' if text.isdecimal() else 'lines'} {text}"

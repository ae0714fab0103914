"""Parts of a recomputed example: comparisons, tables, pictures and notes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from ggp.lectures.sketch import Sketch


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement of the lecture, and our corresponding result."""

    what: str
    lecture: str
    ours: str
    agrees: bool

    @classmethod
    def same(cls, what: str, lecture: object, ours: object) -> Claim:
        """Create a claim that holds if both results have the same text."""
        return cls(what, str(lecture), str(ours), str(lecture) == str(ours))


@dataclass(frozen=True, slots=True)
class ReportTable:
    """Our results that have no counterpart in the lecture."""

    heading: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[str, ...] = ()
    """Headings of the right-aligned columns."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A tree, or lines of text that are already drawn."""

    heading: str
    sketch: Sketch | None = None
    lines: tuple[str, ...] = ()


Part = ReportTable | Picture


@dataclass(frozen=True, slots=True)
class LectureReport:
    """A recomputed example of a lecture."""

    title: str
    source: str
    """Title of the lecture."""
    claims: tuple[Claim, ...]
    parts: tuple[Part, ...] = ()
    """Parts that are shown before the claims."""
    notes: tuple[str, ...] = ()
    """Remarks without which readers might be misled."""

    @property
    def num_agreeing(self) -> int:
        """Number of claims that hold."""
        return sum(claim.agrees for claim in self.claims)

    @property
    def sketches(self) -> tuple[tuple[str, Sketch], ...]:
        """The trees with their headings, for drawing them as SVG."""
        return tuple(
            (part.heading, part.sketch)
            for part in self.parts
            if isinstance(part, Picture) and part.sketch is not None
        )

    def as_json(self) -> dict[str, Any]:
        """Return the whole report as JSON data."""
        return asdict(self)


def comparison(rows: Iterable[tuple[str, object, object]]) -> tuple[Claim, ...]:
    """Create claims from rows (what, lecture, ours). A claim holds if the two texts are equal."""
    return tuple(Claim.same(*row) for row in rows)

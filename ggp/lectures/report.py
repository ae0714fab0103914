"""Parts of a reproduced example: comparisons, tables, pictures and notes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from ggp.lectures.sketch import Sketch


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that the lecture says, beside the same thing as it comes out here."""

    what: str
    lecture: str
    ours: str
    agrees: bool

    @classmethod
    def same(cls, what: str, lecture: object, ours: object) -> Claim:
        """A claim that holds if both are written alike."""
        return cls(what, str(lecture), str(ours), str(lecture) == str(ours))


@dataclass(frozen=True, slots=True)
class ReportTable:
    """Figures of ours that the lecture has no counterpart for."""

    heading: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[str, ...] = ()
    """The columns to align at the right."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A tree, or a few lines that are drawn already."""

    heading: str
    sketch: Sketch | None = None
    lines: tuple[str, ...] = ()


Part = ReportTable | Picture


@dataclass(frozen=True, slots=True)
class LectureReport:
    """One example of a lecture, reproduced."""

    title: str
    source: str
    """The lecture, by its title."""
    claims: tuple[Claim, ...]
    parts: tuple[Part, ...] = ()
    """Shown before the claims."""
    notes: tuple[str, ...] = ()
    """Remarks that a reader has to know in order not to be misled."""

    @property
    def num_agreeing(self) -> int:
        """Number of claims that hold."""
        return sum(claim.agrees for claim in self.claims)

    @property
    def sketches(self) -> tuple[tuple[str, Sketch], ...]:
        """The trees with their headings, which can be drawn as SVG."""
        return tuple(
            (part.heading, part.sketch)
            for part in self.parts
            if isinstance(part, Picture) and part.sketch is not None
        )

    def as_json(self) -> dict[str, Any]:
        """Everything, as values that JSON has."""
        return asdict(self)


def comparison(rows: Iterable[tuple[str, object, object]]) -> tuple[Claim, ...]:
    """Claims that hold where both sides are written alike; (what, lecture, ours) each."""
    return tuple(Claim.same(*row) for row in rows)

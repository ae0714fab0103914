"""Result of one attack: its match, memory, recovery, and other faults."""

from __future__ import annotations

from dataclasses import dataclass, field

MAX_RECOVERY_SECONDS = 5.0
MAX_TURN_SECONDS = 10.0
"""Seconds between two turns of the match; its clocks and one recovery are shorter."""
MAX_LOG_BYTES = 1_000_000
HEADINGS = (
    *("attack", "turns", "late", "illegal", "lost", "longest", "MB", "most MB"),
    *("files", "processes", "answered", "recovery", "verdict"),
)
WIDTHS = (18, 6, 5, 8, 5, 8, 6, 8, 6, 10, 9, 9, 8)


@dataclass
class Report:
    """The row of one attack.

    Attributes:
        name: Of the attack.
        has_match: Whether a match runs at the same time.
        most_growth: Megabytes by which the program and its processes may grow.
    """

    name: str
    has_match: bool = False
    most_growth: float = 600.0
    turns: int = 0
    late: int = 0
    illegal: int = 0
    lost: int = 0
    """Turns without an answer: `CE`, or reported and not found later."""
    longest: float = 0.0
    """Longest time between two turns, in seconds."""
    megabytes: float = 0.0
    """Resident memory of all processes of the program before the attack."""
    most_megabytes: float = 0.0
    most_files: int = 0
    most_processes: int = 0
    asked: int = 0
    """How often INFO or the API was requested during the attack."""
    answered: int = 0
    recovery: float | None = None
    """Seconds after the attack until it answers as before and the next turn is played."""
    faults: list[str] = field(default_factory=list)
    """Other faults."""
    skipped: str = ""
    """Why there was no attack on this machine; empty if there was one."""

    def fault(self, what: str) -> None:
        """Note a fault once."""
        if what not in self.faults:
            self.faults.append(what)

    def count(self, error: str) -> None:
        """Count a bad answer by its code: TO, IL or CE; empty for a good one."""
        self.late += error == "TO"
        self.illegal += error.startswith("IL")
        self.lost += error == "CE"

    def problems(self) -> list[str]:
        """Return everything that breaks the promise; empty if the program withstood the attack."""
        if self.skipped:
            return []
        found = [
            f"{num} {name}"
            for num, name in ((self.late, "late"), (self.illegal, "illegal"), (self.lost, "lost"))
            if num
        ]
        growth = self.most_megabytes - self.megabytes
        if growth > self.most_growth:
            found.append(f"grew by {growth:.0f} MB, expected at most {self.most_growth:.0f}")
        if self.recovery is not None and self.recovery > MAX_RECOVERY_SECONDS:
            found.append(f"recovered after {self.recovery:.1f} s")
        if self.longest > MAX_TURN_SECONDS:
            found.append(f"no turn for {self.longest:.1f} s")
        if self.has_match and self.turns == 0:
            found.append("no turn was played")
        return found + self.faults

    def row(self) -> str:
        """Return the line of the table."""
        counts = (self.turns, self.late, self.illegal, self.lost, f"{self.longest:.1f}")
        cells = [
            self.name,
            *(map(str, counts) if self.has_match else ["-"] * len(counts)),
            *(f"{self.megabytes:.0f}", f"{self.most_megabytes:.0f}"),
            *(str(self.most_files), str(self.most_processes)),
            f"{self.answered}/{self.asked}" if self.asked else "-",
            "-" if self.recovery is None else f"{self.recovery:.1f}",
            "skipped" if self.skipped else "FAIL" if self.problems() else "pass",
        ]
        return in_columns(cells)


def in_columns(cells: list[str]) -> str:
    """Return the cells in the columns of the table."""
    first = f"{cells[0]:{WIDTHS[0]}}"
    return first + "".join(
        f"{cell:>{width}}" for cell, width in zip(cells[1:], WIDTHS[1:], strict=True)
    )

"""The report on a match, as a notebook shows it."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Final

from ggp.notebook.table import Table
from ggp.report.match_report import Mark, MatchReport
from ggp.report.page import body
from ggp.terminal.console import or_dash

_STYLE: Final = """<style>
.ggp-report{max-width:60rem}
.ggp-report figure{margin:.3rem 0}
.ggp-report svg{height:auto;max-width:100%}
.ggp-report table{border-collapse:collapse}
.ggp-report table :is(td,th){border-bottom:1px solid #8886;padding:.15rem .9rem .15rem 0;
 text-align:left}
.ggp-report table .n.n{text-align:right}
.ggp-report .dot{border-radius:50%;display:inline-block;height:.8em;margin-right:.4em;width:.8em}
.ggp-report h2{font-size:1.2em}
.ggp-report h3{font-size:1em;margin:0}
.ggp-report article{border-top:1px solid #8886;display:grid;gap:1rem;
 grid-template-columns:minmax(8rem,12rem) 1fr;padding:.7rem 0}
</style>"""


class Report:
    """The value of each position of a match, and its mistakes; `report` has all as data."""

    def __init__(self, report: MatchReport, pictures: Mapping[int, str]) -> None:
        self.report = report
        self._pictures = dict(pictures)

    @property
    def mistakes(self) -> Table:
        """The moves that are marked, the worst first."""
        roles = self.report.roles
        rows = [
            [
                str(move.turn),
                roles[move.role],
                move.move,
                str(move.mark),
                f"{move.before:.0f} → {move.after:.0f}",
                "proven" if move.is_proven else "estimated",
                move.best,
            ]
            for move in self.report.mistakes
        ]
        headings = ["turn", "role", "move", "mark", "goal", "known", "better"]
        return Table(headings, rows, "turn,goal")

    @property
    def accuracy(self) -> dict[str, float | None]:
        """The accuracy of each role, 0 to 100; None if it had no choice."""
        return {name: self.report.accuracy(role) for role, name in enumerate(self.report.roles)}

    def __repr__(self) -> str:
        rows = [
            [
                name,
                or_dash(None if found is None else f"{found:.1f} %"),
                *(str(self.report.num_marked(role, mark)) for mark in Mark),
            ]
            for role, (name, found) in enumerate(self.accuracy.items())
        ]
        headings = ["role", "accuracy", "inaccuracies", "mistakes", "blunders"]
        players = Table(headings, rows, ",".join(headings[1:]))
        return f"{players!r}\n{self.mistakes!r}" if self.report.mistakes else repr(players)

    def _repr_html_(self) -> str:
        content = repr((self.report, sorted(self._pictures.items())))
        anchor = f"ggp{sha256(content.encode(errors='replace')).hexdigest()[:10]}-turn"
        return f'{_STYLE}<div class="ggp-report">{body(self.report, self._pictures, anchor)}</div>'

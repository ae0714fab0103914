"""Matches in a notebook: played as by `ggp match` or read from files, with their reports."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Final

from ggp.errors import CommandFailedError, WrongUseError, reason_of_writing
from ggp.match.events import Asked, Event
from ggp.notebook.loaded_game import NotebookError, Rules, check_kind, plain_errors
from ggp.notebook.position import Game, Position
from ggp.notebook.slider import Frame, slider, step_for, thinned
from ggp.notebook.table import ProgressLine, Table, progress_line, run
from ggp.players.registry import check
from ggp.protocol.addresses import check_address, is_address
from ggp.protocol.dialects import GGP_BASE
from ggp.records.record import MatchRecord
from ggp.records.recording import read_record
from ggp.report.match_line import game_of, line_of
from ggp.report.match_report import MatchReport
from ggp.report.page import PLAYER_HEADINGS, body, notices, player_rows
from ggp.seating.contestant import Contestant, SeatReports, contestants_named
from ggp.seating.series import SeriesMatch, Terms, play_series
from ggp.terminal.result_tables import series_rows

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
    """The value of each position of a match, and the mistakes. `report` holds all data."""

    def __init__(self, report: MatchReport, pictures: Mapping[int, str]) -> None:
        self.report = report
        self._pictures = dict(pictures)

    @property
    def mistakes(self) -> Table:
        """The moves marked as inaccuracies, mistakes or blunders, the most costly first."""
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
        """The accuracy of each role's own moves, from 0 to 100, or None if it chose no move."""
        return {name: self.report.accuracy(role) for role, name in enumerate(self.report.roles)}

    def __repr__(self) -> str:
        numbers = ",".join(PLAYER_HEADINGS[1:])
        parts = [Table(PLAYER_HEADINGS, player_rows(self.report), numbers)]
        parts += [self.mistakes] * bool(self.report.mistakes)
        return "\n".join([*notices(self.report), *map(repr, parts)])

    def _repr_html_(self) -> str:
        content = repr((self.report, sorted(self._pictures.items())))
        anchor = f"ggp{sha256(content.encode(errors='replace')).hexdigest()[:10]}-turn"
        return f'{_STYLE}<div class="ggp-report">{body(self.report, self._pictures, anchor)}</div>'


MAX_MOVES = 40
"""Maximum number of turns to show in a terminal."""


class Match:
    """A match that has been played.

    A notebook shows all its positions. A terminal shows the moves and the last position.

    Attributes:
        record: The record in the form of GGP-Base.
        notes: Sentences about the players, for example that one of them started slowly.
    """

    def __init__(self, game: Game, record: MatchRecord, notes: tuple[str, ...] = ()) -> None:
        self.game = game
        self.record = record
        self.notes = notes

    @property
    def goals(self) -> dict[str, int] | None:
        """The goal of each role except `random`, or None if the match did not end."""
        goals = self.record.goals
        if goals is None or len(goals) != len(self.game.roles):
            return None
        by_role = dict(zip(self.game.roles, goals, strict=True))
        return {str(role): by_role[str(role)] for role in self.game.loaded.played}

    @cached_property
    def positions(self) -> tuple[Position, ...]:
        """The positions, from the first one to the last one that is consistent with the rules."""
        with plain_errors():
            line = line_of(self.game.loaded.machine, self.record.moves)
            found = [self.game.start()]
            for joint in line.moves:
                found.append(found[-1].after(joint))
        self._broken = line.broken
        return tuple(found)

    _broken = ""

    @property
    def broken(self) -> str:
        """How the record contradicts the rules after the last position. Empty if it does not."""
        return self._broken if self.positions else ""

    def __len__(self) -> int:
        return len(self.positions)

    def __getitem__(self, turn: int) -> Position:
        try:
            return self.positions[turn]
        except IndexError:
            raise NotebookError(
                f"expected a turn from 0 to {len(self.positions) - 1}, got {turn}"
            ) from None

    def report(self, seconds: float = math.inf, seed: int = 0, rounds: int | None = None) -> Report:
        """Search each position and find the mistakes.

        Args:
            seconds: Time limit for each turn.
            seed: Seed of the searches.
            rounds: Search iterations for each position. By default, a number that suits the game.

        Raises:
            NotebookError: The rules cannot be evaluated.
        """
        from ggp.report.analysis import ReportLimits, report_on

        loaded = self.game.loaded
        with plain_errors(), progress_line() as line:

            def report(done: int, total: int) -> None:
                line.report(f"{done} of {total} positions")

            game = loaded.compiled(line.announce)
            moves = line_of(game, self.record.moves, self.record.errors)
            made = report_on(loaded.name, game, moves, ReportLimits(rounds, seconds, seed), report)
            marked = {move.turn: self.positions[move.turn - 1] for move in made.mistakes}
            shown = [(position.states()[0], None) for position in marked.values()]
            known = [position.states()[0] for position in self.positions]
            pictures = loaded.pictures(shown, known) if shown else []
        return Report(made, dict(zip(marked, pictures, strict=True)))

    def save(self, file: str | Path) -> None:
        """Save the record in the JSON format of GGP-Base, as `ggp match --save` does.

        Raises:
            NotebookError: The file cannot be written.
        """
        path = Path(file)
        with plain_errors():
            try:
                self.record.save(path)
            except OSError as error:
                raise CommandFailedError(f"{path}: {reason_of_writing(error, path)}") from error

    def title(self) -> str:
        """Return a title line with the game, the players, their roles and goals."""
        goals, roles = self.goals, list(self.game.roles)
        names = self.record.player_names or ()
        by_role = dict(zip(roles, names, strict=False))
        played = [str(role) for role in self.game.loaded.played]
        seats = [
            f"{by_role.get(role) or '?'} ({role}) {'-' if goals is None else goals[role]}"
            for role in played
        ]
        end = "" if goals is not None else "; not played to its end"
        return f"{self.game.name}: {', '.join(seats)}{end}"

    def __repr__(self) -> str:
        moves = [position.move_in_words() for position in self.positions[1:]]
        left = len(moves) - MAX_MOVES
        more = [f"... and {left} turns more"] if left > 0 else []
        lines = [self.title(), *moves[:MAX_MOVES], *more, repr(self.positions[-1])]
        return "\n".join([*lines, *self._notices()])

    def _repr_html_(self) -> str:
        with plain_errors():
            positions = thinned(self.positions, step := step_for(len(self.positions)))
            known = [position.states()[0] for position in positions]
            pictures = self.game.loaded.pictures([one.states() for one in positions], known)
        frames = [
            Frame(position.move_in_words(), picture)
            for position, picture in zip(positions, pictures, strict=True)
        ]
        return slider(self.title(), frames, step, self._notices())

    def _notices(self) -> list[str]:
        broken = [f"{self.broken}. What follows is not shown."] if self.broken else []
        return [*self.notes, *broken]


def read(file: str | Path, game: Game | str | None = None) -> Match:
    """Read a match from a file of `Match.save`, `ggp match --save` or another game manager."""
    with plain_errors():
        record = read_record(Path(file))
        if isinstance(game, Game):
            return Match(game, record)
        return Match(Game(game_of(record).name if game is None else game), record)


class Series(Table):
    """Several matches between the same players, displayed as a table of their results.

    Attributes:
        matches: The matches, in the order in which they were played.
    """

    def __init__(
        self, matches: Sequence[Match], names: Sequence[str], sittings: Sequence[SeriesMatch]
    ) -> None:
        rows = series_rows(len(names), sittings)
        headings = list(rows[0])
        named = [{**row, "player": names[seat]} for seat, row in rows.items()]
        numbers = ",".join(heading for heading in headings if heading != "player")
        super().__init__(headings, [list(row.values()) for row in named], numbers)
        self.matches = tuple(matches)


def match(
    game: Game | Rules,
    *players: str,
    startclock: int = 1,
    playclock: int = 1,
    seed: int | None = None,
    move_limit: int | None = None,
) -> Match:
    """Play a match and show its progress.

    Args:
        game: A `Game`, or its rules.
        players: One for each role except `random`: `mcts`, `mcts:c=0.7`, `mine.py:Class`, or the
            address of a running player.
        startclock: Seconds to prepare.
        playclock: Seconds for each move.
        seed: Seed of the random moves and of the players. By default it differs each time. Even
            with a fixed seed, a search depends on how many iterations fit into its clock.
        move_limit: Number of turns after which the match is aborted.

    Raises:
        NotebookError: There is no such game or player, or the match cannot be played to its end.
    """
    terms = Terms(startclock=startclock, playclock=playclock, seed=seed, move_limit=move_limit)
    [found], _, _ = _play(game, players, terms)
    return found


def play_many(
    game: Game | Rules,
    *players: str,
    matches: int = 10,
    startclock: int = 1,
    playclock: int = 1,
    seed: int | None = None,
) -> Series:
    """Play several matches in which the players rotate roles, and return a table of results.

    The arguments are those of `match`, plus the number of matches.

    Raises:
        NotebookError: There is no such game or player, or a match cannot be played to its end.
    """
    terms = Terms(
        startclock=startclock, playclock=playclock, seed=seed, matches=matches, is_swapping=True
    )
    return Series(*_play(game, players, terms))


def _play(
    game: Game | Rules, players: Sequence[str], terms: Terms
) -> tuple[list[Match], list[str], list[SeriesMatch]]:
    found = game if isinstance(game, Game) else Game(game)
    with plain_errors(), progress_line() as line:
        _check(found, players, terms)
        return run(_play_all(found, players, terms, line), line.show)


async def _play_all(
    game: Game, players: Sequence[str], terms: Terms, line: ProgressLine
) -> tuple[list[Match], list[str], list[SeriesMatch]]:
    notes: list[str] = []

    def note(text: str) -> None:
        if text not in notes:
            notes.append(text)

    def wait(text: str) -> None:
        line.text = text

    def observe(sitting: SeriesMatch, event: Event) -> None:
        number = f"match {sitting.index + 1} of {terms.matches}, " * (terms.matches > 1)
        if isinstance(event, Asked):
            line.text = f"{number}turn {event.turn}: {' and '.join(event.deciding) or 'all'}"

    line.text = "starting the players"
    contestants: list[Contestant] = await contestants_named(players, GGP_BASE, note)
    reports = SeatReports(note, note, wait)
    found, sittings = [], []
    async for sitting in play_series(game.loaded.named, contestants, terms, observe, reports):
        found.append(Match(game, sitting.record, tuple(notes)))
        sittings.append(sitting)
    return found, [one.name for one in contestants], sittings


def _check(game: Game, players: Sequence[str], terms: Terms) -> None:
    for name in ("startclock", "playclock", "matches"):
        value = getattr(terms, name)
        if not isinstance(value, int) or value < 1:
            raise WrongUseError(f"{name}: expected a whole number of at least 1, got {value!r}")
    check_kind("move_limit", terms.move_limit, int | None, "a whole number of turns")
    roles = [str(role) for role in game.loaded.played]
    if len(players) != len(roles):
        raise WrongUseError(
            f"expected {len(roles)} players, one for each role ({', '.join(roles)}), "
            f"got {len(players)}"
        )
    for text in players:
        check_kind("players", text, str, "texts, such as 'mcts:c=0.7'")
        (check_address if is_address(text) else check)(text)

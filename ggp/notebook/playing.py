"""Playing matches from a notebook: as `ggp match` does, with players in processes of their own."""

from __future__ import annotations

from collections.abc import Sequence

from ggp.errors import WrongUseError
from ggp.match.events import Asked, Event
from ggp.measure.matches import Sitting, Terms, play_series
from ggp.notebook.errors import check_kind, told_plainly
from ggp.notebook.loaded_game import Rules
from ggp.notebook.notebook_game import Game
from ggp.notebook.notebook_match import Match
from ggp.notebook.progress import ProgressLine, progress_line
from ggp.notebook.running import run
from ggp.notebook.table import Table
from ggp.players.registry import check
from ggp.protocol.addresses import check_address, is_address
from ggp.protocol.dialects import GGP_BASE
from ggp.seating.contestant import Contestant, Reports, contestants_named
from ggp.terminal.result_tables import series_rows


class Series(Table):
    """Several matches between the same players, shown as the table of their results.

    Attributes:
        matches: In the order in which they were played.
    """

    def __init__(
        self, matches: Sequence[Match], names: Sequence[str], sittings: Sequence[Sitting]
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
    """Play a match and show how far it is.

    Args:
        game: What is played.
        players: One a role but `random`: `mcts`, `mcts:c=0.7`, `package.module:Class`, or the
            address of a running player.
        startclock: Seconds to prepare.
        playclock: Seconds for each move.
        seed: Of the random moves, and of the players; none: different each time. What a search
            finds within its clock differs all the same.
        move_limit: Turns after which the match is broken off.

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
    """Play several matches, in which the players change roles; the table of their results.

    Args:
        game: What is played.
        players: One a role but `random`, as in `match`.
        matches: How many.
        startclock: Seconds to prepare.
        playclock: Seconds for each move.
        seed: Of the random moves, and of the players.

    Raises:
        NotebookError: There is no such game or player, or a match cannot be played to its end.
    """
    terms = Terms(
        startclock=startclock, playclock=playclock, seed=seed, matches=matches, is_swapping=True
    )
    return Series(*_play(game, players, terms))


def _play(
    game: Game | Rules, players: Sequence[str], terms: Terms
) -> tuple[list[Match], list[str], list[Sitting]]:
    """The matches, the names of the players, and who sat where."""
    found = game if isinstance(game, Game) else Game(game)
    with told_plainly(), progress_line() as line:
        _check(found, players, terms)
        return run(_play_all(found, players, terms, line), line.show)


async def _play_all(
    game: Game, players: Sequence[str], terms: Terms, line: ProgressLine
) -> tuple[list[Match], list[str], list[Sitting]]:
    notes: list[str] = []

    def note(text: str) -> None:
        if text not in notes:
            notes.append(text)

    def wait(text: str) -> None:
        line.text = text

    def observe(sitting: Sitting, event: Event) -> None:
        number = f"match {sitting.index + 1} of {terms.matches}, " * (terms.matches > 1)
        if isinstance(event, Asked):
            line.text = f"{number}turn {event.turn}: {' and '.join(event.deciding) or 'all'}"

    line.text = "starting the players"
    contestants: list[Contestant] = await contestants_named(players, GGP_BASE, note)
    reports = Reports(note, note, wait)
    found, sittings = [], []
    async for sitting in play_series(game.loaded.named, contestants, terms, observe, reports):
        found.append(Match(game, sitting.record, tuple(notes)))
        sittings.append(sitting)
    return found, [one.name for one in contestants], sittings


def _check(game: Game, players: Sequence[str], terms: Terms) -> None:
    """See that there can be such matches.

    Raises:
        WrongUseError: A clock is no time, or there are too many players, or too few.
        PlayerSpecError: There is no such player.
    """
    for name in ("startclock", "playclock", "matches"):
        value = getattr(terms, name)
        if not isinstance(value, int) or value < 1:
            raise WrongUseError(f"{name}: expected a whole number from 1 on, got {value!r}")
    check_kind("move_limit", terms.move_limit, int | None, "a whole number of turns")
    roles = [str(role) for role in game.loaded.played]
    if len(players) != len(roles):
        raise WrongUseError(
            f"expected {len(roles)} players, one a role ({', '.join(roles)}), got {len(players)}"
        )
    for text in players:
        check_kind("players", text, str, "texts, such as 'mcts:c=0.7'")
        (check_address if is_address(text) else check)(text)

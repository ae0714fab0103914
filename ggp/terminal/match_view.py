"""Output of `ggp match`: every move and state of a single match, and the final tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ggp.engine.worker.printed import MAX_CHARACTERS
from ggp.match.events import Asked, Began, Ended, Event, Moved
from ggp.naming.move_names import names_of
from ggp.plurals import counted
from ggp.rulesheets import NamedGame
from ggp.seating.contestant import Contestant
from ggp.seating.series import SeriesMatch
from ggp.submission.process import MAX_OUTPUT_BYTES
from ggp.terminal.console import console, or_dash
from ggp.terminal.game_view import GameView, preparation, printed_lines
from ggp.terminal.result_tables import print_results

MAX_STATES = 50
"""In a longer match, only every tenth state after this one is shown."""
EVERY = 10

_PLACE = re.compile(r"<rules>:\d+:\d+: ")


class MatchView:
    """Shows matches while they run. If it is quiet, it shows nothing until the final table."""

    def __init__(
        self,
        game: NamedGame,
        contestants: Sequence[Contestant],
        num_matches: int,
        is_quiet: bool,
        *,
        has_output: bool = False,
    ) -> None:
        """Create the view. If `has_output`, show what players print, even if the view is quiet."""
        self._console = console()
        self._contestants = contestants
        self._num_matches = num_matches
        self._is_quiet = is_quiet
        self._has_output = has_output
        self._is_detailed = num_matches == 1 and not is_quiet
        self._noted: set[str] = set()
        names = names_of(game.machine, game.text) if self._is_detailed else None
        self._game = GameView(self._console, game.machine, names)
        if self._is_detailed:
            self._game.survey()

    def observe(self, sitting: SeriesMatch, event: Event) -> None:
        """Show an event of a match."""
        if isinstance(event, Ended):
            self.close()
        if self._has_output and isinstance(event, Moved) and not self._is_detailed:
            where = f"match {sitting.index + 1}, turn {event.turn}: "
            for line in printed_lines(event.replies):
                self._console.print(f"{where}{line}", soft_wrap=True)
        if self._is_quiet:
            return
        if self._is_detailed:
            self._show(sitting, event)
        if isinstance(event, Began | Asked):
            self._game.wait(self._waiting_for(sitting, event))

    def match_over(self, sitting: SeriesMatch) -> None:
        """Print the result of one match of a series on one line."""
        if self._is_quiet or self._num_matches == 1:
            return
        results = ", ".join(
            f"{name} {or_dash(sitting.goal(role))}"
            for name, role in zip(self._names(sitting), sitting.roles, strict=True)
        )
        moves = len(sitting.record.moves)
        reason = sitting.ended[-1].reason
        self._console.print(
            f"match {sitting.index + 1} of {self._num_matches}: {results}; {moves} moves"
            + (f"; {reason}" if reason else "")
        )

    def starting(self) -> None:
        """Show that the match starts, before its first event."""
        if not self._is_quiet:
            self._game.wait("START")

    def note(self, text: str) -> None:
        """Print a line about a player, unless it has been printed before."""
        # Leave out a place in the rules that the player received. The user has not seen that text.
        shorter = _PLACE.sub("", text)
        if shorter != text:
            text = f"{shorter}; ggp check tells more about these rules"
        if not self._is_quiet and text not in self._noted:
            self._noted.add(text)
            self._console.print(text)

    def prepared(self, name: str, positions: int) -> None:
        """Print what a player did during the startclock, if there is only one match."""
        if self._is_detailed:
            self._console.print(preparation(name, positions))

    def close(self) -> None:
        """Remove the line that shows what the match is waiting for."""
        self._game.close()

    def results(self, sittings: Sequence[SeriesMatch]) -> None:
        """Print the final table: of one match, or of the players over several matches."""
        self.close()
        names = [one.name for one in self._contestants]
        print_results(self._console, names, sittings, self._num_matches)
        if self._num_matches == 1 and sittings[0].ended[-1].reason:
            self._console.print(f"No result: {sittings[0].ended[-1].reason}.")
        for seat, name in enumerate(names):
            for line in self._output_lines(seat, sittings):
                self._console.print(f"{name} {line}", soft_wrap=True)

    def _output_lines(self, seat: int, sittings: Sequence[SeriesMatch]) -> Iterator[str]:
        """Yield sentences on how much the player printed and how to see it, if it printed anything.

        The player's name is missing at their beginning.
        """
        roles = [(one, one.role_of(seat)) for one in sittings]
        kept = [one.kept_output(role) for one, role in roles]
        kept_lines = sum(len(text.splitlines()) for text in kept)
        num_lines = max(kept_lines, sum(one.printed_lines[role] for one, role in roles))
        sizes = [one.printed_bytes[role] for one, role in roles]
        is_cut = sum(sizes) > sum(len(text.encode(errors="replace")) for text in kept)
        if num_lines and not self._has_output:
            which = f"the first {MAX_CHARACTERS:,} characters of each turn" if is_cut else "them"
            yield f"printed {counted(num_lines, 'line')}: --show-output shows {which}."
        if max(sizes, default=0) > MAX_OUTPUT_BYTES:
            yield (
                f"printed {max(sizes) / 2**20:.1f} MiB in a match: graded or uploaded, it fails "
                f"if it prints more than {MAX_OUTPUT_BYTES / 2**20:.0f} MiB."
            )

    def _names(self, sitting: SeriesMatch) -> list[str]:
        return [
            f"{self._contestants[one].name} ({role})"
            for role, one in zip(sitting.roles, sitting.contestants, strict=True)
        ]

    def _show(self, sitting: SeriesMatch, event: Event) -> None:
        if isinstance(event, Began):
            players = " against ".join(self._names(sitting))
            self._console.print(f"{event.record.match_id}: {players}\n")
            self._game.state(event.record.states[-1])
        elif isinstance(event, Moved):
            states = event.record.states
            self._game.turn(event.turn, event.replies, states[-2], has_output=self._has_output)
            self._show_state(event.turn, states)
        elif isinstance(event, Ended) and event.record.moves:
            turn = len(event.record.moves)
            if not _is_shown(turn):
                self._console.print(f"after {turn} turns:")
                self._game.state(event.record.states[-1])

    def _show_state(self, turn: int, states: Sequence[Sequence[str]]) -> None:
        if _is_shown(turn):
            self._game.state(states[-1], states[-2])
        if turn == MAX_STATES:
            self._console.print(f"(A long match: from here on every {EVERY}th state is shown.)\n")

    def _waiting_for(self, sitting: SeriesMatch, event: Began | Asked) -> str:
        prefix = f"match {sitting.index + 1} of {self._num_matches}, " * (self._num_matches > 1)
        if isinstance(event, Began):
            return f"{prefix}START"
        return f"{prefix}turn {event.turn}: waiting for {', '.join(event.deciding) or 'all'}"


def _is_shown(turn: int) -> bool:
    return turn <= MAX_STATES or turn % EVERY == 0

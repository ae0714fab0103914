"""What `ggp match` shows: every move and state of a single match, and the tables in the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ggp.cli.bench_view import figure
from ggp.cli.console import console, counted
from ggp.cli.result_tables import print_results
from ggp.match.events import Asked, Began, Ended, Event, Moved, Reply
from ggp.match.state_view import StateView, survey
from ggp.players.thoughts import bounds, expectation, number, verdict

if TYPE_CHECKING:
    from rich.status import Status

    from ggp.cli.match_series import Sitting
    from ggp.cli.rules import Game
    from ggp.cli.seats import Contestant

MEGABYTE = 1_000_000


class MatchView:
    """Shows matches while they go on. Quiet, it shows nothing until the table."""

    def __init__(
        self, game: Game, contestants: Sequence[Contestant], num_matches: int, is_quiet: bool
    ) -> None:
        self._console = console()
        self._contestants = contestants
        self._num_matches = num_matches
        self._is_quiet = is_quiet
        self._is_detailed = num_matches == 1 and not is_quiet
        self._status: Status | None = None
        self._told: set[str] = set()
        self._width = 0  # of the longest role and move so far
        states = survey(game.machine) if self._is_detailed else []
        self._states = StateView(states, self._console.width)

    def observe(self, sitting: Sitting, event: Event) -> None:
        """Show an event of a match."""
        if isinstance(event, Ended):
            self.close()
        if self._is_quiet:
            return
        if self._is_detailed:
            self._show(sitting, event)
        if isinstance(event, Began | Asked):
            self._wait(self._waiting_for(sitting, event))

    def match_over(self, sitting: Sitting) -> None:
        """Say in a line how one match of several came out."""
        if self._is_quiet or self._num_matches == 1:
            return
        results = ", ".join(
            f"{self._contestants[one].name} ({role}) {_or_dash(sitting.goal(role))}"
            for role, one in zip(sitting.roles, sitting.contestants, strict=True)
        )
        moves = len(sitting.record.moves)
        reason = sitting.ended[-1].reason
        self._console.print(
            f"match {sitting.index + 1} of {self._num_matches}: {results}; {moves} moves"
            + (f"; {reason}" if reason else "")
        )

    def starting(self) -> None:
        """Show that something happens before the first event."""
        if not self._is_quiet:
            self._wait("START")

    def tell(self, text: str) -> None:
        """Show a line about a player, once."""
        if not self._is_quiet and text not in self._told:
            self._told.add(text)
            self._console.print(text)

    def close(self) -> None:
        """Take the waiting line away."""
        if self._status is not None:
            self._status.stop()
            self._status = None

    def results(self, sittings: Sequence[Sitting]) -> None:
        """The table at the end: of the one match, or of the players over all of them."""
        self.close()
        names = [one.name for one in self._contestants]
        print_results(self._console, names, sittings, self._num_matches)
        if self._num_matches == 1 and sittings[0].ended[-1].reason:
            self._console.print(f"No result: {sittings[0].ended[-1].reason}.")

    def _show(self, sitting: Sitting, event: Event) -> None:
        if isinstance(event, Began):
            players = " against ".join(
                f"{self._contestants[one].name} ({role})"
                for role, one in zip(sitting.roles, sitting.contestants, strict=True)
            )
            self._console.print(f"{event.record.match_id}: {players}\n")
            self._show_state(event.record.states[-1])
        elif isinstance(event, Moved):
            # The other roles' only move, noop, says nothing where somebody had a choice.
            telling = [
                one for one in event.replies if one.num_legal > 1 or one.error or one.fallback
            ]
            for reply in telling or event.replies:
                self._show_reply(event.turn, reply, sitting)
            self._show_state(event.record.states[-1])

    def _show_reply(self, turn: int, reply: Reply, sitting: Sitting) -> None:
        """A move, the time it took and what the player thought; the figures below each other."""
        who = max(map(len, sitting.roles))
        head = f"{turn:3}. {reply.role:{who}}  {reply.move}"
        self._width = max(self._width, len(head))
        parts = [f"{head:{self._width}}", *_remarks(reply, sitting)]
        if thoughts := thoughts_line(reply):
            parts.append(thoughts)
        self._console.print("   ".join(parts).rstrip(), soft_wrap=True)
        if expected := expectation(reply.thoughts):
            self._console.print(f"     expects {expected}", soft_wrap=True)

    def _show_state(self, facts: Sequence[str]) -> None:
        for line in self._states.lines(facts):
            self._console.print(f"     {line}", soft_wrap=True)
        self._console.print()

    def _waiting_for(self, sitting: Sitting, event: Began | Asked) -> str:
        prefix = f"match {sitting.index + 1} of {self._num_matches}, " * (self._num_matches > 1)
        if isinstance(event, Began):
            return f"{prefix}START"
        return f"{prefix}turn {event.turn}: waiting for {', '.join(event.deciding) or 'all'}"

    def _wait(self, text: str) -> None:
        if not self._console.is_terminal:
            return
        if self._status is None:
            self._status = self._console.status(text)
            self._status.start()
        self._status.update(text)


def _remarks(reply: Reply, sitting: Sitting) -> list[str]:
    """How a move came about, and the time it took."""
    parts = []
    if reply.error:
        parts.append(f"at random, for {reply.error}")
    elif reply.fallback:
        parts.append(f"fallback: {reply.fallback}")
    if reply.role in sitting.roles:
        parts.append(f"{reply.seconds:.1f} s")
    return parts


def thoughts_line(reply: Reply) -> str:
    """What a player said of its search, in a few words; empty if it said nothing of use."""
    thoughts = reply.thoughts
    visits, depth, nodes, memory = (
        number(thoughts, name) for name in ("visits", "depth", "nodes", "memory")
    )
    found = [_worth(thoughts)]
    if visits is not None:
        found.append(counted(int(visits), "visit"))
    if playouts := number(thoughts, "playouts_per_second"):
        found.append(f"{figure(playouts)} playouts/s")
    if depth:
        found.append(f"depth {depth:.0f}")
    if nodes is not None:
        found.append(counted(int(nodes), "node"))
    if memory is not None:
        found.append(f"{memory / MEGABYTE:.0f} MB")
    return ", ".join(filter(None, found))


def _worth(thoughts: Mapping[str, object]) -> str:
    """What the move is proven to be worth, or what the player expects of it."""
    value = number(thoughts, "value")
    proven = verdict(thoughts)
    if proven or value is None:
        return proven
    known = bounds(thoughts)
    return f"value {value:2.0f}" + (f" (proven: {known})" if known else "")


def _or_dash(value: object) -> str:
    return "-" if value is None else str(value)

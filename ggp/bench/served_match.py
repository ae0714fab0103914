"""A match between a served player and random moves, in a game that the player has never seen.

The number of iterations in each turn is read from the server's log. The time is measured by the
referee, from sending PLAY to receiving the answer. For comparison, the same search is measured with
everything compiled.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from statistics import median
from typing import Any, Final

from ggp.bench.reasoners import Case
from ggp.bench.searches import SearchFigures, SearchTerms, measure_search
from ggp.bench.server_process import LogLine, ServerProcess
from ggp.log import ReportLine
from ggp.match.events import Began, Event, Moved, Observer, Reply
from ggp.match.referee import Referee, played_roles
from ggp.match.rulebook import FollowedRulebook, MachineRulebook
from ggp.match.search_info import number
from ggp.match.seat import Seat
from ggp.protocol.dialects import DIALECTS, GGP_BASE
from ggp.rulesheets import NamedGame, written_game
from ggp.seating.local import SimpleSeat, random_moves
from ggp.seating.remote import RemoteSeat
from ggp.seating.series import local_match

SOUND: Final = frozenset({"search", "only move"})
"""Origins of a move if nothing went wrong."""
WITH_PERCEPTS: Final = "gdl-ii"
"""The dialect that tells roles their percepts."""
NO_ANSWER: Final = "no answer"
PHASES: Final = ("read", "ground", "build", "compile", "ready")
SEARCHES: Final = "searches on lanes"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedTerms:
    """The settings for served matches.

    Attributes:
        player: Spec of the player, which must keep a tree.
        startclock: Startclock in seconds.
        playclock: Playclock in seconds.
        num_turns: Number of turns with a choice after which the match is aborted.
        seconds: How long the search is measured for comparison.
        seed: The seed of all random choices.
        is_one_core: Whether all processes share one core.
        is_cold: Whether the kernels have to be compiled, too.
    """

    player: str
    startclock: int
    playclock: int
    num_turns: int
    seconds: float
    seed: int
    is_one_core: bool
    is_cold: bool


@dataclass(frozen=True, slots=True)
class OwnTurn:
    """A turn in which the player had a choice.

    Attributes:
        number: Number of the turn in the match, from 1.
        seconds: Time from the request to the answer, as measured by the referee.
        origin: How the move was found, according to the log. If the answer was an error: the error.
        iterations_before: Iterations since the last turn. In the first turn: since START.
        iterations: Iterations in the turn.
        playouts: Playouts in the turn.
        is_counted: Whether the turn counts in `ServedFigures.ratios`. It does not if the move came
            from a book, or was found early because it was proven or forced.
    """

    number: int
    seconds: float
    origin: str
    iterations_before: int
    iterations: int
    playouts: int
    is_counted: bool

    @classmethod
    def of(cls, number_of_turn: int, reply: Reply, line: LogLine) -> OwnTurn:
        """Create the turn from a reply and its log line. Without a line, its figures are 0."""
        origin = str(line.get("origin", NO_ANSWER))
        iterations = number(line, "iterations")
        # A book answers without a search, and a proven or forced move ends the search early.
        is_clear = iterations is None or "proven" in line or "forced" in line
        return cls(
            number=number_of_turn,
            seconds=reply.seconds,
            origin=reply.error or origin,
            iterations_before=int(number(line, "iterations_before") or 0),
            iterations=int(iterations or 0),
            playouts=int(number(line, "playouts") or 0),
            is_counted=bool(reply.error) or origin not in SOUND or not is_clear,
        )

    def to_json(self) -> dict[str, Any]:
        """Return the measurements as JSON data."""
        return {
            "turn": self.number,
            "seconds": self.seconds,
            "origin": self.origin,
            "iterations_before": self.iterations_before,
            "iterations": self.iterations,
            "iterations_per_second": self.iterations / self.seconds,
            "playouts": self.playouts,
            "playouts_per_second": self.playouts / self.seconds,
            "is_counted": self.is_counted,
        }


@dataclass(frozen=True)
class ServedFigures:
    """Measurements of a match, and of a search of the same game with everything compiled.

    Attributes:
        turns: Turns in which the player had a choice, in order.
        start_seconds: How long each phase of START took, until the first leaves were evaluated. See
            `ggp.engine.process.WorkerProcess`.
        num_replaced: Number of engine processes that were replaced.
        known: The search of the initial state with everything compiled.
    """

    name: str
    terms: ServedTerms
    turns: tuple[OwnTurn, ...]
    start_seconds: Mapping[str, float]
    num_replaced: int
    known: SearchFigures

    @cached_property
    def ratios(self) -> tuple[float, ...]:
        """Iterations per second in each counted turn, divided by those of the search `known`."""
        rate = self.known.iterations_per_second
        return tuple(
            each.iterations / each.seconds / rate for each in self.turns if each.is_counted
        )

    @property
    def iterations_at_start(self) -> int | None:
        """Iterations before the first turn with a choice, or None if there was no such turn."""
        return self.turns[0].iterations_before if self.turns else None

    @property
    def num_gates(self) -> int | None:
        """Number of gates of the circuit, or None if the interpreter plays."""
        circuit = self.known.loaded.circuit
        return None if circuit is None else circuit.num_gates

    @property
    def fallbacks(self) -> Counter[str]:
        """Number of turns whose move was not the player's own choice, by origin."""
        return Counter(each.origin for each in self.turns if each.origin not in SOUND)

    def to_json(self) -> dict[str, Any]:
        """Return the measurements as JSON data."""
        terms, known = self.terms, self.known
        return {
            "game": self.name,
            "player": terms.player,
            "startclock": terms.startclock,
            "playclock": terms.playclock,
            "is_one_core": terms.is_one_core,
            "is_cold": terms.is_cold,
            "gates": self.num_gates,
            "bench_iterations_per_second": known.iterations_per_second,
            "bench_playouts_per_second": known.playouts_per_second,
            "iterations_at_start": self.iterations_at_start,
            "turns": [each.to_json() for each in self.turns],
            "least_ratio": min(self.ratios, default=None),
            "median_ratio": median(self.ratios) if self.ratios else None,
            "replaced": self.num_replaced,
            "fallbacks": self.fallbacks.total(),
            "start_seconds": dict(self.start_seconds),
        }


def measure_served_match(case: Case, report: ReportLine, terms: ServedTerms) -> ServedFigures:
    """Return measurements of a match, and of a search of the initial state in this process.

    Raises:
        GdlError: The rules cannot be read or played.
        CommandFailedError: The server does not start.
    """
    with _cores(is_one=terms.is_one_core):
        game = written_game(case.sheet, case.name)
        replies, lines = asyncio.run(_played(game, report, terms))
        search = SearchTerms(terms.player, terms.seconds, 1, 1, terms.seed)
        known = measure_search(case, report, search)
    return ServedFigures(
        name=case.name,
        terms=terms,
        turns=_own_turns(replies, lines),
        start_seconds=_start_seconds(lines),
        num_replaced=int(sum(number(line, "replaced") or 0 for line in lines)),
        known=known,
    )


async def _played(
    game: NamedGame, report: ReportLine, terms: ServedTerms
) -> tuple[dict[int, Reply], Sequence[LogLine]]:
    """Play a match. Return the player's replies in turns with a choice, and the server's log."""
    report("starting ggp serve")
    replies: dict[int, Reply] = {}
    own = played_roles(game.machine)[0].name
    async with ServerProcess.running(
        terms.player, seed=terms.seed, is_cold=terms.is_cold
    ) as server:

        def observe(event: Event) -> None:
            if isinstance(event, Began):
                report(f"turn 1 of {terms.num_turns}")
            if not isinstance(event, Moved):
                return
            reply = next(each for each in event.replies if each.role == own)
            if reply.num_legal > 1:
                replies[event.turn] = reply
                report(f"turn {len(replies) + 1} of {terms.num_turns}")
            if len(replies) == terms.num_turns:
                match.cancel()

        match = asyncio.create_task(_referee(game, server, terms, observe).run())
        report(f"the startclock, {terms.startclock} s")
        with contextlib.suppress(asyncio.CancelledError):
            await match
    return replies, server.lines


def _referee(
    game: NamedGame, server: ServerProcess, terms: ServedTerms, observe: Observer
) -> Referee:
    book = FollowedRulebook(MachineRulebook(game.machine, has_percepts=game.has_percepts))
    dialect = DIALECTS[WITH_PERCEPTS if game.has_percepts else GGP_BASE]
    served = RemoteSeat(server.address, terms.player, lambda _: None, dialect)
    others = played_roles(game.machine)[1:]
    seats: list[Seat] = [
        SimpleSeat(random_moves(terms.seed + number), book, "random")
        for number, _ in enumerate(others, start=1)
    ]
    setup = local_match(game, book, (terms.startclock, terms.playclock), terms.seed)
    return Referee(setup, [served, *seats], observe)


def _own_turns(replies: dict[int, Reply], lines: Sequence[LogLine]) -> tuple[OwnTurn, ...]:
    # The log counts completed turns.
    logged = {
        int(number(line, "turn") or 0) + 1: line for line in lines if line.get("event") == "turn"
    }
    return tuple(OwnTurn.of(turn, reply, logged.get(turn, {})) for turn, reply in replies.items())


def _start_seconds(lines: Sequence[LogLine]) -> dict[str, float]:
    """Return the seconds of each phase of START, from the log of the first engine that compiled."""
    equipped: LogLine = next((line for line in lines if "compile" in line), {})
    searching: LogLine = next((line for line in lines if SEARCHES in str(line.get("event"))), {})
    logged = {name: number(equipped, name) for name in PHASES}
    logged["search"] = number(searching, "seconds")
    return {name: seconds for name, seconds in logged.items() if seconds is not None}


@contextmanager
def _cores(*, is_one: bool) -> Iterator[None]:
    if not is_one:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)

"""Our own players: some search, each in its own process, and some do not search at all.

Players that do not search use the referee's rulebook. A match between them needs no core and hardly
any memory, so dozens can be played at the same time.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Sequence
from typing import Final

from ggp.clock import Deadline
from ggp.engine import (
    SOUND_ORIGINS,
    EngineConfig,
    EnginePool,
    EngineSetup,
    MatchEngine,
    Percepts,
)
from ggp.log import ReportLine
from ggp.match.errors import SeatError
from ggp.match.rulebook import FollowedRulebook
from ggp.match.search_info import number
from ggp.match.seat import Answer, Invitation, OwnSeat, TurnReport

_log = logging.getLogger(__name__)

UNTIL_COMPILED = "interpreter, until they are compiled"
LOCAL_MARGIN_SECONDS = 0.2
"""Seconds before the end of the clock at which our own player must have moved."""
OWN_SHARE = 0.5
"""A late move is the player's own fault if the player had at least this share of its time."""
INSTEAD = "its last report, else the first legal move, was played instead"
GO_BACK_SECONDS = 10.0
"""Minimum time limit for a process to replay the remaining moves after others are taken back."""
Prepared = Callable[[str, int], None]


class LocalSeat(OwnSeat):
    """A player of our own that searches in a separate process."""

    def __init__(
        self,
        pool: EnginePool,
        config: EngineConfig,
        name: str,
        tell: ReportLine,
        prepared: Prepared = lambda name, positions: None,
        warn: ReportLine = _log.warning,
    ) -> None:
        """Create a seat for a player.

        Args:
            tell: Called with a description of the reasoner, at the start and when it changes.
            prepared: Called after START with the name and the number of positions evaluated.
            warn: Called at the end of the match with the problems that occurred.
        """
        self.name = name
        self._tell = tell
        self._prepared = prepared
        self._warn = warn
        self._pool = pool
        self._config = config
        self._engine: MatchEngine | None = None
        self._playclock = 0.0
        self._reasoner = ""
        self._num_replaced = 0
        self._num_late = 0
        self._num_busy = 0
        self._num_unready = 0
        self._is_busy = False
        """Whether an earlier request is unfinished, which also delays the next turn."""

    async def start(self, invitation: Invitation) -> None:
        """Let the player read the rules and prepare. Return before the startclock ends.

        Raises:
            EngineError: The rules or the player cannot be used.
        """
        self._playclock = invitation.playclock
        setup = EngineSetup(invitation.rules, invitation.role, invitation.playclock, "kif")
        deadline = Deadline.after(invitation.startclock - LOCAL_MARGIN_SECONDS)
        self._engine = await MatchEngine.start(self._pool, setup, self._config, deadline)
        self._tell_reasoner(self._engine.reasoner or UNTIL_COMPILED)
        if positions := number(self._engine.prepared, "iterations"):
            self._prepared(self.name, int(positions))

    async def resume(self, invitation: Invitation, history: Sequence[TurnReport]) -> None:
        """Start, and replay the turns so far."""
        await self.start(invitation)
        assert self._engine is not None
        deadline = Deadline.after(invitation.startclock - LOCAL_MARGIN_SECONDS)
        for report in history[:-1]:  # the last turn is sent with PLAY
            await self._engine.update(_happened(report), deadline)

    async def play(self, report: TurnReport) -> Answer:
        """Return the move that the player has chosen by the end of its clock."""
        if self._engine is None:
            raise SeatError(f"{self.name} has not started")
        deadline = Deadline.after(self._playclock - LOCAL_MARGIN_SECONDS)
        late: list[float] = []
        seconds = deadline.remaining()
        choice = await self._engine.play(
            _happened(report), deadline, legal=report.legal, on_late=late.append
        )
        self._tell_reasoner(self._engine.reasoner)
        fallback = "" if choice.origin in SOUND_ORIGINS else choice.origin.value
        if late and fallback:  # if only one move is legal, nothing is lost
            is_own = self._is_busy or late[0] >= OWN_SHARE * seconds
            self._num_late += is_own
            self._num_busy += self._is_busy
            self._num_unready += not is_own
        if late:
            self._is_busy |= late[0] > 0
        elif len(report.legal) > 1:
            self._is_busy = False
        before, self._num_replaced = self._num_replaced, self._engine.num_replaced
        effects = fallback, self._num_replaced - before, *self._engine.take_printed()
        return Answer(choice.move, choice.search_info, *effects)

    async def go_back(self, num_turns: int) -> None:
        """Let another process replay the turns before the last one, which `play` reports again."""
        if self._engine is None:
            raise SeatError(f"{self.name} has not started")
        # The next `play` repeats the last turn.
        deadline = Deadline.after(max(self._playclock, GO_BACK_SECONDS))
        await self._engine.go_back(max(0, num_turns - 1), deadline)

    async def abort(self) -> None:
        """End the process."""
        if self._engine is not None:
            await self._engine.abort()
        late, self._num_late = self._num_late, 0
        busy, self._num_busy = self._num_busy, 0
        unready, self._num_unready = self._num_unready, 0
        if late:
            self._warn(
                f"{self.name} took longer than the playclock of {self._playclock:g} s "
                f"in {_turns(late)}"
                + (f", {busy} of them because it had not finished an earlier one" if busy else "")
                + f": {INSTEAD}"
            )
        if unready:
            self._warn(
                f"this machine was too busy to ask {self.name} in time in {_turns(unready)}: "
                f"{INSTEAD}"
            )

    def _tell_reasoner(self, reasoner: str) -> None:
        if reasoner and reasoner != self._reasoner:
            self._reasoner = reasoner
            self._tell(f"{self.name} {_in_words(reasoner)}")


def _turns(num: int) -> str:
    return f"{num} turn{'s' * (num > 1)}"


def _in_words(reasoner: str) -> str:
    """Return a description of the reasoner for spectators.

    >>> _in_words("lanes, the fastest; the rules ground")
    'plays on the compiled rules'
    """
    engine, _, reason = reasoner.partition(", ")
    if engine != "interpreter":
        return "plays on the compiled rules"
    return f"plays on the rules as they are written, which is slower: {reason}"


def _happened(report: TurnReport) -> Percepts | tuple[str, ...] | None:
    """Return the last turn as the player sees it: percepts in games of incomplete information."""
    if report.percepts is None or report.moves is None:
        return report.moves
    return Percepts(report.percepts, report.own_move)


SEED_BITS: Final = 64
Choose = Callable[[Sequence[str], int], str]
"""Chooses one of the sorted legal moves in a turn, counted from 0."""


class SimpleSeat(OwnSeat):
    """A player that answers at once.

    Equal seeds and positions give equal moves in every process.
    """

    def __init__(self, choose: Choose, book: FollowedRulebook, name: str) -> None:
        self.name = name
        self._choose = choose
        self._book = book
        self._role = ""

    async def start(self, invitation: Invitation) -> None:
        """Store the role. The player is always ready."""
        self._role = invitation.role

    async def resume(self, invitation: Invitation, history: Sequence[TurnReport]) -> None:
        """Store the role. There is nothing else to restore."""
        self._role = invitation.role

    async def play(self, report: TurnReport) -> Answer:
        """Return the chosen move at once."""
        # Sort by text, because the reasoner's order may depend on earlier states.
        return Answer(self._choose(sorted(self._book.legal(self._role)), report.turn))

    async def go_back(self, num_turns: int) -> None:
        """Do nothing, because the player has no memory."""

    async def abort(self) -> None:
        """Do nothing."""


def legal() -> Choose:
    """Return a function that chooses the first legal move."""
    return lambda moves, _: moves[0]


def random_moves(seed: int | None) -> Choose:
    """Return a function that chooses the same moves as `ggp.players.textbook.RandomPlayer`."""
    own = random.Random(seed).getrandbits(SEED_BITS)
    return lambda moves, turn: random.Random(f"{own}:{turn}").choice(moves)


PLAYERS: Final[dict[str, Callable[[int | None], Choose]]] = {
    "legal": lambda _: legal(),
    "random": random_moves,
}
"""For the spec of each player that needs no process: a function from its seed to a `Choose`."""

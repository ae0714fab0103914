"""The referee: runs one match as a game manager does, on seats of any kind.

START to all, then PLAY turn by turn with the last joint move, and STOP in the end. An answer that
is illegal (`IL`), late (`TO`) or does not come (`CE`) is replaced by a random legal move and the
match goes on. Whatever ends a match early - rules without a legal move, an error, Ctrl-C - ABORT
goes to all players first.

The times are GGP-Base's: the startclock without grace, the playclock with one second. A person at
one of the seats may be given all the time there is, and may take moves back.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import gdl
from ggp.errors import GgpError
from ggp.match.errors import MatchError, MoveLimitError, SeatError, TakeBackError
from ggp.match.events import Asked, Began, Ended, Event, Moved, Observer, Reply, TakenBack
from ggp.match.judge import judge
from ggp.match.record import MatchRecord
from ggp.match.seat import Answer, Invitation, PatientSeat, Seat

PLAY_GRACE_SECONDS = 1.0
ABORT_SECONDS = 1.0

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSetup:
    """What is agreed before a match.

    Clocks are seconds. `rules` is the text that START carries, `machine` the same rules loaded.
    """

    match_id: str
    machine: gdl.StateMachine
    rules: str
    startclock: int
    playclock: int
    move_limit: int | None = None
    """Turns after which the match is broken off; None for no limit."""
    seed: int | None = None
    """Of the `random` role's moves and of those put in place of bad answers."""
    grace_seconds: float = PLAY_GRACE_SECONDS
    unhurried: frozenset[str] = frozenset()
    """Roles without a playclock."""


def played_roles(machine: gdl.StateMachine) -> tuple[gdl.Role, ...]:
    """The roles that need a player: all but `random`."""
    return tuple(role for role in machine.roles if not gdl.is_random(role))


class Referee:
    """Runs one match.

    Attributes:
        record: The match so far; complete once `run` has returned.
    """

    def __init__(
        self, setup: MatchSetup, seats: Sequence[Seat], observer: Observer | None = None
    ) -> None:
        """Seat the players.

        Args:
            setup: What was agreed.
            seats: One for each role but `random`, in role order.
            observer: Told of every event, between turns; it must not raise.

        Raises:
            MatchError: The number of seats is not that of the roles.
        """
        self._setup = setup
        self._machine = setup.machine
        roles = played_roles(setup.machine)
        if len(seats) != len(roles):
            raise MatchError(f"expected {len(roles)} players, got {len(seats)}")
        self._seats = dict(zip(roles, seats, strict=True))
        self._observe: Callable[[Event], None] = observer or (lambda event: None)
        self._rng = random.Random(setup.seed)
        self._states = [setup.machine.initial_state()]
        names = [
            self._seats[role].name if role in self._seats else role.name for role in self.roles
        ]
        self.record = MatchRecord(
            match_id=setup.match_id,
            start_time=_now(),
            startclock=setup.startclock,
            playclock=setup.playclock,
            player_names=tuple(names),
        )

    @property
    def roles(self) -> tuple[gdl.Role, ...]:
        """All roles, `random` included, in the order of the rules."""
        return self._machine.roles

    async def run(self) -> MatchRecord:
        """Play the match to its end.

        Raises:
            MatchError: The rules left a role without a legal move or without a goal; all players
                have been sent ABORT.
            MoveLimitError: The move limit was reached; likewise.
            GdlError: The rules could not be evaluated; likewise.
        """
        reason = "interrupted"
        try:
            await self._start()
            while not self._machine.is_terminal(self._state):
                await self._turn()
            self.record = self.record.completed(self._goals())
        except (GgpError, gdl.GdlError) as error:
            reason = str(error)
            raise
        finally:
            if self.record.is_completed:
                await self._stop()
            else:
                await self._abort(reason)
        return self.record

    async def _start(self) -> None:
        errors = await _all(self._invite(role) for role in self.roles)
        self.record = self.record.after_start(self._facts(), errors, _now())
        self._observe(Began(tuple(role.name for role in self.roles), self.record))

    async def _invite(self, role: gdl.Role) -> str:
        if role not in self._seats:
            return ""
        setup = self._setup
        invitation = Invitation(
            setup.match_id, role.name, setup.rules, setup.startclock, setup.playclock
        )
        _, error = await _within(setup.startclock, self._seats[role].start(invitation))
        return error

    async def _turn(self) -> None:
        turn = len(self.record.moves) + 1
        if self._setup.move_limit is not None and turn > self._setup.move_limit:
            raise MoveLimitError(f"the match reached the limit of {turn - 1} moves")
        legal = {role: self._legal(role, turn) for role in self.roles}
        # Drawn before anybody answers, and for everybody: what one player does must not change
        # the luck of the others in a match with the same seed.
        spare = {role: self._rng.choice(moves) for role, moves in legal.items()}
        deciding = tuple(role.name for role in self.roles if len(legal[role]) > 1)
        self._observe(Asked(turn, deciding))
        try:
            replies = await _all(self._ask(role, legal[role], spare[role]) for role in self.roles)
        except TakeBackError as wish:
            await self._go_back(wish.num_turns)
            return
        self._advance(turn, [reply for _, reply in replies], [move for move, _ in replies])

    def _legal(self, role: gdl.Role, turn: int) -> tuple[gdl.Move, ...]:
        moves = self._machine.legal_moves(self._state, role)
        if not moves:
            raise MatchError(
                f"the rules give role {role} no legal move on turn {turn}, "
                "and the state is not terminal"
            )
        return moves

    async def _ask(
        self, role: gdl.Role, legal: tuple[gdl.Move, ...], spare: gdl.Move
    ) -> tuple[gdl.Move, Reply]:
        if role not in self._seats:
            return spare, Reply(role.name, str(spare), num_legal=len(legal))
        began = time.monotonic()
        is_hurried = role.name not in self._setup.unhurried
        clock = self._setup.playclock + self._setup.grace_seconds if is_hurried else None
        answer, error = await _within(clock, self._seats[role].play(self._last_moves()))
        seconds = time.monotonic() - began
        move = None
        if answer is not None:
            move, error = judge(answer.text, legal)
        said = answer or Answer("")
        made = spare if move is None else move
        return made, Reply(
            role.name, str(made), error, seconds, len(legal), said.thoughts, said.fallback
        )

    def _advance(self, turn: int, replies: list[Reply], moves: list[gdl.Move]) -> None:
        self._states.append(self._machine.next_state(self._state, moves))
        self.record = self.record.after_turn(
            [reply.move for reply in replies],
            self._facts(),
            [reply.error for reply in replies],
            _now(),
        )
        self._observe(Moved(turn, tuple(replies), self.record))

    async def _go_back(self, num_turns: int) -> None:
        if not 0 <= num_turns <= len(self.record.moves):
            raise MatchError(
                f"expected to go back to a turn from 0 to {len(self.record.moves)}, got {num_turns}"
            )
        for seat in self._seats.values():
            if not isinstance(seat, PatientSeat):
                raise MatchError(f"{seat.name} cannot take moves back")
            await seat.go_back(num_turns)
        del self._states[num_turns + 1 :]
        self.record = self.record.shortened(num_turns)
        self._observe(TakenBack(self.record))

    def _goals(self) -> list[int]:
        for role in self.roles:
            if not gdl.is_random(role) and not self._machine.goals(self._state, role):
                raise MatchError(f"the rules give role {role} no goal value in the terminal state")
        return [self._machine.goal(self._state, role) for role in self.roles]

    async def _stop(self) -> None:
        moves = self._last_moves()
        try:
            await self._tell_all(self._setup.playclock, lambda seat: seat.stop(moves))
        finally:
            self._observe(Ended(self.record))

    async def _abort(self, reason: str) -> None:
        self.record = self.record.aborted()
        try:
            await self._tell_all(ABORT_SECONDS, lambda seat: seat.abort())
        finally:
            self._observe(Ended(self.record, reason))

    async def _tell_all(self, seconds: float, tell: Callable[[Seat], Awaitable[None]]) -> None:
        told = (_within(seconds, tell(seat)) for seat in self._seats.values())
        # The match is over: a player that cannot be told changes nothing any more.
        await asyncio.gather(*told, return_exceptions=True)

    def _last_moves(self) -> tuple[str, ...] | None:
        return self.record.moves[-1] if self.record.moves else None

    @property
    def _state(self) -> gdl.State:
        return self._states[-1]

    def _facts(self) -> list[str]:
        return [str(fact) for fact in self._machine.facts(self._state)]


async def _all(asked: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """The results of all, in order; if one fails, the others are cancelled first."""
    tasks = [asyncio.ensure_future(one) for one in asked]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _within(
    seconds: float | None, asked: Awaitable[Answer | None]
) -> tuple[Answer | None, str]:
    """What was answered in time, and otherwise `TO` or `CE`."""
    try:
        async with asyncio.timeout(seconds):
            return await asked, ""
    except TimeoutError:
        return None, "TO"
    except (SeatError, OSError):
        return None, "CE"


def _now() -> int:
    return time.time_ns() // 1_000_000

"""The referee, which runs one match as a game manager does, with players of any kind.

It sends START to all players, then PLAY with the last joint move in each turn, and finally STOP. An
answer that is illegal (`IL`), late (`TO`) or missing (`CE`) is replaced by a random legal move. If
this process cannot even ask a player, for example because it has no file descriptors left, the
match is adjourned. If a match ends early (a role without a legal move, an error, Ctrl-C), the
referee sends ABORT to all players. It sends nothing if the match is adjourned, or if the setup says
that the match will be resumed (`will_go_on`): both can be continued from the record.

As in GGP-Base, the answer to START may not be late, and the answer to PLAY may be one second late.
A seat may measure its player's time itself, by the rules of another manager. A person at a seat may
be allowed to take any time and to take moves back.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import gdl
from ggp import clock
from ggp.clock import milliseconds_since_1970
from ggp.errors import GgpError, shortage
from ggp.match.errors import (
    AdjournedError,
    MatchError,
    MoveLimitError,
    SeatError,
    ShortageError,
    TakeBackError,
)
from ggp.match.events import (
    Answered,
    Asked,
    Began,
    Ended,
    Event,
    Moved,
    Observer,
    Reply,
    TakenBack,
)
from ggp.match.rulebook import Position, Rulebook
from ggp.match.seat import (
    Answer,
    Invitation,
    PatientSeat,
    PunctualSeat,
    Seat,
    TurnReport,
    judge,
    replacements,
)
from ggp.match.turn_reports import TurnReports
from ggp.processes.tasks import cancel
from ggp.records.record import MatchRecord

MAX_TURNS = 10_000
"""Limit for a match without a move limit, because some games never end."""
PLAY_GRACE_SECONDS = 1.0
ABORT_SECONDS = 1.0

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSetup:
    """The settings of a match, fixed before it begins.

    Clocks are in seconds. `rules` is the text sent in START. `rulebook` evaluates the same rules.
    """

    match_id: str
    rulebook: Rulebook
    rules: str
    startclock: int
    playclock: int
    move_limit: int | None = None
    """Number of turns after which the match is aborted. If None, `MAX_TURNS`."""
    seed: int | None = None
    """Seed for the moves of role `random` and for the replacements of bad answers. Each turn has
    its own generator, so that a resumed match continues as if it had never been interrupted.
    """
    grace_seconds: float = PLAY_GRACE_SECONDS
    """Seconds beyond the playclock, for seats that do not keep the clock themselves."""
    unhurried: frozenset[str] = frozenset()
    """Roles without a playclock."""
    epilog: str = ""
    """The rules in Epilog, if a seat needs them."""
    will_go_on: Callable[[], bool] = lambda: False
    """Returns whether a match that is cancelled now will be resumed later."""


def played_roles(machine: gdl.StateMachine) -> tuple[gdl.Role, ...]:
    """Return the roles that need a player: all but `random`."""
    return tuple(role for role in machine.roles if not gdl.is_random(role))


def is_played(role: str) -> bool:
    """Return whether a role needs a player, as all but `random` do."""
    return role.lower() != gdl.RANDOM


class Referee:
    """The referee of one match.

    Attributes:
        record: The record of the match so far. It is complete when `run` has returned.
    """

    def __init__(
        self,
        setup: MatchSetup,
        seats: Sequence[Seat],
        observer: Observer | None = None,
        record: MatchRecord | None = None,
    ) -> None:
        """Prepare a match with these players.

        Args:
            seats: One for each role but `random`, in role order.
            observer: Called with every event. If it returns an awaitable, the referee awaits it.
                It must not raise.
            record: Record of an interrupted match to resume. It has at least one state.

        Raises:
            MatchError: The number of seats differs from the number of roles.
        """
        self._setup = setup
        self.roles = setup.rulebook.roles
        roles = [role for role in self.roles if is_played(role)]
        if len(seats) != len(roles):
            raise MatchError(f"expected {len(roles)} players, got {len(seats)}")
        self._seats = dict(zip(roles, seats, strict=True))
        self._observer = observer
        self._seed = random.randrange(1 << 31) if setup.seed is None else setup.seed
        self._position = Position((), is_terminal=False)
        self._turn_reports = TurnReports(setup.rulebook)
        names = [self._seats[role].name if role in self._seats else role for role in self.roles]
        self.record = record or MatchRecord(
            match_id=setup.match_id,
            start_time=milliseconds_since_1970(),
            startclock=setup.startclock,
            playclock=setup.playclock,
            player_names=tuple(names),
        )

    async def run(self) -> MatchRecord:
        """Play the match to its end, and return the complete record.

        Raises:
            MatchError: A role has no legal move or no goal. All players have been sent ABORT.
            MoveLimitError: The match reached its move limit. All players have been sent ABORT.
            GdlError: The rules could not be evaluated. All players have been sent ABORT.
            AdjournedError: The match is adjourned. The players are not notified. The error is a
                `ShortageError` if this process could not ask a player.
        """
        reason, rests = "interrupted", False
        try:
            await (self._resume() if self.record.states else self._start())
            while not self._position.is_terminal:
                await self._turn()
            self.record = self.record.completed(self._goals())
        except (GgpError, gdl.GdlError) as error:
            reason, rests = str(error), isinstance(error, AdjournedError)
            raise
        finally:
            if self.record.is_completed:
                await self._stop()
            elif rests or self._setup.will_go_on():
                await self._adjourn(reason)
            else:
                await self._abort(reason)
        return self.record

    async def _start(self) -> None:
        self._position = await self._setup.rulebook.first()
        errors = await _all(
            (self._invite(role) for role in self.roles), patience=self._setup.startclock
        )
        self.record = self.record.after_start(
            self._position.facts, errors, milliseconds_since_1970()
        )
        await self._tell(Began(self.roles, self.record))

    async def _resume(self) -> None:
        history = await self._turn_reports.history(self.record)
        self._position = await self._turn_reports.position(self.record)
        await _all(
            (self._invite(role, history) for role in self.roles), patience=self._setup.startclock
        )
        await self._tell(Began(self.roles, self.record))

    async def _invite(
        self, role: str, history: Mapping[str, Sequence[TurnReport]] | None = None
    ) -> str:
        if role not in self._seats:
            return ""
        setup, seat = self._setup, self._seats[role]
        invitation = Invitation(
            setup.match_id,
            role,
            setup.rules,
            setup.startclock,
            setup.playclock,
            epilog=setup.epilog,
            has_percepts=setup.rulebook.has_percepts,
        )
        asked = seat.resume(invitation, history[role]) if history else seat.start(invitation)
        _, error = await _within(setup.startclock + _overtime(seat), asked)
        return error

    async def _turn(self) -> None:
        turn = len(self.record.moves) + 1
        limit = self._setup.move_limit
        if turn > (MAX_TURNS if limit is None else limit):
            moves = "1 move" if turn == 2 else f"{turn - 1} moves"
            raise MoveLimitError(f"the match reached the limit of {moves}")
        legal = {role: self._legal(role, turn) for role in self.roles}
        replacement = replacements(legal, self._seed, turn)
        deciding = tuple(role for role in self.roles if len(legal[role]) > 1)
        await self._tell(Asked(turn, deciding))
        try:
            replies = await _all(
                (self._ask(role, legal[role], replacement[role]) for role in self.roles),
                patience=self._setup.playclock,
            )
        except TakeBackError as wish:
            await self._go_back(wish.num_turns)
            return
        await self._advance(turn, replies)

    def _legal(self, role: str, turn: int) -> tuple[str, ...]:
        moves = self._position.legal[self.roles.index(role)]
        if not moves:
            raise MatchError(
                f"the rules give role {role} no legal move on turn {turn}, "
                "and the state is not terminal"
            )
        return moves

    async def _ask(self, role: str, legal: tuple[str, ...], replacement: str) -> Reply:
        if role not in self._seats:
            return Reply(role, replacement, num_legal=len(legal))
        began = clock.now()
        seat, setup = self._seats[role], self._setup
        grace = _overtime(seat) if isinstance(seat, PunctualSeat) else setup.grace_seconds
        limit = None if role in setup.unhurried else setup.playclock + grace
        answer, error = await _within(limit, seat.play(self._report(role)))
        seconds = clock.now() - began
        await self._tell(Answered(len(self.record.moves) + 1, role))
        move = None
        if answer is not None and answer.missing:
            move, error = judge(answer.text, legal)[0], answer.missing
        elif answer is not None:
            move, error = judge(answer.text, legal)
        said = answer or Answer("")
        made = replacement if move is None else move
        info = said.search_info, said.fallback, said.replaced, said.printed, said.printed_amount
        return Reply(role, made, error, seconds, len(legal), *info)

    async def _advance(self, turn: int, replies: list[Reply]) -> None:
        moves = [reply.move for reply in replies]
        self._position = await self._turn_reports.after(self._position, moves)
        errors = [reply.mark for reply in replies]
        printed = [reply.printed for reply in replies]
        self.record = self.record.after_turn(
            moves, self._position.facts, errors, milliseconds_since_1970(), printed
        )
        percepts = self._position.percepts
        await self._tell(Moved(turn, tuple(replies), self.record, percepts))

    async def _go_back(self, num_turns: int) -> None:
        if not 0 <= num_turns <= len(self.record.moves):
            raise MatchError(
                f"expected to go back to a turn from 0 to {len(self.record.moves)}, got {num_turns}"
            )
        for seat in self._seats.values():
            if not isinstance(seat, PatientSeat):
                raise MatchError(f"player {seat.name} cannot take moves back")
            await seat.go_back(num_turns)
        self.record = self.record.shortened(num_turns)
        self._position = await self._turn_reports.position(self.record)
        await self._tell(TakenBack(self.record))

    def _goals(self) -> list[int]:
        goals = dict(zip(self.roles, self._position.goals, strict=True))
        for role, goal in goals.items():
            if goal is None and is_played(role):
                raise MatchError(f"the rules give role {role} no goal value in the terminal state")
        return [goal or 0 for goal in goals.values()]

    async def _stop(self) -> None:
        farewells = [
            _within(self._setup.playclock + _overtime(seat), seat.stop(self._report(role)))
            for role, seat in self._seats.items()
        ]
        await self._end(farewells)

    async def _abort(self, reason: str) -> None:
        self.record = self.record.aborted()
        seats = self._seats.values()
        await self._end([_within(ABORT_SECONDS, seat.abort()) for seat in seats], reason)

    async def _adjourn(self, reason: str) -> None:
        seats = self._seats.values()
        await self._end([_within(ABORT_SECONDS, seat.adjourn()) for seat in seats], reason)

    async def _end(self, farewells: Iterable[Awaitable[object]], reason: str = "") -> None:
        try:
            # The match is over, so it no longer matters whether a player can be reached.
            await asyncio.gather(*farewells, return_exceptions=True)
        finally:
            await self._tell(Ended(self.record, reason))

    def _report(self, role: str) -> TurnReport:
        return self._turn_reports.report(role, self.record, self._position)

    async def _tell(self, event: Event) -> None:
        waiting = self._observer(event) if self._observer else None
        if waiting is not None:
            await waiting


def _overtime(seat: Seat) -> float:
    return seat.overtime_seconds if isinstance(seat, PunctualSeat) else 0.0


async def _all(asked: Iterable[Coroutine[Any, Any, T]], patience: float) -> list[T]:
    """Return the players' answers in order. If one request fails, cancel the others, and raise.

    If this process could not ask a player, first wait up to `patience` seconds for the other
    players. Their seats store the answers and need not ask again when the match continues.
    """
    tasks = [asyncio.ensure_future(one) for one in asked]
    try:
        return await asyncio.gather(*tasks)
    except ShortageError:
        await asyncio.wait(tasks, timeout=patience)
        raise
    finally:
        await cancel(*tasks)


async def _within(
    seconds: float | None, asked: Awaitable[Answer | None]
) -> tuple[Answer | None, str]:
    """Return the answer if it came in time, else None and the error `TO` or `CE`.

    Raises:
        ShortageError: This process could not even ask.
    """
    try:
        async with asyncio.timeout(seconds):
            return await asked, ""
    except TimeoutError:
        return None, "TO"
    except (SeatError, OSError) as error:
        if what := shortage(error):
            raise ShortageError(what) from error
        return None, "CE"

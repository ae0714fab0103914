"""Seats of a match in which both players share one core.

A player thinks only in its own turn, and in its own startclock. Our players get the rules in
scrambled words, so that nothing stored by name or text can help them.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace

from contest.sides import MissedError, Side

import gdl
from ggp.match.errors import SeatError
from ggp.match.seat import Answer, Invitation, OwnSeat, Seat, TurnReport


class ScrambledSeat:
    """A seat whose player knows the game under other names only."""

    def __init__(self, seat: Seat, words: gdl.Scrambled) -> None:
        self._seat, self._words = seat, words
        self._rules = " ".join(map(str, gdl.read_rules(words.text, words.game).forms))

    @property
    def name(self) -> str:
        """The player's name."""
        return self._seat.name

    async def start(self, invitation: Invitation) -> None:
        """Let the player get ready."""
        await self._seat.start(self._invited(invitation))

    async def resume(self, invitation: Invitation, history: Sequence[TurnReport]) -> None:
        """Resume an interrupted match."""
        await self._seat.resume(self._invited(invitation), list(map(self._reported, history)))

    async def play(self, report: TurnReport) -> Answer:
        """Return the player's move in the words of the original."""
        answer = await self._seat.play(self._reported(report))
        try:
            move = str(self._words.original(gdl.read_term(answer.text)))
        except gdl.GdlError:
            return answer  # the referee refuses it
        return replace(answer, text=move)

    async def stop(self, report: TurnReport) -> None:
        """Report that the match is over."""
        await self._seat.stop(self._reported(report))

    async def abort(self) -> None:
        """Report that the match is broken off."""
        await self._seat.abort()

    async def adjourn(self) -> None:
        """Do nothing."""
        await self._seat.adjourn()

    def _invited(self, invitation: Invitation) -> Invitation:
        return replace(invitation, rules=self._rules, role=self._word(invitation.role))

    def _reported(self, report: TurnReport) -> TurnReport:
        return replace(
            report,
            moves=None if report.moves is None else self._all_words(report.moves),
            own_move=None if report.own_move is None else self._word(report.own_move),
            single_move=None if report.single_move is None else self._word(report.single_move),
            roles=self._all_words(report.roles),
            legal=self._all_words(report.legal),
        )

    def _all_words(self, texts: Sequence[str]) -> tuple[str, ...]:
        return tuple(map(self._word, texts))

    def _word(self, text: str) -> str:
        return str(self._words.move(gdl.read_term(text)))


class SideSeat(OwnSeat):
    """A side of `contest.sides` at the referee's table: OpenSpiel's bot, or counted iterations."""

    def __init__(
        self, side: Side, game: gdl.Game, role: gdl.Role, name: str, seconds: float
    ) -> None:
        """Seat a side.

        Args:
            side: Asked only where there is a choice.
            game: Its own reading of the rules.
            seconds: For a move, and to get ready.
        """
        self.name = name
        self._side, self._game, self._role, self._seconds = side, game, role, seconds
        self._state = game.initial_state()

    async def start(self, invitation: Invitation) -> None:
        """Let the side get ready."""
        await asyncio.to_thread(self._side.begin, self._state, self._seconds)

    async def resume(self, invitation: Invitation, history: Sequence[TurnReport]) -> None:
        """Raise an error, because matches here are played anew instead."""
        raise SeatError(f"{self.name} cannot resume a match")

    async def play(self, report: TurnReport) -> Answer:
        """Return the side's move."""
        if report.moves is not None:
            self._advance(report.moves)
        legal = self._game.legal_moves(self._state, self._role)
        if len(legal) == 1:
            return Answer(str(legal[0]))
        try:
            move = await asyncio.to_thread(self._side.choose, self._state, self._seconds)
        except MissedError as error:
            raise SeatError(str(error)) from error
        return Answer(str(move))

    async def abort(self) -> None:
        """End the side."""
        self._side.end()

    def _advance(self, texts: Sequence[str]) -> None:
        moves = tuple(map(gdl.read_term, texts))
        self._state = self._game.next_state(self._state, moves)
        self._side.advance(moves, self._state)


class WaitingSeat:
    """A seat that waits until the other one has answered, and only then starts its clock.

    Attributes:
        overtime_seconds: How much longer than its clock it may take with that wait.
        slowest_seconds: The longest time for an answer, without that wait.
    """

    def __init__(self, seat: Seat, core: asyncio.Lock, overtime_seconds: float) -> None:
        """Wrap a seat.

        Args:
            core: The same for all seats of the match.
        """
        self._seat, self._core = seat, core
        self.overtime_seconds = overtime_seconds
        self.slowest_seconds = 0.0

    @property
    def name(self) -> str:
        """The player's name."""
        return self._seat.name

    async def start(self, invitation: Invitation) -> None:
        """Let the player get ready, alone."""
        async with self._core:
            await self._seat.start(invitation)

    async def resume(self, invitation: Invitation, history: Sequence[TurnReport]) -> None:
        """Resume a match, alone."""
        async with self._core:
            await self._seat.resume(invitation, history)

    async def play(self, report: TurnReport) -> Answer:
        """Return the player's move, for which it thinks alone."""
        async with self._core:
            begun = time.monotonic()
            answer = await self._seat.play(report)
            self.slowest_seconds = max(self.slowest_seconds, time.monotonic() - begun)
            return answer

    async def stop(self, report: TurnReport) -> None:
        """Report that the match is over."""
        await self._seat.stop(report)

    async def abort(self) -> None:
        """Report that the match is broken off."""
        await self._seat.abort()

    async def adjourn(self) -> None:
        """Do nothing."""
        await self._seat.adjourn()

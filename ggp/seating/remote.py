"""A running player, sent the messages that GGP-Base's game server sends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from ggp.match.errors import SeatError
from ggp.match.scrambling import Scrambler
from ggp.match.seat import Answer, Invitation, Told
from ggp.protocol import (
    Abort,
    ConnectionFailedError,
    Happened,
    Message,
    Play,
    ReplyTimeoutError,
    Start,
    Stop,
    encode,
    shown,
)
from ggp.protocol.client import send

READY = "ready"
Tell = Callable[[str], None]


class RemoteSeat:
    """A running player, sent the messages that GGP-Base's game server sends.

    How long to wait for an answer is the referee's business: he cancels.
    """

    def __init__(
        self,
        address: str,
        name: str,
        warn: Tell,
        stays: Callable[[], bool] = lambda: False,
        scrambler: Scrambler | None = None,
    ) -> None:
        """Seat a player.

        Args:
            address: Where it runs.
            name: What it is called.
            warn: Is told what may explain a bad match.
            stays: Whether it stays in a match that is broken off, as this one will go on.
            scrambler: The words in which it is told of the match; None for those of the rules.
        """
        self.name = name
        self._scrambler = scrambler
        self._stays = stays
        self._address = address
        self._warn = warn
        self._match_id = ""

    async def start(self, invitation: Invitation) -> None:
        """Send START; whatever is answered, the match begins."""
        self._match_id = invitation.match_id
        answer = await self._send(
            Start(
                invitation.match_id,
                self._spelled(invitation.role),
                self._spelled(invitation.rules),
                invitation.startclock,
                invitation.playclock,
            )
        )
        if answer.lower() != READY:
            self._warn(f"{self.name} answers START with {shown(answer) or 'nothing'}, not {READY}")

    async def resume(self, invitation: Invitation, history: Sequence[Sequence[str]]) -> None:
        """Nothing is sent: a player that is still in the match answers the next PLAY."""
        self._match_id = invitation.match_id

    async def play(self, told: Told) -> Answer:
        """Send PLAY."""
        answer = await self._send(Play(self._match_id, self._happened(told.moves)))
        return Answer(self._scrambler.unscramble(answer) if self._scrambler else answer)

    async def stop(self, told: Told) -> None:
        """Send STOP."""
        await self._send(Stop(self._match_id, self._happened(told.moves)))

    async def abort(self) -> None:
        """Send ABORT, unless the match will go on."""
        if self._stays():
            return
        await self._send(Abort(self._match_id))

    async def _send(self, message: Message) -> str:
        # Half a megabyte of rules is spelled in a thread, so that other players' clocks go right.
        text = await asyncio.to_thread(encode, message)
        try:
            return await send(self._address, text, timeout=float("inf"), receiver=self.name)
        except ReplyTimeoutError as error:
            raise TimeoutError(str(error)) from error
        except ConnectionFailedError as error:
            raise SeatError(str(error)) from error

    def _happened(self, moves: Sequence[str] | None) -> Happened:
        items = None if moves is None else tuple(map(self._spelled, moves))
        return Happened("NIL" if items is None else f"({' '.join(items)})", items)

    def _spelled(self, text: str) -> str:
        return self._scrambler.scramble(text) if self._scrambler else text

"""Players that a command line names, and their seats: our own in a process, others by HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ggp.cli.addresses import is_address, unreachable
from ggp.clock import Deadline
from ggp.engine import EngineConfig, EnginePool, MatchEngine, MatchSetup, Origin, Reasoner
from ggp.match.errors import SeatError
from ggp.match.seat import Answer, Invitation, Seat, Told
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
from ggp.protocol.client import info, send

INFO_SECONDS = 2.0
READY = "ready"
LOCAL_MARGIN_SECONDS = 0.2
"""How long before the clock runs out a player of our own must have moved."""
GO_BACK_SECONDS = 10.0
"""How long taking moves back waits for a process that has followed."""
SOUND_ORIGINS = frozenset({Origin.SEARCH, Origin.ONLY_MOVE})
"""Where a move comes from when nothing has gone wrong."""
Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Callers:
    """Who is told, in a line each, what happens at the seats."""

    tell: Tell
    """Is told what is worth knowing."""
    warn: Tell
    """Is told what may explain a bad match, for standard error."""
    wait: Tell
    """Is told what takes long, for standard error."""


@dataclass(frozen=True, slots=True)
class Contestant:
    """A player as the command line names it.

    Attributes:
        text: A spec such as `mcts:c=0.7`, or the address of a running player.
        name: What it is called in tables and records.
    """

    text: str
    name: str

    @property
    def is_remote(self) -> bool:
        """Whether it is a running player, to be reached by its address."""
        return is_address(self.text)

    def seat(
        self, pool: EnginePool, seed: int | None, reasoner: Reasoner, callers: Callers
    ) -> Seat:
        """A seat for one match."""
        if self.is_remote:
            return RemoteSeat(self.text, self.name, callers.warn)
        config = EngineConfig(player=self.text, seed=seed, reasoner=reasoner)
        return LocalSeat(pool, config, self.name, callers.tell)


async def ask_name(address: str, warn: Tell) -> str:
    """What a running player calls itself; its address if it does not say.

    Raises:
        CommandFailedError: Nobody answers there.
    """
    try:
        found = await info(address, timeout=INFO_SECONDS)
    except ReplyTimeoutError:  # INFO is younger than START; some players do not know it
        warn(f"{address} does not answer INFO within {INFO_SECONDS:g} s")
        return address
    except ConnectionFailedError as error:
        raise unreachable(address, error) from error
    if found.status.lower() == "busy":
        warn(f"{address} says that it is busy; it may refuse to play")
    elif not found.name and not found.status:
        warn(f"{address} may be no player: to INFO it answers {shown(found.text) or 'nothing'}")
    return found.name or address


class LocalSeat:
    """A player of our own, searching in a process of its own."""

    def __init__(self, pool: EnginePool, config: EngineConfig, name: str, tell: Tell) -> None:
        self.name = name
        self._tell = tell
        self._pool = pool
        self._config = config
        self._engine: MatchEngine | None = None
        self._playclock = 0.0

    async def start(self, invitation: Invitation) -> None:
        """Read the rules and prepare; returns before the startclock ends.

        Raises:
            EngineError: The rules or the player cannot be used.
        """
        self._playclock = invitation.playclock
        setup = MatchSetup(
            invitation.rules, invitation.role, invitation.startclock, invitation.playclock, "kif"
        )
        deadline = Deadline.after(invitation.startclock - LOCAL_MARGIN_SECONDS)
        self._engine = await MatchEngine.start(self._pool, setup, self._config, deadline)
        reasoner = self._engine.reasoner or "interpreter, as long as the game is being compiled"
        self._tell(f"{self.name} reasons by {reasoner}")

    async def resume(self, invitation: Invitation, history: Sequence[Sequence[str]]) -> None:
        """Start, and play over what happened so far."""
        await self.start(invitation)
        assert self._engine is not None
        deadline = Deadline.after(invitation.startclock - LOCAL_MARGIN_SECONDS)
        for moves in history[:-1]:  # the last joint move comes with PLAY
            await self._engine.update(moves, deadline)

    async def play(self, told: Told) -> Answer:
        """The move that the player has chosen when its clock ends."""
        if self._engine is None:
            raise SeatError(f"{self.name} has not started")
        deadline = Deadline.after(self._playclock - LOCAL_MARGIN_SECONDS)
        choice = await self._engine.play(told.moves, deadline)
        fallback = "" if choice.origin in SOUND_ORIGINS else choice.origin.value
        return Answer(choice.move, choice.thoughts, fallback)

    async def go_back(self, num_turns: int) -> None:
        """Let another process make the moves that are not taken back."""
        if self._engine is None:
            raise SeatError(f"{self.name} has not started")
        # The last turn is told again by the next `play`.
        deadline = Deadline.after(max(self._playclock, GO_BACK_SECONDS))
        await self._engine.go_back(max(0, num_turns - 1), deadline)

    async def stop(self, told: Told) -> None:
        """End the process; how the match came out it need not know."""
        await self.abort()

    async def abort(self) -> None:
        """End the process."""
        if self._engine is not None:
            await self._engine.abort()


class RemoteSeat:
    """A running player, sent the messages that GGP-Base's game server sends.

    How long to wait for an answer is the referee's business: he cancels.
    """

    def __init__(self, address: str, name: str, warn: Tell) -> None:
        self.name = name
        self._address = address
        self._warn = warn
        self._match_id = ""

    async def start(self, invitation: Invitation) -> None:
        """Send START; whatever is answered, the match begins."""
        self._match_id = invitation.match_id
        answer = await self._send(
            Start(
                invitation.match_id,
                invitation.role,
                invitation.rules,
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
        return Answer(await self._send(Play(self._match_id, _happened(told.moves))))

    async def stop(self, told: Told) -> None:
        """Send STOP."""
        await self._send(Stop(self._match_id, _happened(told.moves)))

    async def abort(self) -> None:
        """Send ABORT."""
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


def _happened(moves: Sequence[str] | None) -> Happened:
    items = None if moves is None else tuple(moves)
    return Happened("NIL" if items is None else f"({' '.join(items)})", items)

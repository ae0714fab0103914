"""Players that a command line names, and their seats.

Our own think in a process, others are asked by HTTP; who does not think needs neither.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ggp.cli.addresses import unreachable
from ggp.engine import EngineConfig, EnginePool, Reasoner
from ggp.match.following import FollowedRulebook
from ggp.match.seat import Seat
from ggp.protocol import (
    ConnectionFailedError,
    ReplyTimeoutError,
    shown,
)
from ggp.protocol.addresses import is_address
from ggp.protocol.client import info
from ggp.protocol.dialects import GGP_BASE, MANNERS
from ggp.seating.local import LocalSeat
from ggp.seating.remote import RemoteSeat
from ggp.seating.simple import PLAYERS, SimpleSeat

INFO_SECONDS = 2.0
Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Callers:
    """Receivers of what happens at the seats, in a line each."""

    tell: Tell
    """Is told what is worth knowing."""
    warn: Tell
    """Is told what may explain a bad match, for standard error."""
    wait: Tell
    """Is told what takes long, for standard error."""


@dataclass(frozen=True, slots=True)
class Table:
    """Resources for those who sit at it."""

    pool: EnginePool
    reasoner: Reasoner
    book: FollowedRulebook
    """Of the match."""
    is_pondering: bool = True
    """Whether who thinks here goes on while the others do."""


@dataclass(frozen=True, slots=True)
class Contestant:
    """A player as the command line names it.

    Attributes:
        text: A spec such as `mcts:c=0.7`, or the address of a running player.
        name: What it is called in tables and records.
        dialect: In which it is spoken to, if it is a running one.
    """

    text: str
    name: str
    dialect: str = GGP_BASE

    @property
    def is_remote(self) -> bool:
        """Whether it is a running player, to be reached by its address."""
        return is_address(self.text)

    @property
    def needs_process(self) -> bool:
        """Whether it thinks on this machine."""
        return not self.is_remote and self.text not in PLAYERS

    def seat(self, at: Table, seed: int | None, callers: Callers) -> Seat:
        """A seat for one match."""
        if self.is_remote:
            return RemoteSeat(self.text, self.name, callers.warn, MANNERS[self.dialect])
        if self.text in PLAYERS:
            return SimpleSeat(PLAYERS[self.text](seed), at.book, self.name)
        config = EngineConfig(
            player=self.text, seed=seed, reasoner=at.reasoner, is_pondering=at.is_pondering
        )
        return LocalSeat(at.pool, config, self.name, callers.tell)


async def ask_name(address: str, warn: Tell, dialect: str = GGP_BASE) -> str:
    """Name that a running player gives itself; its address if it gives none, or cannot be asked.

    Raises:
        CommandFailedError: Nobody answers there.
    """
    question = MANNERS[dialect].info
    if not question:
        return address
    try:
        found = await info(address, timeout=INFO_SECONDS, message=question)
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

"""Players given by name or address, and their seats.

Our own players search in separate processes. Remote players and language models are asked over
HTTP. Players that do not search, such as `random`, choose their moves in this process.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ggp.engine import EngineConfig, EnginePool, Reasoner
from ggp.language_models.spec import is_model, key_of_environment, read_spec
from ggp.log import ReportLine
from ggp.match.rulebook import FollowedRulebook
from ggp.match.seat import Seat
from ggp.protocol import ConnectionFailedError, ReplyTimeoutError, shown
from ggp.protocol.addresses import check_apart, is_address, unreachable
from ggp.protocol.client import info
from ggp.protocol.dialects import DIALECTS, GGP_BASE
from ggp.seating.local import PLAYERS, LocalSeat, Prepared, SimpleSeat
from ggp.seating.remote import RemoteSeat

INFO_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class SeatReports:
    """Callbacks that show reports of the seats to the user. Each report is one line of text.

    Attributes:
        note: Called with useful information.
        warn: Called with problems that may explain a bad match.
        wait: Called with the name of each step that takes long.
        prepared: Called with the name of a local player and the number of positions that it
            evaluated in the startclock.
    """

    note: ReportLine
    warn: ReportLine
    wait: ReportLine
    prepared: Prepared = lambda name, positions: None


@dataclass(frozen=True, slots=True)
class Resources:
    """Resources that local players need in a match.

    Attributes:
        pool: Lends processes.
        reasoner: The reasoner for the rules.
        book: The rules of the match, with the current position.
        is_pondering: Whether local players also think while other players choose.
    """

    pool: EnginePool
    reasoner: Reasoner
    book: FollowedRulebook
    is_pondering: bool = True


@dataclass(frozen=True, slots=True)
class Contestant:
    """A player as a user names it.

    Attributes:
        text: A spec such as `mcts:c=0.7`, the address of a running player, or a language model,
            `llm:http://HOST:PORT/v1,model=NAME`.
        name: Its name in tables and records.
        dialect: The dialect in which a running player is addressed.
    """

    text: str
    name: str
    dialect: str = GGP_BASE

    @property
    def is_remote(self) -> bool:
        """Whether the contestant is a player that already runs at an address."""
        return is_address(self.text)

    @property
    def is_model(self) -> bool:
        """Whether the contestant is a language model."""
        return is_model(self.text)

    @property
    def needs_process(self) -> bool:
        """Whether the contestant searches on this machine, in a separate process."""
        return not (self.is_remote or self.is_model or self.text in PLAYERS)

    def seat(self, resources: Resources, seed: int | None, reports: SeatReports) -> Seat:
        """Return a seat for the contestant in one match."""
        if self.is_remote:
            return RemoteSeat(self.text, self.name, reports.warn, DIALECTS[self.dialect])
        if self.is_model:
            return _model_seat(self, resources, reports)
        if self.text in PLAYERS:
            return SimpleSeat(PLAYERS[self.text](seed), resources.book, self.name)
        config = EngineConfig(
            player=self.text,
            seed=seed,
            reasoner=resources.reasoner,
            is_pondering=resources.is_pondering,
        )
        told = reports.note, reports.prepared, reports.warn
        return LocalSeat(resources.pool, config, self.name, *told)


def _model_seat(model: Contestant, resources: Resources, reports: SeatReports) -> Seat:
    from ggp.language_models.seat import ModelSeat  # aiohttp is slow to import

    spec, key = read_spec(model.text), key_of_environment()
    return ModelSeat(spec, key, resources.book, model.name, reports.note, reports.warn)


async def ask_name(address: str, warn: ReportLine, dialect: str = GGP_BASE) -> str:
    """Return the name that a running player reports, or its address if it reports none.

    Raises:
        CommandFailedError: No player answers at the address.
    """
    question = DIALECTS[dialect].info
    if not question:
        return address
    try:
        found = await info(address, timeout=INFO_SECONDS, message=question)
    except ReplyTimeoutError:  # INFO was added after START, so some players do not know it
        warn(f"{address} does not answer INFO within {INFO_SECONDS:g} s")
        return address
    except ConnectionFailedError as error:
        raise unreachable(address, error) from error
    if found.status.lower() == "busy":
        warn(f"{address} says that it is busy; it may refuse to play")
    elif not found.name and not found.status:
        warn(
            f"{address} does not look like a player: "
            f"it answers INFO with {shown(found.text) or 'nothing'}"
        )
    return found.name or address


async def contestants_named(
    texts: Sequence[str], dialect: str, warn: ReportLine
) -> list[Contestant]:
    """Return contestants for specs and addresses. Number contestants that share a name.

    Raises:
        WrongUseError: Two contestants have the same address.
        CommandFailedError: No player answers at an address.
    """
    check_apart((f"player {number}", text) for number, text in enumerate(texts, start=1))
    names = [await ask_name(text, warn, dialect) if is_address(text) else text for text in texts]
    repeated = {name for name in names if names.count(name) > 1}
    return [
        Contestant(text, f"{name}#{number}" if name in repeated else name, dialect)
        for number, (text, name) in enumerate(zip(texts, names, strict=True), start=1)
    ]

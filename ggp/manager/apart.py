"""Seats that are told apart: a player elsewhere knows them by its address, and by nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from ggp.manager.problems import WrongRequestError
from ggp.protocol.addresses import is_address

THIS_MACHINE = frozenset({"localhost", "127.0.0.1", "::1"})


def check_apart(players: Iterable[tuple[str, str]]) -> None:
    """See that no two seats of a match are played at one address, where answers would mix.

    Args:
        players: The name of each, and its address or spec.

    Raises:
        WrongRequestError: Two are at the same address; says what would be right.
    """
    seen: dict[str, str] = {}
    for name, source in players:
        if not is_address(source):
            continue
        place = _place(source)
        if place in seen:
            whom = f"{name} has two seats" if seen[place] == name else f"{seen[place]} and {name}"
            raise WrongRequestError(
                f"players: {whom} at one address, {source:.100}, where one match is played "
                "in one seat; expected a path of its own for each seat, such as "
                f"{_base(source)}/white and {_base(source)}/black"
            )
        seen[place] = name


def _place(address: str) -> str:
    """One spelling for each address."""
    parts = urlsplit(address)
    host = (parts.hostname or "").lower()
    return f"{'localhost' if host in THIS_MACHINE else host}:{parts.port}{parts.path.rstrip('/')}"


def _base(address: str) -> str:
    return f"http://{urlsplit(address).netloc}"

"""Players of the roles that the person does not play."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ggp.cli.failures import WrongUseError
from ggp.errors import UnknownNameError
from ggp.match.referee import played_roles

if TYPE_CHECKING:
    import gdl

DEFAULT = "mcts"

_NAMED = re.compile(r"(?P<role>[^\s:=,./]+)=(?P<player>.+)")


def opponents(machine: gdl.StateMachine, own: gdl.Role, texts: Sequence[str]) -> dict[str, str]:
    """The player of each other role that needs one, in role order.

    Args:
        machine: The game.
        own: The person's role.
        texts: `PLAYER` for all other roles or, several of them, one a role in role order;
            `ROLE=PLAYER` for one role.

    Raises:
        WrongUseError: There is no such role, or there are more or fewer players than roles.
    """
    others = [role.name for role in played_roles(machine) if role is not own]
    if texts and not others:
        raise WrongUseError(f"--against: the game has no other role than {own}, got {texts[0]}")
    named: dict[str, str] = {}
    plain: list[str] = []
    for text in texts:
        match = _NAMED.fullmatch(text)
        if match is None:
            plain.append(text)
        else:
            named[_role(match["role"], others, own.name)] = match["player"]
    rest = [role for role in others if role not in named]
    if len(plain) > 1 and len(plain) != len(rest):
        raise WrongUseError(
            f"--against: expected one player, or one for each of {', '.join(rest) or 'no role'}; "
            f"got {len(plain)}: {', '.join(plain)}"
        )
    players = plain if len(plain) == len(rest) else (plain or [DEFAULT]) * len(rest)
    chosen = named | dict(zip(rest, players, strict=True))
    return {role: chosen[role] for role in others}


def _role(name: str, others: Sequence[str], own: str) -> str:
    if name.casefold() == own.casefold():
        raise WrongUseError(
            f"--against: {own} is yours; expected a player for {' or '.join(others)}, "
            "or another role with --as"
        )
    for role in others:
        if role.casefold() == name.casefold():
            return role
    raise WrongUseError(f"--against: {UnknownNameError('role', name, others)}")

"""Rights: what each role of an account may do; the only place that says so.

Each operation of the API and each page names the right that it needs, or needs `Right.ADMINISTER`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from ggp.manager.errors import NotAllowedError


class Role(StrEnum):
    """The role of an account; one that stands before another is higher."""

    HOST = "host"
    """Runs the manager."""
    LECTURER = "lecturer"
    STUDENT = "student"
    SPECTATOR = "spectator"

    def is_above(self, other: Role) -> bool:
        """Whether accounts of this role may make and look after those of the other."""
        order = list(Role)
        return order.index(self) < order.index(other)


class Right(StrEnum):
    """What somebody may do."""

    ENTER = "come in"
    """See the page to log in, and what it is made of; without an account too."""
    ACCOUNT = "have an account"
    """Change the own password, make tokens, log out."""
    LOOK = "look"
    """See games, matches, reports, tournaments, ratings."""
    PLAY = "play"
    """Set up matches of one's own, play by hand, ask for hints and reports, try rules."""
    REGISTER = "register players"
    """One's own: at an address or uploaded, seen and retired by nobody else but lecturers."""
    HOLD = "hold matches and tournaments"
    """With all players and of everybody; add games."""
    TEACH = "look after students"
    """Invite, see how they do, help those who forgot their password."""
    ADMINISTER = "administer accounts"
    """Lock accounts and change their roles."""


SPECTATOR_RIGHTS: Final = frozenset({Right.ENTER, Right.ACCOUNT, Right.LOOK})
STUDENT_RIGHTS: Final = SPECTATOR_RIGHTS | {Right.PLAY, Right.REGISTER}
LECTURER_RIGHTS: Final = STUDENT_RIGHTS | {Right.HOLD, Right.TEACH}
RIGHTS: Final = {
    Role.HOST: frozenset(Right),
    Role.LECTURER: LECTURER_RIGHTS,
    Role.STUDENT: STUDENT_RIGHTS,
    Role.SPECTATOR: SPECTATOR_RIGHTS,
}


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks for something.

    Attributes:
        role: None for somebody who has not logged in.
        account: Its number; None where there are no accounts, or nobody has logged in.
    """

    role: Role | None
    account: int | None = None
    name: str = ""

    def may(self, right: Right) -> bool:
        """Whether it has a right."""
        return right in (RIGHTS[self.role] if self.role else {Right.ENTER})

    def owns(self, owner: int | None) -> bool:
        """Whether it may change what belongs to an account, or to everybody (None)."""
        return self.may(Right.HOLD) or (owner is not None and owner == self.account)

    def sees(self, owner: int | None) -> bool:
        """Whether it may see a player of an account, or of everybody (None)."""
        return owner is None or self.owns(owner)

    @property
    def owner(self) -> int | None:
        """Whose the players are that it registers: a lecturer's are everybody's."""
        return None if self.may(Right.HOLD) else self.account

    def check_owns(self, owner: int | None, what: str) -> None:
        """See that it may change something."""
        if not self.owns(owner):
            raise NotAllowedError(f"{what} is not yours; expected one of your own")


EVERYBODY: Final = Caller(Role.HOST)
"""Whoever reaches a manager without accounts."""
NOBODY: Final = Caller(None)
"""Somebody who has not logged in."""


_caller: Final[ContextVar[Caller]] = ContextVar("caller", default=NOBODY)


def current_caller() -> Caller:
    """Whoever asks for what is answered now."""
    return _caller.get()


@contextmanager
def acting(caller: Caller) -> Iterator[None]:
    """Answer somebody inside the `with`."""
    before = _caller.set(caller)
    try:
        yield
    finally:
        _caller.reset(before)

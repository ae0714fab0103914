"""Questions about a match. A sandbox process answers them after `open_match`."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

import gdl
from ggp.clock import Deadline
from ggp.errors import GgpError
from ggp.match.rulebook import MachineRulebook

if TYPE_CHECKING:
    from ggp.belief import Belief

SECONDS_OF_MATCH: Final = 15.0
"""Time limit for adding all new turns to a belief."""
SECONDS_OF_TURN: Final = 2.0
"""Time limit for adding one new turn to a belief."""
MAX_BELIEFS: Final = 64
"""Maximum number of beliefs that a process keeps."""
DIGITS: Final = 4
MAX_BYTES: Final = 1 << 20
"""Maximum number of bytes of a state, of its legal moves, and of the percepts of a move."""

SeenTurn = tuple[str, Sequence[str]]
"""A role's own move in a turn, and its percepts."""


class _Match:
    def __init__(self, rules: gdl.Rulesheet) -> None:
        self.game = gdl.load(rules, "interpreter")
        self.book = MachineRulebook(self.game, has_percepts=rules.has_percepts, max_bytes=MAX_BYTES)
        self.beliefs: OrderedDict[tuple[str, str], FollowedBelief] = OrderedDict()


_matches: list[_Match] = []
"""The match that was opened last in this process, if any."""


def open_match(text: str, name: str) -> dict[str, Any]:
    """Read a match's rules. Return the roles, whether there are percepts, and the rules in KIF."""
    rules = gdl.read_rules(text, name)
    _matches[:] = [_Match(rules)]
    book = _matches[0].book
    kif = " ".join(map(str, rules.forms))
    return {"roles": book.roles, "has_percepts": book.has_percepts, "kif": kif}


def first() -> dict[str, Any]:
    """Return the initial position."""
    return asdict(asyncio.run(_opened().book.first()))


def at(facts: Sequence[str]) -> dict[str, Any]:
    """Return the position of the state with the given facts."""
    return asdict(asyncio.run(_opened().book.at(facts)))


def after(facts: Sequence[str], moves: Sequence[str]) -> dict[str, Any]:
    """Return the position after a joint move."""
    return asdict(asyncio.run(_opened().book.after(facts, moves)))


def believe(
    role: str, turns: Sequence[SeenTurn], *, is_over: bool, match: str = ""
) -> dict[str, Any]:
    """Return the belief of a role after the given turns, see `FollowedBelief.after`.

    Args:
        match: Identifies one of several matches with these rules. Each role in each match has its
            own belief. Only the most recently used beliefs are kept.
    """
    opened = _opened()
    key = (match, role)
    if key not in opened.beliefs:
        opened.beliefs[key] = FollowedBelief(opened.game, role)
    opened.beliefs.move_to_end(key)
    while len(opened.beliefs) > MAX_BELIEFS:
        opened.beliefs.popitem(last=False)
    return opened.beliefs[key].after(turns, is_over=is_over)


def _opened() -> _Match:
    if not _matches:
        raise GgpError("no rules were opened")
    return _matches[0]


class FollowedBelief:
    """The belief of one role. It is kept, because the next question usually adds one turn.

    The same turns always give the same belief.
    """

    def __init__(self, game: gdl.Game, role: str) -> None:
        """Create the belief of a role before the first turn.

        Raises:
            GgpError: The game has no such role.
        """
        found = [one for one in game.roles if one.name == role]
        if not found:
            raise GgpError(f"expected a role of the game, got {role:.40}")
        self._game, self._role = game, found[0]
        self._belief = self._first()
        self._turns: list[tuple[str, tuple[str, ...]]] = []
        self._is_over = False

    def after(self, turns: Sequence[SeenTurn], *, is_over: bool) -> dict[str, Any]:
        """Return the belief after all turns so far, with the fields of `BelievedPosition`."""
        wanted = [(move, tuple(percepts)) for move, percepts in turns]
        is_other_end = self._is_over or (is_over and wanted == self._turns)
        if is_other_end or wanted[: len(self._turns)] != self._turns:
            self._belief, self._turns = self._first(), []
        left = wanted[len(self._turns) :]
        deadline = Deadline.after(SECONDS_OF_MATCH)
        for number, (move, percepts) in enumerate(left, start=1):
            ends = is_over and number == len(left)
            share = deadline.remaining() / (len(left) - number + 1)
            seen = frozenset(map(gdl.read_term, percepts))
            end = Deadline.after(min(share, SECONDS_OF_TURN))
            self._belief.advance(gdl.read_term(move), seen, end, is_over=ends)
        self._turns, self._is_over = wanted, is_over
        belief = self._belief
        likely = {str(fact): share for fact, share in belief.probabilities().items()}
        return {
            "likely": {fact: min(1.0, round(likely[fact], DIGITS)) for fact in sorted(likely)},
            "worlds": belief.worlds.num,
            "is_complete": belief.is_complete,
            "is_consistent": belief.is_consistent,
        }

    def _first(self) -> Belief:
        from ggp.belief import Belief  # slow to import, and not needed for most questions

        return Belief(self._game, self._role, seed=0)

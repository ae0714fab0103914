"""A position that is described by moves from the start, one ply after another.

If roles take turns, the move of the role to move is sufficient. A joint move, with one move for
each role in the order of the rules, is always accepted, with or without parentheses around it. If
only one role has a choice, its move may be written without parentheses, as in `ggp play`. An
example is `mark 2 2`.

Only the legal moves show whether `(rock paper)` is the move of one role or two roles' moves. If
both are possible, it is the move of the role that has a choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

import gdl
from ggp.errors import WrongUseError
from ggp.search.core.choices import Choices, Joint, deciders_of, require_moves
from ggp.term_text import listed, terms_of

SOURCE = "--moves"


@dataclass(frozen=True, slots=True)
class Position:
    """A state, and the joint moves that led to it."""

    state: gdl.State
    moves: tuple[Joint, ...]


def position_after(
    machine: gdl.StateMachine,
    rulesheet: gdl.Rulesheet,
    texts: Sequence[str],
    *,
    may_be_stuck: bool = False,
) -> Position:
    """Return the position after the moves in `texts`.

    Args:
        may_be_stuck: Whether to accept a position in which a role has no legal move.

    Raises:
        WrongUseError: A move cannot be read or is not legal. The message names it and lists legal
            moves.
        StuckError: The rules leave a role without a legal move in that position.
    """
    pending = _read(" ".join(texts), SOURCE)
    state, made = machine.initial_state(), list[Joint]()
    while pending:
        if machine.is_terminal(state):
            raise WrongUseError(
                f"{SOURCE}: the game is over after ply {len(made)}, so the move "
                f"{pending[0]} cannot be made"
            )
        ply = _Ply(machine, rulesheet, state, f"{SOURCE}: ply {len(made) + 1}")
        joint, num_used = ply.joint(pending)
        del pending[:num_used]
        state = machine.next_state(state, joint)
        made.append(joint)
    if not may_be_stuck:
        require_moves(machine, state, f"on turn {len(made) + 1}")
    return Position(state, tuple(made))


def joint_move(
    machine: gdl.StateMachine, rulesheet: gdl.Rulesheet, state: gdl.State, text: str, source: str
) -> Joint:
    """Parse the single joint move in `text`, written as in `position_after`.

    Args:
        text: The move of the role to move, or one move for each role.
        source: What error messages call the text.

    Raises:
        WrongUseError: The text cannot be read, is not legal, or contains more than one joint move.
    """
    pending = _read(text, source)
    if not pending:
        raise WrongUseError(f"{source}: expected a move, got none")
    joint, num_used = _Ply(machine, rulesheet, state, source).joint(pending)
    if num_used < len(pending):
        raise WrongUseError(f"{source}: expected only one joint move, got also {pending[-1]}")
    return joint


class _Ply:
    """One ply of the description. It parses legal moves, and raises errors for all other texts."""

    def __init__(
        self, machine: gdl.StateMachine, rulesheet: gdl.Rulesheet, state: gdl.State, source: str
    ) -> None:
        self._roles = machine.roles
        self._rulesheet = rulesheet
        self._legal: Choices = tuple(machine.legal_moves(state, role) for role in machine.roles)
        self._source = source

    def joint(self, pending: Sequence[str]) -> tuple[Joint, int]:
        """Return the first joint move, and how many of the pending texts it consumes."""
        everybody = range(len(self._roles))
        given = list(pending[: len(everybody)])
        if self._are_legal(everybody, given):
            return self._made(everybody, given), len(given)
        deciders = self._deciders(pending[0])
        is_single = len(deciders) == 1 and self._allows(deciders[0], pending[0])
        inner = [] if is_single else _inside(pending[0])
        if self._are_legal(everybody, inner):
            return self._made(everybody, inner), 1
        if len(deciders) == 1 and not is_single:
            bare = self._bare(deciders[0], pending)
            if bare is not None:
                return self._made(deciders, [f"({' '.join(bare)})"]), len(bare)
        if self._is_meant_as_joint(inner):
            self._fail_on(everybody, inner)
        # If only the deciding role's move in a full joint move is wrong, report just that move.
        if len(deciders) == 1 and len(given) == len(everybody) > 1:
            others = [index for index in everybody if index != deciders[0]]
            if all(self._allows(index, given[index]) for index in others):
                given = [given[deciders[0]]]
        given = given[: len(deciders)]
        if not self._are_legal(deciders, given):
            self._fail_on(deciders, given)
        return self._made(deciders, given), len(deciders)

    def _deciders(self, first: str) -> Sequence[int]:
        """Return the roles that have a choice, or else a role whose only legal move is `first`."""
        deciders = deciders_of(self._legal)
        everybody = range(len(self._roles))
        return deciders or [next((one for one in everybody if self._allows(one, first)), 0)]

    def _bare(self, index: int, pending: Sequence[str]) -> Sequence[str] | None:
        """Return the words of a legal move that is written without parentheses, or None."""
        sizes = {len(_inside(str(move))) for move in self._legal[index]}
        for size in sorted(sizes, reverse=True):
            if size and self._allows(index, f"({' '.join(pending[:size])})"):
                return pending[:size]
        return None

    def _is_meant_as_joint(self, inner: Sequence[str]) -> bool:
        """Return whether a pair of parentheses contains moves, even if some of them are illegal.

        A term begins with a name, so a text that begins with two opening parentheses is not a
        single move.
        """
        if inner and inner[0].startswith("("):
            return True
        pairs = zip(range(len(self._roles)), inner, strict=False)
        return len(inner) == len(self._roles) and any(self._allows(*pair) for pair in pairs)

    def _made(self, deciders: Sequence[int], moves: Sequence[str]) -> Joint:
        if any(index not in deciders and not legal for index, legal in enumerate(self._legal)):
            self._fail("a role has no legal move there")
        chosen = dict(zip(deciders, map(self._term, moves), strict=True))
        return tuple(chosen.get(index) or legal[0] for index, legal in enumerate(self._legal))

    def _fail_on(self, deciders: Sequence[int], moves: Sequence[str]) -> None:
        if len(moves) != len(deciders):
            names = " ".join(str(self._roles[index]) for index in deciders)
            got = " ".join(moves)
            self._fail(f"expected {len(deciders)} moves, one for each role ({names}), got {got}")
        for index, move in zip(deciders, moves, strict=True):
            if not self._allows(index, move):
                legal, who = self._legal[index], self._roles[index]
                expected = "one of" if self._term(move) is not None else "a term, one of"
                self._fail(
                    f"{move} is no legal move of {who}; expected {expected}: {listed(legal)}"
                    f"{_hint(move, legal)}"
                )

    def _are_legal(self, deciders: Sequence[int], moves: Sequence[str]) -> bool:
        return len(moves) == len(deciders) and all(map(self._allows, deciders, moves))

    def _allows(self, index: int, move: str) -> bool:
        return self._term(move) in self._legal[index]

    def _term(self, move: str) -> gdl.Term | None:
        try:
            return gdl.read_term(move, self._rulesheet, self._source)
        except gdl.GdlError:
            return None  # for example a list of moves

    def _fail(self, what: str) -> NoReturn:
        raise WrongUseError(f"{self._source}: {what}")


def _read(text: str, source: str) -> list[str]:
    """Return the words and lists of a text. A `;` separates plies and does not start a comment."""
    try:
        return [str(form) for form in gdl.read_forms(text.replace(";", " "), source)]
    except gdl.GdlError as error:
        raise WrongUseError(f"{error}") from error


def _inside(text: str) -> list[str]:
    return list(terms_of(text)) if text.startswith("(") else []


def _hint(move: str, legal: Sequence[gdl.Move]) -> str:
    meant = next((one for one in legal if str(one).startswith(f"({move} ")), None)
    return f"; put a move of several words in parentheses, such as {meant}" if meant else ""

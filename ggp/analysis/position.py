"""A position that is described by moves from the start, one ply after another.

Where roles take turns, the move of the one whose turn it is says everything. A joint move, one move
a role in the order of the rules, is understood everywhere, with or without parentheses around it.
Where one role decides, its move may be bare, as `ggp play` takes it: `mark 2 2`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import gdl
from ggp.errors import WrongUseError
from ggp.search.core.choices import Choices, Joint, deciders_of, require_moves
from ggp.term_text import listed, plain

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
    """The position after the moves that these texts hold.

    Args:
        may_be_stuck: A position in which a role has no move will do as well.

    Raises:
        WrongUseError: They cannot be read, or one is not legal; says which, and what is.
        StuckError: The rules leave a role without a move there.
    """
    pending = _read(rulesheet, " ".join(texts), SOURCE)
    state, made = machine.initial_state(), list[Joint]()
    while pending:
        if machine.is_terminal(state):
            raise WrongUseError(
                f"{SOURCE}: the game is over after ply {len(made)}, got also {_text_of(pending[0])}"
            )
        ply = _Ply(machine, state, f"{SOURCE}: ply {len(made) + 1}")
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
    """The one joint move that a text holds, written as those of `position_after` are.

    Args:
        text: The move of the role whose turn it is, or one a role.
        source: What the text is called in errors.

    Raises:
        WrongUseError: It cannot be read, is not legal, or is more than one.
    """
    pending = _read(rulesheet, text, source)
    if not pending:
        raise WrongUseError(f"{source}: expected a move, got none")
    joint, num_used = _Ply(machine, state, source).joint(pending)
    if num_used < len(pending):
        raise WrongUseError(f"{source}: expected one joint move, got also {_text_of(pending[-1])}")
    return joint


class _Ply:
    """One ply of the way: what is legal there, and what is wrong with what is not."""

    def __init__(self, machine: gdl.StateMachine, state: gdl.State, source: str) -> None:
        self._roles = machine.roles
        self._legal: Choices = tuple(machine.legal_moves(state, role) for role in machine.roles)
        self._source = source

    def joint(self, pending: Sequence[gdl.Term | Joint]) -> tuple[Joint, int]:
        """The joint move that comes first, and how many of the pending ones it takes."""
        first = pending[0]
        if isinstance(first, tuple):
            return self._checked(first, range(len(self._roles))), 1
        terms = [term for term in pending[: len(self._roles)] if not isinstance(term, tuple)]
        everybody = range(len(self._roles))
        if len(terms) == len(everybody) and all(map(self._allows, everybody, terms)):
            return tuple(terms), len(terms)
        deciders = deciders_of(self._legal)
        if not deciders:  # any role's only move says that all make theirs
            able = [index for index in everybody if self._allows(index, first)]
            deciders = (able[0] if able else 0,)
        if len(deciders) == 1 and not self._allows(deciders[0], first):
            bare = self._bare(deciders[0], pending)
            if bare is not None:
                return self._checked([bare], deciders), len(plain(str(bare)).split())
        # A whole joint move in which only the one who decides is wrong: blame that one.
        if len(deciders) == 1 and len(terms) == len(everybody) > 1:
            others = [index for index in everybody if index != deciders[0]]
            if all(self._allows(index, terms[index]) for index in others):
                terms = [terms[deciders[0]]]
        return self._checked(terms[: len(deciders)], deciders), len(deciders)

    def _bare(self, index: int, pending: Sequence[gdl.Term | Joint]) -> gdl.Move | None:
        """The legal move that is written there without its parentheses; None if there is none."""
        for move in self._legal[index]:
            words = plain(str(move)).split()
            if words == [_text_of(term) for term in pending[: len(words)]]:
                return move
        return None

    def _checked(self, moves: Sequence[gdl.Term], deciders: Sequence[int]) -> Joint:
        if len(moves) != len(deciders):
            names = " ".join(str(self._roles[index]) for index in deciders)
            got = " ".join(map(str, moves))
            self._fail(f"expected {len(deciders)} moves, one a role ({names}), got {got}")
        for index, move in zip(deciders, moves, strict=True):
            if not self._allows(index, move):
                legal = self._legal[index]
                who = self._roles[index]
                hint = _hint(move, legal)
                self._fail(
                    f"{move} is no legal move of {who}; expected one of: {listed(legal)}{hint}"
                )
        chosen = dict(zip(deciders, moves, strict=True))
        if any(index not in chosen and not moves for index, moves in enumerate(self._legal)):
            self._fail("some role has no legal move there")
        return tuple(chosen.get(index, legal[0]) for index, legal in enumerate(self._legal))

    def _allows(self, index: int, move: gdl.Term) -> bool:
        return move in self._legal[index]

    def _fail(self, what: str) -> None:
        raise WrongUseError(f"{self._source}: {what}")


def _read(rulesheet: gdl.Rulesheet, text: str, source: str) -> list[gdl.Term | Joint]:
    found: list[gdl.Term | Joint] = []
    try:
        for form in gdl.read_forms(text, source):
            written = str(form)
            if written.startswith("(("):
                inner = gdl.read_forms(written[1:-1], source)
                found.append(tuple(map(rulesheet.term, inner)))
            else:
                found.append(rulesheet.term(form))
    except gdl.GdlError as error:
        raise WrongUseError(f"{error}") from error
    return found


def _hint(move: gdl.Term, legal: Sequence[gdl.Move]) -> str:
    meant = next((one for one in legal if str(one).startswith(f"({move} ")), None)
    return f"; a move of several words stands in parentheses, such as {meant}" if meant else ""


def _text_of(moves: gdl.Term | Joint) -> str:
    return " ".join(map(str, moves)) if isinstance(moves, tuple) else str(moves)

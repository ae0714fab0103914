"""Find out what facts mean, from random games: which are cells of a board, and whose turn it is."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import gdl
from ggp.boards.board import EMPTY, Board, Layout
from ggp.boards.finding import find_all, steady_facts
from ggp.boards.plain_names import PlaceNames

BLANK: Final = EMPTY | {"b", "e", "-", "."}
"""Names of contents that descriptions call `empty`."""
NUM_POSITIONS: Final = 300
SECONDS: Final = 5.0
"""Time limit in seconds for collecting positions. Only games with slow rules reach it."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Position of a random game, with its legal moves and the path to it.

    Attributes:
        path: The joint moves that lead to the position.
        legal: The sorted legal moves of each role. Empty if the game is over.
    """

    path: tuple[tuple[gdl.Term, ...], ...]
    facts: tuple[str, ...]
    legal: tuple[tuple[str, ...], ...]


def samples(machine: gdl.StateMachine, most: int = NUM_POSITIONS) -> list[Sample]:
    """Return positions of random games, the initial one first. The games are always the same."""
    rng = random.Random(0)
    end = time.monotonic() + SECONDS
    state = machine.initial_state()
    path: tuple[tuple[gdl.Term, ...], ...] = ()
    found: list[Sample] = []
    while len(found) < most and (not found or time.monotonic() < end):
        facts = tuple(map(str, machine.facts(state)))
        is_over = machine.is_terminal(state)
        moves = [sorted(machine.legal_moves(state, role), key=str) for role in machine.roles]
        is_stuck = is_over or not all(moves)
        legal = () if is_stuck else tuple(tuple(map(str, mine)) for mine in moves)
        found.append(Sample(path, facts, legal))
        if is_stuck:
            if not path:
                break
            state, path = machine.initial_state(), ()
        else:
            joint = tuple(rng.choice(mine) for mine in moves)
            state, path = machine.next_state(state, joint), (*path, joint)
    return found


def wording_of(machine: gdl.StateMachine, seen: Sequence[Sample]) -> gdl.Wording:
    """Find out from positions which facts are cells of a board, and which name the role to move.

    If there are several boards, only the clearest one counts, because another may show what a role
    sees of the same board.
    """
    states = [sample.facts for sample in seen]
    names = PlaceNames(roles=frozenset(map(str, machine.roles)))
    cells = {
        gdl.Relation(board.layout.relation, board.layout.num_words - 1): _form(board)
        for board in find_all(states, steady_facts(states), names).boards[:1]
        if type(board.layout) is Layout and not board.layout.board
    }
    return gdl.Wording(_turn(tuple(map(str, machine.roles)), seen), cells)


def _form(board: Board) -> gdl.CellForm:
    layout = board.layout
    places = [layout.column] if layout.column == layout.row else [layout.column, layout.row]
    content = tuple(at - 1 for at in range(1, layout.num_words) if at not in places)
    blank = board.blank if board.blank and board.blank.lower() in BLANK else ""
    return gdl.CellForm(tuple(at - 1 for at in places), content, blank)


def _turn(roles: Sequence[str], seen: Sequence[Sample]) -> gdl.Relation | None:
    """Return the relation whose only fact names the role with a choice, or None if unclear."""
    possible: set[str] | None = None
    for sample in seen:
        if not sample.legal:
            continue
        free = {role for role, legal in zip(roles, sample.legal, strict=True) if len(legal) > 1}
        named: dict[str, set[str]] = {}
        for fact in sample.facts:
            words = fact.strip("()").split()
            if len(words) == 2 and words[1] in roles:
                named.setdefault(words[0], set()).add(words[1])
        fitting = {name for name, who in named.items() if len(who) == 1 and free <= who}
        possible = fitting if possible is None else possible & fitting
    return gdl.Relation(next(iter(possible)), 1) if possible and len(possible) == 1 else None

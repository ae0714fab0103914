"""Questions about the position after given moves, answered by a sandbox process.

All functions raise GdlError if the rules cannot be read or evaluated.
"""

from __future__ import annotations

import asyncio
import hashlib
import random
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Any, Final

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.errors import GgpError
from ggp.naming.move_names import MAX_BYTES, MoveNames, names_of
from ggp.plurals import counted
from ggp.rulesheets import NamedGame
from ggp.sandbox.questions import NAME
from ggp.term_text import listed

if TYPE_CHECKING:
    from ggp.drawing.position_renderer import Painter

MAX_TURNS: Final = 1000
"""Maximum number of turns before a position."""
MAX_LINES: Final = 500
WHY_SECONDS: Final = 5.0
RANDOM_SECONDS: Final = 5.0
"""Time limit for random turns. A game that has not ended by then stops where it is."""

Joint = tuple[gdl.Move, ...]


def position(
    text: str,
    moves: Sequence[Sequence[str]],
    *,
    num_random: int = 0,
    seed: int | None = None,
    is_drawn: bool = False,
) -> dict[str, Any]:
    """Return the position after joint moves: facts, legal moves, roles with a choice, goals, etc.

    Args:
        num_random: Number of random turns to play after the given moves. Fewer are played if the
            game ends, if `MAX_TURNS` turns are reached, or if the time is up.
        seed: Seed of the random turns.
        is_drawn: Whether to draw a picture of the position.

    Raises:
        GgpError: A move is not legal.
    """
    walk = _walk(text)
    walk.go(_joints(moves))
    walk.go_at_random(min(num_random, MAX_TURNS - len(moves)), random.Random(seed))
    machine, state = walk.machine, walk.states[-1]
    is_terminal = machine.is_terminal(state)
    legal = {
        role.name: [] if is_terminal else list(map(str, machine.legal_moves(state, role)))
        for role in machine.roles
    }
    goals = {role.name: machine.goals(state, role) for role in machine.roles}
    facts = sorted(map(str, machine.facts(state)))
    names = {role: _names(text).write(legal[role], facts) for role in legal}
    return {
        "moves": [list(map(str, joint)) for joint in walk.joints],
        "facts": facts,
        "is_terminal": is_terminal,
        "legal": legal,
        "readable": {role: [names[role][move] for move in legal[role]] for role in legal},
        "deciding": [role for role in legal if len(legal[role]) > 1],
        "goals": {role: found[0] if len(found) == 1 else None for role, found in goals.items()},
        "hides": _explainer(text).rules.has_percepts,
        "percepts": _percepts(text, walk),
        "svg": _drawn(text, walk) if is_drawn else None,
    }


def _percepts(text: str, walk: _Walk) -> dict[str, list[str]]:
    """Return what each role saw in the last turn, or an empty dict if the rules hide nothing."""
    if not _explainer(text).rules.has_percepts or not walk.joints:
        return {}
    about = walk.states[-2], walk.joints[-1]
    return {
        role.name: sorted(map(str, walk.machine.percepts(*about, role)))
        for role in walk.machine.roles
    }


def _drawn(text: str, walk: _Walk) -> str:
    facts = [tuple(map(str, walk.machine.facts(state))) for state in walk.states[-2:]]
    before = facts[0] if walk.joints else None
    return asyncio.run(_painter(text).svg(facts[-1:], before))


@lru_cache(maxsize=1)
def _painter(text: str) -> Painter:
    from ggp.drawing.position_renderer import Painter  # slow to import, and seldom needed

    rules, machine = _explainer(text).rules, _explainer(text).machine
    playable = gdl.Game(rules, machine, "interpreter", "asked for")
    return Painter(NamedGame(NAME, rules, playable, text, _bundled().get(_digest(text), "")))


@cache
def _bundled() -> dict[bytes, str]:
    return {_digest(games.text(name)): name for name in games.names()}


def _digest(text: str) -> bytes:
    return hashlib.sha256("\n".join(text.split()).encode()).digest()


@lru_cache(maxsize=1)
def _names(text: str) -> MoveNames:
    rules, machine = _explainer(text).rules, _explainer(text).machine
    is_short = sum(map(len, map(str, rules.forms))) <= MAX_BYTES
    named = gdl.Game(rules, machine, "interpreter", "asked for") if is_short else machine
    return names_of(named, text)


def why(
    text: str,
    fact: str,
    moves: Sequence[Sequence[str]],
    next_moves: Sequence[str] | None = None,
    *,
    depth: int = 4,
    are_legal: bool = False,
) -> dict[str, Any]:
    """Return an explanation why a fact does or does not hold after joint moves, as lines of a tree.

    Args:
        fact: A fact in the form of `gdl.why`.
        depth: Depth of the explanation, in rules.
        are_legal: Whether the moves are known to be legal. If not, check them.

    Raises:
        GgpError: A move is not legal.
    """
    answer, lines = _answered(text, fact, moves, next_moves, depth, are_legal=are_legal)
    return {
        "question": answer.question,
        "holds": answer.holds,
        "turn": answer.turn,
        "lines": [line.to_json() for line in lines[:MAX_LINES]],
        "more": answer.num_more,
        "is_complete": len(lines) <= MAX_LINES,
    }


def why_told(
    text: str,
    fact: str,
    moves: Sequence[Sequence[str]],
    next_moves: Sequence[str] | None = None,
    *,
    depth: int = 4,
) -> dict[str, Any]:
    """Return the answer of `why` after legal moves, as a sentence and lines of text."""
    answer, lines = _answered(text, fact, moves, next_moves, depth, are_legal=True)
    rest = ["..."] if len(lines) > MAX_LINES or answer.num_more else []
    return {
        "question": answer.question,
        "holds": answer.holds,
        "sentence": answer.sentence,
        "lines": [*map(str, lines[:MAX_LINES]), *rest],
    }


def why_text(text: str, fact: str, moves: str, *, depth: int = 4) -> str:
    """Return the answer of `why` as text, after moves such as `((mark 1 1) noop)`.

    Raises:
        GgpError: As in `why`.
    """
    joints = [_items(form) for form in gdl.read_forms(moves, "moves")]
    answer, lines = _answered(text, fact, joints, None, depth, are_legal=False)
    verb = "holds" if answer.holds else "does not hold"
    where = f"after {counted(len(joints), 'joint move')}" if joints else "in the first state"
    rest = ["..."] if len(lines) > MAX_LINES else []
    rest += [f"And of {answer.num_more} more."] if answer.num_more else []
    head = f"{answer.question} {verb} {where}."
    return "\n".join([head, "", *map(str, lines[:MAX_LINES]), *rest, ""])


def _answered(
    text: str,
    fact: str,
    moves: Sequence[Sequence[str]],
    next_moves: Sequence[str] | None,
    depth: int,
    *,
    are_legal: bool,
) -> tuple[gdl.Answer, list[gdl.ReasonLine]]:
    """Return the answer and its first lines: at most one more than `MAX_LINES`."""
    explainer = _explainer(text)
    asked = explainer.question(fact, "fact")
    joints, following = _joints(moves), None
    if next_moves is not None:
        [following] = _joints([next_moves])
    if not are_legal:
        walk = _walk(text)
        walk.go(joints)
        if following is not None:
            walk.refuse_illegal(following)
    answer = explainer.why(asked, joints, following, depth)
    return answer, list(islice(gdl.lines_of(answer, depth), MAX_LINES + 1))


def _items(form: Any) -> list[str]:
    items = getattr(form, "items", ())
    if not items:
        raise GgpError(f"moves: expected joint moves such as ((mark 1 1) noop), got {form}")
    return list(map(str, items))


@lru_cache(maxsize=1)
def _explainer(text: str) -> gdl.Explainer:
    return gdl.Explainer(gdl.read_rules(text, NAME), WHY_SECONDS)


def _joints(texts: Sequence[Sequence[str]]) -> list[Joint]:
    return [tuple(map(_move, joint)) for joint in texts]


def _move(text: str) -> gdl.Move:
    """Parse a move. The outer parentheses may be omitted."""
    is_bare = len(gdl.read_forms(text, "moves")) > 1
    return gdl.read_term(f"({text})" if is_bare else text, name="moves")


@lru_cache(maxsize=1)
def _walk(text: str) -> _Walk:
    return _Walk(_explainer(text).machine)


class _Walk:
    """The joint moves and states up to the position of the last question.

    They are kept because the next question is usually about a position soon after.

    Attributes:
        joints: The joint moves.
        states: The first state, and the state after each joint move.
    """

    def __init__(self, machine: gdl.StateMachine) -> None:
        self.machine = machine
        self.joints: list[Joint] = []
        self.states = [machine.initial_state()]

    def go(self, joints: Sequence[Joint]) -> None:
        """Go to the position after the given joint moves.

        Raises:
            GgpError: A move is not legal.
        """
        pairs = zip(self.joints, joints, strict=False)
        num_shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        del self.joints[num_shared:], self.states[num_shared + 1 :]
        for joint in joints[num_shared:]:
            self.refuse_illegal(joint)
            self._make(joint)

    def go_at_random(self, turns: int, rng: random.Random) -> None:
        """Play up to `turns` random turns, until the game ends or the time is up."""
        deadline = Deadline.after(RANDOM_SECONDS)
        for _ in range(turns):
            state = self.states[-1]
            legal = [self.machine.legal_moves(state, role) for role in self.machine.roles]
            if deadline.is_over() or self.machine.is_terminal(state) or not all(legal):
                return
            self._make(tuple(rng.choice(moves) for moves in legal))

    def refuse_illegal(self, joint: Joint) -> None:
        """Raise GgpError if a joint move is not legal in the current position."""
        machine, state, turn = self.machine, self.states[-1], len(self.states)
        if machine.is_terminal(state):
            raise GgpError(f"moves: the game is over before turn {turn}")
        if len(joint) != len(machine.roles):
            names = " ".join(map(str, machine.roles))
            raise GgpError(f"moves: expected a move of each role ({names}) on turn {turn}")
        for role, move in zip(machine.roles, joint, strict=True):
            legal = machine.legal_moves(state, role)
            if move not in legal:
                raise GgpError(
                    f"moves: {move} is no legal move of {role} on turn {turn}; "
                    f"expected one of: {listed(legal)}"
                )

    def _make(self, joint: Joint) -> None:
        self.states.append(self.machine.next_state(self.states[-1], joint))
        self.joints.append(joint)

"""Positions that moves lead to, and why facts hold there: questions about one game at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, Final

import gdl
from ggp.errors import GgpError

SECONDS: Final = 5.0
MAX_LINES: Final = 500

Question = Mapping[str, Any]
Joint = tuple[gdl.Move, ...]


def why(question: Question) -> dict[str, Any]:
    """Why a fact holds after moves, or why not, as lines of a tree.

    Raises:
        GgpError: A move is not legal.
        GdlError: The rules or the fact cannot be read, or take too long.
    """
    answer, lines = _answered(question)
    return {
        "question": answer.question,
        "holds": answer.holds,
        "turn": answer.turn,
        "lines": [line.to_json() for line in lines[:MAX_LINES]],
        "more": answer.num_more,
        "is_complete": len(lines) <= MAX_LINES,
    }


def why_text(question: Question) -> str:
    """The same as a text; its moves are one, each joint move in parentheses.

    Raises:
        GgpError: As `why`.
        GdlError: As `why`.
    """
    joints = [_items(form) for form in gdl.read_forms(question["moves"], "moves")]
    answer, lines = _answered({**question, "moves": joints})
    verb = "holds" if answer.holds else "does not hold"
    turns = "1 joint move" if len(joints) == 1 else f"{len(joints)} joint moves"
    where = f"after {turns}" if joints else "in the first state"
    rest = ["..."] if len(lines) > MAX_LINES else []
    rest += [f"And of {answer.num_more} more."] if answer.num_more else []
    head = f"{answer.question} {verb} {where}."
    return "\n".join([head, "", *map(str, lines[:MAX_LINES]), *rest, ""])


def _items(form: Any) -> list[str]:
    """The moves of a joint move."""
    items = getattr(form, "items", ())
    if not items:
        raise GgpError(f"moves: expected joint moves such as ((mark 1 1) noop), got {form}")
    return list(map(str, items))


def _answered(question: Question) -> tuple[gdl.Answer, list[gdl.ReasonLine]]:
    """The answer, and its lines: one more than may be shown, if there are as many."""
    explainer = _explainer(question["text"], question["name"])
    asked = explainer.question(question["fact"], "fact")
    moves, joint = _joints(question["moves"]), None
    if question["next"] is not None:
        joint = _joints([question["next"]])[0]
    if not question["are_legal"]:
        state = _state_after(explainer.machine, moves)
        if joint is not None:
            _check(explainer.machine, state, joint, len(moves) + 1)
    depth = question["depth"]
    answer = explainer.why(asked, moves, joint, depth)
    return answer, list(islice(gdl.lines_of(answer, depth), MAX_LINES + 1))


def position(question: Question) -> dict[str, Any]:
    """The position after moves.

    Raises:
        GgpError: A move is not legal.
        GdlError: The rules cannot be read, or take too long.
    """
    machine = _explainer(question["text"], question["name"]).machine
    state = _state_after(machine, _joints(question["moves"]))
    is_terminal = machine.is_terminal(state)
    return {
        "facts": sorted(map(str, machine.facts(state))),
        "is_terminal": is_terminal,
        "legal": {
            str(role): [] if is_terminal else list(map(str, machine.legal_moves(state, role)))
            for role in machine.roles
        },
    }


@lru_cache(maxsize=1)
def _explainer(text: str, name: str) -> gdl.Explainer:
    return gdl.Explainer(gdl.read_rules(text, name), SECONDS)


def _joints(texts: Sequence[Sequence[str]]) -> list[Joint]:
    return [tuple(gdl.read_term(move, name="moves") for move in joint) for joint in texts]


def _state_after(machine: gdl.StateMachine, moves: Sequence[Joint]) -> gdl.State:
    state = machine.initial_state()
    for turn, joint in enumerate(moves, start=1):
        _check(machine, state, joint, turn)
        state = machine.next_state(state, joint)
    return state


def _check(machine: gdl.StateMachine, state: gdl.State, joint: Joint, turn: int) -> None:
    """Refuse moves that are not legal."""
    if machine.is_terminal(state):
        raise GgpError(f"moves: the game is over before turn {turn}")
    if len(joint) != len(machine.roles):
        names = " ".join(map(str, machine.roles))
        raise GgpError(f"moves: expected a move of each role ({names}) on turn {turn}")
    for role, move in zip(machine.roles, joint, strict=True):
        if move not in machine.legal_moves(state, role):
            raise GgpError(f"moves: {move} is no legal move of {role} on turn {turn}")

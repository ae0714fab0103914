"""Interpretation of a PLAY or STOP in the context of its match.

The same text means different things to different managers. `(mark 1 1)` is the joint move of three
roles to GGP-Base, one move to Gamemaster, and two percepts and an atom to a Dresden manager in
GDL-II. Only the rules show whether Gamemaster's `(rock paper)` is a move of each of two roles: see
`SingleMove.as_joint`.
"""

from __future__ import annotations

from collections.abc import Sequence

from ggp.engine import EnginePosition, MoveError
from ggp.match.steps import JointMove, Percepts, SingleMove, Step
from ggp.protocol import Dialect, Happened, Notation, Play, Stop


def step_of(
    message: Play | Stop, dialect: Dialect, has_percepts: bool, roles: Sequence[str] = ()
) -> Step | None:
    """Return the step made in the last turn, or None if there was none.

    Args:
        roles: If given, a joint move must have one move per role. The engine checks this too. But
            on a busy machine it may do so only after its answer was due. By then the step would be
            in the history, and all later steps would be refused.

    Raises:
        MoveError: The number of moves is wrong.
    """
    last = message.last
    step: Step | None
    if dialect is Dialect.GAMEMASTER:
        step = _gamemaster_step(last, message.notation)
    elif message.turn is not None:
        is_first = message.turn.number == 0 and message.turn.own_move is None
        step = None if is_first else Percepts(last.items or (), message.turn.own_move)
    elif has_percepts:
        step = None if last.items is None else Percepts(last.items)
    else:
        step = JointMove(last.items) if last.items else None
    if roles and isinstance(step, JointMove) and not has_percepts and len(step.moves) != len(roles):
        expected = f"{len(roles)} moves, one per role ({' '.join(roles)})"
        raise MoveError(f"expected {expected}, got {len(step.moves)}")
    return step


def can_follow(
    step: Step | None, position: EnginePosition | None, roles: Sequence[str], role: str
) -> bool:
    """Return whether a step can be made in a position, judged by the legal moves of our role."""
    own: list[str] = []
    joint: Sequence[str] | None = None
    if isinstance(step, JointMove):
        joint = step.moves if len(step.moves) == len(roles) else None
    elif isinstance(step, SingleMove) and position is not None and position.in_control:
        own, joint = [step.move], step.as_joint(len(roles))
    if joint is not None:
        own.append(joint[roles.index(role)])
    if not own or position is None or position.num_legal > len(position.legal):
        return True
    return not {move.lower() for move in own}.isdisjoint(move.lower() for move in position.legal)


def _gamemaster_step(last: Happened, notation: Notation) -> Step | None:
    move = last.single_move()
    if move is None:
        return None
    is_joint = last.items is not None and (notation is Notation.INFIX or move.startswith("(("))
    return JointMove(last.items or ()) if is_joint else SingleMove(move)

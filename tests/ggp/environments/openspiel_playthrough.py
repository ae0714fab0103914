"""Recorded playouts of an independent engine, played through a game of OpenSpiel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyspiel

from ggp.environments.openspiel import GdlGame, GdlState
from ggp.records.recording import TracedState


def differences(game: GdlGame, states: Iterable[TracedState]) -> Iterator[str]:
    """What differs from the record: facts, ends, legal actions, goals, moves that were made.

    States in which nobody has a choice are none of OpenSpiel's; of them, only the moves are
    compared.
    """
    state = game.new_initial_state()
    for traced in states:
        if traced.step == 0:
            state = game.new_initial_state()
        place = f"playout {traced.playout}, step {traced.step}"
        made = state.position.steps
        if traced.step < len(made):
            if traced.moves is not None and traced.moves != _lower(made[traced.step].moves):
                yield f"{place}: forced {made[traced.step].moves}, recorded {traced.moves}"
            continue
        yield from (f"{place}: {what}" for what in _differences(game, state, traced))
        if traced.moves is not None and not state.is_terminal():
            _make(game, state, traced.moves)


def _differences(game: GdlGame, state: GdlState, traced: TracedState) -> Iterator[str]:
    position, positions = state.position, game.positions
    facts = sorted(_lower(positions.game.facts(position.state)))
    if facts != sorted(traced.facts):
        yield f"facts {facts}, recorded {traced.facts}"
    if state.is_terminal() != traced.is_terminal and not position.is_undecided:
        yield f"terminal {state.is_terminal()}, recorded {traced.is_terminal}"
    for role, legal in enumerate(position.legal):
        name = positions.game.roles[role].name.lower()
        recorded = (traced.legal or {}).get(name, ())
        if sorted(_lower(legal.values())) != sorted(recorded):
            yield f"legal {name} {list(map(str, legal.values()))}, recorded {recorded}"
    if state.is_terminal() and not position.is_undecided:
        for player, role in enumerate(positions.players):
            goal = (traced.goals or {}).get(positions.game.roles[role].name.lower())
            if goal is not None and goal != positions.goals(position)[player]:
                yield f"goal of player {player} {positions.goals(position)}, recorded {goal}"


def _make(game: GdlGame, state: GdlState, moves: tuple[str, ...]) -> None:
    """Make the choices of a joint move, as OpenSpiel asks for them."""
    num_steps = len(state.position.steps)
    while len(state.position.steps) == num_steps:
        if state.current_player() == pyspiel.PlayerId.SIMULTANEOUS:
            actions = [_action(state, role, moves) for role in game.positions.players]
            state.apply_actions(actions)
        else:
            state.apply_action(_action(state, state.position.waiting[0], moves))


def _action(state: GdlState, role: int, moves: tuple[str, ...]) -> int:
    legal = state.position.legal[role]
    return next(action for action, move in legal.items() if str(move).lower() == moves[role])


def _lower(items: Iterable[object]) -> tuple[str, ...]:
    return tuple(str(item).lower() for item in items)

"""Questions about a game's tree: its size, and where it differs from that of another game.

All functions raise GdlError if the rules cannot be read or evaluated.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, Final

import gdl
from ggp.clock import Deadline
from ggp.errors import GgpError
from ggp.records.recording import TracedState, open_recording
from ggp.records.replay import Verdict, replay
from ggp.search.core.choices import choices_in

NAME: Final = "rules"
OTHER: Final = "other rules"
MAX_STEPS: Final = 500
"""Maximum number of steps in a random playout."""


def perft(
    text: str, moves: Sequence[Sequence[str]], depth: int, most: int, seconds: float
) -> dict[str, Any]:
    """Count the move sequences, states and ends on each level of the tree below a position.

    Equal states on a level are processed only once.

    Args:
        depth: Number of levels.
        most: Maximum number of joint moves to make.
        seconds: Time limit. Incomplete levels are omitted.
    """
    machine = _load(text, NAME)
    level = {_state_after(machine, moves): 1}
    seen, levels, num_made = set(level), list[dict[str, Any]](), 0
    deadline = Deadline.after(seconds)
    while level and len(levels) < depth:
        found = _next_level(machine, level, most - num_made, deadline)
        if found is None:
            break
        level, figures = found
        num_made += figures["made"]
        seen |= level.keys()
        levels.append(figures | {"new_states": len(seen)})
    return {"levels": levels, "is_complete": len(levels) == depth or not level}


def _next_level(
    machine: gdl.Game, level: dict[gdl.State, int], most: int, deadline: Deadline
) -> tuple[dict[gdl.State, int], dict[str, int]] | None:
    """Return the number of paths to each state of the next level, and figures on that level.

    Return None if more than `most` joint moves lead there, or if the time is up.
    """
    following: dict[gdl.State, int] = {}
    made, ends, widest = 0, 0, 0
    for state, num_ways in level.items():
        if machine.is_terminal(state):
            continue
        choices = choices_in(machine, state)
        if not choices:
            raise GgpError("the rules leave a role without a legal move in a state of this tree")
        widest = max(widest, *map(len, choices))
        made += prod(map(len, choices))
        if made > most or deadline.is_over():
            return None
        for joint in product(*choices):
            after = machine.next_state(state, joint)
            following[after] = following.get(after, 0) + num_ways
    ends = sum(map(machine.is_terminal, following))
    figures = {
        "sequences": sum(following.values()),
        "states": len(following),
        "ends": ends,
        "widest": widest,
        "made": made,
    }
    return following, figures


def compare_rules(
    text: str, other: str, *, has_facts: bool, playouts: int, seed: int, seconds: float
) -> dict[str, Any]:
    """Return the first difference between two rulesheets in random playouts, see `replay`.

    Args:
        other: The rules that are considered correct.
        has_facts: Whether to compare facts of states. If not, compare only what is visible from
            outside: roles, moves, percepts, the end and the goals.
    """
    machine, model = _load(text, NAME), _load(other, OTHER)
    roles = tuple(role.name.lower() for role in model.roles)
    states = list[TracedState]()
    deadline = Deadline.after(seconds)
    traced = _noted(_random_states(model, random.Random(seed), playouts), states)
    verdict = replay(machine, roles, traced, deadline, has_facts=has_facts)
    return _told(verdict, states)


def compare_trace(text: str, trace: str, *, has_facts: bool, seconds: float) -> dict[str, Any]:
    """Return the first difference between the rules and a recording.

    The recording is a trace or matches, in any form that `ggp replay` reads.
    """
    machine = _load(text, NAME)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "trace")
        file.write_text(trace, encoding="utf-8")
        try:
            recording = open_recording(file)
            states = list[TracedState]()
            names = tuple(role.name.lower() for role in machine.roles)
            traced = _noted(recording.states(names), states)
            deadline = Deadline.after(seconds)
            verdict = replay(machine, recording.roles, traced, deadline, has_facts=has_facts)
        except GgpError as error:
            raise GgpError(str(error).replace(str(file), "trace")) from error
    return _told(verdict, states)


def _told(verdict: Verdict, states: Sequence[TracedState]) -> dict[str, Any]:
    """Return a verdict as JSON values, with the joint moves that lead to the difference."""
    found = verdict.difference
    moves = [] if found is None else [one.moves for one in states if one.playout == found.playout]
    return {
        "states": verdict.num_states,
        "is_complete": verdict.is_complete,
        "difference": found and asdict(found),
        "moves": [] if found is None else [list(joint or ()) for joint in moves[: found.step]],
    }


def _noted(states: Iterator[TracedState], noted: list[TracedState]) -> Iterator[TracedState]:
    """Yield the states unchanged, and keep those of the current playout in `noted`."""
    for state in states:
        if noted and noted[-1].playout != state.playout:
            noted.clear()
        noted.append(state)
        yield state


def _random_states(machine: gdl.Game, rng: random.Random, playouts: int) -> Iterator[TracedState]:
    """Yield the states of random playouts, with everything that can be compared."""
    for playout in range(playouts):
        state = machine.initial_state()
        for step in range(MAX_STEPS):
            choices = () if machine.is_terminal(state) else choices_in(machine, state)
            joint = tuple(map(rng.choice, choices))
            yield _traced(machine, state, (playout, step), joint)
            if not joint:
                break
            state = machine.next_state(state, joint)


def _traced(
    machine: gdl.Game, state: gdl.State, place: tuple[int, int], joint: Sequence[gdl.Move]
) -> TracedState:
    is_terminal = machine.is_terminal(state)
    legal, goals, percepts = {}, {}, {}
    for role in machine.roles:
        name = role.name.lower()
        if joint:
            legal[name] = _texts(machine.legal_moves(state, role))
            percepts[name] = _texts(machine.percepts(state, joint, role))
        if is_terminal:  # before the end, the rules may give any goals
            goals[name] = tuple(machine.goals(state, role))
    return TracedState(
        *place,
        facts=_texts(machine.facts(state)),
        is_terminal=is_terminal,
        legal=legal or None,
        moves=tuple(str(move).lower() for move in joint) or None,
        goals={} if is_terminal else None,
        goal_sets=goals,
        percepts=percepts or None,
    )


def _texts(terms: Sequence[object] | frozenset[object]) -> tuple[str, ...]:
    return tuple(sorted(str(term).lower() for term in terms))


def _load(text: str, name: str) -> gdl.Game:
    return gdl.load(gdl.read_rules(text, name), "interpreter")


def _state_after(machine: gdl.Game, moves: Sequence[Sequence[str]]) -> gdl.State:
    state = machine.initial_state()
    for joint in moves:
        state = machine.next_state(
            state, tuple(gdl.read_term(move, name="moves") for move in joint)
        )
    return state

"""Replay a trace or a match, and compare a machine's answers about each state with the record.

Texts are compared in lower case and sorted, as in traces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import gdl
from ggp.clock import Deadline
from ggp.records.recording import TracedState, TraceError

MAX_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Difference:
    """The first difference: `expected` was recorded, and `got` is the machine's answer."""

    playout: int
    step: int
    what: str
    """`roles`, `state`, `terminal`, `legal ROLE`, `move ROLE`, `goals ROLE` or `percepts ROLE`."""
    expected: str
    got: str

    def __str__(self) -> str:
        return (
            f"playout {self.playout}, step {self.step}: {self.what}: "
            f"expected {self.expected}, got {self.got}"
        )


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of replaying one trace."""

    num_states: int
    """Number of states compared, including the state that differs."""
    difference: Difference | None = None
    is_complete: bool = True
    """Whether all states of the trace, or all up to the difference, were compared."""


def replay(
    machine: gdl.StateMachine,
    roles: tuple[str, ...] | None,
    states: Iterable[TracedState],
    deadline: Deadline,
    on_state: Callable[[int], None] = lambda num_states: None,
    *,
    has_facts: bool = True,
) -> Verdict:
    """Compare recorded playouts with a machine's answers, and return the first difference, if any.

    Stop early if the time is up.

    Args:
        machine: Plays the rules with which the trace was made.
        roles: The recorded roles, in role order, or None if they were not recorded.
        states: The recorded states. Those of a playout are consecutive and in order.
        deadline: Checked between states.
        on_state: Called with the number of states compared so far.
        has_facts: Whether to compare facts. They may differ between two rulesheets of one game.

    Raises:
        GdlError: The rules cannot be evaluated.
        TraceError: The recorded moves do not fit the recorded legal moves.
    """
    own_roles = tuple(role.name.lower() for role in machine.roles)
    if roles is not None and own_roles != roles:
        return Verdict(0, Difference(0, 0, "roles", _shown(roles), _shown(own_roles)))
    num_states = 0
    state = machine.initial_state()
    for traced in states:
        if deadline.is_over():
            return Verdict(num_states, is_complete=False)
        if traced.step == 0:
            state = machine.initial_state()
        difference = next(_differences(machine, state, traced, has_facts=has_facts), None)
        num_states += 1
        on_state(num_states)
        if difference is not None:
            return Verdict(num_states, difference)
        if traced.moves is not None:
            moves = _moves(machine, state, traced)
            difference = next(_unseen(machine, state, moves, traced), None)
            if difference is not None:
                return Verdict(num_states, difference)
            state = machine.next_state(state, moves)
    return Verdict(num_states)


def _differences(
    machine: gdl.StateMachine, state: gdl.State, traced: TracedState, *, has_facts: bool
) -> Iterator[Difference]:
    """Yield all differences in one state. What the trace does not record is not compared."""
    compared = partial(_compared, traced)
    if has_facts:
        yield from compared("state", traced.facts, machine.facts(state))
    if traced.is_terminal is not None:
        yield from compared("terminal", [traced.is_terminal], [machine.is_terminal(state)])
    if traced.moves and traced.legal is None and len(traced.moves) != len(machine.roles):
        num_moves, num_roles = f"{len(traced.moves)} moves", f"{len(machine.roles)} roles"
        yield Difference(traced.playout, traced.step, "roles", num_moves, num_roles)
    for index, role in enumerate(machine.roles):
        name = role.name.lower()
        legal = set(machine.legal_moves(state, role)) if traced.moves or traced.legal else set()
        if traced.legal is not None:
            yield from compared(f"legal {name}", traced.legal.get(name, ()), legal)
        elif traced.moves is not None and traced.moves[index] not in _texts(legal):
            shown = f"no such legal move ({_shown(_texts(legal))})"
            yield Difference(
                traced.playout, traced.step, f"move {name}", traced.moves[index], shown
            )
        if traced.goals is not None:
            goals = _traced_goals(traced, traced.goals, name)
            yield from compared(f"goals {name}", goals, machine.goals(state, role))


def _unseen(
    machine: gdl.StateMachine, state: gdl.State, moves: Sequence[gdl.Move], traced: TracedState
) -> Iterator[Difference]:
    if traced.percepts is not None:
        for role in machine.roles:
            name = role.name.lower()
            seen = machine.percepts(state, moves, role)
            yield from _compared(traced, f"percepts {name}", traced.percepts.get(name, ()), seen)


def _compared(
    traced: TracedState, what: str, expected: Iterable[object], got: Iterable[object]
) -> list[Difference]:
    wanted, found = _texts(expected), _texts(got)
    if wanted == found:
        return []
    return [Difference(traced.playout, traced.step, what, *_contrast(wanted, found))]


def _traced_goals(traced: TracedState, goals: Mapping[str, int], role: str) -> tuple[int, ...]:
    return (goals[role],) if role in goals else traced.goal_sets.get(role, ())


def _moves(machine: gdl.StateMachine, state: gdl.State, traced: TracedState) -> list[gdl.Move]:
    moves: list[gdl.Move] = []
    for role, text in zip(machine.roles, traced.moves or (), strict=False):
        legal = machine.legal_moves(state, role)
        moves += [move for move in legal if str(move).lower() == text][:1]
    if len(moves) != len(machine.roles):
        place = f"playout {traced.playout}, step {traced.step}"
        raise TraceError(f"{place}: expected a legal move of each role, got: {traced.moves}")
    return moves


def _texts(items: Iterable[object]) -> list[str]:
    return sorted(str(item).lower() for item in items)


def _contrast(expected: list[str], got: list[str]) -> tuple[str, str]:
    """Return two texts: the items that are only in `expected`, and those that are only in `got`.

    If each list has a single item, return these items.
    """
    if len(expected) == len(got) == 1:
        return expected[0], got[0]
    only_expected = [one for one in expected if one not in set(got)]
    only_got = [one for one in got if one not in set(expected)]
    return _shown(only_expected, len(expected)), _shown(only_got, len(got))


def _shown(items: Iterable[str], out_of: int | None = None) -> str:
    """Return the items as text, truncated if long.

    If they are only a part of `out_of` items, add both numbers.
    """
    items = list(items)
    text = " ".join(items)
    if len(text) > MAX_SHOWN:
        text = text[:MAX_SHOWN].rsplit(" ", 1)[0] + " ..."
    if out_of is None:
        return text or "nothing"
    if not items:
        return f"no more ({out_of} in all)" if out_of else "nothing"
    return f"{text} ({len(items)} of {out_of})" if len(items) != out_of else text

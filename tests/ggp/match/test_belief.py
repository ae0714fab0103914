"""Beliefs in games of incomplete information."""

from __future__ import annotations

import gdl
from ggp.match.belief import Belief

# A coin is thrown; the guesser hears a sound of it or not, then guesses.
COIN = """
(role guesser) (role random)
(init (phase throw))
(<= (legal random (throw ?side)) (true (phase throw)) (side ?side))
(<= (legal guesser wait) (true (phase throw)))
(<= (legal guesser (guess ?side)) (true (phase guess)) (side ?side))
(<= (legal random wait) (true (phase guess)))
(side heads) (side tails) (side edge)
(<= (next (phase guess)) (true (phase throw)))
(<= (next (lies ?side)) (does random (throw ?side)))
(<= (next (lies ?side)) (true (lies ?side)))
(<= (next done) (true (phase guess)))
(<= (sees guesser clang) (does random (throw edge)))
(<= (sees guesser tick) (does random (throw ?side)) (distinct ?side edge))
(<= terminal (true done))
(<= (goal guesser 100) (true done))
(goal random 0)
"""


def believed(*percepts: str) -> tuple[gdl.StateMachine, Belief]:
    """The guesser's belief after waiting and hearing something."""
    rules = gdl.read_kif(COIN)
    machine = gdl.load(rules)
    belief = Belief(machine, machine.roles[0], seed=1)
    heard = frozenset(gdl.read_term(percept, rules) for percept in percepts)
    belief.advance(gdl.Constant("wait"), heard)
    return machine, belief


def sides(machine: gdl.StateMachine, belief: Belief) -> set[str]:
    """The sides of the coin in the worlds held possible."""
    facts = {str(fact) for world in belief.worlds for fact in machine.facts(world.state)}
    return {fact for fact in facts if fact.startswith("(lies")}


def test_worlds_agree_with_what_was_seen() -> None:
    """All of them, and no other, where they are few."""
    assert sides(*believed("clang")) == {"(lies edge)"}
    assert sides(*believed("tick")) == {"(lies heads)", "(lies tails)"}


def test_worlds_are_carried_on() -> None:
    """The next turn starts from what was believed."""
    machine, belief = believed("tick")

    belief.advance(gdl.read_term("(guess heads)"), frozenset())

    assert sides(machine, belief) == {"(lies heads)", "(lies tails)"}
    assert belief.is_consistent


def test_an_impossible_percept_leaves_a_world_to_play_in() -> None:
    """Made up, and known to be."""
    machine, belief = believed("bang")

    assert not belief.is_consistent
    assert machine.legal_moves(belief.sample().state, machine.roles[0])


def test_knowing_the_state_ends_all_doubt() -> None:
    """A manager may tell more than percepts."""
    _, belief = believed("tick")
    state = belief.worlds[0].state

    belief.know(state)

    assert [world.state for world in belief.worlds] == [state]


def test_a_joint_move_is_possible_if_it_is_legal_in_a_world() -> None:
    """Legality tells moves from percepts in a message that does not."""
    rules = gdl.read_kif(COIN)
    machine = gdl.load(rules)
    belief = Belief(machine, machine.roles[0], seed=1)
    wait, edge = gdl.Constant("wait"), gdl.read_term("(throw edge)", rules)

    assert belief.is_possible((wait, edge))
    assert not belief.is_possible((edge, wait))

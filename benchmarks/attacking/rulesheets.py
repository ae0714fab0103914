"""Hostile rulesheets, which do not describe a game to be played."""

from __future__ import annotations

import itertools


def exploding(num_things: int = 24, num_places: int = 7) -> str:
    """Return a short rulesheet in which a role has `num_things ** num_places` legal moves."""
    things = " ".join(f"(thing t{i})" for i in range(num_things))
    names = [f"?x{i}" for i in range(num_places)]
    body = " ".join(f"(thing {name})" for name in names)
    return f"""
(role white) (role black) {things} (init (step 0))
(<= (legal ?role (take {" ".join(names)})) (role ?role) {body})
(<= (next (step 1)) (true (step 0)) (does ?role (take {" ".join(names)})))
(<= terminal (true (step 1))) (goal white 50) (goal black 50)
"""


def endless(num_things: int = 15, length: int = 7) -> str:
    """Return a rulesheet of few facts in which a query takes for ever: it asks for a round trip.

    Each step leads from one half of the things to the other, so none of odd length comes back.
    """
    things = " ".join(f"(left l{i}) (right r{i})" for i in range(num_things))
    steps = " ".join(f"(edge ?x{i} ?x{(i + 1) % length})" for i in range(length))
    return f"""
(role white) (role black) {things} (init here)
(<= (edge ?x ?y) (left ?x) (right ?y)) (<= (edge ?x ?y) (right ?x) (left ?y))
(legal white wait) (legal black wait) (<= (legal white go) {steps})
(<= (next there) (does white wait)) (<= terminal (true there)) (goal white 50) (goal black 50)
"""


def swollen(num_things: int = 24, num_characters: int = 450, num_turns: int = 200) -> str:
    """Return a rulesheet of 32 kB whose states take 20 MB each: long names, three in each fact."""
    letters = "".join(itertools.islice(itertools.cycle("abcdefghij"), num_characters))
    things = " ".join(f"(thing {letters}{i})" for i in range(num_things))
    steps = " ".join(f"(after {i} {i + 1})" for i in range(num_turns))
    return f"""
(role me) {things} {steps} (init (step 0))
(<= (init (on ?x ?y ?z)) (thing ?x) (thing ?y) (thing ?z))
(legal me wait) (legal me go)
(<= (next (on ?x ?y ?z)) (true (on ?x ?y ?z)))
(<= (next (step ?n)) (true (step ?m)) (after ?m ?n))
(<= terminal (true (step {num_turns}))) (goal me 50)
"""

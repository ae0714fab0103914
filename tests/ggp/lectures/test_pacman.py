"""Pac-Man's assumptions against reality."""

from __future__ import annotations

import random

import gdl
from ggp import games
from ggp.lectures import pacman
from ggp.lectures.pacman import AvoidingTrouble, SeekingPacman, look

RULES = gdl.read_kif(games.text("pacMan"), "pacMan")


def test_state_is_seen_as_the_rulesheet_draws_it() -> None:
    """The places of all at the start, and how far apart they are."""
    machine = gdl.Interpreter(RULES)

    sight = look(machine.facts(machine.initial_state()))

    assert (sight.pacman, sight.ghost) == ((2, 1), (6, 1))
    assert len(sight.dots) == 6
    assert len(sight.walls) == 8
    assert sight.distance(sight.pacman, sight.ghost) == 6


def test_evaluations_like_dots_and_fear_or_seek_the_other() -> None:
    """At the start the next dot is a step away and the ghost too far to be feared."""
    machine = gdl.Interpreter(RULES)
    state = machine.initial_state()

    assert AvoidingTrouble(machine)(state) == (9.0, 91.0)
    assert SeekingPacman(machine)(state) == (36.0, 64.0)


def test_ghost_that_seeks_comes_nearer() -> None:
    """Each move that it may draw shortens the way to Pac-Man, where one does."""
    machine = gdl.Interpreter(RULES)
    habits = pacman.Habits(machine, ("minimax", "adversarial"))
    state = machine.initial_state()
    state = machine.next_state(state, (habits.pacman(state), habits.ghost(state)[0]))
    before = look(machine.facts(state))

    drawn_from = habits.ghost(state)
    after = [
        look(machine.facts(machine.next_state(state, (habits.pacman(state), move))))
        for move in drawn_from
    ]

    way = before.distance(before.pacman, before.ghost)
    assert [one.distance(one.pacman, one.ghost) for one in after] == [way - 1] * len(after)
    assert after


def test_games_are_the_same_each_time() -> None:
    """The lots of a game come from its seed, so the table can be compared."""
    machine = gdl.Interpreter(RULES)
    habits = pacman.Habits(machine, ("expectimax", "random"))

    ends = [pacman.play(machine, habits, random.Random(3)) for _ in range(2)]

    assert ends[0] == ends[1]
    assert pacman.phase(machine, ends[0]) == "won"


def test_table_leads_to_the_conclusion_of_the_lecture() -> None:
    """Minimax is safe, expectimax loses most where it takes the adversary for chance."""
    report = pacman.run(num_games=5)

    won = {claim.what.removesuffix(": games won"): claim.ours for claim in report.claims[:4]}
    assert won == {
        "minimax Pac-Man, adversarial ghost": "5/5",
        "minimax Pac-Man, random ghost": "5/5",
        "expectimax Pac-Man, adversarial ghost": "3/5",
        "expectimax Pac-Man, random ghost": "5/5",
    }
    assert all(claim.agrees for claim in report.claims if "expectimax" in claim.what)

"""Online outcome sampling comes near equilibria, in the whole game and where a match is."""

from __future__ import annotations

import numpy as np
import pytest

import gdl
from ggp import games
from ggp.belief import TurnPercepts, first_information, information
from ggp.errors import GgpError
from ggp.search.hidden.oos.search import OutcomeSampling, OutcomeSettings
from ggp.search.hidden.solving.best_response import exploitability
from ggp.search.hidden.solving.game_tree import FloatArray, GameTree
from ggp.search.hidden.solving.growing import grow

CHIP = 25  # goal points
SMALL = 1 << 20  # bytes


def turn(own_move: str, *percepts: str) -> TurnPercepts:
    """A turn of a role, read from text."""
    return TurnPercepts(gdl.read_term(own_move), frozenset(map(gdl.read_term, percepts)))


JACK = [turn("noop", "(got jack)"), turn("noop", "(says first pass)")]


@pytest.fixture(scope="module")
def kuhn() -> gdl.Game:
    """Kuhn poker."""
    return gdl.load(games.text("kuhnPoker"), "scalar")


def shares_in(search: OutcomeSampling, tree: GameTree) -> FloatArray:
    """What a search has learned, for a tree; equal shares where it knows nothing."""
    numbering = tree.game.numbering
    assert numbering is not None
    shares = tree.uniform()
    for number, known in enumerate(tree.known.tolist()):
        player = int(tree.arrays.set_actors[number])
        seat = tree.game.roles.index(tree.players[player])
        key = first_information(seat)
        for own_move, percepts in tree.knowledge[player].turns(known):
            seen = [numbering.percepts[seat].index(percept) for percept in percepts]
            key = information(key, numbering.moves[seat].index(own_move), seen)
        found = search.distribution_at(key)
        if found is not None:
            shares[tree.slots(number)] = [found[tree.moves[slot]] for slot in tree.slots(number)]
    return shares


def test_plays_from_the_start_come_near_an_equilibrium(kuhn: gdl.Game) -> None:
    """In all information sets of Kuhn poker; more plays come nearer."""
    tree = grow(kuhn)
    search = OutcomeSampling(kuhn, kuhn.roles[0], 1, OutcomeSettings(memory=SMALL))
    distances = []
    for num in (1_000, 150_000):
        search.run(num)
        distances.append(exploitability(tree, shares_in(search, tree)) / CHIP)

    assert search.effort.num_nodes == tree.num_sets
    assert distances[1] < min(0.06, distances[0])


@pytest.mark.parametrize("aiming", [0.0, 0.5, 0.9])
def test_plays_that_are_aimed_at_the_match_teach_the_same(kuhn: gdl.Game, aiming: float) -> None:
    """Who has a jack, and the other passes, bets a third of the time; there is one equilibrium."""
    settings = OutcomeSettings(aiming=aiming, memory=SMALL)
    found = []
    for seed in range(4):
        search = OutcomeSampling(kuhn, kuhn.roles[1], seed, settings)
        search.follow(JACK)
        search.run(100_000)
        shares = search.distribution()
        assert shares is not None
        found.append(shares[gdl.read_term("bet")])

    assert np.mean(found) == pytest.approx(1 / 3, abs=0.08)


def test_aimed_plays_come_to_where_the_match_is(kuhn: gdl.Game) -> None:
    """Of plays that are not, few deal a jack and pass; of those that are dropped, none counts."""
    search = OutcomeSampling(kuhn, kuhn.roles[1], 1, OutcomeSettings(memory=SMALL))
    search.follow(JACK)
    search.run(10_000)

    assert 0.05 < search.passing < 1 / 3
    assert 1_000 < search.effort.num_iterations < 10_000


def test_the_same_seed_learns_the_same(kuhn: gdl.Game) -> None:
    """And another one something else."""
    found = []
    for seed in (1, 1, 2):
        search = OutcomeSampling(kuhn, kuhn.roles[1], seed, OutcomeSettings(memory=SMALL))
        search.follow(JACK)
        search.run(5_000)
        found.append(search.distribution())

    assert found[0] == found[1] != found[2]


def test_a_full_table_does_no_harm() -> None:
    """What has no room is played at random."""
    game = gdl.load(games.text("phantomTicTacToe"), "scalar")
    search = OutcomeSampling(game, game.roles[0], 1, OutcomeSettings(memory=1))
    search.run(2_000)

    found = search.distribution()

    assert search.effort.num_nodes <= 64
    assert found is not None
    assert sum(found.values()) == pytest.approx(1)


def test_interpreted_games_are_refused() -> None:
    """Plays need the kernels of a compiled game."""
    game = gdl.load(games.text("kuhnPoker"), "interpreter")

    with pytest.raises(GgpError, match="expected a compiled game"):
        OutcomeSampling(game, game.roles[0], 1)


def test_all_plays_cannot_be_aimed(kuhn: gdl.Game) -> None:
    """What is never played besides would not be learned."""
    with pytest.raises(ValueError, match="aiming: expected 0 up to below 1, got 1"):
        OutcomeSampling(kuhn, kuhn.roles[0], 1, OutcomeSettings(aiming=1.0))

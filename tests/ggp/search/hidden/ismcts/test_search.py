"""Information-set search: by what each role knows, not by what is so."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import gdl
from ggp import games
from ggp.belief import Belief
from ggp.errors import GgpError
from ggp.search.core.result import SearchResult
from ggp.search.hidden.ismcts.search import (
    DEFAULTS,
    InformationSetSearch,
    InformationSetSettings,
)
from tests.ggp.search.hidden.games_for_tests import COIN, HIDE, TRAP, believed, loaded

pytestmark = pytest.mark.usefixtures("kernels")

SMALL = replace(DEFAULTS, memory=1 << 20)


def searched(
    game: gdl.Game,
    belief: Belief,
    num: int = 4_000,
    settings: InformationSetSettings = SMALL,
    seed: int = 1,
) -> SearchResult:
    """What so many rounds from a belief find."""
    search = InformationSetSearch(game, belief.role, seed, settings, chunk=100)
    search.look_at(belief.worlds)
    search.run(num)
    found = search.result()
    assert found is not None
    return found


@pytest.fixture(scope="module")
def phantom() -> gdl.Game:
    """Phantom tic-tac-toe."""
    return gdl.load(games.text("phantomTicTacToe"), "scalar")


def test_it_does_not_guess_what_it_cannot_see() -> None:
    """A coin that nobody shows is worth 50 points, 60 are safe."""
    game = loaded(COIN, "scalar")
    found = searched(game, believed(game, 1, ["(hide heads)"], []))

    assert str(found.move) == "safe"
    assert found.value == pytest.approx(60)


def test_a_certain_win_is_found(phantom: gdl.Game) -> None:
    """Both marks of the other are known, and the third of an own line is none of them."""
    belief = believed(
        phantom,
        0,
        ["(mark 2 2)", "(mark 3 3)", "(mark 2 1)", "(mark 1 3)"],
        ["(mark 3 3)", "(mark 1 3)"],
    )

    found = searched(phantom, belief)

    assert str(found.move) == "(mark 2 3)"
    assert found.value == pytest.approx(100)


def test_moves_that_are_not_legal_in_any_world_are_not_known(phantom: gdl.Game) -> None:
    """Nobody marks what it has marked, or has found to be taken."""
    belief = believed(phantom, 1, ["(mark 2 2)"], ["(mark 2 2)"])

    found = searched(phantom, belief)

    assert {str(each.move) for each in found.moves} == {
        f"(mark {column} {row})" for column in (1, 2, 3) for row in (1, 2, 3)
    } - {"(mark 2 2)"}


@pytest.mark.parametrize(
    ("unaware", "aware_weight", "best"),
    [(0.0, 1.0, "stop"), (0.1, 1.0, "stop"), (0.1, 0.02, "go"), (0.5, 0.1, "go")],
)
def test_what_we_hide_the_others_learn_from_rounds_in_which_they_may_not_know_it(
    unaware: float, aware_weight: float, best: str
) -> None:
    """In all worlds that who hid heads holds possible it is heads; still it is hidden."""
    game = loaded(HIDE, "scalar")
    belief = believed(game, 0, ["(hide heads)"], [])
    settings = replace(SMALL, unaware=unaware, aware_weight=aware_weight, errors=0.0)

    assert str(searched(game, belief, 20_000, settings).move) == best


@pytest.mark.parametrize(("errors", "best"), [(0.0, "take"), (0.3, "take"), (1.0, "trap")])
def test_errors_of_the_others_are_worth_waiting_for(errors: float, best: str) -> None:
    """A trap that one of four answers avoids is worth 75 points against one who errs always."""
    game = loaded(TRAP, "scalar")

    found = searched(
        game, Belief(game, game.roles[0], seed=1), settings=replace(SMALL, errors=errors)
    )

    assert str(found.move) == best


def test_moves_are_as_likely_as_the_trees_say() -> None:
    """Who knows the answer gives it; a belief that does not trust the trees has all alike."""
    game = loaded(TRAP, "scalar")
    belief = Belief(game, game.roles[0], seed=1)
    numbering = game.numbering
    assert numbering is not None
    moves = [numbering.moves[1].index(gdl.read_term(f"(say {answer})")) for answer in (1, 2)]
    after = believed(game, 0, ["trap"], [], ["(throw 1)"])
    found = {}
    for trust in (0.0, 0.7):
        settings = replace(SMALL, trust=trust, errors=0.0)
        search = InformationSetSearch(game, belief.role, 1, settings, chunk=100)
        search.look_at(belief.worlds)
        search.run(4_000)
        search.look_at(after.worlds)
        search.run(4_000)
        known = after.worlds.known[:1, 1].repeat(2)
        found[trust] = search.likelihoods(1, known, np.array(moves, np.int32)).tolist()

    assert found[0.0] == [1.0, 1.0]
    assert found[0.7][0] > 2
    assert found[0.7][1] < 0.7


def test_the_same_seed_finds_the_same(phantom: gdl.Game) -> None:
    """And another one something else."""
    belief = Belief(phantom, phantom.roles[0], seed=1)

    found = [searched(phantom, belief, 1_000, seed=seed) for seed in (1, 1, 2)]

    assert found[0] == found[1] != found[2]


def test_full_trees_do_no_harm(phantom: gdl.Game) -> None:
    """Where there is no room for a node, moves are random; trees that are half full begin anew."""
    belief = Belief(phantom, phantom.roles[0], seed=1)
    search = InformationSetSearch(phantom, belief.role, 1, replace(SMALL, memory=1), chunk=100)
    search.look_at(belief.worlds)
    search.run(2_000)
    found = search.result()

    assert search.effort.num_nodes <= 64
    assert found is not None
    assert found.visits > 500
    search.look_at(belief.worlds)
    assert search.effort.num_nodes == 0


def test_interpreted_games_are_refused() -> None:
    """Rounds need the kernels of a compiled game."""
    game = loaded(COIN, "interpreter")

    with pytest.raises(GgpError, match="expected a compiled game"):
        InformationSetSearch(game, game.roles[1], 1)

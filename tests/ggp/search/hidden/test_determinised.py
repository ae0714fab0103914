"""Worlds vote; each takes for certain what is so in it."""

from __future__ import annotations

import pytest

import gdl
from ggp import games
from ggp.belief import Belief, Worlds
from ggp.clock import Deadline
from ggp.search.core.result import SearchResult
from ggp.search.fast.tree.search import LaneSearch
from ggp.search.hidden.determinised import MAX_WORLDS, DeterminisedSearch
from tests.ggp.search.hidden.games_for_tests import BALLS, COIN, believed, loaded

pytestmark = pytest.mark.usefixtures("kernels")


def searched(
    game: gdl.Game, belief: Belief, seed: int = 1, *, is_timed: bool = False
) -> SearchResult:
    """What some looks at each world find."""
    search = DeterminisedSearch(game, belief.role, seed, memory=1 << 22, is_timed=is_timed)
    search.look_at(belief.worlds)
    for _ in range(2 * MAX_WORLDS):
        search.step(Deadline.never())
    found = search.result()
    assert found is not None
    return found


@pytest.mark.parametrize("engine", ["interpreter", "scalar", "auto"])
def test_the_majority_decides(engine: gdl.Engine) -> None:
    """Two balls of three are red."""
    game = loaded(BALLS, engine)
    found = searched(game, believed(game, 1, ["(draw 3)"], []), is_timed=engine == "auto")

    assert str(found.move) == "(name red)"
    assert 40 < found.value < 90
    assert found.value > found.moves[1].value


def test_a_batch_may_be_longer_than_the_time_for_a_world() -> None:
    """In very large games; it only has to end before the deadline."""
    game = gdl.load(games.text("darkHex4"))
    belief = believed(game, 0, [], [])
    search = DeterminisedSearch(game, belief.role, 1, memory=1 << 22, is_timed=True)
    search.look_at(belief.worlds)
    search.step(Deadline.never())
    tree = search._shared
    assert isinstance(tree, LaneSearch)
    tree._last_two = 1.0, 1.0  # seconds of its last batches
    before = search.effort.num_iterations

    search.step(Deadline.never())

    assert search.effort.num_iterations > before


def test_it_takes_for_certain_what_it_hopes() -> None:
    """The weakness for which it is only the baseline: in each world it would guess right."""
    game = loaded(COIN, "scalar")
    found = searched(game, believed(game, 1, ["(hide heads)"], []))

    assert str(found.move) == "gamble"
    assert found.value > 75


def test_the_same_seed_finds_the_same() -> None:
    """Where the clock has no say; another seed draws other worlds."""
    game = loaded(BALLS, "scalar")
    belief = believed(game, 1, ["(draw 3)"], [])

    found = [searched(game, belief, seed) for seed in (1, 1, 2)]

    assert found[0] == found[1] != found[2]


def test_worlds_that_are_over_do_not_vote() -> None:
    """Without voters there is nothing to search, and nothing is known."""
    game = loaded(BALLS, "interpreter")
    belief = believed(game, 1, ["(draw 3)"], ["(name red)"])
    worlds: Worlds = belief.worlds
    search = DeterminisedSearch(game, belief.role, 1)
    search.look_at(worlds)

    assert not search.step(Deadline.never())
    assert search.result() is None

"""Options of the tree on lanes: what each changes, and what none may change.

Most are tried by `.ci/run` only: a search that one of them guides needs kernels of its own, which
take half a minute to compile.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from ggp.clock import Deadline
from ggp.search.lanes.amaf import make_amaf, reclaim, trust
from ggp.search.lanes.descend import descend
from ggp.search.lanes.grow import ask
from ggp.search.lanes.guide import Guide
from ggp.search.lanes.leaf_values import LeafValues
from ggp.search.lanes.mast import levels_of
from ggp.search.lanes.playthroughs import Record, lowest, note_playthroughs
from ggp.search.lanes.search import LaneSearch
from ggp.search.lanes.settings import LaneSettings
from tests.ggp.search.lanes.test_search import MEBIBYTE, machine_of, run, search_in
from tests.thorough import all_but

OPTIONS: dict[str, dict[str, object]] = {
    "history and fpu": {"history": 2.0, "fpu": 0.2},
    "mast": {"mast": 0.6},
    "grave, mast and fpu": {"grave": 20.0, "mast": 0.6, "fpu": 0.1},
    "no foresight": {"foresight": False},
}
NAMES = all_but(["mast", "no foresight"], OPTIONS)


def settings_with(**fields: object) -> LaneSettings:
    """Small settings with some fields changed."""
    return LaneSettings(memory=64 * MEBIBYTE, **fields)  # type: ignore[arg-type]  # by name


def guide_of(search: LaneSearch) -> Guide:
    """What guides a search that has an option on which does."""
    guide = search._manner.guide
    assert guide is not None
    return guide


@pytest.mark.parametrize("name", NAMES)
def test_a_small_game_is_solved_with_each_option(name: str) -> None:
    """What is proven does not depend on what is looked at first."""
    plies = ("(mark 2 2),noop", "noop,(mark 1 1)")
    result = run(search_in("ticTacToe", *plies, settings=settings_with(**OPTIONS[name])), 5000)

    assert (result.lower, result.upper) == (50, 50)


@pytest.mark.parametrize("name", NAMES)
def test_simultaneous_moves_with_each_option(name: str) -> None:
    """Several deciders, no key edges: values stay in range, all moves are looked at."""
    result = run(search_in("goofspiel", settings=settings_with(**OPTIONS[name])), 60)

    assert 0 <= result.value <= 100
    assert all(move.visits for move in result.moves)


@pytest.mark.parametrize("name", NAMES)
def test_trees_with_options_are_kept(name: str) -> None:
    """After a move the subtree stands as it was, and the search goes on."""
    search = search_in("connectFour", settings=settings_with(**OPTIONS[name]))
    before = run(search, 60)

    joint = before.line[0]
    search.advance(joint, machine_of("connectFour").next_state(search.state, joint))

    assert search.result().visits > 0.9 * before.moves[0].visits
    assert run(search, 10).visits > before.moves[0].visits


# --- History ------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_history_is_the_mean_of_the_rounds_through_each_move() -> None:
    """With one move per role known by one edge only, history and edges agree."""
    search = search_in("trap", settings=settings_with(history=1.0))
    search.step(Deadline.never())
    pool, guide = search._pool, guide_of(search)

    for edge in range(*pool.first_edges[search._root, :2]):
        number = pool.inputs[edge]
        assert guide.counts[number] == pool.counts[edge]
        assert guide.sums[number] == pytest.approx(pool.sums[edge])


@pytest.mark.thorough
def test_history_fades_from_turn_to_turn() -> None:
    """A fifth of it is left after a move."""
    search = search_in("connectFour", settings=settings_with(history=1.0))
    result = run(search, 20)
    before = guide_of(search).counts.copy()

    joint = result.line[0]
    search.advance(joint, machine_of("connectFour").next_state(search.state, joint))

    assert guide_of(search).counts == pytest.approx(0.2 * before)


# --- Move-average sampling ----------------------------------------------------------------------


def test_levels_follow_the_means_of_each_role() -> None:
    """Of moves made equally often the best tenth comes first, the never made last."""
    roles = np.repeat([0, 1], 11)
    counts = np.tile([100] * 10 + [0], 2)
    goals = np.concatenate([100 * np.arange(10), [0], 100 * np.arange(9, -1, -1), [0]])

    levels = levels_of(counts, goals, roles)

    assert levels[:11].tolist() == [3, 3, 3, 3, 2, 2, 2, 1, 1, 0, 3]
    assert levels[11:].tolist() == [0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3]


def test_playouts_prefer_the_move_that_wins() -> None:
    """They answer b with x, which wins, not with y: it gets the better level."""
    search = search_in("trap", settings=settings_with(mast=0.9))
    run(search, 20)
    expander, mast = search._expander, search._lore._mast

    levels = {str(move): mast.levels[i] for i, (_, move) in enumerate(expander.inputs)}  # type: ignore[union-attr]
    assert levels["x"] < levels["y"]


def test_preferences_fade_from_turn_to_turn() -> None:
    """A fifth of the counts is left after a move."""
    search = search_in("connectFour", settings=settings_with(mast=0.6))
    result = run(search, 20)
    before = search._expander.tally_counts.copy()
    assert before.sum() > 1000

    joint = result.line[0]
    machine = machine_of("connectFour")
    search.advance(joint, machine.next_state(search.state, joint))

    assert search._expander.tally_counts == pytest.approx(0.2 * before, abs=1)


# --- GRAVE --------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_tables_are_those_of_a_naive_count() -> None:
    """The root's table has each recorded playout, its moves and those of the tree, once."""
    search = search_in("connectFour", settings=settings_with(grave=1.0))
    pool, paths, expander, amaf = (
        search._pool, search._paths, search._expander, guide_of(search).amaf
    )  # fmt: skip
    num = ask_for_batch(search)
    expander.play(num, 1, 1, 100, is_recorded=True)
    counts, sums = naive_table(search, num)

    note_playthroughs(pool, paths, 0, Record(expander.made, expander.lane_goals), amaf)

    table = amaf.table_of[search._root]
    assert amaf.rounds[table] == num
    assert amaf.counts[table] == pytest.approx(counts, rel=1e-4)
    assert amaf.sums[table] == pytest.approx(sums, rel=1e-4)


def ask_for_batch(search: LaneSearch) -> int:
    """Choose and expand the first leaves of a search; how many."""
    expander = search._expander
    descend(search._pool, search._paths, search._root, 32, 64, search._manner)
    num = ask(search._pool, search._paths, 0, expander.parents, expander.moves)
    expander.expand(num, 0)
    return num


def naive_table(search: LaneSearch, num: int) -> tuple[list[float], list[float]]:
    """Counts and sums of each input, lane after lane, each leaf as one round."""
    expander = search._expander
    counts, sums = np.zeros(expander.num_inputs), np.zeros(expander.num_inputs)
    per_leaf = expander.num_lanes // num
    for lane in range(per_leaf * num):
        words = expander.made[lane].tolist()
        made = {i for i in range(expander.num_inputs) if words[i // 64] >> i % 64 & 1}
        made.add(int(expander.moves[lane % num, 0]))  # the tree's; the other role has no choice
        for number in made:
            counts[number] += 1 / per_leaf
            sums[number] += expander.lane_goals[lane, expander.inputs[number][0]] / per_leaf
    return counts.tolist(), sums.tolist()


def test_a_table_is_trusted_below_its_node_until_moves_speak_for_themselves() -> None:
    """All without own rounds; then less and less."""
    parts = [trust(100.0, num) for num in (0, 1, 10, 100, 10000)]

    assert parts[0] == 1
    assert parts == sorted(parts, reverse=True)
    assert parts[-1] < 0.02


@pytest.mark.thorough
def test_tables_of_forgotten_nodes_are_taken_back() -> None:
    """Only what belongs to a node is in use; none is both in use and free."""
    search = search_in("connectFour", settings=settings_with(grave=10.0))
    run(search, 60)
    amaf = guide_of(search).amaf
    before = int(amaf.num_free[0])
    owners = np.flatnonzero(amaf.table_of)

    amaf.table_of[owners[::2]] = 0
    reclaim(amaf)

    in_use = set(amaf.table_of[amaf.table_of > 0].tolist())
    num_free = int(amaf.num_free[0])
    assert num_free == before + len(owners[::2])
    assert in_use.isdisjoint(amaf.free[:num_free].tolist())


def test_when_few_tables_are_left_all_are_taken_back() -> None:
    """Those of earlier turns would never be asked again."""
    amaf = make_amaf(1.0, 10, np.zeros(3, np.int32), 0)
    num = len(amaf.free) - 1
    amaf.table_of[:num] = np.arange(1, num + 1)

    reclaim(amaf)

    assert int(amaf.num_free[0]) == num
    assert not amaf.table_of.any()


@pytest.mark.parametrize("number", [0, 1, 31, 32, 63])
def test_the_lowest_bit_is_found(number: int) -> None:
    """Whatever stands above it."""
    bits = np.uint64((0xF0F0F0F0F0F0F0F1 << number) & (2**64 - 1))

    assert lowest(bits) == number


# --- What guides ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["mast", "no foresight"])
def test_nothing_guides_a_search_whose_options_do_not(name: str) -> None:
    """Its kernels are compiled without a guide, so that they are as fast as if there was none."""
    search = search_in("trap", settings=settings_with(**OPTIONS[name]))

    assert search._manner.guide is None


# --- First-play urgency and exploration ---------------------------------------------------------


@pytest.mark.thorough
def test_without_urgency_bad_moves_wait() -> None:
    """Where unmade moves count as the average, a good one is looked at again before them."""
    plain = run(search_in("othello", settings=settings_with()), 20)
    greedy = run(search_in("othello", settings=settings_with(fpu=0.0, c=0.1)), 20)

    assert max(m.visits for m in greedy.moves) / greedy.visits > 0.4
    assert max(m.visits for m in plain.moves) / plain.visits < 0.4


# --- The seam for an evaluation -----------------------------------------------------------------


class Flat:
    """Says that every state is worth the same."""

    def __init__(self, share: float, value: float) -> None:
        self.share = share
        self._value = value

    def values(self, states: NDArray[np.uint64], phase: int) -> NDArray[np.float64]:
        return np.full((len(states), 2), self._value)


@pytest.mark.parametrize("share", [0.5, 1.0])
def test_leaf_values_take_their_share(share: float) -> None:
    """With random playouts worth about 55 for the first role, 80 draws the value towards it."""
    judge: LeafValues = Flat(share, 80.0)
    machine = machine_of("connectFour")
    search = LaneSearch(
        machine, machine.initial_state(), machine.roles[0], 1, settings_with(), judge
    )

    result = run(search, 10)

    assert result.value == pytest.approx(share * 80 + (1 - share) * 55, abs=7)
    assert (search.num_playouts == 0) == (share == 1)


def test_ends_count_with_their_true_goals_whatever_leaf_values_say() -> None:
    """They are told about states that are over, too, and are not listened to."""
    machine = machine_of("trap")
    search = LaneSearch(
        machine, machine.initial_state(), machine.roles[0], 1, settings_with(), Flat(1.0, 10.0)
    )

    result = run(search, 20)

    assert str(result.move) == "c"
    assert result.lower == 100

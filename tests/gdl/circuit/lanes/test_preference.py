"""Playouts prefer better moves, exactly as likely as they are told, and only when they are told."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from gdl.circuit.circuit import Circuit
from gdl.circuit.lanes.expander import Expander
from gdl.circuit.lanes.simulator import Simulator
from gdl.circuit.schedule import schedule
from tests.gdl.circuit.lanes.chi_square import deviation_limit
from tests.gdl.circuit.lanes.random_netlists import open_choice
from tests.gdl.circuit.lanes.walks import bundled

SHARES = (0.5, 0.25, 0.125, 0.125)
ROUNDS = 150

Chances = NDArray[np.float64]  # [I]
Levels = NDArray[np.uint8]  # [I]


def _expected(legal: NDArray[np.bool_], levels: Levels, shares: Sequence[float]) -> Chances:
    """How likely each move is, by the words of `Expander.prefer`."""
    chances = np.zeros(len(legal))
    for level, share in enumerate(shares):
        down_to = max(level, int(levels[legal].min()))
        eligible = legal & (levels <= down_to)
        chances[eligible] += share / eligible.sum()
    return chances


def _is_as_expected(counts: NDArray[np.integer], chances: Chances) -> bool:
    """Whether counts may well come from a choice with these chances: chi-square."""
    expected = counts.sum() * chances[chances > 0]
    found = counts[chances > 0]
    deviation = float(((found - expected) ** 2 / expected).sum())
    limit = deviation_limit(len(found) - 1) if len(found) > 1 else np.inf
    return bool(counts[chances == 0].sum() == 0) and deviation < limit


def _chooser(num_inputs: int, share: float) -> tuple[Expander, NDArray[np.bool_]]:
    """An expander at a state of `open_choice`, and which moves are legal there."""
    plan = schedule(open_choice(num_inputs))
    expander = Expander(Simulator(Circuit(plan.netlist, (plan,))), seed=num_inputs)
    legal = np.random.default_rng(num_inputs).random(num_inputs) < share
    legal[[0, -1]] = True
    facts = legal ^ (np.arange(num_inputs) % 2 == 1)
    names = [fact for fact, holds in zip(plan.netlist.bases, facts, strict=True) if holds]
    expander.children[0] = expander.pack(names)
    return expander, legal


def _counts(expander: Expander) -> NDArray[np.int64]:
    """How often each move is the first one of a playout."""
    expander.tally_counts[:] = 0
    for _ in range(ROUNDS):
        expander.play(1, 0, rounds=1, limit=1, is_recorded=True)
        expander.tally()
    return expander.tally_counts.copy()


@pytest.mark.parametrize("num_inputs", [2, 5, 15, 40, 137, 200])
@pytest.mark.parametrize("share", [0.3, 1.0])
def test_moves_are_as_likely_as_their_levels_say(num_inputs: int, share: float) -> None:
    """In groups of one level, in mixed ones, and of both signs."""
    expander, legal = _chooser(num_inputs, share)
    drawn = np.random.default_rng(1).choice(4, num_inputs, p=[0.1, 0.2, 0.3, 0.4])
    levels = drawn.astype(np.uint8)

    expander.prefer(levels, SHARES)
    counts = _counts(expander)

    assert counts.sum() == ROUNDS * expander.num_lanes
    assert _is_as_expected(counts, _expected(legal, levels, SHARES))
    biased = _expected(legal, levels, (0.47, 0.28, 0.125, 0.125))
    if not np.allclose(biased, _expected(legal, levels, SHARES)):
        assert not _is_as_expected(counts, biased)


@pytest.mark.parametrize(
    ("levels", "shares"),
    [
        ([0, 0, 1, 1, 1], (0.75, 0.25)),
        ([0, 1, 2, 3, 3], (1.0,)),
        ([2, 2, 3, 3, 1], (0.5, 0.5)),
        ([1, 0, 1, 2, 2], (0.0, 0.0, 1.0)),
        ([3, 3, 3, 3, 3], (0.25, 0.25, 0.5)),
    ],
)
def test_shares_may_be_fewer_than_levels(levels: list[int], shares: tuple[float, ...]) -> None:
    """Levels that no share reaches are chosen from where no better move is legal, else never."""
    expander, legal = _chooser(5, 1.0)

    expander.prefer(np.array(levels, np.uint8), shares)

    expected = _expected(legal, np.array(levels, np.uint8), shares)
    assert _is_as_expected(_counts(expander), expected)


def test_a_level_without_legal_moves_is_passed_over() -> None:
    """Then the first level that has one is looked at."""
    expander, legal = _chooser(40, 0.3)
    levels: Levels = np.where(legal, 2, 0).astype(np.uint8)
    levels[np.flatnonzero(legal)[::2]] = 3

    expander.prefer(levels, (0.5, 0.0, 0.0, 0.5))

    counts = _counts(expander)
    assert _is_as_expected(counts, _expected(legal, levels, (0.5, 0.0, 0.0, 0.5)))
    assert not _is_as_expected(counts, legal / legal.sum())


def test_preferences_can_be_changed_and_dropped() -> None:
    """What was preferred before makes no difference."""
    expander, legal = _chooser(40, 1.0)
    levels = (np.arange(40) % 4).astype(np.uint8)

    expander.prefer(levels, (1.0,))
    first = _counts(expander)
    expander.prefer(3 - levels, (1.0,))
    second = _counts(expander)
    expander.prefer(None)
    third = _counts(expander)

    assert _is_as_expected(first, _expected(legal, levels, (1.0,)))
    assert _is_as_expected(second, _expected(legal, (3 - levels).astype(np.uint8), (1.0,)))
    assert _is_as_expected(third, legal / legal.sum())


def test_lanes_and_steps_look_down_independently() -> None:
    """Of two lanes, and of two steps, both look at the best level only in a quarter of cases."""
    expander, _ = _chooser(2, 1.0)
    expander.prefer(np.array([0, 1], np.uint8), (0.0, 1.0))
    expander.prefer(np.array([0, 1], np.uint8), (0.25, 0.75))

    chosen = []
    for _ in range(ROUNDS):
        expander.play(1, 0, rounds=1, limit=1, is_recorded=True)
        chosen.append((expander.made[:, 0] & np.uint64(1)).astype(np.bool_))

    table = np.array(chosen)
    chance = 0.25 + 0.75 / 2
    both = chance**2
    pairs = table.size / 2
    limit = 3.72 * np.sqrt(pairs * both * (1 - both))
    assert abs((table[:, ::2] & table[:, 1::2]).sum() - pairs * both) < limit
    assert abs((table[::2] & table[1::2]).sum() - pairs * both) < limit


def test_the_random_role_has_no_preferences() -> None:
    """Chance throws the dice of pig as before, whatever is said of it."""
    game = bundled("pig")
    expander = Expander(Simulator(game.circuit), seed=1)
    is_chance = np.array([str(game.scalar.roles[role]) == "random" for role, _ in expander.inputs])
    expander.children[0] = expander.initial
    levels = np.where(np.arange(expander.num_inputs) % 2, np.uint8(1), np.uint8(0))

    expander.prefer(levels, (1.0,))
    for _ in range(40):
        expander.play(1, 0, rounds=1, limit=2, is_recorded=True)
        expander.tally()

    throws = expander.tally_counts[is_chance]
    throws = throws[throws > 0]
    # The first throw of each lane, or none: six faces, or the move that says that it is not asked.
    assert len(throws) >= 6
    faces = np.sort(throws)[:6]
    assert _is_as_expected(faces, np.full(6, 1 / 6))


def test_equal_levels_are_no_preference() -> None:
    """The same playouts, number by number, as without any."""
    totals = []
    for is_preferring in (False, True):
        expander = Expander(Simulator(bundled("connectFour").circuit), seed=3)
        expander.children[:2] = expander.initial
        if is_preferring:
            expander.prefer(np.full(expander.num_inputs, 2, np.uint8), (0.5, 0.5))
        expander.play(2, 0, rounds=2, limit=1000)
        totals.append(expander.totals[:2].tolist())

    assert totals[0] == totals[1]


@pytest.mark.parametrize(
    ("name", "totals"),
    [
        ("connectFour", [[19000, 15000], [17700, 16300], [18100, 15900]]),
        ("goofspiel", [[16000, 18000], [16100, 17900], [16750, 17250]]),
        ("hex", [[17700, 16300], [18300, 15700], [17800, 16200]]),
    ],
)
def test_uniform_playouts_are_what_they_were(name: str, totals: list[list[int]]) -> None:
    """Playouts that were noted before there were preferences and records."""
    expander = Expander(Simulator(bundled(name).circuit), seed=7)
    expander.children[:3] = expander.initial

    expander.play(3, 0, rounds=2, limit=1000)

    assert expander.totals[:3].tolist() == totals


def test_preferences_are_kept_in_the_second_gear() -> None:
    """There, legality stands elsewhere."""
    simulator = Simulator(bundled("ticTacToe").circuit)
    expander = Expander(simulator, seed=1)
    expander.children[0] = expander.initial
    is_top = np.array([str(move).startswith("(mark 1") for _, move in expander.inputs])
    expander.prefer(np.where(is_top, np.uint8(0), np.uint8(1)), (1.0,))
    simulator.start_gear()
    simulator.wait_for_gear()
    simulator._is_gear_better = True

    expander.play(1, 0, rounds=1, limit=3, is_recorded=True)

    assert expander._lanes.gear is not None
    expander.tally()
    is_mark = np.array([str(move).startswith("(mark") for _, move in expander.inputs])
    assert expander.tally_counts[is_top].sum() == 3 * expander.num_lanes
    assert expander.tally_counts[is_mark & ~is_top].sum() == 0

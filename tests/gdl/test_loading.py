"""Games that another process has compiled: they are those that are compiled here."""

from __future__ import annotations

import numpy as np
import pytest

import gdl
from ggp import games

pytestmark = pytest.mark.usefixtures("kernels")

KINDS = {
    "turns": games.text("connectFour"),
    "at once": games.text("rockPaperScissors"),
    "alone": games.text("eightPuzzle"),
    "hidden": games.text("kuhnPoker"),
}


@pytest.fixture(params=KINDS)
def rules(request: pytest.FixtureRequest) -> gdl.Rulesheet:
    """The rules of games of several kinds."""
    return gdl.read_rules(KINDS[request.param])


def handed_over(rules: gdl.Rulesheet) -> gdl.Game:
    """A game of which all that is compiled went through bytes."""
    compiled = gdl.compile_rules(rules)
    data = compiled.to_bytes()
    return gdl.load_compiled(rules, "auto", data, compiled.timings, compiled.packed_extra)


def played(simulator: gdl.Simulator | None, seed: int = 0) -> tuple[object, ...]:
    """What comes of some playouts."""
    assert simulator is not None
    playouts = simulator.playouts(steps=40, seed=seed)
    return playouts.count, playouts.mean_length, tuple(playouts.mean_goals)


def test_a_game_that_is_handed_over_plays_as_one_that_is_loaded(rules: gdl.Rulesheet) -> None:
    """The same playouts by the same seed, on lanes and on single states."""
    there, here = handed_over(rules), gdl.load(rules)

    assert (there.engine, there.reason) == (here.engine, here.reason)
    for seed in range(3):
        assert played(there.simulator, seed) == played(here.simulator, seed)
    state = there.initial_state()
    assert there.facts(state) == here.facts(here.initial_state())
    for role in there.roles:
        assert there.legal_moves(state, role) == here.legal_moves(here.initial_state(), role)


def test_extras_that_are_handed_over_are_those_that_are_made(rules: gdl.Rulesheet) -> None:
    """Decisive moves, latches, and the order in which a batch evaluates."""
    there, here = handed_over(rules), gdl.load(rules)

    assert there.latches is not None
    assert here.latches is not None
    assert all(map(np.array_equal, there.latches, here.latches))
    decisive = [game.decisive for game in (there, here)]
    assert len({each and each.movers for each in decisive}) == 1
    assert len({each and played(each.simulator) for each in decisive}) == 1
    batches = [game.batch(8) for game in (there, here)]
    for batch in batches:
        batch.reset()
        rng = np.random.default_rng(1)
        for _ in range(4):
            batch.step(batch.select(batch.draw(rng)))
    assert np.array_equal(batches[0].packed, batches[1].packed)


def test_what_another_process_did_not_make_is_missing() -> None:
    """Nobody sees who wins at once; latches, which some searches need, are found here."""
    rules = gdl.read_rules(KINDS["turns"])
    compiled = gdl.compile_rules(rules)
    game = gdl.load_compiled(rules, "lanes", compiled.to_bytes(), make_extra=lambda _: None)

    assert game.decisive is None
    assert game.latches is not None


def test_an_extra_that_does_not_exist_is_refused() -> None:
    """By its name."""
    compiled = gdl.compile_rules(gdl.read_rules(KINDS["turns"]))

    with pytest.raises(ValueError, match="'luck'"):
        compiled.packed_extra("luck")  # type: ignore[arg-type]

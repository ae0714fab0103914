"""The counts of `ggp bench playouts`: every playout that began, and no more."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from types import SimpleNamespace

import pytest

import gdl
from ggp import games
from ggp.bench import playouts
from ggp.bench.playouts import CUT_GOAL, Counts, InterpreterPlayer, Speed, make_players, measure

pytestmark = pytest.mark.usefixtures("kernels")

# A playout takes 1 move or 16; after the long ones the goal is 100.
UNEVEN = """
(role me) (init start) (legal me short) (legal me long)
(<= (next (left 15)) (true start) (does me long)) (<= (next over) (true start) (does me short))
(<= (next (left ?y)) (true (left ?x)) (less ?y ?x)) (<= (next done) (true (left 1)))
(<= terminal (true over)) (<= terminal (true done))
(<= (goal me 100) (true done)) (<= (goal me 0) (not (true done)))
""" + "".join(f"(less {number - 1} {number})" for number in range(2, 16))
ENDLESS = "(role me) (init a) (legal me go) (next a) (goal me 10) (<= terminal (true b))"
STUCK = (
    "(role me) (init a) (<= (legal me go) (true b)) (next a) (goal me 10) (<= terminal (true b))"
)


@dataclass
class Scripted:
    """A player whose stretches are known beforehand."""

    stretches: Iterator[Counts]
    rest: Counts

    def play(self, seconds: float) -> Counts:
        """The next stretch, at once."""
        return next(self.stretches, Counts())

    def finish(self) -> Counts:
        """The playouts that are left."""
        return self.rest


def test_what_began_before_the_end_counts_for_the_means() -> None:
    """The rate is that of the stretch alone; the means are over lead, stretch and rest."""
    player = Scripted(iter([Counts(2, 0, 8, (100,))] * 3), rest=Counts(2, 1, 40, (150,)))

    speed = measure([player], seconds=0.01)

    assert speed.whole == Counts(8, 1, 64, (450,))
    assert speed.rate.playouts < speed.whole.playouts
    assert speed.mean_length == 8
    assert speed.mean_goals == [56.25]


def test_rates_are_of_the_time_measured() -> None:
    """A terminal state is a state too; so are those of playouts that were dropped."""
    counts = Counts(10, 0, 90, (500,), lost=20)

    speed = Speed(seconds=2.0, rate=counts, whole=counts, threads=1, cpu_seconds=0.5)

    assert speed.playouts_per_second == 5
    assert speed.playouts_per_cpu_second == 20
    assert speed.states_per_second == 60


def test_without_playouts_there_are_no_means() -> None:
    """None, not a number that means nothing."""
    counts = Counts(0, 0, 0, (0, 0), lost=7)

    speed = Speed(seconds=1.0, rate=counts, whole=counts, threads=1, cpu_seconds=0.0)

    assert speed.mean_length is None
    assert speed.mean_goals == [None, None]


@pytest.mark.parametrize("engine", ["lanes", "scalar", "interpreter"])
def test_long_playouts_count_as_often_as_they_are_played(engine: gdl.Engine) -> None:
    """Half of the playouts take 16 moves, however short the time that is speed."""
    loaded = gdl.load(UNEVEN, engine)
    players = make_players(loaded, threads=1, seed=3, limit=100, seconds=0.1)

    speed = measure(players, seconds=0.1)

    share = speed.whole.goal_totals[0] / 100 / speed.whole.playouts
    error = 0.5 / speed.whole.playouts**0.5
    assert abs(share - 0.5) < 4 * error
    assert speed.whole.moves == pytest.approx(speed.whole.playouts * (1 + 15 * share))


@pytest.mark.parametrize("engine", ["lanes", "scalar"])
def test_threads_play_side_by_side(engine: gdl.Engine) -> None:
    """Each has its own random choices, and what they counted is added up."""
    loaded = gdl.load(games.text("ticTacToe"), engine)
    players = make_players(loaded, threads=2, seed=1, limit=100, seconds=0.2)

    speed = measure(players, seconds=0.2)

    assert speed.threads == 2
    assert speed.mean_length == pytest.approx(7.63, abs=0.2)
    assert sum(goal or 0 for goal in speed.mean_goals) == pytest.approx(100)


def test_the_interpreter_plays_in_one_thread() -> None:
    """More would take turns."""
    loaded = gdl.load(games.text("nim"), "interpreter")

    assert len(make_players(loaded, threads=4, seed=1, limit=100, seconds=1.0)) == 1


def test_a_playout_without_end_is_cut() -> None:
    """It counts for neither side."""
    machine = gdl.load(ENDLESS, "interpreter")

    assert InterpreterPlayer(machine, 0, limit=20).playout() == Counts(1, 1, 20, (CUT_GOAL,))


def test_who_cannot_move_ends_the_playout() -> None:
    """With the goals of the state."""
    machine = gdl.load(STUCK, "interpreter")

    assert InterpreterPlayer(machine, 0, limit=20).playout() == Counts(1, 0, 0, (10,))


def test_a_playout_that_takes_too_long_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its moves count as states, not as a playout."""
    machine = gdl.load(ENDLESS, "interpreter")
    milliseconds = itertools.count()
    ticking = SimpleNamespace(perf_counter=lambda: next(milliseconds) / 1000)
    monkeypatch.setattr(playouts, "time", ticking)

    counts = InterpreterPlayer(machine, 0, limit=10**9, patience=0.01).play(0.01)

    assert (counts.playouts, counts.moves) == (0, 0)
    assert counts.lost > 0


def test_the_interpreter_plays_every_legal_move() -> None:
    """All nine squares come first, about equally often."""
    machine = gdl.load(games.text("ticTacToe"), "interpreter")
    rng, state = random.Random(5), machine.initial_state()
    player = InterpreterPlayer(machine, rng.randrange(100), limit=100)

    counts = Counts.together(player.playout() for _ in range(400))

    assert len(machine.legal_moves(state, machine.roles[0])) == 9
    assert counts.moves / counts.playouts == pytest.approx(7.63, abs=0.3)

"""The reasoner of a match: the compiled game when there is one, the interpreter until then."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from functools import partial

import pytest

import gdl
from ggp import games
from ggp.belief import Belief
from ggp.clock import Deadline
from ggp.engine import EngineConfig, EnginePool, EngineSetup, MatchEngine, MoveOrigin
from ggp.engine.worker.compiled_game import GameCompilation
from ggp.engine.worker.kernels import Kernels
from ggp.engine.worker.knowledge import Knowledge
from ggp.match.steps import JointMove, Percepts
from tests.ggp.belief.games import HIDDEN
from tests.ggp.engine.conftest import StartMatch
from tests.waiting import PATIENCE

pytestmark = pytest.mark.usefixtures("kernels")


class LoadedKernels(Kernels):
    """Kernels that are waited for as a test wants."""

    def __init__(
        self, wait: Callable[[], object] = lambda: None, *, are_being_compiled: bool = False
    ) -> None:
        self.are_being_compiled = are_being_compiled
        self._wait = wait

    def wait(self) -> None:
        """Return when the test lets it."""
        self._wait()


async def test_a_game_that_is_not_compiled_in_time_is_interpreted(pool: EnginePool) -> None:
    """The match begins and goes on all the same, and why is told."""
    rules = games.text("ticTacToe") + "(never compiled before)"
    setup = EngineSetup(rules, "xplayer", playclock=5)
    config = EngineConfig(player="legal", compile_seconds=0.001)
    engine = await MatchEngine.start(pool, setup, config, Deadline.after(PATIENCE))

    choice = await engine.play(None, Deadline.after(PATIENCE))

    assert choice.move == "(mark 1 1)"
    assert engine.reasoner == "interpreter, grounding took longer than 0.001 s"
    await engine.abort()


async def test_another_reasoner_may_be_asked_for(start_match: StartMatch) -> None:
    """By its name."""
    engine = await start_match("legal", reasoner="interpreter")

    assert engine.reasoner == "interpreter, asked for"


async def test_how_long_start_took_is_known_by_phase(pool: EnginePool) -> None:
    """Until the rules were read, the compiled game was there, and the search on it began."""
    setup = EngineSetup(games.text("ticTacToe"), "xplayer", playclock=5)
    engine = await MatchEngine.start(pool, setup, EngineConfig(), Deadline.after(PATIENCE))

    seconds, prepared = engine.start_seconds, engine.prepared
    await engine.abort()

    assert 0 < seconds["read"] < seconds["ready"] <= seconds["search"]
    assert seconds["compile"] <= seconds["ready"]
    assert prepared["solved"] is True  # the startclock was enough for that
    assert int(str(prepared["iterations"])) > 0


async def test_a_game_that_is_compiled_late_is_adopted_in_the_match(pool: EnginePool) -> None:
    """START is answered at its deadline; later turns are played on the compiled game."""
    setup = EngineSetup(games.text("ticTacToe"), "xplayer", playclock=5)
    config = EngineConfig(player="legal", patience_seconds=PATIENCE)
    engine = await MatchEngine.start(pool, setup, config, Deadline.after(0))
    try:
        choice = await engine.play(None, Deadline.after(PATIENCE))
        assert choice.move == "(mark 1 1)"

        async with asyncio.timeout(PATIENCE):
            while not engine.reasoner:
                await engine.update(None, Deadline.after(PATIENCE))

        assert engine.reasoner.startswith("lanes")
        choice = await engine.play(["(mark 1 1)", "noop"], Deadline.after(PATIENCE))
        assert choice.move == "noop"
    finally:
        await engine.abort()


async def test_the_compiled_game_is_adopted_in_the_middle_of_a_turn(pool: EnginePool) -> None:
    """Its player has what is left of the turn."""
    setup = EngineSetup(games.text("ticTacToe"), "xplayer", playclock=60)
    player = "tests.ggp.engine.odd_players:WaitsForTheCompiledGame"
    config = EngineConfig(player=player)
    engine = await MatchEngine.start(pool, setup, config, Deadline.after(0))
    try:
        choice = await engine.play(None, Deadline.after(PATIENCE))

        assert choice.move == "(mark 3 3)"
        assert choice.origin is MoveOrigin.SEARCH
        assert engine.reasoner.startswith("lanes")
    finally:
        await engine.abort()


async def test_who_waits_for_the_kernels_is_not_waited_for() -> None:
    """They are being compiled, which takes a minute: the startclock is used without them."""
    rules = gdl.read_kif(games.text("ticTacToe"))
    are_here = threading.Event()
    kernels = LoadedKernels(are_here.wait, are_being_compiled=True)
    compilation = GameCompilation(partial(gdl.load, rules, "interpreter"), kernels)
    compilation.start()

    compilation.wait(Deadline.never())

    assert not compilation.is_over
    are_here.set()


def test_the_state_is_kept_when_the_machine_changes() -> None:
    """The same facts hold, the same moves are legal, and the next step is made from there."""
    rules = gdl.read_kif(games.text("ticTacToe"))
    interpreter = gdl.load(rules, "interpreter")
    knowledge = Knowledge(interpreter, interpreter.roles[0], seed=1)
    knowledge.make(JointMove(("(mark 1 1)", "noop")))
    before = knowledge.machine.facts(knowledge.state)

    is_adopted = knowledge.adopt(gdl.load(rules), Deadline.never())

    assert is_adopted
    assert knowledge.machine is not interpreter.machine
    assert knowledge.machine.facts(knowledge.state) == before
    knowledge.make(JointMove(("noop", "(mark 2 2)")))
    assert knowledge.turn == 2
    assert len(knowledge.legal_moves()) == 7


DEAL = """
(role me) (role random) (init (turn 1)) (legal me go)
(legal random (deal x)) (legal random (deal y)) (legal random (deal z))
(<= (next (got 1 ?c)) (does random (deal ?c)) (true (turn 1)))
(<= (next (got 2 ?c)) (does random (deal ?c)) (true (turn 2)))
(<= (next (got ?n ?c)) (true (got ?n ?c)))
(<= (next (turn 2)) (true (turn 1))) (<= (next (turn 3)) (true (turn 2)))
(<= (sees me x) (does random (deal x)))
(<= terminal (true (turn 3))) (goal me 50) (goal random 50)
"""


def test_what_was_perceived_is_carried_over_in_mid_match() -> None:
    """The belief goes through its turns again on the compiled game."""
    interpreter = gdl.load(DEAL, "interpreter")
    knowledge = Knowledge(interpreter, interpreter.roles[0], seed=1)
    knowledge.make(Percepts((), own_move="go"))

    is_adopted = knowledge.adopt(gdl.load(DEAL, "scalar"), Deadline.after(PATIENCE))
    knowledge.make(Percepts(("x",), own_move="go"))

    assert is_adopted
    assert knowledge.machine is not interpreter.machine
    assert knowledge.belief is not None
    assert set(map(str, knowledge.belief.probabilities())) == {
        "(turn 3)",
        "(got 1 y)",
        "(got 1 z)",
        "(got 2 x)",
    }
    assert "(got 2 x)" in map(str, knowledge.machine.facts(knowledge.state))
    assert knowledge.remarks == []


def test_a_state_that_agrees_with_nothing_is_remarked() -> None:
    """It is made up, and a match goes on."""
    game = gdl.load(DEAL, "interpreter")
    knowledge = Knowledge(game, game.roles[0], seed=1)

    knowledge.make(Percepts(("y",), own_move="go"))

    assert knowledge.remarks == ["no state agrees with the percepts; an invented one is used"]
    assert knowledge.legal_moves()


def test_where_a_state_was_made_up_one_that_agrees_is_looked_for() -> None:
    """What is searched and which moves are legal depends on it."""
    game = gdl.load(HIDDEN, "interpreter")
    knowledge = Knowledge(game, game.roles[0], seed=1)
    for percepts in ((), (), ("(first 3)", "(second 7)")):
        knowledge.make(Percepts(percepts, own_move="wait"), Deadline.after(-1))
    made_up = [knowledge.is_made_up]

    knowledge.widen(Deadline.after(PATIENCE))

    assert [*made_up, knowledge.is_made_up] == [True, False]
    facts = set(map(str, knowledge.machine.facts(knowledge.state)))
    assert {"(first 3)", "(second 7)"} <= facts


def test_a_belief_that_misses_states_is_remarked_once() -> None:
    """There are more than there is room or time for."""
    game = gdl.load(DEAL, "interpreter")
    knowledge = Knowledge(game, game.roles[0], seed=1)
    knowledge.belief = Belief(game, game.roles[0], 1, max_worlds=1)

    for _ in range(2):
        knowledge.make(Percepts((), own_move="go"))

    [remark] = knowledge.remarks
    assert remark.endswith("the search uses 1 of them")


def test_a_preparation_calls_when_it_is_over() -> None:
    """Whoever ponders meanwhile is interrupted; what was made can be taken once."""
    rules = gdl.read_kif(games.text("nim"))
    compilation = GameCompilation(partial(gdl.load, rules, "scalar"), LoadedKernels())
    is_called = threading.Event()
    compilation.call_when_over(is_called.set)

    compilation.start()

    assert is_called.wait(PATIENCE)
    assert compilation.is_over
    loaded = compilation.take()
    assert loaded is not None
    assert loaded.engine == "scalar"
    assert compilation.take() is None


def test_a_preparation_waits_for_the_kernels() -> None:
    """They would be compiled a second time otherwise, where they are not on the disk yet."""
    are_here, is_prepared = threading.Event(), threading.Event()

    def until_kernels() -> None:
        are_here.wait(PATIENCE)

    rules = gdl.read_kif(games.text("nim"))
    compilation = GameCompilation(partial(gdl.load, rules, "scalar"), LoadedKernels(until_kernels))
    compilation.call_when_over(is_prepared.set)

    compilation.start()
    compilation.wait(Deadline.after(0.05))
    was_over = compilation.is_over
    are_here.set()

    assert not was_over
    assert is_prepared.wait(PATIENCE)


def test_waiting_for_a_preparation_ends_with_the_deadline() -> None:
    """Nothing is started here, so nothing but the deadline ends it."""
    rules = gdl.read_kif(games.text("nim"))
    compilation = GameCompilation(partial(gdl.load, rules), LoadedKernels())

    compilation.wait(Deadline.after(0.05))

    assert not compilation.is_over
    assert compilation.take() is None

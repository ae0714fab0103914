"""Opponents play in an environment as they play in a match."""

from __future__ import annotations

import pytest

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.environments.single import Environment
from ggp.players import Player, registry
from ggp.players.textbook import LegalPlayer
from tests.ggp.environments.playing import play

pytestmark = pytest.mark.usefixtures("kernels")


class Recorder(LegalPlayer):
    """Makes the first legal move, and notes what it is told."""

    made: list[Recorder] = []  # noqa: RUF012 - of all that were made

    def set_up(self) -> None:
        """Begin to note."""
        self.told: list[tuple[str, gdl.State, tuple[gdl.Move, ...]]] = []
        self.seconds: list[float] = []
        Recorder.made.append(self)

    def prepare(self, state: gdl.State, deadline: Deadline) -> None:
        """Note it."""
        self.told.append(("prepare", state, ()))
        self.seconds.append(deadline.remaining())

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """Note it, and make the first legal move."""
        self.told.append(("choose", state, ()))
        self.seconds.append(deadline.remaining())
        return super().choose(state, deadline)

    def advance(self, moves: tuple[gdl.Move, ...], state: gdl.State) -> None:
        """Note it."""
        self.told.append(("advance", state, tuple(moves)))


@pytest.fixture
def recorders(monkeypatch: pytest.MonkeyPatch) -> list[Recorder]:
    """The players named `recorder` that are made."""
    monkeypatch.setattr(
        registry, "BUILT_IN", {**registry.BUILT_IN, "recorder": Recorder, "cheat": Cheat}
    )
    monkeypatch.setattr(Recorder, "made", [])
    return Recorder.made


class Cheat(Player):
    """Makes a move that is none."""

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """A move of no game."""
        return gdl.read_term("(cheat)")


def test_an_opponent_plays_as_in_a_match(recorders: list[Recorder]) -> None:
    """It is made anew for each game, prepares, chooses on its turns and is told all moves."""
    env = Environment("ticTacToe", role="oplayer", opponents="recorder", think_seconds=5)
    play(env, 1)
    steps = play(env, 2)

    _, player = recorders
    told = [what for what, _, _ in player.told]
    joints = [joint for *_, info in steps for joint in info["moves"]]
    assert str(player.role) == "xplayer"
    assert told[:3] == ["prepare", "choose", "advance"]
    assert [tuple(map(str, moves)) for what, _, moves in player.told if what == "advance"] == joints
    assert told.count("choose") == len([joint for joint in joints if joint[0] != "noop"])
    assert all(4 < seconds <= 5 for seconds in player.seconds)


def test_opponents_of_several_roles_are_named_by_role(recorders: list[Recorder]) -> None:
    """Those that are not named play at random."""
    roles = games.catalogue()["threePlayerTicTacToe"].roles
    env = Environment("threePlayerTicTacToe", opponents={roles[2]: "recorder"})

    play(env, 1)

    assert [str(player.role) for player in recorders] == [roles[2]]


def test_an_opponent_that_breaks_the_rules_is_named(recorders: list[Recorder]) -> None:
    """It is no fault of the caller's."""
    env = Environment("ticTacToe", opponents="cheat")
    _, info = env.reset(seed=1)

    with pytest.raises(gdl.IllegalMoveError, match="player 'cheat' as oplayer: expected a legal"):
        env.step(env.action_space.sample(info["action_mask"]))


def test_a_good_opponent_is_hard_to_beat() -> None:
    """A search that sees wins in one loses to random actions seldom."""
    env = Environment("ticTacToe", opponents="mcts:iterations=40", think_seconds=10)

    points = [play(env, seed)[-1][1] for seed in range(5)]

    assert sum(points) <= 2

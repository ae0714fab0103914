"""The race of variants: who is chosen, what is kept for the next match, and when there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.players import create
from ggp.search.core.choices import TurnUnknownError
from ggp.search.fast.lanes import BIASED, PLAIN
from ggp.training.arena.duels import BrokenOffError
from ggp.training.live import variant_race
from ggp.training.live.variant_race import DECIDED, MAX_ROUNDS, Standing, race

pytestmark = pytest.mark.usefixtures("kernels")


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> gdl.Game:
    """A game with pieces to take, and an empty cache."""
    monkeypatch.setenv("GGP_CACHE_DIR", str(tmp_path))
    return gdl.load(gdl.read_rules(games.text("breakthroughSmall"), "breakthroughSmall"))


class Script:
    """Rounds whose points are known, and what is raised after the last: that the time is over."""

    def __init__(self, *points: float, end: Exception | None = None) -> None:
        self.left = list(points)
        self.end = end or BrokenOffError()

    def __call__(self, *_: object) -> float:
        if not self.left:
            raise self.end
        return self.left.pop(0)


@pytest.mark.parametrize(
    ("points", "rounds", "variant"),
    [
        ((1.0, 1.0, 1.0, 0.0), 3, BIASED),
        ((0.0, 0.0, 0.0, 1.0), 3, PLAIN),
        ((0.25, 0.25), 2, PLAIN),
        ((0.25, 0.5), 2, BIASED),
        ((0.5,) * (MAX_ROUNDS + 1), MAX_ROUNDS, BIASED),
        ((), 0, BIASED),
    ],
)
def test_biased_playouts_are_used_unless_they_lose(
    game: gdl.Game,
    monkeypatch: pytest.MonkeyPatch,
    points: tuple[float, ...],
    rounds: int,
    variant: str,
) -> None:
    """A race ends when it is decided, after many rounds, or with the time."""
    monkeypatch.setattr(variant_race, "play_round", Script(*points))

    standing = race(game, Deadline.after(3600), seed=1)

    assert (standing.rounds, standing.variant) == (rounds, variant)


def test_later_matches_add_to_the_result(
    game: gdl.Game, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Under whatever names; a decided race is not played again, and a damaged file is not used."""
    renamed = gdl.load(games.text("breakthroughSmall").replace("white", "blanche"))
    for machine, points, lead in ((game, 1.0, 0.5), (renamed, 1.0, 1.0), (game, 1.0, DECIDED)):
        monkeypatch.setattr(variant_race, "play_round", Script(points))
        assert race(machine, Deadline.after(3600), seed=1).lead == lead
    assert race(game, Deadline.after(3600), seed=1) == Standing(3, DECIDED)

    [file] = tmp_path.rglob("*.race")
    file.write_text("{")
    assert race(game, Deadline.after(3600), seed=1) == Standing()


def test_a_state_that_cannot_be_searched_ends_the_race(
    game: gdl.Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The match begins nevertheless, with what the rounds before have shown."""
    monkeypatch.setattr(variant_race, "play_round", Script(0.0, end=TurnUnknownError()))

    assert race(game, Deadline.after(3600), seed=1) == Standing(1, -0.5)


def test_there_is_no_race_without_time(game: gdl.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not a single round is begun, and nothing is kept."""
    monkeypatch.setattr(variant_race, "play_round", Script(0.0, 0.0, 0.0))

    assert race(game, Deadline.after(0.1), seed=1) == Standing()


def test_a_real_race_is_as_long_as_its_time_allows(
    game: gdl.Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However far it gets."""
    monkeypatch.setattr(variant_race, "MIN_MOVE_SECONDS", 0.001)
    deadline = Deadline.after(0.5)

    standing = race(game, deadline, seed=1)

    assert standing.variant in {BIASED, PLAIN}
    assert -standing.rounds / 2 <= standing.lead <= standing.rounds / 2


@pytest.mark.parametrize(
    ("spec", "is_raced"),
    [
        ("mcts", True),
        ("mcts:variant=biased", False),
        ("mcts:iterations=5", False),
        ("mcts:tree=python", False),
    ],
)
def test_a_player_that_is_told_or_counts_has_no_race(
    game: gdl.Game, monkeypatch: pytest.MonkeyPatch, spec: str, is_raced: bool
) -> None:
    """The variant that wins is the one that it plays with."""
    script = Script(0.0, 0.0, 0.0)
    monkeypatch.setattr(variant_race, "play_round", script)
    monkeypatch.setattr(variant_race, "MIN_MOVE_SECONDS", 0.001)
    player = create(spec, game, game.roles[0], {"network": "none"}, seed=1)

    player.prepare(game.initial_state(), Deadline.after(0.3))
    player.choose(game.initial_state(), Deadline.after(0.1))

    assert (not script.left) == is_raced
    assert "variant" not in player.thoughts or not is_raced

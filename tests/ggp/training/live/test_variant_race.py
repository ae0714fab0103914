"""The race of variants: which one is chosen, what is kept, and when there is no race."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.players import create
from ggp.search.core.choices import TurnUnknownError
from ggp.search.fast.lanes import ALPHABETA, BIASED, PLAIN
from ggp.search.fast.tree.variant_choice import suitable_variants
from ggp.training.arena.duels import BrokenOffError, DeepeningSearcher, Side
from ggp.training.live import variant_race
from ggp.training.live.variant_race import MAX_ROUNDS, race

pytestmark = pytest.mark.usefixtures("kernels")

ALL = (BIASED, PLAIN, ALPHABETA)
LOST = (0.0,)  # the points of a challenger that loses its first round
HOUR = 3600.0


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> gdl.Game:
    """A game with pieces to take, and an empty cache."""
    monkeypatch.setenv("GGP_CACHE_DIR", str(tmp_path))
    return gdl.load(gdl.read_rules(games.text("breakthroughSmall"), "breakthroughSmall"))


class Script:
    """Rounds whose points are known, for each challenger; then the time is over."""

    def __init__(
        self,
        alphabeta: Sequence[float],
        plain: Sequence[float] = (),
        end: Exception | None = None,
    ) -> None:
        self.left = {ALPHABETA: list(alphabeta), PLAIN: list(plain)}
        self.end = end or BrokenOffError()

    def __call__(self, game: gdl.Game, own: Side, *_: object) -> float:
        left = self.left[ALPHABETA if isinstance(own, DeepeningSearcher) else PLAIN]
        if not left:
            raise self.end
        return left.pop(0)


def result_of(game: gdl.Game, script: Script, monkeypatch: pytest.MonkeyPatch) -> str:
    """The variant that a race chooses in an hour."""
    monkeypatch.setattr(variant_race, "MAX_SECONDS", HOUR)  # kernels may be compiled in it
    monkeypatch.setattr(variant_race, "play_round", script)
    return race(game, ALL, Deadline.after(HOUR), seed=1)


def kept(folder: Path) -> dict[str, list[float]]:
    """The rounds and the lead of each challenger, as they are stored for the next match."""
    [file] = folder.rglob("*.race")
    return {name: [*each.values()] for name, each in json.loads(file.read_text()).items()}


@pytest.mark.parametrize(
    ("plain", "rounds", "variant"),
    [
        ((0.0, 0.0, 0.0, 1.0), 3, BIASED),
        ((1.0, 1.0, 1.0, 0.0), 3, PLAIN),
        ((0.75, 0.75), 2, PLAIN),
        ((0.75, 0.5), 2, BIASED),
        ((0.5,) * (MAX_ROUNDS + 1), MAX_ROUNDS, BIASED),
    ],
)
def test_biased_playouts_are_used_unless_they_lose(
    game: gdl.Game,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    plain: tuple[float, ...],
    rounds: int,
    variant: str,
) -> None:
    """A race ends when it is decided, after many rounds, or with the time."""
    assert result_of(game, Script(LOST, plain), monkeypatch) == variant
    assert kept(tmp_path)[PLAIN][0] == rounds


@pytest.mark.parametrize(
    ("alphabeta", "rounds", "variant"),
    [
        ((1.0, 1.0, 1.0, 0.0), 3, ALPHABETA),
        ((1.0, 1.0), 2, ALPHABETA),
        ((1.0, 0.75), 2, BIASED),
        ((0.0, 1.0, 1.0), 1, BIASED),
        ((0.75, 0.75, 0.75, 0.75, 0.75), 5, BIASED),
    ],
)
def test_alphabeta_is_used_if_it_wins_clearly(
    game: gdl.Game,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    alphabeta: tuple[float, ...],
    rounds: int,
    variant: str,
) -> None:
    """After a round with two lost matches it gets no other."""
    assert result_of(game, Script(alphabeta), monkeypatch) == variant
    assert kept(tmp_path)[ALPHABETA][0] == rounds


def test_later_matches_add_to_the_result(
    game: gdl.Game, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Under whatever names; a decided race is not played again, and a damaged file is not used."""
    renamed = gdl.load(games.text("breakthroughSmall").replace("white", "blanche"))
    for machine, lead in ((game, 0.5), (renamed, 1.0), (game, 1.5), (game, 1.5)):
        result_of(machine, Script(LOST, (1.0,)), monkeypatch)
        assert kept(tmp_path)[PLAIN][1] == lead

    [file] = tmp_path.rglob("*.race")
    file.write_text("{")
    assert result_of(game, Script(LOST, (0.0,)), monkeypatch) == BIASED
    assert kept(tmp_path)[PLAIN] == [1, -0.5]


def test_later_matches_can_leave_the_startclock_to_the_learner(
    game: gdl.Game, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The result of the first one counts, though it is not final."""
    monkeypatch.setattr(variant_race, "MAX_SECONDS", HOUR)
    for plain in ((0.75, 0.75), (0.0, 0.0)):
        monkeypatch.setattr(variant_race, "play_round", Script(LOST, plain))
        assert race(game, ALL, Deadline.after(HOUR), seed=1, goes_on=False) == PLAIN
        assert kept(tmp_path)[PLAIN] == [2, 0.5]


def test_a_state_that_cannot_be_searched_ends_the_race(
    game: gdl.Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The match begins nevertheless, with what the rounds before have shown."""
    script = Script(LOST, (1.0,), end=TurnUnknownError())

    assert result_of(game, script, monkeypatch) == PLAIN


def test_there_is_no_race_without_time(
    game: gdl.Game, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Not a single round is begun, and nothing is kept."""
    script = Script((1.0, 1.0, 1.0))
    monkeypatch.setattr(variant_race, "play_round", script)

    assert race(game, ALL, Deadline.after(0.1), seed=1) == BIASED
    assert len(script.left[ALPHABETA]) == 3
    assert not [*tmp_path.rglob("*.race")]


def test_a_move_takes_many_batches(game: gdl.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the time of a few, a search on lanes is weaker than in a match."""
    script = Script((1.0, 1.0, 1.0))
    monkeypatch.setattr(variant_race, "play_round", script)
    monkeypatch.setattr(variant_race, "MIN_BATCHES", 1_000_000_000)

    assert race(game, ALL, Deadline.after(HOUR), seed=1) == BIASED
    assert len(script.left[ALPHABETA]) == 3


def test_a_real_race_is_as_long_as_its_time_allows(
    game: gdl.Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However far it gets."""
    monkeypatch.setattr(variant_race, "MIN_MOVE_SECONDS", 0.001)
    monkeypatch.setattr(variant_race, "MIN_BATCHES", 0)

    assert race(game, suitable_variants(game, 1), Deadline.after(0.5), seed=1) in ALL


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
    script = Script((1.0, 1.0, 1.0))
    monkeypatch.setattr(variant_race, "play_round", script)
    monkeypatch.setattr(variant_race, "MIN_MOVE_SECONDS", 0.0001)
    monkeypatch.setattr(variant_race, "MIN_BATCHES", 0)
    player = create(spec, game, game.roles[0], {"network": "none"}, seed=1)

    player.prepare(game.initial_state(), Deadline.after(0.3))
    move = player.choose(game.initial_state(), Deadline.after(0.1))

    assert move in game.legal_moves(game.initial_state(), game.roles[0])
    assert (not script.left[ALPHABETA]) == is_raced
    assert (player.thoughts.get("variant") == ALPHABETA) == is_raced

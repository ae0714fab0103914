"""A player with a network that is learned meanwhile: when it is begun, and how it takes over."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import gdl
from ggp.clock import Deadline
from ggp.players import create
from ggp.players.live_learning import LearningSearch
from ggp.players.mcts import MctsPlayer
from ggp.search.evaluation.network.file import write_network
from ggp.search.fast.tree.parallel import ParallelSearch
from ggp.training.live.link import Learned, LearnerTerms
from ggp.training.live.store import write_learned
from tests.ggp.search.evaluation.network.random_networks import game_of, random_network

pytestmark = pytest.mark.usefixtures("kernels")

SHORT = 0.3


class Link:
    """A link without a learner."""

    def __init__(self, needs_core: bool = False) -> None:
        self.begun: list[LearnerTerms] = []
        self.has_match_begun = False
        self.needs_core = needs_core
        self.leaves_core = False
        self.learned: Learned | None = None

    @property
    def has_begun(self) -> bool:
        return bool(self.begun)

    def start(self, terms: LearnerTerms) -> None:
        self.begun.append(terms)

    def begin_match(self) -> None:
        self.has_match_begun = True
        self.needs_core = False

    def newest(self, known: Learned | None) -> Learned | None:
        return None if self.learned is known else self.learned

    def pass_on(self, game: gdl.Game, name: str) -> None:
        """A network has passed the gate."""
        self.learned = Learned(random_network(game), 1.0, name)


class Once(Deadline):
    """A deadline in a long time, which ends after so many looks at it."""

    def __init__(self, looks: int, seconds: float = 3600.0) -> None:
        super().__init__(Deadline.after(seconds).moment)
        self._looks = looks

    def is_over(self) -> bool:
        self._looks -= 1
        return self._looks < 0 or super().is_over()


@pytest.fixture(autouse=True)
def auto(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Players learn unless they are told otherwise, on two cores; nothing was learned before.

    The variant of the playouts is chosen without a race.
    """
    monkeypatch.setattr(
        "ggp.training.live.variant_race.race", lambda _, variants, *__, **___: variants[0]
    )
    monkeypatch.delenv("GGP_LEARN")
    monkeypatch.setenv("GGP_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("GGP_NETWORKS", str(tmp_path / "networks"))
    monkeypatch.setattr("ggp.players.live_learning.usable_cores", lambda: 2)


def player_of(name: str, link: Link, options: str = "") -> MctsPlayer:
    """The first role's player."""
    game = game_of(name)
    player = create(f"mcts:memory=16{options}", game, game.roles[0], {}, 1)
    assert isinstance(player, MctsPlayer)
    player.learner = link  # type: ignore[assignment]
    return player


def prepared(name: str, options: str = "", seconds: float = 3600.0) -> Link:
    """The link of a player that has used a part of a startclock."""
    link = Link()
    player = player_of(name, link, options)
    player.prepare(player.game.initial_state(), Once(3, seconds))
    return link


@pytest.mark.parametrize(
    ("name", "options", "is_begun"),
    [
        ("hex", "", True),
        ("hex", ",learn=off", False),
        ("hex", ",network=none", False),
        ("hex", ",share=0.5", False),
        ("hex", ",threads=2", False),
        ("hex", ",rounds=1", False),
        ("hex", ",iterations=5", False),
        ("hex", ",tree=python", False),
        ("breakthrough", "", False),  # there is one
        ("breakthrough", ",learn=on", True),
        ("pig", "", False),
        ("lightsOut", "", False),
    ],
)
def test_it_is_learned_where_that_may_help(name: str, options: str, is_begun: bool) -> None:
    """On lanes, without a network, where the rounds are not counted and nothing is told."""
    assert prepared(name, options).has_begun == is_begun


def test_the_environment_may_forbid_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless the option asks for it."""
    monkeypatch.setenv("GGP_LEARN", "off")

    assert not prepared("hex").has_begun
    assert prepared("hex", ",learn=on").has_begun


@pytest.mark.parametrize(
    ("cores", "startclock", "playclock", "is_begun"),
    [(1, 6, 2, True), (1, 4, 2, False), (2, 4, 2, True), (2, 4, 0.5, False)],
)
def test_it_is_learned_where_the_clocks_leave_time(
    monkeypatch: pytest.MonkeyPatch, cores: int, startclock: float, playclock: float, is_begun: bool
) -> None:
    """A second core learns in the turns as well."""
    monkeypatch.setattr("ggp.players.live_learning.usable_cores", lambda: cores)
    link = Link()
    player = player_of("hex", link)
    state = player.game.initial_state()

    player.prepare(state, Once(3, startclock))
    player.choose(state, Once(3, playclock))

    assert link.has_begun == is_begun


def test_the_search_leaves_its_core_to_the_learner_before_the_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It has looked at something, and goes on when the learner does not need the core any more."""
    for name in ("ROOT_SECONDS", "ROOT_SHARE"):
        monkeypatch.setattr(f"ggp.players.live_learning.{name}", 0.0)
    link = Link(needs_core=True)
    player = player_of("hex", link)
    state = player.game.initial_state()
    player.prepare(state, Deadline.after(SHORT))
    waiting = int(str(player.thoughts["iterations"]))
    player.ponder(state, Once(20))

    assert link.has_match_begun
    assert isinstance(player._search, LearningSearch)
    assert player._search.effort.num_iterations > 2 * waiting > 0


def test_the_first_network_begins_a_new_tree_and_the_next_keeps_it() -> None:
    """Its values are of another kind than those of random games. The rounds add up."""
    link = Link()
    player = player_of("hex", link)
    state = player.game.initial_state()
    player.prepare(state, Once(30))
    search = player._search
    assert isinstance(search, LearningSearch)
    plain = search.effort
    assert "network" not in player.thoughts

    link.pass_on(player.game, "first")
    player.ponder(state, Once(1))

    first = search.effort
    assert first.num_nodes < plain.num_nodes / 2
    assert plain.num_iterations < first.num_iterations
    link.pass_on(player.game, "second")
    player.choose(state, Once(1))
    assert search.effort.num_nodes > first.num_nodes
    assert player.thoughts["network"] == "second"
    assert player._search is search


def test_what_was_learned_before_may_be_given_up() -> None:
    """It lost when it was tested again: a new tree is begun, without it."""
    game = game_of("hex")
    write_learned(random_network(game), game)
    link = Link()
    player = player_of("hex", link)
    state = game.initial_state()
    player.prepare(state, Once(30))
    assert player.thoughts["network"]
    search = player._search
    assert search is not None
    before = search.effort

    link.learned = Learned(None, 0.0, "")
    player.choose(state, Once(1))

    assert "network" not in player.thoughts
    assert search.effort.num_nodes < before.num_nodes
    assert search.effort.num_iterations > before.num_iterations


def test_the_core_of_a_learner_that_gave_up_grows_a_second_tree() -> None:
    """The first one stays."""
    link = Link()
    player = player_of("hex", link)
    state = player.game.initial_state()
    player.prepare(state, Once(10))
    search = player._search
    assert isinstance(search, LearningSearch)
    before = search.effort

    link.leaves_core = True
    player.choose(state, Once(4))

    assert isinstance(search._search, ParallelSearch)
    assert search.effort.num_nodes > before.num_nodes
    assert (search.effort.num_bytes or 0) > 1.5 * (before.num_bytes or 0)


def test_no_new_tree_is_begun_late_in_a_turn() -> None:
    """Half of the time would not make it as good as the one that is there."""
    link = Link()
    player = player_of("hex", link)
    state = player.game.initial_state()
    player.choose(state, Once(2, SHORT))
    link.pass_on(player.game, "late")
    learning = player._learning
    assert learning is not None
    learning._latest = 0.0

    search = player._search
    assert search is not None
    search.step(Deadline.after(SHORT))
    assert learning.network is None
    player.ponder(state, Once(1))

    assert learning.network is not None


def test_the_next_match_begins_with_what_was_learned() -> None:
    """From the first move on, also if there is no time to learn; not if it has not passed."""
    game = game_of("hex")
    network = replace(random_network(game), figures={"samples": 1_200_000})
    for is_used in (True, False):
        write_learned(replace(network, is_used=is_used), game)
        player = player_of("hex", Link())

        player.choose(game.initial_state(), Once(1, SHORT))

        assert player.thoughts.get("network") == ("learned, 1.2 M samples" if is_used else None)
    player = player_of("hex", Link(), ",learn=off")
    write_learned(network, game)
    player.choose(game.initial_state(), Once(1, SHORT))
    assert "network" not in player.thoughts


@pytest.mark.parametrize(
    ("cores", "is_tested", "options", "goes_on"),
    [
        (1, False, "", False),
        (1, True, "", True),
        (2, False, "", True),
        (1, False, ",learn=off", True),
    ],
)
def test_races_leave_the_only_core_to_a_learner_that_has_tested_nothing(
    monkeypatch: pytest.MonkeyPatch, cores: int, is_tested: bool, options: str, goes_on: bool
) -> None:
    """Only the first match of a game has a race before."""
    monkeypatch.setattr("ggp.players.live_learning.usable_cores", lambda: cores)
    asked: list[bool] = []

    def race(game: gdl.Game, variants: list[str], *_: object, goes_on: bool) -> str:
        asked.append(goes_on)
        return variants[0]

    monkeypatch.setattr("ggp.training.live.variant_race.race", race)
    if is_tested:
        game = game_of("hex")
        write_learned(replace(random_network(game), is_used=False), game)

    prepared("hex", options)

    assert asked == [goes_on]


def test_one_that_the_user_has_comes_first(tmp_path: Path) -> None:
    """What was learned in matches is for games without one."""
    game = game_of("hex")
    (tmp_path / "networks").mkdir()
    write_network(random_network(game), tmp_path / "networks" / "own.network")
    write_learned(random_network(game), game)
    player = player_of("hex", Link())

    player.choose(game.initial_state(), Once(1, SHORT))

    assert player.thoughts["network"] == "own.network"

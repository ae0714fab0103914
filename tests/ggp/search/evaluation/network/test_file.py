"""A player finds its network by the rules: under other names, and for no other game."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.players.mcts import MctsPlayer
from ggp.players.options import PlayerSpecError
from ggp.players.registry import create, files_of
from ggp.search.evaluation.network import file
from ggp.search.evaluation.network.file import find_network, write_network
from ggp.search.evaluation.network.network import NetworkError, NetworkValues, ValueNetwork
from tests.gdl.rulesheet.renaming import five_in_a_row, with_other_names
from tests.ggp.search.evaluation.network.random_networks import game_of, random_network

pytestmark = pytest.mark.usefixtures("kernels")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's folder of networks."""
    monkeypatch.setenv("GGP_NETWORKS", str(tmp_path))
    return tmp_path


def player_of(game: gdl.Game, options: str = "") -> MctsPlayer:
    """A player on lanes."""
    player = create(f"mcts:tree=lanes,rounds=1,iterations=3{options}", game, game.roles[0], {}, 1)
    assert isinstance(player, MctsPlayer)
    return player


def network_name(player: MctsPlayer) -> object:
    """The network by which a player says that it has found its first move."""
    player.choose(player.game.initial_state(), Deadline.after(20))
    return player.thoughts.get("network")


def packed(game: gdl.Game, facts: set[str]) -> np.ndarray:
    """The packed state in which these facts are true."""
    assert game.simulator is not None
    bases = game.simulator.circuit.phases[0].netlist.bases
    bits = np.zeros((1, -(-len(bases) // 64) * 64), np.uint8)
    bits[0, [place for place, base in enumerate(bases) if str(base) in facts]] = 1
    return np.packbits(bits, axis=1, bitorder="little").view(np.uint64)


def test_a_network_knows_its_game_under_other_names(folder: Path) -> None:
    """Renamed states are worth what they were worth, for the roles that have other names now."""
    ours = game_of("connectFour")
    network = random_network(ours)
    write_network(network, folder / "one.network")
    assert ours.rulesheet is not None
    theirs = gdl.load(with_other_names(ours.rulesheet, 4)[0], "lanes")
    assert theirs.rulesheet is not None

    found = find_network(theirs)

    assert found is not None
    assert ours.rulesheet.canonical is not None
    assert theirs.rulesheet.canonical is not None
    names = ours.rulesheet.canonical.names_in(theirs.rulesheet.canonical)
    places = [
        [gdl.renamed(str(role), names) for role in ours.roles].index(str(role))
        for role in theirs.roles
    ]
    luck = Random(1)
    for phase in range(len(network.output)):
        facts = {fact for fact in network.facts if luck.random() < 0.5}
        value = NetworkValues(network, ours).values(packed(ours, facts), phase)
        state = packed(theirs, {gdl.renamed(fact, names) for fact in facts})
        other = NetworkValues(found.network, theirs).values(state, phase)
        assert other == pytest.approx(value[:, places], abs=0.3)


def test_roles_in_another_order_have_their_own_values(folder: Path) -> None:
    """The same rules with the roles the other way round."""
    text = games.text("ticTacToe")
    ours = game_of("ticTacToe")
    first, second = (f"(role {role})" for role in ours.roles)
    text = text.replace(first, "FIRST").replace(second, first).replace("FIRST", second)
    theirs = gdl.load(text, "lanes")
    assert theirs.roles == ours.roles[::-1]
    network = random_network(ours)

    found = network.for_game(theirs)

    facts = set(network.facts[::2])
    value = NetworkValues(network, ours).values(packed(ours, facts), 0)
    assert NetworkValues(found, theirs).values(packed(theirs, facts), 0) == pytest.approx(
        value[:, ::-1]
    )


def test_five_in_a_row_does_not_find_the_network_of_four(folder: Path) -> None:
    """Nor may a player be given it."""
    network = random_network(game_of("connectFour"))
    write_network(network, folder / "one.network")
    five = gdl.load(five_in_a_row(), "lanes")

    assert find_network(five) is None
    with pytest.raises(NetworkError, match="rules differ"):
        network.for_game(five)


def test_a_game_of_another_shape_is_not_looked_at_closely(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that it begins as early as if there were no networks."""
    write_network(random_network(game_of("connectFour")), folder / "one.network")

    def refuse(_self: gdl.Rulesheet) -> None:
        raise AssertionError

    monkeypatch.setattr(gdl.Rulesheet, "canonical", property(refuse))
    game = gdl.load(games.text("nim"), "lanes")
    assert find_network(game) is None


def test_a_broken_file_is_a_warning(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    """It names the file, and the other ones are found."""
    network = random_network(game_of("ticTacToe"))
    (folder / "a.network").write_bytes(b"nothing")
    write_network(network, folder / "b.network")
    write_network(replace(network, start=network.start[:-1]), folder / "b1.network")
    (folder / "b.network").rename(folder / "c.network")

    with caplog.at_level(logging.INFO):
        found = find_network(game_of("ticTacToe"))

    assert found is not None
    assert found.file.name == "c.network"
    told = [(record.levelname, record.getMessage()) for record in caplog.records]
    assert [level for level, _ in told] == ["WARNING", "WARNING", "INFO"]
    for (_, text), name in zip(told, ["a.network", "b1.network", "c.network"], strict=True):
        assert name in text


def network_of_tictactoe(**changes: object) -> ValueNetwork:
    """A network for it."""
    return replace(random_network(game_of("ticTacToe")), **changes)  # type: ignore[arg-type]


def test_a_player_uses_what_passed_its_gate(folder: Path) -> None:
    """It says so with its move; with `none` it does not look."""
    game = game_of("ticTacToe")
    assert network_name(player_of(game)) is None  # as long as there is none
    write_network(network_of_tictactoe(), folder / "one.network")
    file._entries.cache_clear()
    assert network_name(player_of(game)) == "one.network"
    assert network_name(player_of(game, ",network=none")) is None
    assert network_name(player_of(game, ",share=0")) is None


def test_what_did_not_pass_its_gate_is_used_only_where_a_share_is_named(folder: Path) -> None:
    """The file says whether it did."""
    game = game_of("ticTacToe")
    file = folder / "one.network"
    write_network(network_of_tictactoe(is_used=False), file)
    assert network_name(player_of(game)) is None
    assert network_name(player_of(game, f",network={file}")) is None
    assert network_name(player_of(game, f",network={file},share=1")) == "one.network"


@pytest.mark.parametrize(("option", "share"), [("", 0.5), (",share=0.25", 0.25)])
def test_the_share_is_that_of_the_gate(option: str, share: float, folder: Path) -> None:
    """Unless the player is told another one."""
    write_network(network_of_tictactoe(share=0.5), folder / "one.network")
    player = player_of(game_of("ticTacToe"), option)
    found = player._network_of_game()
    assert found is not None
    assert found.leaf_values().share == share


def test_strangers_may_choose_no_file() -> None:
    """But they may say whether networks are looked for."""
    assert files_of("mcts:network=auto,book=b") == {"book": "b"}
    assert files_of("mcts:network=none") == {}
    assert files_of("mcts:network=x/y") == {"network": "x/y"}


def test_other_machines_go_without() -> None:
    """What this machine finds they may not have."""
    game = game_of("ticTacToe")
    with pytest.raises(PlayerSpecError, match="cannot be combined with the file of a network"):
        create("mcts:nodes=2,network=some.network", game, game.roles[0], {}, 1)

"""Value networks: what the kernel computes, the file, and who may use it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ggp import games
from ggp.players.options import PlayerSpecError
from ggp.players.registry import create
from ggp.search.evaluation.network.file import read_network, write_network
from ggp.search.evaluation.network.network import NetworkError, NetworkValues
from tests.ggp.search.evaluation.network.random_networks import facts_of, game_of, random_network

pytestmark = pytest.mark.usefixtures("kernels")


@pytest.mark.parametrize("name", ["ticTacToe", "connectFour", "othello"])
def test_the_kernel_computes_the_formula(name: str) -> None:
    """For states of any bits, whatever the reference state is."""
    game = game_of(name)
    network = random_network(game)
    num_bases = len(facts_of(game))
    num_words = -(-num_bases // 64)
    bits = (np.random.default_rng(2).random((50, num_words * 64)) < 0.4).astype(np.uint8)
    bits[:, num_bases:] = 0
    states = np.packbits(bits, axis=1, bitorder="little").view(np.uint64)

    for phase in range(len(network.output)):
        found = NetworkValues(network, game).values(states, phase)

        inputs = bits[:, 1:num_bases]
        inputs = np.hstack([inputs, inputs[:, network.pairs].all(2)])
        units = np.clip(inputs @ network.rows + network.start, 0, 1) ** 2
        sums = units @ network.output[phase].T + network.bias[phase]
        assert found == pytest.approx(100 / (1 + np.exp(-sums)), abs=0.01)


@pytest.mark.parametrize("num_changes", [1, 4, 8, 9, 20])
def test_states_that_are_alike_are_worth_what_each_alone_is(num_changes: int) -> None:
    """Siblings are summed up from each other, and keep their values to the last few digits."""
    game = game_of("breakthrough")
    values = NetworkValues(random_network(game), game)
    num_bases, rng = len(facts_of(game)), np.random.default_rng(3)
    bits = np.zeros((60, -(-num_bases // 64) * 64), np.uint8)
    bits[:, :num_bases] = rng.random((3, num_bases)).repeat(20, axis=0) < 0.4
    for row in bits:
        row[rng.choice(num_bases, num_changes, replace=False)] ^= 1
    states = np.packbits(bits, axis=1, bitorder="little").view(np.uint64)

    together = values.values(states, 1)

    alone = [values.values(state[None], 1)[0] for state in states]
    assert together == pytest.approx(np.array(alone), abs=1e-3)


def test_a_file_keeps_a_network(tmp_path: Path) -> None:
    """Names as they are, numbers to three digits, for so few bytes as half precision takes."""
    network = replace(random_network(game_of("connectFour")), figures={"samples": 12})

    size = write_network(network, tmp_path / "one.network")
    found = read_network(tmp_path / "one.network")

    assert size == (tmp_path / "one.network").stat().st_size < 20_000
    assert (found.facts, found.roles, found.rules) == (network.facts, network.roles, network.rules)
    assert found.figures == {"samples": 12}
    assert (found.reference == network.reference).all()
    assert (found.pairs == network.pairs).all()
    for name in ("rows", "start", "output", "bias"):
        assert getattr(found, name) == pytest.approx(getattr(network, name), abs=2e-3)


def test_two_roles_may_share_out_the_sum() -> None:
    """What one gets the other does not."""
    game = game_of("connectFour")
    network = random_network(game)
    states = np.arange(1, 41, dtype=np.uint64).reshape(20, 2)

    apart = NetworkValues(network, game).values(states, 0)
    found = NetworkValues(replace(network, is_shared=True), game).values(states, 0)

    assert (found.sum(1) == 100).all()
    odds = np.log(apart / (100 - apart))
    mean = (odds[:, 0] - odds[:, 1]) / 2
    assert found[:, 0] == pytest.approx(100 / (1 + np.exp(-mean)), abs=0.01)


@pytest.mark.parametrize("kept", [0, 10, 500, -1])
def test_a_broken_file_is_refused(kept: int, tmp_path: Path) -> None:
    """Whatever is missing at its end, the error names the file."""
    file = tmp_path / "one.network"
    write_network(random_network(game_of("ticTacToe")), file)
    file.write_bytes(file.read_bytes()[:kept])

    with pytest.raises(NetworkError, match=r"one\.network: expected a network file"):
        read_network(file)


def test_a_network_of_other_sizes_is_refused(tmp_path: Path) -> None:
    """All its arrays must fit each other."""
    network = random_network(game_of("ticTacToe"))
    write_network(replace(network, start=network.start[:-1]), tmp_path / "one.network")

    with pytest.raises(NetworkError, match="rows: expected"):
        read_network(tmp_path / "one.network")


def test_pairs_of_facts_that_there_are_not_are_refused(tmp_path: Path) -> None:
    """The places must be those of facts."""
    network = random_network(game_of("ticTacToe"))
    pairs = network.pairs.copy()
    pairs[3, 1] = len(network.facts)
    write_network(replace(network, pairs=pairs), tmp_path / "one.network")

    with pytest.raises(NetworkError, match="pairs: expected places of facts, from 0 to 26"):
        read_network(tmp_path / "one.network")


def test_a_file_without_pairs_has_none() -> None:
    """As those have that were written before there were any."""
    assert len(read_network(games.folder() / "networks" / "othello.network").pairs) == 0


def test_a_player_refuses_the_network_of_another_game(tmp_path: Path) -> None:
    """Its roles, or its rules, are others; or there is no file."""
    file = tmp_path / "one.network"
    write_network(random_network(game_of("connectFour")), file)
    for name, reason in (("othello", "for the roles"), ("connectFour", "")):
        game = game_of(name)
        player = create(f"mcts:network={file},tree=lanes", game, game.roles[0], {}, 1)
        if reason:
            with pytest.raises(PlayerSpecError, match=reason):
                player.new_search(game.initial_state())  # type: ignore[attr-defined]  # of mcts
    game = game_of("ticTacToe")
    player = create(f"mcts:network={tmp_path / 'none'},tree=lanes", game, game.roles[0], {}, 1)
    with pytest.raises(PlayerSpecError, match="No such file"):
        player.new_search(game.initial_state())  # type: ignore[attr-defined]  # of mcts

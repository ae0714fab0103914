"""`ggp learn` with a network: a file that players take, and none that is lost."""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from typer.testing import CliRunner, Result

from ggp.cli import app
from ggp.clock import Deadline
from ggp.players.registry import create
from ggp.search.evaluation.network.file import read_network, write_network
from ggp.search.evaluation.network.network import ValueNetwork
from ggp.training.arena import network_gate
from ggp.training.arena import snapshot_ratings as network_ratings
from ggp.training.arena.duels import Searcher
from tests.ggp.search.fast.tree.test_search import machine_of

pytestmark = pytest.mark.usefixtures("kernels")

QUICK = ("--batches", "2", "--units", "32", "--gate-seconds", "0.001", "--gate-matches", "2")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of its own, one core, and ratings that take no time."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(network_ratings, "num_cores", lambda: 1)
    monkeypatch.setattr(network_ratings, "SECONDS", 0.001)
    monkeypatch.setattr(network_ratings, "MAX_ROUNDS", 1)


def learn(*args: str) -> Result:
    """Learn ticTacToe."""
    return CliRunner().invoke(app, ["learn", "ticTacToe", *QUICK, *args])


def lets(monkeypatch: pytest.MonkeyPatch, against_plain: float, against_previous: float) -> None:
    """Let the gate end like this."""

    def play(game: object, own: object, other: Searcher, *rest: object) -> float:
        return against_plain if other.network is None else against_previous

    monkeypatch.setattr(network_gate, "play_round", play)


def test_a_network_is_trained_and_tried() -> None:
    """The file, the curve, and lines that tell how it went; no checkpoint is left."""
    done = learn("--curve", "curve.svg")

    assert done.exit_code == 0, done.output
    assert sorted(file.name for file in Path().iterdir()) == ["curve.svg", "ticTacToe.network"]
    network = read_network(Path("ticTacToe.network"))
    assert network.figures["gate matches"] == 2
    assert network.figures["batches"] == 2
    assert len(network.start) == 32
    assert "100%" in done.stderr
    assert "the gate plays at most" in done.stderr
    assert "Elo over mcts" in done.stdout
    assert f"{network.figures['samples']:,} samples learned" in done.stdout
    assert ("plays with this network" in done.stdout) == network.is_used
    ET.fromstring(Path("curve.svg").read_text(encoding="utf-8"))


@cache
def first_network() -> bytes:
    """A network that passed a gate, whichever, as its file has it."""
    learn("--batches", "1")
    return Path("ticTacToe.network").read_bytes()


@pytest.mark.parametrize(
    ("plain", "previous", "files", "said"),
    [
        (1.0, 1.0, ["ticTacToe.network"], "100% against the network before"),
        (1.0, 0.0, ["ticTacToe.network", "ticTacToe.network.new"], "is unchanged"),
        pytest.param(
            *(0.0, 1.0, ["ticTacToe.network", "ticTacToe.network.new"], "not passed"),
            marks=pytest.mark.thorough,
        ),
    ],
)
def test_a_network_is_replaced_by_a_stronger_one_only(
    monkeypatch: pytest.MonkeyPatch, plain: float, previous: float, files: list[str], said: str
) -> None:
    """The other one is written beside it."""
    lets(monkeypatch, 1.0, 1.0)
    before = first_network()
    Path("ticTacToe.network").write_bytes(before)
    lets(monkeypatch, plain, previous)

    done = learn("--seed", "2")

    assert done.exit_code == 0, done.output
    assert said in done.stdout
    assert sorted(file.name for file in Path().iterdir()) == files
    assert (Path("ticTacToe.network").read_bytes() == before) == (len(files) > 1)
    assert read_network(Path(files[-1])).figures["seed"] == 2


def test_a_network_that_did_not_pass_is_not_used(caplog: pytest.LogCaptureFixture) -> None:
    """Unless somebody chooses its share."""
    learn("--gate-matches", "0")
    file = Path("ticTacToe.network")
    network = read_network(file)
    assert network.figures["gate"] == "not tested"
    assert playouts_with(network, "") == 0
    weak = replace(network, is_used=False)

    with caplog.at_level(logging.INFO):
        assert playouts_with(weak, "") > 0
    assert "not used" in caplog.text
    assert playouts_with(weak, ",share=1") == 0
    assert playouts_with(replace(network, share=0.5), "") > 0


def playouts_with(network: ValueNetwork, options: str) -> float:
    """Random games that a player makes for a move, in the time for some rounds at least."""
    file = Path("tried.network")
    write_network(network, file)
    game = machine_of("ticTacToe")
    player = create(f"mcts:network={file}{options}", game, game.roles[0], {}, 1)
    # Where nobody wins at once, so that there is something to find out.
    seconds = 0.1
    while True:
        player.choose(game.initial_state(), Deadline.after(seconds))
        rounds, playouts = (player.thoughts[name] for name in ("iterations", "playouts"))
        assert isinstance(playouts, int | float)
        if rounds:
            return playouts
        seconds *= 2  # the machine is busy


def test_a_stopped_training_is_not_lost() -> None:
    """Neither by beginning anew, nor by going on with other settings."""
    Path("ticTacToe.network.checkpoint").write_bytes(b"something")

    anew, resumed = learn(), learn("--resume")

    assert anew.exit_code == 2
    assert "Continue it with --resume, or remove that file" in anew.stderr
    assert resumed.exit_code == 1
    assert "expected a checkpoint" in resumed.stderr
    assert Path("ticTacToe.network.checkpoint").read_bytes() == b"something"


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (["ticTacToe", "--resume"], 2, "there is no checkpoint ticTacToe.network.checkpoint"),
        (["ticTacToe", "--depth", "3"], 2, "--depth only works with --method td or samuel"),
        (
            ["ticTacToe", "--method", "td", "--units", "32"],
            2,
            "--units only works with --method network",
        ),
        (["ticTacToe", "--units", "48"], 2, "--units: expected one of 32, 64, 128, 256, got 48"),
        (["pig"], 1, "without the role random; use --method td, which learns"),
        (["goofspiel"], 1, "one role moves at a time; use --method td, which learns"),
        (["eightPuzzle"], 1, "two roles or more; use --method td, which learns"),
    ],
)
def test_what_cannot_be_is_told(args: list[str], code: int, message: str) -> None:
    """In one line, and no file is written."""
    done = CliRunner().invoke(app, ["learn", *args])

    assert done.exit_code == code, done.output
    assert message in done.stderr
    assert list(Path().iterdir()) == []


def test_no_other_file_is_overwritten() -> None:
    """What is there may be dear to somebody."""
    Path("mine").write_text("dear", encoding="utf-8")

    done = learn("--out", "mine")

    assert done.exit_code == 1
    assert "it is not overwritten" in done.stderr
    assert Path("mine").read_text(encoding="utf-8") == "dear"

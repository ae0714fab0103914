"""The networks that come with the games are small, and each is found by its game."""

from __future__ import annotations

from pathlib import Path

import pytest

import gdl
from ggp import games
from ggp.search.evaluation.network.file import find_network, form_of, is_used, read_head
from tests.gdl.rulesheet.renaming import five_in_a_row, with_other_names

pytestmark = pytest.mark.usefixtures("kernels")

MAX_BYTES = 200_000


def faults_of(file: Path) -> list[str]:
    """What is wrong with a network that is to come with the games."""
    found = []
    if file.stat().st_size > MAX_BYTES:
        found.append(f"more than {MAX_BYTES} bytes")
    head = read_head(file)
    if not is_used(head):
        found.append("did not pass its gate")
    if gdl.read_rules(games.text(file.stem)).canonical != form_of(head):
        found.append("of other rules")
    return found


def test_all_networks_fit_their_games() -> None:
    """A file is called like its game; the folder may be missing."""
    files = (games.folder() / "networks").glob("*")
    assert {file.name: faults for file in files if (faults := faults_of(file))} == {}


def test_scrambled_connect_four_finds_the_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one that comes with the games; five in a row does not."""
    monkeypatch.setenv("GGP_NETWORKS", str(tmp_path))
    text, _ = with_other_names(gdl.read_rules(games.text("connectFour")), 4)

    found = find_network(gdl.load(text, "lanes"))

    assert found is not None
    assert found.file == games.folder() / "networks" / "connectFour.network"
    assert find_network(gdl.load(five_in_a_row(), "lanes")) is None

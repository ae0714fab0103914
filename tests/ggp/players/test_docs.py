"""docs/players.md keeps its word: its player plays, its tables are those of the code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import cast

import pytest

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.players import create, player_class
from ggp.players.registry import BUILT_IN
from ggp.search.core.choices import Joint

pytestmark = pytest.mark.usefixtures("kernels")

TEXT = (Path(__file__).resolve().parents[3] / "docs" / "players.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| `(\w+)` \| ([^|]*) \|", re.MULTILINE)


def section(title: str) -> str:
    """The text under a heading of the second level."""
    return TEXT.split(f"\n## {title}\n")[1].split("\n## ")[0]


def player_of_the_docs(name: str) -> str:
    """The block that defines a class."""
    blocks: list[str] = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    [found] = [block for block in blocks if f"class {name}(" in block]
    return found


def test_the_player_of_the_docs_beats_the_first_legal_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The very block, saved under the name that the docs give it, wins as the docs load it."""
    block = player_of_the_docs("Sampler")
    (tmp_path / "sampler.py").write_text(block, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    machine = gdl.load(gdl.read_kif(games.text("connectFour")))
    own = create("sampler:Sampler:games=5", machine, machine.roles[0], {}, seed=1)
    other = create("legal", machine, machine.roles[1], {})

    state = machine.initial_state()
    while not machine.is_terminal(state):
        joint: Joint = tuple(player.choose(state, Deadline.after(5)) for player in (own, other))
        state = machine.next_state(state, joint)

    assert machine.goal(state, own.role) == 100


def test_the_player_of_the_docs_has_twenty_lines() -> None:
    """Blank lines not counted."""
    block = player_of_the_docs("Sampler")

    assert len([line for line in block.splitlines() if line.strip()]) <= 20


def test_the_patient_player_of_the_docs_uses_its_time_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It plays games until the deadline and stops there."""
    (tmp_path / "patient.py").write_text(player_of_the_docs("Patient"), encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    machine = gdl.load(gdl.read_kif(games.text("connectFour")))
    player = create("patient:Patient", machine, machine.roles[0], {}, seed=1)
    deadline = Deadline.after(0.5)

    move = player.choose(machine.initial_state(), deadline)

    assert move in machine.legal_moves(machine.initial_state(), player.role)
    assert deadline.is_over()
    assert Deadline(deadline.moment + 30).remaining() > 0  # a safety net
    assert cast(int, player.thoughts["games"]) > 0


def test_all_that_the_players_of_the_docs_use_is_in_the_tables() -> None:
    """Each method and function of the examples, and the whole of a deadline's reading side."""
    code = player_of_the_docs("Sampler") + player_of_the_docs("Patient")
    used = set(re.findall(r"(?:self|machine|deadline)\.(?=(\w+))", code))
    used |= {"playout", "whole", "remaining", "after", "control", "facts", "OPTIONS"}
    tables = "\n".join(line for line in TEXT.splitlines() if line.startswith("| `"))

    assert used >= {"legal_moves", "with_random_replies", "is_over", "report", "next_state"}
    assert {name for name in used if not re.search(rf"\b{name}\b", tables)} == set()


def test_every_player_is_in_the_table() -> None:
    """The first table names the built-in players and no others."""
    names = {name for name, _ in ROW.findall(TEXT.split("\n## ")[0])}

    assert names == set(BUILT_IN)


@pytest.mark.parametrize("name", sorted({*BUILT_IN} - {"legal", "random"}))
def test_every_option_is_in_the_table_of_its_player_with_its_default(name: str) -> None:
    """Names and defaults are those of the code."""
    documented = dict(ROW.findall(section(name)))

    actual = {option.name: option.default for option in player_class(name).OPTIONS}
    assert {key: text.strip("`") for key, text in documented.items()} == {
        key: str(value) for key, value in actual.items()
    }

"""Public rulesheets in OpenSpiel: its own test, and playouts that another engine recorded."""

from __future__ import annotations

import re
from pathlib import Path

import pyspiel
import pytest

from ggp.environments import openspiel
from ggp.records.recording import open_trace
from tests.ggp.environments.openspiel_playthrough import differences
from tests.shared import SHARED, require
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")

# They do not ground, or the reference engine reads unsafe rules in its own way.
ODD = {
    "dresden_Corridor",
    "dresden_DresdenSinglePlayer1",
    "dresden_DresdenSinglePlayer2",
    "dresden_axioms1",
    "dresden_axioms2",
    "ggpbase_test_test_case_3a",
}
SHORT = 6_000  # bytes; larger ones take longer
PATHS = [
    path
    for path in sorted((SHARED / "corpus" / "rules").glob("*.kif"))
    if path.stem not in ODD and path.stat().st_size < SHORT
][::4]


def short_name(path: Path) -> str:
    """A name of letters, digits and underscores."""
    return f"ggp_corpus_{re.sub(r'[^A-Za-z0-9]', '_', path.stem)}"


def test_there_are_rulesheets() -> None:
    """Skips where the corpus is absent, so that an empty run is seen."""
    require("corpus", "rules")

    assert len(PATHS) >= 30


@pytest.mark.parametrize("path", all_but(PATHS[5::25], PATHS), ids=lambda path: path.stem)
def test_game_is_sound_and_as_recorded(path: Path) -> None:
    """`random_sim_test` passes; facts, ends, legal actions and goals are those of the traces."""
    traces = require("corpus", "traces", f"{path.stem}.jsonl.gz")
    # Other tests know bundled games of the same name.
    game = pyspiel.load_game(openspiel.register(path, short_name(path)))

    pyspiel.random_sim_test(game, 1, serialize=True, verbose=False)

    assert list(differences(game, open_trace(traces).states())) == []

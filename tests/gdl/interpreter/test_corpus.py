"""The interpreter agrees with an independent engine on public rulesheets, state by state."""

from __future__ import annotations

from pathlib import Path

import pytest

import gdl
from ggp.clock import Deadline
from ggp.records.recording import open_trace
from ggp.records.replay import replay
from tests.shared import SHARED, require
from tests.thorough import all_but

SECONDS_PER_GAME = 0.5  # most are through in less
MAX_SECONDS = 8  # where something is to be found
TRACES = sorted((SHARED / "corpus" / "traces").glob("*.jsonl.gz"))

# The reference engine drops an unsafe `not` or `distinct` for which it finds no place. We read an
# unsafe `not` as "there is none", and test what a question binds.
UNSAFE = {
    "dresden_axioms2",
    "dresden_DresdenSinglePlayer1",
    "dresden_DresdenSinglePlayer2",
    "ggpbase_test_test_case_3f",
}
# Defines `(open2)` and asks `open2`: for us the same, as with `(terminal)`. Its own comment says
# that the reference engine's answer may well be wrong.
PARENTHESES = {"ggpbase_test_test_case_3a"}


def test_there_are_traces_to_agree_with() -> None:
    """Skips where the corpus is absent, so that an empty run is seen."""
    require("corpus", "traces")

    assert len(TRACES) > 200


@pytest.mark.parametrize(
    "path",
    all_but(TRACES[::96], TRACES, is_whole=True),
    ids=lambda path: path.name.removesuffix(".jsonl.gz"),
)
def test_interpreter_agrees_with_the_recorded_trace(path: Path) -> None:
    """Same states, legal moves, ends and goals in every state of every recorded playout."""
    name = path.name.removesuffix(".jsonl.gz")
    text = require("corpus", "rules", f"{name}.kif").read_text(encoding="latin-1")
    trace = open_trace(path)
    machine = gdl.load(gdl.read_kif(text, name), "interpreter")

    differs = name in UNSAFE | PARENTHESES
    deadline = Deadline.after(MAX_SECONDS if differs else SECONDS_PER_GAME)

    verdict = replay(machine, trace.roles, trace.states(), deadline)

    assert (verdict.difference is not None) == differs, verdict.difference

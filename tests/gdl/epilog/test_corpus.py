"""Rulesheets of Gamemaster, against what its own reader has made of them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import gdl
from tests.shared import SHARED, require
from tests.thorough import all_but

FOLDER = SHARED / "corpus_epilog"
NAMES = sorted(path.name.removesuffix(".json.gz") for path in FOLDER.glob("*.json.gz"))


def _recorded(name: str) -> dict[str, Any]:
    path: Path = require("corpus_epilog", f"{name}.json.gz")
    found: dict[str, Any] = json.loads(gzip.decompress(path.read_bytes()))
    return found


@pytest.mark.parametrize(
    "name", all_but(NAMES[::3], NAMES, is_whole=True) or [pytest.param("", marks=pytest.mark.skip)]
)
def test_rulesheet_plays_as_at_gamemaster(name: str) -> None:
    """The role that moves, the legal moves, the goals and the end, along a recorded playout."""
    recorded = _recorded(name)
    rules = gdl.read_epilog("\n".join(recorded["rules"]), name)
    machine = gdl.load(rules, "interpreter")
    roles = {role.name: role for role in machine.roles}
    state = machine.initial_state()

    for seen in next(iter(recorded["playouts"]), []):
        goals = [machine.goal(state, roles[role]) for role in recorded["roles"]]
        assert (machine.is_terminal(state), goals) == (seen["term"], [*map(int, seen["goals"])])
        if seen["term"]:
            break
        legal = {role: machine.legal_moves(state, roles[role]) for role in roles}
        moves = {gdl.write_epilog_term(move): move for move in legal[seen["ctl"]]}
        assert sorted(moves) == sorted(seen["legals"])
        played = {role: moves_of[0] for role, moves_of in legal.items()}
        played[seen["ctl"]] = moves[seen["move"]]
        state = machine.next_state(state, list(played.values()))

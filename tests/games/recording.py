"""Records golden playthroughs: random playouts of the bundled games, state by state.

    python -m tests.games.recording [NAME ...]

writes `tests/games/playthroughs/NAME.jsonl.gz` for the games named, or for all. Run it when the
rules of a game are meant to change, and look at what changed; the files are what every reasoner
has to agree with. Format: a line about the game, then one line per state, in which `legal` and
`moves` are left out when the game is over, and so is `percepts`, which is there in games of hidden
information only.
"""

from __future__ import annotations

import gzip
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gdl
from ggp import games

FOLDER = Path(__file__).parent / "playthroughs"
SEED = 2
NUM_PLAYOUTS = 2


def path(name: str) -> Path:
    """The file of a game's playthrough."""
    return FOLDER / f"{name}.jsonl.gz"


def record(name: str) -> bytes:
    """The playthrough of a bundled game; the same bytes each time."""
    machine = gdl.Interpreter(gdl.read_kif(games.text(name), name))
    rng = random.Random(SEED)
    has_percepts = "(sees " in games.text(name)
    states = [
        {"playout": playout, "step": step, **state}
        for playout in range(NUM_PLAYOUTS)
        for step, state in enumerate(_playout(machine, rng, has_percepts=has_percepts))
    ]
    head = {
        "game": name,
        "roles": [role.name for role in machine.roles],
        "file": f"{name}.kif",
        "seed": SEED,
        "states": len(states),
    }
    lines = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in [head, *states])
    return gzip.compress(lines.encode(), mtime=0)


def _playout(
    machine: gdl.Interpreter, rng: random.Random, *, has_percepts: bool
) -> Iterator[dict[str, Any]]:
    state = machine.initial_state()
    while not machine.is_terminal(state):
        legal = [machine.legal_moves(state, role) for role in machine.roles]
        moves = [rng.choice(found) for found in legal]
        seen = {
            role.name: sorted(map(str, machine.percepts(state, moves, role)))
            for role in machine.roles
        }
        yield {
            **_view(machine, state),
            "legal": {
                role.name: sorted(map(str, found))
                for role, found in zip(machine.roles, legal, strict=True)
            },
            "moves": list(map(str, moves)),
            **({"percepts": seen} if has_percepts else {}),
        }
        state = machine.next_state(state, moves)
    yield _view(machine, state)


def _view(machine: gdl.Interpreter, state: Any) -> dict[str, Any]:
    return {
        "state": sorted(map(str, machine.facts(state))),
        "terminal": machine.is_terminal(state),
        "goals": {role.name: machine.goal(state, role) for role in machine.roles},
    }


def main() -> None:
    """Record the games named on the command line, or all."""
    FOLDER.mkdir(exist_ok=True)
    for name in sys.argv[1:] or games.names():
        path(name).write_bytes(record(name))


if __name__ == "__main__":
    main()

"""Players of other versions of this project: each runs in a process that imports another checkout.

    mcts:c=0.5@/path/of/checkout

The process gets a line of JSON on its standard input for each call, and answers with a line. Both
players of a match can be given in this form, so that both run in the same way.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from contest.errors import ContestError
from contest.sides import LocalSide, MissedError

import gdl

MARK = "@"
MODULE = "unseen_games.versions"
_BENCHMARKS = Path(__file__).resolve().parents[1]


def parts_of(spec: str) -> tuple[str, Path | None]:
    """Split a spec into that of the player and the folder of its checkout; None for this one.

    >>> parts_of("mcts:c=0.5@/tmp/old")
    ('mcts:c=0.5', PosixPath('/tmp/old'))
    """
    player, mark, folder = spec.partition(MARK)
    return player, Path(folder).resolve() if mark else None


class VersionSide:
    """A side of a match whose player runs the code of another checkout."""

    def __init__(
        self, spec: str, folder: Path, words: gdl.Scrambled, role: gdl.Role, seed: int
    ) -> None:
        """Start its process.

        Args:
            words: The game as the player gets to know it.

        Raises:
            ContestError: The folder is no checkout, or the player could not be made.
        """
        if not (folder / "ggp").is_dir():
            raise ContestError(
                f"{folder}: expected a checkout of this project, found no folder ggp"
            )
        self.figures: dict[str, float] = defaultdict(float)
        self._folder = folder
        self._process = subprocess.Popen(  # noqa: S603 - ours
            [sys.executable, "-P", "-m", MODULE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), str(_BENCHMARKS)])},
        )
        self._words = words
        self._ask(spec=spec, rules=words.text, role=self._word(role), seed=seed)

    def begin(self, state: gdl.State, seconds: float) -> None:
        """Let the player prepare."""
        self._ask(call="begin", seconds=seconds)

    def choose(self, state: gdl.State, seconds: float) -> gdl.Move:
        """Return the player's move.

        Raises:
            MissedError: It made none.
        """
        answer = self._ask(call="choose", seconds=seconds)
        self.figures["visits"] = answer["visits"]
        if "missed" in answer:
            raise MissedError(answer["missed"])
        return self._words.original(gdl.read_term(answer["move"]))

    def advance(self, moves: Sequence[gdl.Move], state: gdl.State) -> None:
        """Tell the player which moves were made."""
        self._ask(call="advance", moves=[self._word(move) for move in moves])

    def end(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()

    def _word(self, term: object) -> str:
        return str(self._words.move(gdl.read_term(str(term))))

    def _ask(self, **call: Any) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(call) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass
        line = self._process.stdout.readline()
        if not line:
            raise ContestError(f"the player of {self._folder} has ended; see its output above")
        answer: dict[str, Any] = json.loads(line)
        return answer


def main() -> None:
    """Answer calls until the input ends."""
    player = json.loads(sys.stdin.readline())
    game = gdl.load(player["rules"])
    role = next(role for role in game.roles if str(role) == player["role"])
    side, state = LocalSide(player["spec"], game, role, player["seed"]), game.initial_state()
    _answer()
    for line in sys.stdin:
        call = json.loads(line)
        if call["call"] == "begin":
            side.begin(state, call["seconds"])
            _answer()
        elif call["call"] == "choose":
            try:
                move = side.choose(state, call["seconds"])
            except MissedError as error:
                _answer(missed=str(error), visits=0)
            else:
                _answer(move=str(move), visits=side.figures.get("visits", 0))
        else:
            moves = tuple(map(gdl.read_term, call["moves"]))
            state = game.next_state(state, moves)
            side.advance(moves, state)
            _answer()


def _answer(**fields: Any) -> None:
    print(json.dumps(fields), flush=True)


if __name__ == "__main__":
    main()

"""Run the prototype of the compiled reasoner, which lies next to the project, game by game.

The script copies it to a temporary folder and runs it there in separate processes. There is one
copy for each vector width, because its compiled kernels do not distinguish widths. The folder keeps
circuits and kernels, so a second run is quicker. To start again from nothing, delete it with
`rm -r`.
"""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SHARED = Path(os.environ.get("GGP_SHARED", Path(__file__).resolve().parents[2] / "shared"))
RULES = SHARED / "corpus" / "rules"
SOURCES = SHARED / "prototype"
COPIES = Path(tempfile.gettempdir()) / "ggp-benchmark-prototype"

TABLE, STRAIGHT = "prototype table", "prototype straight"


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to run the prototype.

    Attributes:
        script: `bench.py` plays by table, `e2e.py` by table and by straight-line code, `fix.py` by
            table where a state is defined by recursion.
        width: Words of a vector.
        reuses: Whether slots are reused; of `bench.py` only.
    """

    script: str
    width: int = 8
    reuses: bool = False


# What its report found fastest: 16 words for small circuits, slots reused in large ones.
_WIDE = (Variant("bench.py", 16), Variant("e2e.py", 16), Variant("e2e.py", 8))
_USUAL = (Variant("bench.py"), Variant("e2e.py"))
_LARGE = (Variant("e2e.py"),)
_RECURSIVE = (Variant("fix.py"),)
VARIANTS: dict[str, tuple[Variant, ...]] = {
    "ticTacToe": _WIDE,
    "connectFour": _WIDE,
    "3pConnectFour": _WIDE,
    "tictactoe_3player": _WIDE,
    "pentago": _WIDE,
    "ticTacToeParallel": _WIDE,
    "hanoi": _USUAL,
    "eightPuzzle": _WIDE,
    "tron_10x10": _USUAL,
    "minichess": _USUAL,
    "chinook": _USUAL,
    "knightThrough": _USUAL,
    "breakthrough": _USUAL,
    "reversi": _LARGE,
    "atariGoVariant_7x7": _RECURSIVE,
    "checkers": _LARGE,
    "amazons_8x8": _LARGE,
    "speedChess": _USUAL,
    "hex": _LARGE,
    # Straight-line code for its 205,000 gates takes minutes to compile.
    "othello-comp2007": (Variant("bench.py", 4, reuses=True), Variant("bench.py", 8, reuses=True)),
    "skirmish": _LARGE,
    "chess_200": _LARGE,
    "linesOfAction": _RECURSIVE,
}


def why_not() -> str | None:
    """Return why the prototype cannot be run; None if it can."""
    for folder in (SOURCES, RULES):
        if not folder.is_dir():
            return f"{folder} does not exist; set GGP_SHARED to the folder that has it"
    return None


def measure(game: str, timeout: float) -> dict[str, float]:
    """Return the best variant's playouts per CPU second by table and by straight-line code.

    Args:
        game: One of `VARIANTS`.
        timeout: Seconds after which a variant is given up.
    """
    best: dict[str, float] = {}
    for variant in VARIANTS[game]:
        for way, rate in _run(variant, game, timeout):
            best[way] = max(best.get(way, 0.0), rate)
    return best


def _run(variant: Variant, game: str, timeout: float) -> Iterator[tuple[str, float]]:
    folder = _copy(variant.width)
    environment = {
        **os.environ,
        "TMPDIR": str(COPIES),
        "BW": str(variant.width),
        "REUSE": str(int(variant.reuses)),
    }
    try:
        done = subprocess.run(  # noqa: S603  # a script of ours and a name from this file
            [sys.executable, variant.script, game],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired:
        print(f"  {variant.script} {game}: given up after {timeout:.0f} s", file=sys.stderr)
        return
    if done.returncode:
        said = (done.stderr.strip() or "no word").splitlines()[-1]
        print(f"  {variant.script} {game}: failed: {said}", file=sys.stderr)
        return
    yield from _rates(variant.script, done.stdout.strip().splitlines()[-1])


def _rates(script: str, line: str) -> Iterator[tuple[str, float]]:
    """Return the rates on the last line of a script's output."""
    if script == "bench.py":
        yield TABLE, float(ast.literal_eval(line)["pps"])
        return
    found = json.loads(line)
    if script == "fix.py":
        yield TABLE, float(found["pps"])
        return
    yield TABLE, float(found["table"]["pps"])
    yield STRAIGHT, float(found["sl"]["pps"])


def _copy(width: int) -> Path:
    """Return the prototype's folder for a width, with the rulesheets where it looks for them."""
    folder = COPIES / f"width-{width}"
    if not folder.is_dir():
        folder.mkdir(parents=True)
        for source in SOURCES.glob("*.py"):
            shutil.copyfile(source, folder / source.name)
    corpus = COPIES / "corpus"
    if not corpus.exists():
        corpus.symlink_to(RULES.parent)
    return folder

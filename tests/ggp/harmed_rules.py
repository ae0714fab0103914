"""Rulesheets that were harmed, each so that it shows in random games, and what is found then."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from typer.testing import CliRunner

from ggp import games
from ggp.cli import app

_KEEPING: Final = """\
(<= (next (cell ?column ?row ?piece))
    (true (cell ?column ?row ?piece))
    (not (marked ?column ?row)))
"""
_TICTACTOE: Final = games.text("ticTacToe")
assert _KEEPING in _TICTACTOE
LOST: Final = _TICTACTOE.replace(_KEEPING, "")
_END: Final = "\n(<= (next (step 1)) (true (step 0)))\n(<= terminal (true (step 1)))\n"
_SEVERAL: Final = """
(role a) (role b) (legal a go) (legal b go) (goal a 0) (goal b 0) (init (control a)) (init (p 0))
(s 0 1) (s 1 2) (s 2 3) (s 3 4) (<= (next (control b)) (true (control a)))
(<= (next (control a)) (true (control b))) (<= (next (control a)) (true (p 2)))
(<= (next (p ?m)) (true (p ?n)) (s ?n ?m)) (<= terminal (true (p 4)))
"""
HARMED: Final = {
    "play-lost": LOST,
    "play-turns": _SEVERAL,
    "play-no-move": f"(role x)\n(role y)\n(init (step 0))\n(legal x go)\n(goal x 1)\n(goal y 1)\n"
    f"(<= (legal y go)\n    (true (step 1))){_END}",
    "play-goals": f"(role x)\n(init (step 0))\n(legal x go)\n(goal x 1)\n(goal x 2){_END}",
    "play-endless": "(role x)\n(init (step 0))\n(next (step 0))\n(legal x go)\n(goal x 1)\n"
    "(<= terminal\n    (true (step 1)))\n",
    "play-failed": "(role x)\n(legal x go)\n(goal x 0)\n(p a)\n(<= terminal (true done))\n"
    "(<= (next (q ?x)) (p ?x))\n(<= (p (f ?x)) (p ?x))\n",
    "annotation": f";;@move go\n{LOST}",
    "unsafe-not": f"{LOST}(<= odd\n    (not (line ?anybody)))\n",
    "syntax": f";;@move go\n{LOST}(<= odd",
}
"""By the code of a finding; the last ones show some in the text too, or cannot be played."""


def checked(file: Path, text: str) -> list[dict[str, Any]]:
    """The findings that `ggp check --json` prints of a text; none of them is of no length."""
    file.write_text(text, encoding="utf-8")
    result = CliRunner().invoke(app, ["check", "--json", str(file)])
    [report] = json.loads(result.stdout)
    return [{**one, "length": max(1, one["length"])} for one in report["findings"]]

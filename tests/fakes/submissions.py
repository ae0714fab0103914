"""Players as students hand them in, good and bad, by name: the source, and the verdict it deserves.

They are texts, since one of them cannot be read, and others must never be imported here.
"""

from __future__ import annotations

from typing import Final

from ggp.grading.grade import Verdict

TRACE: Final = "/tmp/left-by-a-submission"
"""What one of them tries to leave behind."""

_HEAD = "from ggp.players import Player\n"


def _choosing(*lines: str, top: str = "") -> str:
    """A player whose `choose` has these lines."""
    body = "".join(f"        {line}\n" for line in lines)
    return f"{_HEAD}{top}\n\nclass Mine(Player):\n    def choose(self, state, deadline):\n{body}"


_FIRST = "return self.legal_moves(state)[0]"

GOOD: Final = {
    "legal": _choosing(_FIRST),
    "random": _choosing("return self.rng.choice(self.legal_moves(state))"),
    "one_ply": _choosing(
        "own = self.machine.roles.index(self.role)",
        "def worth(move):",
        "    after = self.machine.next_state(state, self.with_random_replies(state, move))",
        "    over = self.machine.is_terminal(after)",
        "    return self.machine.goal(after, self.role) if over else 50",
        "return max(self.legal_moves(state), key=worth)",
    ),
    "slow": _choosing("time.sleep(0.05)", _FIRST, top="import time\n"),
    "threaded": _choosing(
        "found = []",
        "thread = threading.Thread(target=lambda: found.append(self.legal_moves(state)[-1]))",
        "thread.start()",
        "thread.join()",
        "print('found', found[0])",
        "return found[0]",
        top="import threading\n",
    ),
    "sampler": """
from ggp.players import Option, Player, whole
from ggp.search.core.playout import playout

GAMES = Option("games", whole(1), 2, "random games after each legal move")


class Sampler(Player):
    OPTIONS = (GAMES,)

    def choose(self, state, deadline):
        own = self.machine.roles.index(self.role)
        totals = dict.fromkeys(self.legal_moves(state), 0.0)
        for _ in range(GAMES.read(self.options)):
            for move in totals:
                after = self.machine.next_state(state, self.with_random_replies(state, move))
                game = playout(self.machine, after, self.rng, deadline)
                totals[move] += game.goals[own] if game else 0
            self.report(max(totals, key=totals.get))
        return max(totals, key=totals.get)
""",
}

BAD: Final = {
    "loops_in_choose": (Verdict.HUNG, _choosing("while True: pass")),
    "loops_in_init": (
        Verdict.HUNG,
        _choosing(_FIRST) + "    def set_up(self):\n        while True: pass\n",
    ),
    "loops_at_import": (Verdict.UNLOADABLE, "while True: pass"),
    "loops_in_c": (Verdict.HUNG, _choosing("sum(iter(int, 1))")),
    "no_python": (Verdict.UNLOADABLE, "class Mine(Player:\n    pass"),
    "no_player": (Verdict.UNLOADABLE, "print('hello')"),
    "two_players": (
        Verdict.UNLOADABLE,
        _choosing(_FIRST) + "\n\nclass Other(Mine):\n    pass\n",
    ),
    "exits_at_import": (Verdict.UNLOADABLE, "import sys\nsys.exit('no')"),
    "raises": (Verdict.ERRORS, _choosing("return self.legal_moves(state)[99]")),
    "raises_when_made": (
        Verdict.ERRORS,
        _choosing(_FIRST) + "    def set_up(self):\n        raise ValueError('oops')\n",
    ),
    "returns_none": (Verdict.ILLEGAL, _choosing("pass")),
    "returns_text": (Verdict.ILLEGAL, _choosing("return str(self.legal_moves(state)[0])")),
    "returns_much_text": (Verdict.ILLEGAL, _choosing("return 'x' * 10_000_000")),
    "returns_a_trap": (
        Verdict.ILLEGAL,
        _choosing(
            "return Trap()",
            top="""
class Trap:
    def __str__(self):
        while True: pass
    __repr__ = __hash__ = __str__
    def __eq__(self, other):
        return True
""",
        ),
    ),
    "plays_for_the_other": (
        Verdict.ILLEGAL,
        _choosing(
            "other = [role for role in self.machine.roles if role is not self.role][0]",
            "return self.machine.legal_moves(state, other)[0]",
        ),
    ),
    "prints_much": (
        Verdict.PRINTED,
        _choosing("print('x' * 100_000_000)", _FIRST),
    ),
    "eats_memory": (Verdict.ERRORS, _choosing("return bytearray(1 << 34)")),
    "eats_memory_slowly": (
        Verdict.ERRORS,
        _choosing("found = []", "while True: found.append(bytearray(1 << 24))"),
    ),
    "forks": (Verdict.FORBIDDEN, _choosing("os.fork()", _FIRST, top="import os\n")),
    "starts_programs": (
        Verdict.FORBIDDEN,
        _choosing(
            "for _ in range(100):",
            "    try: subprocess.Popen([sys.executable, __file__])",
            "    except OSError: pass",
            _FIRST,
            top="import subprocess, sys\n",
        ),
    ),
    "opens_a_socket": (
        Verdict.FORBIDDEN,
        _choosing(
            "try: socket.create_connection(('127.0.0.1', 80))",
            "except OSError: pass",
            _FIRST,
            top="import socket\n",
        ),
    ),
    "opens_a_socket_by_c": (
        Verdict.FORBIDDEN,
        _choosing("ctypes.CDLL(None).socket(2, 1, 0)", _FIRST, top="import ctypes\n"),
    ),
    "reads": (
        Verdict.FORBIDDEN,
        "import os\nopen('/etc/passwd')\nos.listdir(os.path.expanduser('~'))\n",
    ),
    "writes": (
        Verdict.FORBIDDEN,
        _choosing(
            f"for name in ('left', {TRACE!r}, os.path.expanduser('~/left-by-a-submission')):",
            "    try: open(name, 'w').write('x' * 1000)",
            "    except OSError: pass",
            _FIRST,
            top="import os\n",
        ),
    ),
    "kills_its_parent": (
        Verdict.FORBIDDEN,
        "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\n",
    ),
    "exits": (Verdict.CRASHED, _choosing("os._exit(0)", top="import os\n")),
    "kills_itself": (
        Verdict.CRASHED,
        _choosing("os.kill(os.getpid(), 15)", top="import os\n"),
    ),
    "crashes": (Verdict.CRASHED, _choosing("ctypes.string_at(0)", top="import ctypes\n")),
    "recurs": (
        Verdict.ERRORS,
        _choosing("return self.choose(state, deadline)"),
    ),
    "forges": (
        Verdict.FORGED,
        _choosing(
            "for number in range(64):",
            '    try: os.write(number, b\'{"id": 1, "move": "noop"}\\n\')',
            "    except OSError: pass",
            _FIRST,
            top="import os\n",
        ),
    ),
}

"""The code in a submission process: it confines the process, loads the file, and plays.

The submission runs in the same process, so it may forge everything that the process sends. The
program at the other end trusts only legal moves.
"""

from __future__ import annotations

import gc
import inspect
import json
import os
import random
import socket
import sys
from base64 import b64decode
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import gdl
from ggp.clock import Deadline
from ggp.errors import GgpError
from ggp.players.base import Player
from ggp.players.blame import blame, not_made, wrong_choice
from ggp.players.files import SeveralPlayersError, load_class
from ggp.search.core.choices import Joint
from ggp.submission.attempts import MAX_REPORTS, AttemptWatch
from ggp.submission.confinement import Limits, confine, is_within, readable, set_limits, writable
from ggp.submission.known_position import KnownPosition
from ggp.submission.thoughts import bounded

MODULE: Final = "submission"
"""Name of the module made from the file, whatever the file is called."""
MAX_TEXT: Final = 500
BELIEF_SHARE: Final = 0.25
"""Share of a move's time to spend on finding the possible states."""
BELIEF_SECONDS: Final = 1.0
"""Maximum time to spend on finding the possible states."""
Message = Mapping[str, Any]


class _WatchedDeadline(Deadline):
    """A deadline that records in `was_felt` whether the player used it.

    The player uses it if it asks for the remaining time, or finds that the time is over.
    """

    __slots__ = ("was_felt",)

    def __init__(self, moment: float) -> None:
        super().__init__(moment)
        self.was_felt = False

    def is_over(self) -> bool:
        is_over = super().is_over()
        self.was_felt |= is_over
        return is_over

    def remaining(self) -> float:
        self.was_felt = True
        return super().remaining()

    def earlier(self, seconds: float) -> Deadline:
        self.was_felt = True
        return super().earlier(seconds)


class _Reporter:
    """A callback for the best move so far. It sends a legal move that differs from the last one."""

    def __init__(self, legal: Sequence[gdl.Move], send: Callable[[Message], None]) -> None:
        self._legal = legal
        self._send = send
        self._last: gdl.Move | None = None
        self._left = MAX_REPORTS

    def __call__(self, move: gdl.Move, thoughts: Mapping[str, object]) -> None:
        is_news = move is not self._last and any(move is one for one in self._legal)
        if is_news and self._left > 0:
            self._left -= 1
            self._last = move
            self._send({"reported": str(move)})


class Inside:
    """A loop that answers requests, each a line of JSON, one after the other."""

    def __init__(self, talk: int, supervisor: socket.socket) -> None:
        """Prepare to serve requests.

        Args:
            talk: Descriptor for requests and answers.
            supervisor: Socket over which the supervisor gets the descriptor of the Linux kernel's
                requests. It is closed afterwards.
        """
        self._talk = talk
        self._supervisor = supervisor
        self._answers: Mapping[str, Callable[[Message], dict[str, object]]] = {
            "enter": self._enter,
            "load": self._load,
            "make": self._make,
            "begin": self._begin,
            "play": self._play,
        }
        self._file = Path()
        self._kind: type[Player] | None = None
        self._player: Player | None = None
        self._known: KnownPosition | None = None

    def serve(self) -> None:
        """Answer requests until the socket is closed."""
        sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
        with os.fdopen(self._talk, "rb", closefd=False) as lines:
            for line in lines:
                asked = json.loads(line)
                self._send({"id": asked["id"], **self._answer(asked)})

    def _answer(self, asked: Message) -> dict[str, object]:
        try:
            return self._answers[asked["ask"]](asked)
        except MemoryError:
            self._player = self._known = None  # they refer to the objects that fill the memory
            gc.collect()
            return {"error": "MemoryError: the memory limit is reached", "is_spent": True}
        except GgpError as error:
            return {"error": str(error)[:MAX_TEXT]}
        # The outermost layer of this process: the player is third-party code and may raise
        # anything.
        except BaseException as error:  # noqa: BLE001
            return {"error": blame(error, MODULE)[:MAX_TEXT]}

    def _send(self, message: Mapping[str, object]) -> None:
        data = json.dumps(message).encode() + b"\n"
        while data:
            data = data[os.write(self._talk, data) :]

    def _enter(self, asked: Message) -> dict[str, object]:
        self._file = Path(asked["file"])
        limits = Limits(**asked["limits"])
        places = [*readable(), self._file.parent if asked["is_folder"] else self._file]
        os.chdir(self._file.parent)
        random.seed(asked["seed"])
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(asked["seed"] % (1 << 32))
        # Libraries would search these folders, and that would count as forbidden attempts.
        os.environ.pop("PYTHONPATH", None)
        sys.path[:] = [path for path in sys.path if is_within(path, places)]
        sys.dont_write_bytecode = True
        if asked["is_folder"]:
            sys.path.insert(0, str(self._file.parent))
        if not asked["is_confined"]:
            self._supervisor.close()
            set_limits(limits)
            gaps = ["--unconfined: the files ran with your own permissions"]
            return {"gaps": gaps, "has_files": False, "has_system_calls": False}
        found = confine(limits, places, writable(), self._hand_over)
        self._supervisor.close()
        AttemptWatch(
            *(self._file, asked["is_folder"], places, writable()),
            report=lambda what: self._send({"tried": what}),
        ).start()
        return {
            "gaps": found.gaps,
            "has_files": not found.files,
            "has_system_calls": not found.system_calls,
        }

    def _hand_over(self, listener: int) -> None:
        socket.send_fds(self._supervisor, [b"listener"], [listener])

    def _load(self, asked: Message) -> dict[str, object]:
        try:
            self._kind = kind = load_class(self._file, asked["class"], MODULE)
        except SeveralPlayersError as error:
            return {"error": str(error)[:MAX_TEXT], "are_several": True}
        if kind.ENGINE not in gdl.ENGINES:
            known = ", ".join(gdl.ENGINES)
            raise GgpError(f"{kind.__name__}.ENGINE: expected one of {known}, got {kind.ENGINE!r}")
        return {"class": kind.__name__, "engine": kind.ENGINE}

    def _make(self, asked: Message) -> dict[str, object]:
        """Create a player for a trial. If it needs a compiled game, only check its constructor."""
        kind = self._kind
        assert kind is not None
        game = gdl.load(gdl.read_rules(asked["rules"], "rules"), "interpreter")
        is_compiled = kind.ENGINE != "interpreter"
        make = inspect.signature(kind).bind if is_compiled else kind
        try:
            make(game, game.roles[0], {}, 0)
        except MemoryError:
            raise
        except BaseException as error:  # third-party code may raise anything
            raise GgpError(f"{kind.__name__} {not_made(error, kind)}") from error
        return {}

    def _begin(self, asked: Message) -> dict[str, object]:
        assert self._kind is not None
        deadline = _WatchedDeadline(Deadline.after(asked["seconds"]).moment)
        game = _game(asked)
        [role] = [one for one in game.roles if one.name == asked["role"]]
        self._known = known = KnownPosition(game, role, asked["seed"])
        self._player = self._kind(game, role, {}, asked["seed"])
        self._player.belief = known.belief
        if asked["prepares"]:
            self._player.prepare(known.state, deadline)
        return {"was_felt": deadline.was_felt, "engine": game.engine, "reason": game.reason}

    def _play(self, asked: Message) -> dict[str, object]:
        player, known = self._player, self._known
        if player is None or known is None:  # the player could not be created
            raise GgpError("the player could not be created, so it cannot play")
        deadline = _WatchedDeadline(Deadline.after(asked["seconds"]).moment)
        joint: Joint | None = None
        if asked["percepts"] is not None:
            share = min(BELIEF_SECONDS, BELIEF_SHARE * asked["seconds"])
            joint = known.perceive(asked["own_move"], asked["percepts"], Deadline.after(share))
        elif asked["moves"] is not None:
            joint = known.make(asked["moves"])
        if joint is not None:
            player.advance(joint, known.state)
        if not asked["is_asked"]:
            return {}
        known.go_on()
        legal = player.game.machine.legal_moves(known.state, player.role)
        player.thoughts = {}
        player.listener = _Reporter(legal, self._send)
        chosen = player.choose(known.state, deadline)
        answer: dict[str, object] = {"was_felt": deadline.was_felt}
        # Compare identity, because a third-party object decides itself what it is equal to.
        if any(chosen is move for move in legal):
            return answer | {"move": str(chosen), "thoughts": bounded(player.thoughts)}
        return answer | {"wrong": wrong_choice(chosen)}


def _game(asked: Message) -> gdl.Game:
    """Load the game on the requested reasoner.

    Use the interpreter if there is no circuit or not enough memory for it.
    """
    rules = gdl.read_rules(asked["rules"], "rules")
    if asked["circuit"] is None:
        return gdl.load(rules, "interpreter")
    try:
        return gdl.load_compiled(rules, asked["engine"], b64decode(asked["circuit"]))
    except MemoryError:
        gc.collect()
        game = gdl.load(rules, "interpreter")
        game.reason = "the compiled game does not fit in the memory limit"
        return game

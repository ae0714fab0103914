"""Sides of a board: our player in this process, a running player, or OpenSpiel's bot.

All of them think in turn, and only while they are asked.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import defaultdict
from collections.abc import Sequence
from typing import Protocol

import gdl
from contest.errors import ContestError, OpenSpielError
from contest.openspiel import BotOptions, Mirror, Spiel
from contest.pairs import PAIRS
from ggp.belief import Belief
from ggp.clock import Deadline
from ggp.errors import GgpError
from ggp.match.seat import judge
from ggp.players import registry
from ggp.protocol import Abort, Happened, Message, Play, Start, Stop, encode
from ggp.protocol.client import send

OPENSPIEL = "openspiel"
READY = "ready"
MIN_SHARE = 0.5  # of the time for a move is for the player, however long its belief took
PATIENCE_SECONDS = 2.0  # how long a running player may be late before it has lost


class MissedError(Exception):
    """A side made no legal move and has lost the match."""


class Side(Protocol):
    """One role of one match.

    Attributes:
        figures: Sums over its moves of what it tells of its work, by name.
    """

    figures: dict[str, float]

    def begin(self, state: gdl.State, seconds: float) -> None:
        """Prepare within `seconds`."""
        ...

    def choose(self, state: gdl.State, seconds: float) -> gdl.Move:
        """Return a legal move within `seconds`; called only if there are several.

        Raises:
            MissedError: There was none.
        """
        ...

    def advance(self, moves: Sequence[gdl.Move], state: gdl.State) -> None:
        """Follow a joint move that led to this state."""
        ...

    def end(self) -> None:
        """End the match, which is over or broken off."""
        ...


class LocalSide:
    """Our player, called directly. It does not think during the opponent's turn.

    In a game with hidden information it gets only its own moves and percepts. The time for its
    belief is a part of the time for its next move.
    """

    def __init__(self, spec: str, game: gdl.Game, role: gdl.Role, seed: int) -> None:
        self.figures: dict[str, float] = defaultdict(float)
        self._player = registry.create(spec, game, role, {}, seed)
        if game.rulesheet is not None and ("sees", 2) in game.rulesheet.definitions:
            self._player.belief = Belief(game, role, seed)
        self._own = game.roles.index(role)
        self._state: gdl.State = None  # the true one, which the player does not get
        self._spent = 0.0  # seconds

    def begin(self, state: gdl.State, seconds: float) -> None:
        """Prepare for as long as a move may take."""
        self._state = state
        self._player.prepare(state, Deadline.after(seconds))

    def choose(self, state: gdl.State, seconds: float) -> gdl.Move:
        """Return the player's move."""
        left = max(seconds - self._spent, MIN_SHARE * seconds)
        self._spent = 0.0
        if self._player.belief is not None:
            legal = self._player.legal_moves(state)
            state = self._player.belief.sample().state
            move = self._player.choose(state, Deadline.after(left))
            self.figures["worlds"] += self._player.belief.worlds.num
            if move not in legal:
                raise MissedError(f"the illegal move {move}")
            return self._counted(move)
        move = self._player.choose(state, Deadline.after(left))
        if move not in self._player.legal_moves(state):
            raise MissedError(f"the illegal move {move}")
        return self._counted(move)

    def _counted(self, move: gdl.Move) -> gdl.Move:
        visits = self._player.thoughts.get("visits")
        if isinstance(visits, int | float):
            self.figures["visits"] += visits
        return move

    def advance(self, moves: Sequence[gdl.Move], state: gdl.State) -> None:
        """Let the player keep its tree, or send it its percepts."""
        player, belief = self._player, self._player.belief
        before, self._state = self._state, state
        if belief is None:
            player.advance(tuple(moves), state)
            return
        start = time.perf_counter()
        seen = player.machine.percepts(before, moves, player.role)
        is_over = player.machine.is_terminal(state)
        belief.advance(moves[self._own], frozenset(seen), is_over=is_over)
        world = belief.sample()
        if world.joint_move is not None and not is_over:
            player.advance(world.joint_move, world.state)
        self._spent += time.perf_counter() - start

    def end(self) -> None:
        """Do nothing."""


class RemoteSide:
    """A running player that gets the messages of a game manager. It may think at any time."""

    def __init__(
        self, address: str, machine: gdl.StateMachine, role: gdl.Role, rules: str, match_id: str
    ) -> None:
        self.figures: dict[str, float] = {}
        self._address = address
        self._machine = machine
        self._role = role
        self._rules = " ".join(map(str, gdl.read_rules(rules, match_id).forms))
        self._match_id = match_id
        self._happened: Happened = Happened("NIL", None)
        self._is_asked = False

    def begin(self, state: gdl.State, seconds: float) -> None:
        """Send START.

        Raises:
            ContestError: It does not answer that it is ready.
        """
        clock = math.ceil(seconds)
        start = Start(self._match_id, self._role.name, self._rules, clock, clock)
        answer = self._send(start, seconds)
        if answer.lower() != READY:
            raise ContestError(f"{self._address} answers START with {answer!r}, not {READY!r}")

    def choose(self, state: gdl.State, seconds: float) -> gdl.Move:
        """Send PLAY and return the move."""
        self._is_asked = True
        answer = self._send(Play(self._match_id, self._happened), seconds)
        legal = {str(move): move for move in self._machine.legal_moves(state, self._role)}
        move, error = judge(answer, legal)
        if move is None:
            raise MissedError(error)
        return legal[move]

    def advance(self, moves: Sequence[gdl.Move], state: gdl.State) -> None:
        """Note what the next message has to report; send a PLAY for a turn without a choice."""
        if not self._is_asked:
            self._send(Play(self._match_id, self._happened), PATIENCE_SECONDS)
        self._is_asked = False
        items = tuple(map(str, moves))
        self._happened = Happened(f"({' '.join(items)})", items)
        if self._machine.is_terminal(state):
            self._send(Stop(self._match_id, self._happened), PATIENCE_SECONDS)
            self._match_id = ""

    def end(self) -> None:
        """Break off a match that has not ended."""
        if self._match_id:
            self._send(Abort(self._match_id), PATIENCE_SECONDS)

    def _send(self, message: Message, seconds: float) -> str:
        timeout = seconds + PATIENCE_SECONDS
        try:
            return asyncio.run(send(self._address, encode(message), timeout=timeout))
        except GgpError as error:
            raise MissedError(str(error)) from error


class BotSide:
    """OpenSpiel's `MCTSBot`. It keeps no tree between moves."""

    def __init__(
        self, options: BotOptions, game: str, machine: gdl.StateMachine, python: str, seed: int
    ) -> None:
        """Start OpenSpiel.

        Raises:
            OpenSpielError: It is not there, or does not have the game.
        """
        if game not in PAIRS:
            raise OpenSpielError(f"OpenSpiel: expected one of {', '.join(PAIRS)}, got {game}")
        self.figures: dict[str, float] = defaultdict(float)
        self._options = options
        self._seed = seed
        self._mirror = Mirror(Spiel(python, PAIRS[game].theirs), PAIRS[game], machine)

    def begin(self, state: gdl.State, seconds: float) -> None:
        """Create the bot."""
        options = self._options
        self._mirror.compare(state)
        self._mirror.spiel.ask(
            "seat",
            uct_c=options.uct_c,
            seconds=None if options.simulations else options.times * seconds,
            simulations=options.simulations,
            memory=options.memory,
            seed=self._seed,
        )

    def choose(self, state: gdl.State, seconds: float) -> gdl.Move:
        """Return the bot's move."""
        found = self._mirror.spiel.ask("search")
        self.figures["simulations"] += found["simulations"]
        return self._mirror.move(found["action"], state)

    def advance(self, moves: Sequence[gdl.Move], state: gdl.State) -> None:
        """Make the move in OpenSpiel too, and compare."""
        self._mirror.follow(moves, state)

    def end(self) -> None:
        """End the process."""
        self._mirror.spiel.close()

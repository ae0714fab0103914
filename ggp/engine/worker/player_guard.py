"""A guard around the player in its process. It finds a legal move whatever the player does."""

from __future__ import annotations

import json
import logging
import os
import random
import traceback
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

import gdl
from ggp import clock
from ggp.belief import Belief
from ggp.clock import Deadline
from ggp.engine.answers import Choice, MoveOrigin
from ggp.engine.config import EngineConfig
from ggp.engine.wire import MAX_TEXT
from ggp.engine.worker.printed import PrintedLines, TellPrinted
from ggp.errors import GgpError
from ggp.log import LogFunction
from ggp.players import Player, create, parse_spec, player_class
from ggp.players.base import Listener
from ggp.players.blame import blame, wrong_choice
from ggp.processes.machine import used_bytes
from ggp.training.live.link import LearnerLink

REPORT_SECONDS: Final = 0.05
"""Shortest time between two reports that are forwarded."""
MAX_NODES_OPTION: Final = "max_nodes"
TRACEBACK_VARIABLE: Final = "GGP_TRACEBACK"
"""Environment variable that makes the log show the full traceback of a player's error."""

ReportChoice = Callable[[Choice], None]


class Outlets(NamedTuple):
    """Callbacks for events of the player.

    Attributes:
        log: Called with a level and a message.
        hear: Called with what the player prints.
    """

    log: LogFunction
    hear: TellPrinted = lambda kept, num_lines, num_bytes: None


class PlayerGuard:
    """The owner of the player. It logs the player's exceptions instead of raising them.

    Attributes:
        is_exhausted: Whether memory ran out. Then the player has been discarded and the process
            must end.
    """

    def __init__(
        self,
        config: EngineConfig,
        game: gdl.Game,
        role: gdl.Role,
        outlets: Outlets,
        belief: Belief | None = None,
        learner: LearnerLink | None = None,
    ) -> None:
        """Guard a new player.

        Args:
            belief: The role's belief in a game of incomplete information.
            learner: Link to a process that learns the game during the match, if the player wants
                that.
        """
        self._printed = PrintedLines(outlets.hear)
        self._belief = belief
        self._learner = learner
        self._config = config
        self._game = game
        self._role = role
        self._log = outlets.log
        self._who = f"player {config.player} as {role}"
        self.is_exhausted = False
        self._when_searching: Callable[[], None] | None = None
        self._turn = 0
        self._joint_moves: list[tuple[gdl.Move, ...]] | None = []  # None if some moves are unknown
        self._player: Player | None = self._new_player()

    def adopt(
        self,
        game: gdl.Game,
        belief: Belief | None = None,
        when_searching: Callable[[], None] = lambda: None,
    ) -> None:
        """Replace the player by a new one that uses another reasoner for the same game.

        The new player receives all earlier moves of the match, unless some of them are unknown.

        Args:
            belief: The role's belief, in terms of `game`.
            when_searching: Called when the player first reports iterations on lanes.
        """
        self._game, self._belief = game, belief
        self._when_searching = None if game.simulator is None else when_searching
        if belief is not None and self._joint_moves:
            self._joint_moves = None
        self._player = None
        self._replace_player()
        state = game.initial_state()
        for turn, moves in enumerate(self._joint_moves or (), start=1):
            state = game.next_state(state, moves)
            self._guard("advance", partial(self._advance, turn=turn, moves=moves, state=state))

    def prepare(self, state: gdl.State, deadline: Deadline) -> str:
        """Let the player use the startclock. Return the player's search info as a JSON object."""

        def ask(player: Player) -> None:
            player.thoughts = {}
            player.listener = self._hear
            player.prepare(state, deadline)

        is_well = self._guard("prepare", ask)
        return as_json(getattr(self._player, "thoughts", {})) if is_well else "{}"

    def ponder(self, state: gdl.State, deadline: Deadline) -> None:
        """Let the player think while other roles decide."""
        self._guard("ponder", lambda player: player.ponder(state, deadline))

    def advance(self, moves: tuple[gdl.Move, ...] | None, state: gdl.State) -> None:
        """Tell the player the last moves. Replace a player that cannot follow them."""
        self._printed.renew()
        self._turn += 1
        if moves is None or self._joint_moves is None:
            self._joint_moves = None
        else:
            self._joint_moves.append(moves)
        if moves is None or not self._guard(
            "advance", partial(self._advance, turn=self._turn, moves=moves, state=state)
        ):
            self._player = None
            self._replace_player()

    def choose(
        self, state: gdl.State, legal: Sequence[gdl.Move], deadline: Deadline, tell: ReportChoice
    ) -> Choice:
        """Return a legal move: the player's choice, or its last report, or the first legal move.

        Args:
            legal: Our legal moves, at least one.
            tell: Called with the player's reports, at a limited rate.
        """
        if len(legal) == 1:
            return Choice(str(legal[0]), MoveOrigin.ONLY_MOVE)
        reports = _Reports(legal, tell)
        chosen: list[gdl.Move] = []

        def ask(player: Player) -> None:
            player.thoughts = {}
            player.listener = partial(self._hear, take=reports.take)
            self._renew_rng(player, self._turn, "choose")
            chosen.append(player.choose(state, deadline))

        self._guard("choose", ask)
        # Compare identity: equality would be decided by the player's own object.
        if chosen and any(chosen[0] is move for move in legal):
            search_info = getattr(self._player, "thoughts", {})
            return Choice(str(chosen[0]), MoveOrigin.SEARCH, as_json(search_info))
        if chosen:
            self._log(logging.ERROR, f"{self._who} {wrong_choice(chosen[0])}")
        return reports.best or Choice(str(legal[0]), MoveOrigin.FIRST_LEGAL)

    def _hear(
        self, move: gdl.Move, search_info: Mapping[str, object], take: Listener | None = None
    ) -> None:
        """Forward a player's report, and note when it first reports iterations on lanes."""
        if self._when_searching is not None and search_info.get("iterations"):
            self._when_searching()
            self._when_searching = None
        if take is not None:
            take(move, search_info)

    def _advance(
        self, player: Player, turn: int, moves: tuple[gdl.Move, ...], state: gdl.State
    ) -> None:
        self._renew_rng(player, turn, "advance")
        player.advance(moves, state)

    def _renew_rng(self, player: Player, turn: int, what: str) -> None:
        """Reseed the player's generator from the seed and the turn alone.

        Otherwise the choices would depend on when the compiled game arrives and the player is asked
        again.
        """
        if self._config.seed is not None and isinstance(player.rng, random.Random):
            player.rng.seed(f"{self._config.seed} {turn} {what}")

    def _replace_player(self) -> None:
        if not self.is_exhausted:
            try:
                self._player = self._new_player()
            except GgpError as error:
                self._log(logging.ERROR, str(error))

    def _new_player(self) -> Player:
        with self._printed.taking():
            player = self._created_player()
        player.belief, player.learner = self._belief, self._learner
        return player

    def _created_player(self) -> Player:
        config = self._config
        if not config.frugality:
            options = config.options
            return create(config.player, self._game, self._role, options, config.seed)
        spec = parse_spec(config.player)
        # Options in the spec take precedence, so set the bound after merging both.
        given = {**config.options, **spec.options}
        fewer = _fewer_nodes(spec.name, given, config.frugality)
        return create(spec.name, self._game, self._role, {**given, **fewer}, config.seed)

    def _guard(self, what: str, call: Callable[[Player], None]) -> bool:
        if self._player is None:
            return False
        try:
            with self._printed.taking():
                call(self._player)
        except MemoryError:
            self._exhaust(what)
        # The outermost layer of this process: a player is third-party code and may raise anything.
        except (Exception, SystemExit, KeyboardInterrupt) as error:  # noqa: BLE001
            if 0 < 0.9 * self._config.memory_bytes < used_bytes():
                self._exhaust(what)
            self._log(logging.ERROR, f"{self._who} failed in {what}: {self._blame(error)}")
            self._trace(error)
        else:
            return True
        return False

    def _blame(self, error: BaseException) -> str:
        return blame(error, type(self._player).__module__)

    def _trace(self, error: BaseException) -> None:
        if os.environ.get(TRACEBACK_VARIABLE):
            for line in "".join(traceback.format_exception(error)).splitlines():
                self._log(logging.ERROR, line)

    def _exhaust(self, what: str) -> None:
        self._player = None  # do this first, because it frees the memory
        self.is_exhausted = True
        self._log(logging.ERROR, f"{self._who} ran out of memory in {what}")


class _Reports:
    """The player's reports in one turn. Keep legal ones and forward them at a limited rate."""

    def __init__(self, legal: Sequence[gdl.Move], tell: ReportChoice) -> None:
        self._move: gdl.Move | None = None
        self._search_text = "{}"
        self._legal = frozenset(legal)
        self._tell = tell
        self._next_moment = 0.0

    @property
    def best(self) -> Choice | None:
        if self._move is None:
            return None
        return Choice(str(self._move), MoveOrigin.BEST_SO_FAR, self._search_text)

    def take(self, move: gdl.Move, search_info: Mapping[str, object]) -> None:
        if move not in self._legal:
            return
        self._move = move
        now = clock.now()
        if now >= self._next_moment:
            self._next_moment = now + REPORT_SECONDS
            self._search_text = as_json(search_info)
            self._tell(Choice(str(move), MoveOrigin.BEST_SO_FAR, self._search_text))


def as_json(search_info: Mapping[str, object]) -> str:
    """Return search info as a JSON object, or an empty object if it is invalid or too long."""
    try:
        text = json.dumps(dict(search_info), default=str, skipkeys=True)
    except (TypeError, ValueError, RecursionError):
        return "{}"
    return text if len(text) <= MAX_TEXT else "{}"


def _fewer_nodes(name: str, given: Mapping[str, str], frugality: int) -> dict[str, str]:
    """Return options that shrink the player's tree to a quarter each time memory has run out."""
    for option in player_class(name).OPTIONS:
        if option.name == MAX_NODES_OPTION:
            return {MAX_NODES_OPTION: str(max(1, option.read(given) >> 2 * frugality))}
    return {}

"""The main loop of an engine process: it serves commands, and ponders between them."""

from __future__ import annotations

import logging
import math
import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NoReturn, TypeVar

import gdl
from ggp import clock
from ggp.clock import Deadline
from ggp.engine.answers import Choice, EnginePosition, MoveOrigin
from ggp.engine.config import EngineConfig
from ggp.engine.wire import (
    MAX_TEXT,
    Begin,
    Begun,
    Best,
    Done,
    Equipped,
    Failed,
    Follow,
    MovedReply,
    Printed,
    Ready,
    Said,
    SearchCommand,
    Searching,
)
from ggp.engine.worker.channel import EXIT_NO_MEMORY, Channel
from ggp.engine.worker.compiled_game import GameCompilation, load_here
from ggp.engine.worker.compiler_process import CompileOrder, CompilerProcess
from ggp.engine.worker.kernels import Kernels
from ggp.engine.worker.knowledge import Knowledge, UnreadableError
from ggp.engine.worker.memory import bound_memory, tidy
from ggp.engine.worker.player_guard import Outlets, PlayerGuard
from ggp.engine.worker.reserve import Reserve
from ggp.engine.worker.yielding import YieldingDeadline
from ggp.errors import GgpError
from ggp.match.steps import Step
from ggp.training.live.link import LearnerLink

TOO_MANY_MOVES: Final = (
    "there are too many legal moves to list: the player makes the first one found, without a search"
)
NEWS_SECONDS: Final = 0.5
"""The player gets a faster game only if at least this much time is left for the move."""
BELIEF_SHARE: Final = 0.25
"""Share of the time for a move that the belief may spend on finding possible states."""
BELIEF_SECONDS: Final = 1.0
"""Longest time that the belief may spend on finding possible states during our turn."""
LOST_SHARE: Final = 0.7
"""Share of the time for finding states if few or none are known."""
WIDENING_SECONDS: Final = 10.0
"""Longest time to look for more states while other roles decide."""

GUESSES: Final = (
    "roles do not see everything in this game: mcts searches one possible position, "
    "the player `hidden` all of them"
)

Thought = TypeVar("Thought")


class Service:
    """The service for one match: `Begin`, then any number of `SearchCommand` and `Follow`."""

    def __init__(
        self,
        channel: Channel,
        kernels: Kernels | None,
        compiler_process: CompilerProcess | None = None,
    ) -> None:
        """Prepare the service.

        Args:
            kernels: The kernels that a compiled game waits for. None if the process needs none.
            compiler_process: The process that compiles games. Without it a thread compiles.
        """
        self._channel = channel
        self._kernels = kernels
        self._request = 0
        self._config = EngineConfig()
        self._reserve = Reserve(self._config.reserve_seconds)
        self._knowledge: Knowledge | None = None
        self._guard: PlayerGuard | None = None
        self._compilation: GameCompilation | None = None
        self._compiler_process = compiler_process
        if compiler_process is not None:
            compiler_process.log = self._say

    def run(self) -> NoReturn:
        """Serve until the process is ended from outside or runs out of memory."""
        while True:
            command = self._channel.next()
            self._request = command.request
            self._channel.send(Begun(command.request))
            try:
                self._serve(command)
                self._ponder()
            except MemoryError:
                os._exit(EXIT_NO_MEMORY)

    def _serve(self, command: Begin | SearchCommand | Follow) -> None:
        try:
            match command:
                case Begin():
                    self._begin(command)
                case SearchCommand():
                    deadline = self._for_belief(command.moment)
                    self._adopt(deadline)
                    self._make(command.steps, command.turn, deadline)
                    self._search(command)
                case Follow():
                    self._adopt()
                    self._make(command.steps, command.turn, self._for_belief())
                    self._follow(command)
        except UnreadableError as error:
            self._fail("moves", error)
        except (gdl.GdlError, GgpError) as error:
            self._fail("rules", error)

    def _begin(self, command: Begin) -> None:
        self._config = config = command.config
        self._reserve = Reserve(config.reserve_seconds)
        bound_memory(config.memory_bytes)
        budget = gdl.Budget(config.compile_seconds, config.memory_bytes or gdl.Budget().memory)
        order = CompileOrder(command.rules, command.notation, config.reasoner, budget)
        rules = order.read()
        game = gdl.load(rules, "interpreter")
        role = _role(command.role, rules, game.roles)
        self._knowledge = knowledge = Knowledge(game, role, config.seed)
        learner = self._learner()
        outlets = Outlets(self._say, self._hear)
        self._guard = PlayerGuard(config, game, role, outlets, knowledge.belief, learner)
        self._channel.send(
            Ready(
                request=command.request,
                roles=tuple(map(str, game.roles)),
                role=str(role),
                has_percepts=knowledge.has_percepts,
            )
        )
        if knowledge.has_percepts and config.player == "mcts":
            self._say(logging.INFO, GUESSES)
        self._tell_position(command.request, knowledge)
        self._compilation = self._prepared(order, rules)
        if self._compilation is not None:
            self._compilation.start()
            with self._channel.ending(self._for_player(command.moment)) as deadline:
                self._compilation.wait(deadline)
        self._adopt()
        guard = self._guard

        def prepare(until: Deadline) -> str:
            is_idle = until.is_over() or not knowledge.are_moves_listed
            return "{}" if is_idle else guard.prepare(knowledge.state, until)

        prepared = self._think(command.moment, prepare)
        done = Done(command.request, prepared=prepared, is_exhausted=guard.is_exhausted)
        self._channel.send(done)

    def _learner(self) -> LearnerLink | None:
        """Return the link to a learner.

        Return None without a compiling process, or if memory has run out in an earlier process.
        """
        if self._compiler_process is None or self._config.frugality:
            return None
        return self._compiler_process.learner()

    def _prepared(self, order: CompileOrder, rules: gdl.Rulesheet) -> GameCompilation | None:
        if order.engine == "interpreter" or self._kernels is None:
            self._channel.send(Equipped(self._request, "interpreter, asked for"))
            if self._compiler_process is not None:
                self._compiler_process.close()
            return None
        load = load_here if self._compiler_process is None else self._compiler_process.load
        return GameCompilation(partial(load, order, rules), self._kernels)

    def _adopt(self, deadline: Deadline | None = None) -> None:
        """Switch to the compiled game if it is ready.

        Args:
            deadline: Deadline for updating a belief. If None, use the usual time.
        """
        compilation = self._compilation
        if compilation is None or not compilation.is_over:
            return
        self._compilation = None
        knowledge, guard = self._at_work()
        if compilation.is_failure:
            self._say(
                logging.WARNING,
                "the interpreter plays this match, because the game could not be "
                f"compiled: {compilation.reason}",
            )
        game = compilation.take()
        if game is None or not knowledge.adopt(game, deadline or self._for_belief()):
            reason = compilation.reason or "compiled too late"
            self._channel.send(Equipped(self._request, f"interpreter, {reason}"[:MAX_TEXT]))
            return
        guard.adopt(game, knowledge.belief, lambda: self._channel.send(Searching(self._request)))
        reasoner = f"{game.engine}, {game.reason}"
        timings = {str(stage): seconds for stage, seconds in game.timings.items()}
        self._channel.send(Equipped(self._request, reasoner[:MAX_TEXT], timings))

    def _make(self, steps: Sequence[Step], turn: int, deadline: Deadline) -> None:
        """Make the missing steps up to `turn`. A belief gets a share of the time for each step."""
        knowledge, guard = self._at_work()
        known = knowledge.turn - (turn - len(steps))
        for index, step in enumerate(steps[known:], start=known + 1):
            # The process that received the other steps first has checked all but the newest.
            share = Deadline.after(deadline.remaining() / (len(steps) - index + 1))
            knowledge.make(step, share, is_checked=index == len(steps))
            for remark in knowledge.remarks:
                self._say(logging.WARNING, remark)
            knowledge.remarks.clear()
            guard.advance(knowledge.joint_move, knowledge.state)

    def _search(self, command: SearchCommand) -> None:
        knowledge, guard = self._at_work()
        knowledge.assume(is_over=False)
        if knowledge.is_made_up:  # searching this state would be useless
            seconds = max(0.0, command.moment - clock.now())
            knowledge.widen(Deadline.after(LOST_SHARE * seconds))
        position = self._tell_position(command.request, knowledge)
        if position.is_terminal or not knowledge.legal_moves():
            self._channel.send(Done(command.request, is_terminal=position.is_terminal))
            return
        if not knowledge.are_moves_listed:  # no search could try all of them
            first = Choice(position.legal[0], MoveOrigin.FIRST_LEGAL)
            self._channel.send(Done(command.request, first))
            return

        def tell(best: Choice) -> None:
            self._channel.send(Best(command.request, best))

        choice = self._think(
            command.moment,
            lambda until: guard.choose(knowledge.state, knowledge.legal_moves(), until, tell),
        )
        self._channel.send(Done(command.request, choice, is_exhausted=guard.is_exhausted))

    def _tell_position(self, request: int, knowledge: Knowledge) -> EnginePosition:
        """Report the position and return it. First, a standby quickly reports one legal move."""
        if self._kernels is None:
            first = knowledge.first_position()
            if first is not None:
                self._channel.send(MovedReply(request, first))
        could_list = knowledge.are_moves_listed
        position = knowledge.position()
        if could_list and not knowledge.are_moves_listed:
            self._say(logging.WARNING, TOO_MANY_MOVES)
        self._channel.send(MovedReply(request, position))
        return position

    def _follow(self, command: Follow) -> None:
        knowledge, _ = self._at_work()
        if command.is_last:
            knowledge.assume(is_over=True)
        position = self._tell_position(command.request, knowledge)
        goals = knowledge.goals() if command.is_last else None
        self._channel.send(Done(command.request, goals=goals, is_terminal=position.is_terminal))

    def _ponder(self) -> None:
        if self._knowledge is None or self._guard is None:
            return
        if self._guard.is_exhausted:
            raise MemoryError
        tidy(self._config.memory_bytes)
        self._adopt()
        with self._channel.ending(Deadline.after(WIDENING_SECONDS)) as deadline:
            self._knowledge.widen(deadline)
        state = self._knowledge.state
        may_ponder = self._config.is_pondering and self._knowledge.are_moves_listed
        if may_ponder and not self._knowledge.machine.is_terminal(state):
            end = clock.now() + self._config.ponder_seconds
            with self._channel.ending(YieldingDeadline(end, self._is_rest_due)) as deadline:
                if self._compilation is not None:
                    self._compilation.call_when_over(deadline.end)
                self._guard.ponder(state, deadline)
        if self._guard.is_exhausted:
            raise MemoryError
        if self._compilation is not None and self._compilation.is_over:
            self._ponder()

    def _for_belief(self, moment: float = math.inf) -> Deadline:
        is_thin = self._knowledge is not None and self._knowledge.is_thin
        seconds = max(0.0, moment - clock.now())
        share = LOST_SHARE if is_thin else BELIEF_SHARE
        return Deadline.after(min(BELIEF_SECONDS, share * seconds))

    def _think(self, moment: float, think: Callable[[Deadline], Thought]) -> Thought:
        """Let the player think until `moment`, and return the result.

        If the compiled game interrupts the player, let it think again. But if the player has ended
        by itself, its result counts.
        """
        while True:
            for_player = self._for_player(moment)
            due = for_player.moment  # before anything brings it forward
            with self._channel.ending(for_player) as deadline:
                if self._compilation is not None:
                    self._compilation.call_when_over(deadline.end)
                thought = think(deadline)
                was_ended = not deadline.remaining()
            if (delay := clock.now() - due) > 0:
                self._reserve.note(delay)
            is_news = self._compilation is not None and self._compilation.is_over
            is_late = self._channel.has_command or clock.now() > moment - NEWS_SECONDS
            if is_late or not (is_news and was_ended):
                return thought
            self._adopt(self._for_belief(moment))

    def _for_player(self, moment: float) -> Deadline:
        """Return the deadline for the player if the engine must answer at `moment`."""
        reserve = self._reserve.seconds(max(0.0, moment - clock.now()))
        return YieldingDeadline(moment - reserve, self._is_rest_due)

    def _is_rest_due(self) -> bool:
        return self._compilation is not None and self._compilation.needs_core

    def _at_work(self) -> tuple[Knowledge, PlayerGuard]:
        if self._knowledge is None or self._guard is None:
            raise UnreadableError("the match has not begun")
        return self._knowledge, self._guard

    def _fail(self, kind: str, error: Exception) -> None:
        message = " ".join(str(error).split())[:MAX_TEXT]
        self._channel.send(Failed(self._request, kind, message))

    def _hear(self, kept: str, num_lines: int, num_bytes: int) -> None:
        self._channel.send(Printed(self._request, kept, num_lines, num_bytes))

    def _say(self, level: int, text: str) -> None:
        indent = text[: len(text) - len(text.lstrip(" "))]  # keep the indent of traceback lines
        line = indent + " ".join(text.split())
        self._channel.send(Said(self._request, level, line[:MAX_TEXT]))


def _role(text: str, rules: gdl.Rulesheet, roles: Sequence[gdl.Role]) -> gdl.Role:
    term = gdl.read_term(text, rules, "<role>")
    for role in roles:
        if role is term:
            return role
    known = " ".join(map(str, roles))
    raise GgpError(f"expected one of the roles {known}, got {text}")

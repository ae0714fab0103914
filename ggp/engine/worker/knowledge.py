"""The engine process's knowledge of its match: the state, and how a step changes it."""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Iterable, Sequence

import gdl
from ggp.belief import Belief
from ggp.clock import Deadline
from ggp.engine.answers import EnginePosition
from ggp.engine.wire import MAX_LEGAL_CHARACTERS, MAX_LEGAL_REPORTED
from ggp.engine.worker.legal_moves import LegalMoves
from ggp.engine.worker.missed_turn import missed_turn
from ggp.match.steps import JointMove, Percepts, SingleMove, Step


class UnreadableError(Exception):
    """A step is unreadable. The message says what was expected. Nothing has changed."""


class Knowledge:
    """The state of one match as one role sees it.

    In a game of incomplete information the state is a guess that agrees with all percepts.

    Attributes:
        machine: The state machine of the game.
        role: Our role.
        belief: Our belief in a game of incomplete information, else None.
        state: The current state.
        turn: Number of steps made.
        joint_move: The last joint move. None in the initial state, if unknown, or if the last step
            covers two turns.
        missed: The joint move of the turn before `joint_move` if it was not reported, else None.
        remarks: Remarks for the log about odd steps, collected since the list was last cleared.
    """

    def __init__(self, game: gdl.Game, role: gdl.Role, seed: int | None) -> None:
        assert game.rulesheet is not None
        self.machine = machine = game.machine
        self.role = role
        self.has_percepts = game.rulesheet.has_percepts
        self.belief = Belief(game, role, seed) if self.has_percepts else None
        self.state = machine.initial_state()
        self.turn = 0
        self.joint_move: tuple[gdl.Move, ...] | None = None
        self.missed: tuple[gdl.Move, ...] | None = None
        self.remarks: list[str] = []
        self._rules = game.rulesheet
        self._legal = LegalMoves(self.machine)

    def adopt(self, game: gdl.Game, deadline: Deadline) -> bool:
        """Switch to another reasoner for the same game. Return whether that is possible.

        Args:
            deadline: Deadline for replaying all earlier percepts.
        """
        belief = None
        try:
            if self.belief is not None:
                belief = self.belief.on(game, deadline)
            state = game.state_of(self.machine.facts(self.state))
        except gdl.GdlError:  # an unreachable state, made up by us or caused by the manager
            if belief is None:
                return False
            state = belief.sample().state
        self.machine, self.state, self.belief = game.machine, state, belief
        self._legal = LegalMoves(self.machine)
        return True

    @property
    def are_moves_listed(self) -> bool:
        """Whether all legal moves are known. If there are too many, only one is known."""
        return self._legal.are_listed

    def legal_moves(self) -> tuple[gdl.Move, ...]:
        """Return the legal moves of our role, or an empty tuple when the game is over."""
        return self._legal.of(self.state, self.role)

    def make(
        self, step: Step, deadline: Deadline | None = None, *, is_checked: bool = True
    ) -> None:
        """Make a step.

        Args:
            deadline: Deadline for updating a belief. If None, the belief uses its own time limit.
            is_checked: Whether to remark on moves that are not legal, which doubles the time.

        Raises:
            UnreadableError: The step cannot be read. Nothing has changed.
            gdl.GdlError: The rules cannot be evaluated. Nothing has changed.
        """
        if isinstance(step, Percepts) or self._looks_like_percepts(step):
            self._perceive(step, deadline)
        else:
            moves = self._joint(step)
            missed = self._missed(step, moves, is_checked=is_checked)
            before = self.state if missed is None else self.machine.next_state(self.state, missed)
            state = self.machine.next_state(before, moves)
            if self.belief is not None:
                self.belief.know(state)
            self.state, self.missed = state, missed
            self.joint_move = moves if missed is None else None
        self.turn += 1

    def assume(self, is_over: bool) -> None:
        """Tell the belief whether the game is over. Replace a state that contradicts this."""
        if self.belief is None:
            return
        self.belief.assume(is_over)
        if self.machine.is_terminal(self.state) != is_over:
            self._take_a_world(self.belief)

    @property
    def is_made_up(self) -> bool:
        """Whether the state fits only some percepts, because no better one was found in time."""
        return self.belief is not None and not self.belief.is_consistent

    @property
    def is_thin(self) -> bool:
        """Whether a belief found only a few states or none, for lack of time."""
        return self.belief is not None and self.belief.is_thin

    def widen(self, deadline: Deadline) -> None:
        """Look for more states if a belief has only a few."""
        belief, was_made_up = self.belief, self.is_made_up
        if belief is not None:
            belief.widen(deadline)
            if was_made_up and belief.is_consistent:
                self._take_a_world(belief)

    def first_position(self) -> EnginePosition | None:
        """Return the current position quickly, with only one legal move.

        Return None if there is no such move or listing all moves is as fast.
        """
        if self.machine.is_terminal(self.state):
            return None
        legal = tuple(map(str, self._legal.first(self.state, self.role)))
        if not legal:
            return None
        return EnginePosition(self.turn, legal, 2, in_control=True, is_terminal=False)

    def position(self) -> EnginePosition:
        """Return the current position in the form that the server needs."""
        legal = self.legal_moves()
        is_terminal = self.machine.is_terminal(self.state)
        joint = self.joint_move
        return EnginePosition(
            turn=self.turn,
            legal=_first_texts(legal),
            num_legal=len(legal) if self.are_moves_listed else 2 * len(legal),
            in_control=not is_terminal and (len(legal) > 1 or self._decider() in {None, self.role}),
            is_terminal=is_terminal,
            joint_move=None if joint is None else tuple(map(str, joint)),
            missed=None if self.missed is None else tuple(map(str, self.missed)),
        )

    def goals(self) -> tuple[int, ...]:
        """Return the goals of all roles in the current state."""
        return tuple(self.machine.goal(self.state, role) for role in self.machine.roles)

    def _decider(self) -> gdl.Role | None:
        """Return the role that decides, or None if several do or the rules do not show it."""
        with_choice = [role for role in self.machine.roles if self._num_legal(role) > 1]
        if not self.are_moves_listed:
            return None
        if with_choice:
            return with_choice[0] if len(with_choice) == 1 else None
        # All moves are forced. In Gamemaster's games a fact (control ROLE) says whose turn it is.
        # In other games the word may mean anything, but there this answer has no effect.
        for fact in self.machine.facts(self.state):
            if isinstance(fact, gdl.Compound) and fact.name == "control" and len(fact.args) == 1:
                return next((role for role in self.machine.roles if role is fact.args[0]), None)
        return None

    def _num_legal(self, role: gdl.Role) -> int:
        return len(self._legal.of(self.state, role))

    def _joint(self, step: JointMove | SingleMove) -> tuple[gdl.Move, ...]:
        if isinstance(step, SingleMove):
            return self._listed(step) or self._completed(self._read(step.move))
        roles = self.machine.roles
        if len(step.moves) != len(roles):
            expected = f"{len(roles)} moves, one per role ({' '.join(map(str, roles))})"
            raise UnreadableError(f"expected {expected}, got {len(step.moves)}")
        return tuple(map(self._read, step.moves))

    def _missed(
        self, step: JointMove | SingleMove, moves: Sequence[gdl.Move], *, is_checked: bool
    ) -> tuple[gdl.Move, ...] | None:
        """Return the joint move of an unreported turn before this one, or None if there is none."""
        if isinstance(step, JointMove) and step.missed is not None:
            return tuple(map(self._read, step.missed))
        remarks = self._doubts(moves) if is_checked else []
        missed = None
        if remarks and isinstance(step, JointMove):
            if step.must_be_legal:
                raise UnreadableError(f"expected a legal move of each role: {remarks[0]}")
            missed = self._history(step, moves)
        if missed is not None:
            moves_before = " ".join(map(str, missed))
            remarks = [
                f"the manager did not report a turn: ({moves_before}) must have been played in it"
            ]
        self.remarks += remarks
        return missed

    def _doubts(self, moves: Sequence[gdl.Move]) -> list[str]:
        """Describe the reported moves that are not legal."""
        return [
            f"{move} is not legal for {role}, but the manager reports it"
            for role, move in zip(self.machine.roles, moves, strict=True)
            if not self._legal.allows(self.state, role, move)
        ]

    def _history(self, step: JointMove, moves: Sequence[gdl.Move]) -> tuple[gdl.Move, ...] | None:
        machine = self.machine
        if self.belief is not None or machine.is_terminal(self.state) or not self.are_moves_listed:
            return None
        answered = None if step.answered is None else self._read(step.answered)
        place = machine.roles.index(self.role)
        return missed_turn(machine, self.state, place, answered, moves)

    def _listed(self, step: SingleMove) -> tuple[gdl.Move, ...] | None:
        """Return the joint move that a text lists, or None if it is illegal or a single move."""
        roles, texts = self.machine.roles, step.as_joint(len(self.machine.roles))
        if texts is None or any(self._is_legal(role, step.move) for role in roles):
            return None
        if not all(map(self._is_legal, roles, texts)):
            return None
        return tuple(map(self._read, texts))

    def _is_legal(self, role: gdl.Role, text: str) -> bool:
        try:
            return self._legal.allows(self.state, role, self._read(text))
        except UnreadableError:
            return False

    def _completed(self, move: gdl.Move) -> tuple[gdl.Move, ...]:
        """Complete one role's move to a joint move. Each other role makes its first legal move."""
        legal = {role: self._legal.of(self.state, role) for role in self.machine.roles}
        able = [role for role in legal if self._legal.allows(self.state, role, move)]
        decider = self._decider()
        if decider not in able:
            if len(able) != 1:
                raise UnreadableError(f"expected a move of the role in control, got {move}")
            decider = able[0]
        if any(not moves for moves in legal.values()):
            raise UnreadableError(f"the game is over, but the manager reports the move {move}")
        return tuple(move if role is decider else legal[role][0] for role in self.machine.roles)

    def _read(self, text: str) -> gdl.Move:
        try:
            term = gdl.read_term(text, self._rules, "<move>")
        except gdl.GdlError as error:
            raise UnreadableError(f"expected a move: {error}") from error
        if not term.is_ground:
            raise UnreadableError(f"expected a move without variables, got {text}")
        return term

    def _looks_like_percepts(self, step: JointMove | SingleMove) -> bool:
        """Return whether a list must be percepts, which some managers send in place of moves."""
        if self.belief is None or isinstance(step, SingleMove):
            return False
        try:
            moves = self._joint(step)
        except UnreadableError:
            return True
        return not self.belief.is_possible(moves)

    def _perceive(self, step: Step, deadline: Deadline | None) -> None:
        belief = self.belief
        if belief is None:
            raise UnreadableError(
                "expected moves, got percepts, but this game has no rules for `sees`"
            )
        own, percepts = self._own_and_percepts(step)
        was_complete = belief.is_complete
        belief.advance(own, frozenset(percepts), deadline)
        if not belief.is_consistent:
            none = "no state agrees" if was_complete else "no state was found that agrees"
            self.remarks.append(f"{none} with the percepts; an invented one is used")
        elif was_complete and not belief.is_complete:
            num = belief.worlds.num
            self.remarks.append(
                "more positions agree with the percepts than there is time or memory for: "
                f"the search uses {num:,} of them"
            )
        self._take_a_world(belief)

    def _take_a_world(self, belief: Belief) -> None:
        world = belief.sample()
        self.state, self.joint_move = world.state, world.joint_move

    def _own_and_percepts(self, step: Step) -> tuple[gdl.Move, Iterable[gdl.Term]]:
        texts: Sequence[str]
        match step:
            case Percepts(percepts, own_move):
                texts, own = percepts, own_move
            case JointMove(moves, answered):
                texts, own = moves, answered
            case SingleMove(move):
                texts, own = (move,), None
        legal = self.legal_moves()
        if own is None and not legal:
            raise UnreadableError("the game is over, but the manager sent percepts")
        return (legal[0] if own is None else self._read(own)), list(map(self._read, texts))


def _first_texts(moves: Sequence[gdl.Move]) -> tuple[str, ...]:
    """Return the first moves as texts: as many as fit into an event, but at least one."""
    texts = tuple(map(str, moves[:MAX_LEGAL_REPORTED]))
    ends = list(itertools.accumulate(map(len, texts)))
    return texts[: max(1, bisect.bisect(ends, MAX_LEGAL_CHARACTERS))]

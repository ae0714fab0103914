"""Answers to questions about the states of one game."""

from __future__ import annotations

import time
from collections.abc import Sequence

from gdl.errors import EvaluationLimitError
from gdl.interpreter import Interpreter, Limits
from gdl.rulesheet import DependsOn, Relation, Rulesheet
from gdl.rulesheet.graph import TRUE
from gdl.terms import Compound, Term
from gdl.why.deriving import Derivations
from gdl.why.failing import Failures
from gdl.why.matching import shown
from gdl.why.question import Question, QuestionError, read_question
from gdl.why.reason import Answer, Kind, Reason
from gdl.why.scene import Joint, Scene, Work

DEPTH = 4
SECONDS = 10.0
STEPS = 400_000
"""Values that are tried for one answer."""
MOST_INSTANCES = 10
"""Instances of a fact with variables that are explained."""


class Explainer:
    """Explanations of one game: why facts hold, and why not. It belongs to one thread.

    It is worth keeping while more is asked about the same rules.

    Attributes:
        rules: The game.
        machine: The interpreter that says what holds.

    Args:
        rules: The game.
        seconds: How long one answer may take, about.

    Raises:
        RulesheetError: A statement of the rules has no meaning, or there is no role.
        EvaluationLimitError: The first state takes too long.
    """

    def __init__(self, rules: Rulesheet, seconds: float = SECONDS) -> None:
        self.rules = rules
        self._seconds = seconds
        self.machine = Interpreter(rules, Limits(seconds=seconds))
        self._scene = Scene(self.machine, rules, ())
        self._moves: tuple[tuple[Term, ...], ...] = ()

    def question(self, text: str, name: str = "<fact>") -> Question:
        """The fact that a text asks about; see `read_question`."""
        return read_question(text, self.rules, name)

    def asked(self, fact: Term) -> Question:
        """The question whether a fact holds, which is a relation of the rules."""
        needs_moves = self.rules.graph.dependence(Relation.of(fact)) == DependsOn.MOVES
        return Question(fact, is_denied=False, needs_moves=needs_moves)

    def why(
        self,
        asked: str | Question,
        moves: Sequence[Joint] = (),
        next_moves: Joint | None = None,
        depth: int = DEPTH,
    ) -> Answer:
        """Why a fact holds in a state, or why it does not.

        Args:
            asked: The fact.
            moves: The joint moves that lead to the state from the start.
            next_moves: The joint move in that state, for facts that depend on it, such as `next`.
            depth: How many rules deep a condition that fails is explained.

        Raises:
            GdlSyntaxError: The question cannot be read.
            QuestionError: It is no fact of these rules, or depends on moves that are not named.
            EvaluationLimitError: The rules take too long to say whether it holds.
        """
        question = self.question(asked) if isinstance(asked, str) else asked
        if question.needs_moves and next_moves is None:
            raise QuestionError(f"{question} depends on the moves in that state; name them as well")
        path = tuple(map(tuple, moves))
        if path != self._moves:
            self._scene = Scene(self.machine, self.rules, path)
            self._moves = path
        self._scene.name_moves(next_moves)
        return _Answering(self._scene, self._seconds, depth).answer(question)


class _Answering:
    """One answer in the making."""

    def __init__(self, scene: Scene, seconds: float, depth: int) -> None:
        self._scene = scene
        self._depth = depth
        work = Work(STEPS, time.monotonic() + seconds)
        self._derivations = Derivations(scene, work)
        self._failures = Failures(scene, self._derivations, work)

    def answer(self, question: Question) -> Answer:
        turn, fact = self._scene.turn, question.fact
        found = [one for one, _ in self._scene.instances(fact, turn)]
        found = found if fact.is_ground else sorted(set(found), key=str)
        unlisted = self._unlisted(fact, turn) if found else None
        reasons: tuple[Reason, ...]
        if unlisted is not None:
            found, reasons = [], (unlisted,)
        elif found:
            reasons = tuple(self._holding(one, turn) for one in found[:MOST_INSTANCES])
        else:
            reasons = (self._failures.of(fact, turn, self._depth),)
        num_more = len(found) - len(found[:MOST_INSTANCES])
        return Answer(str(question), bool(found) != question.is_denied, turn, reasons, num_more)

    def _unlisted(self, fact: Term, turn: int) -> Reason | None:
        """The reason why no fact is what a rule makes for any value; None for other facts.

        A move is legal if it can be listed; so it is with goals and the like.
        """
        unsafe = self._scene.unsafe_rule(fact)
        if unsafe is None or not fact.is_ground or self._scene.is_listed(fact, turn):
            return None
        return Reason(shown(fact), Kind.UNLISTED, turn, unsafe.span)

    def _holding(self, fact: Term, turn: int) -> Reason:
        if Relation.of(fact) != TRUE:
            return self._derivations.of(fact, turn)
        assert isinstance(fact, Compound)
        try:
            before = self._failures.before(fact.args[0], turn, self._depth)
        except EvaluationLimitError:
            before = None
        return Reason(shown(fact), Kind.STATE, turn, before=before)


def why(
    rules: Rulesheet,
    fact: str,
    moves: Sequence[Joint] = (),
    next_moves: Joint | None = None,
    depth: int = DEPTH,
) -> Answer:
    """Why a fact holds in the state after joint moves, or why it does not: see `Explainer.why`."""
    return Explainer(rules).why(fact, moves, next_moves, depth)

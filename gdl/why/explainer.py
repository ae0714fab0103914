"""Answers to questions about the states of one game."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from gdl.epilog.reader import read_forms as read_epilog_forms
from gdl.errors import EvaluationLimitError, GdlError, RulesheetError, Source
from gdl.interpreter.limits import Limits
from gdl.interpreter.machine import Interpreter
from gdl.kif import read_forms
from gdl.rulesheet import RESERVED, DependsOn, Relation, Rulesheet
from gdl.rulesheet.graph import DOES, TRUE
from gdl.rulesheet.rules import CONNECTIVES
from gdl.syntax import Form, Group, is_epilog, only_form
from gdl.terms import Compound, Term, Variable
from gdl.why.deriving import Derivations
from gdl.why.failing import Failures
from gdl.why.reason import Answer, Kind, Reason
from gdl.why.scene import Joint, Scene, Work, shown
from gdl.why.sentence import sentence_of

EXAMPLE = "(legal ROLE MOVE)"
MAX_LENGTH = 10_000
LEGAL = Relation("legal", RESERVED["legal"])


class QuestionError(GdlError):
    """Question that is not about a fact of these rules."""


@dataclass(frozen=True, slots=True)
class Question:
    """Fact to explain, which may have variables, and whether the question negates it."""

    fact: Term
    is_denied: bool
    needs_moves: bool

    def __str__(self) -> str:
        return f"(not {self.fact})" if self.is_denied else str(self.fact)


def read_question(text: str, rules: Rulesheet, name: str = "<fact>") -> Question:
    """Parse the fact that a text asks about, in KIF or Epilog. Outer parentheses are optional.

    Raises:
        GdlSyntaxError: The text cannot be parsed, or is not exactly one fact.
        QuestionError: No relation or fact of the state has that name and number of arguments.
    """
    if len(text) > MAX_LENGTH:
        raise QuestionError(f"{name}: expected a fact of at most {MAX_LENGTH:,} characters")
    in_epilog = is_epilog(text, rules.origin.is_epilog or text.lstrip().startswith("~"))
    forms = (read_epilog_forms if in_epilog else read_forms)(text, name)
    is_bare = len(forms) > 1 and not isinstance(forms[0], Group)
    if is_bare and (str(forms[0]).lower(), 0) not in rules.definitions:
        text = f"({text})"  # add the missing outer parentheses
        forms = read_forms(text, name)
    form, is_denied = only_form(forms, Source(name, text), f"fact, such as {EXAMPLE}"), False
    while isinstance(form, Group) and form.head == "not" and len(form.items) == 2:
        form, is_denied = form.items[1], not is_denied
    fact = _fact(form, rules)
    needs_moves = rules.graph.dependence(Relation.of(fact)) == DependsOn.MOVES
    return Question(fact, is_denied, needs_moves)


def _fact(form: Form, rules: Rulesheet) -> Term:
    first = form.items[0] if isinstance(form, Group) and form.items else form
    word = str(first).lower()
    if word in CONNECTIVES:
        raise QuestionError(
            f"expected a fact, such as {EXAMPLE} or (not {EXAMPLE}), got '{word}'", first.span
        )
    try:
        fact = rules.term(form)
    except RulesheetError as error:
        raise QuestionError(error.message, error.span) from error
    if isinstance(fact, Variable):
        raise QuestionError(
            f"expected a fact, such as {EXAMPLE}, got the variable {fact}", form.span
        )
    relation = Relation.of(fact)
    if relation not in (TRUE, DOES):
        _check_relation(relation, form, first, rules)
    if isinstance(form, Group) and isinstance(fact, Compound):
        if relation == TRUE:
            made = "no 'init' or 'next' makes a fact"
            _check_symbol(fact.args[0], form.items[1], rules.fluents, made)
        elif relation in (LEGAL, DOES) and rules.moves:
            _check_symbol(fact.args[1], form.items[2], rules.moves, "no 'legal' allows a move")
    return fact


def _check_relation(relation: Relation, form: Form, first: Form, rules: Rulesheet) -> None:
    if relation in rules.definitions:
        return
    name, arity = relation
    fluents = frozenset() if None in rules.fluents else rules.fluents
    if relation in fluents:
        hint = f"(true {form})" if not rules.origin.is_epilog else f"true({name}(...))"
        raise QuestionError(f"'{name}' is a fact of the state; ask for it as {hint}", first.span)
    if relation in rules.moves:
        raise QuestionError(f"'{name}' is a move; ask for it as (legal ROLE {form})", first.span)
    expected = {RESERVED[name]} if name in RESERVED else set()
    expected |= {other.arity for other in rules.definitions if other.name == name}
    if expected - {arity}:
        counts = " or ".join(map(str, sorted(expected)))
        raise QuestionError(f"'{name}' takes {counts} argument(s), got {arity}", first.span)
    if name in RESERVED:
        return  # the answer will say that no rule defines it
    names = {other.name for other in rules.definitions} - rules.origin.generated
    names |= {other.name for other in fluents if other is not None} | RESERVED.keys()
    raise QuestionError(f"the rules have no relation '{relation}'{_near(name, names)}", first.span)


def _check_symbol(term: Term, form: Form, known: Collection[Relation | None], unknown: str) -> None:
    """Raise QuestionError if no fact of the state, or no move, has this symbol."""
    if isinstance(term, Variable) or None in known or Relation.of(term) in known:
        return
    name, arity = symbol = Relation.of(term)
    counts = sorted({other.arity for other in known if other and other.name == name})
    if counts:
        expected = " or ".join(map(str, counts))
        raise QuestionError(f"'{name}' takes {expected} argument(s), got {arity}", form.span)
    near = _near(name, {other.name for other in known if other})
    raise QuestionError(f"{unknown} '{symbol}'{near}", form.span)


def _near(name: str, known: Collection[str]) -> str:
    nearest = get_close_matches(name, sorted(known), n=1)
    return f"; did you mean '{nearest[0]}'?" if nearest else ""


DEPTH = 4
SECONDS = 10.0
STEPS = 400_000  # limit on the values to try for one answer
MAX_INSTANCES = 10  # limit on the instances of a fact with variables to explain


class Explainer:
    """Explainer of why facts of a game hold or do not hold. Use it in one thread only."""

    def __init__(self, rules: Rulesheet, seconds: float = SECONDS) -> None:
        self.rules = rules
        self._seconds = seconds
        self.machine = Interpreter(rules, Limits(seconds=seconds))
        self._scene = Scene(self.machine, rules, ())
        self._moves: tuple[tuple[Term, ...], ...] = ()

    def question(self, text: str, name: str = "<fact>") -> Question:
        """Parse the fact that a text asks about; see `read_question`."""
        return read_question(text, self.rules, name)

    def asked(self, fact: Term) -> Question:
        """Return the question whether a fact holds. The rules must define the fact's relation."""
        needs_moves = self.rules.graph.dependence(Relation.of(fact)) == DependsOn.MOVES
        return Question(fact, is_denied=False, needs_moves=needs_moves)

    def why(
        self,
        asked: str | Term | Question,
        moves: Sequence[Joint] = (),
        next_moves: Joint | None = None,
        depth: int = DEPTH,
    ) -> Answer:
        """Explain why a fact holds or does not hold in a state.

        Args:
            moves: The joint moves that lead from the start to the state.
            next_moves: The joint move in that state, for facts that depend on it, such as `next`.
            depth: How many levels of rules to follow below a condition that fails.

        Raises:
            GdlSyntaxError: The question cannot be parsed.
            QuestionError: The question is not about a fact of these rules, or needs moves that are
                missing.
            EvaluationLimitError: It takes too long to compute whether the fact holds.
        """
        if isinstance(asked, str):
            question = self.question(asked)
        else:
            question = self.asked(asked) if isinstance(asked, Term) else asked
        if question.needs_moves and next_moves is None:
            raise QuestionError(f"{question} depends on the moves in that state; name them as well")
        path = tuple(map(tuple, moves))
        if path != self._moves:
            self._scene = Scene(self.machine, self.rules, path)
            self._moves = path
        self._scene.name_moves(next_moves)
        return _Answering(self._scene, self._seconds, depth).answer(question)


class _Answering:
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
            reasons = tuple(self._holding(one, turn) for one in found[:MAX_INSTANCES])
        else:
            reasons = (self._failures.of(fact, turn, self._depth),)
        num_more = len(found) - len(found[:MAX_INSTANCES])
        holds = bool(found) != question.is_denied
        sentence = sentence_of(str(question), turn, reasons, holds=holds)
        return Answer(str(question), holds, turn, reasons, num_more, sentence)

    def _unlisted(self, fact: Term, turn: int) -> Reason | None:
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
    fact: str | Term,
    moves: Sequence[Joint] = (),
    next_moves: Joint | None = None,
    depth: int = DEPTH,
) -> Answer:
    """Explain why a fact holds or does not hold after joint moves; see `Explainer.why`."""
    return Explainer(rules).why(fact, moves, next_moves, depth)

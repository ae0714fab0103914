"""Checks by random games: states without moves, doubtful goals, games that do not end.

Percepts are also checked in the grounded rules here and not in `check`, because grounding takes
about as long as playing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random

from gdl.check.diagnostic import Diagnostic, finding, head_span, keyword_rules, rules_for, start
from gdl.check.play_doubled import check_doubling, check_sharing
from gdl.check.play_lost import StepLog, check_keeping
from gdl.check.play_lost_apart import check_apart
from gdl.check.play_turns import Choices, check_idling, check_out_of_turn, doubtful_turns
from gdl.check.play_unknowable import PossibleStates, Unknowable, unknowable_place, unknowable_text
from gdl.check.roles import check_ground_percepts, check_unseen
from gdl.check.undeclared import check_undeclared_in_play
from gdl.check.undefined import check_facts
from gdl.check.unsafe import bound_variables
from gdl.errors import EvaluationLimitError, GdlError, GrowthError, Span
from gdl.ground import Budget, GroundingError
from gdl.interpreter.limits import Limits
from gdl.interpreter.machine import Interpreter
from gdl.loading import compile_rules
from gdl.machine import Move, Role, State, StateMachine, is_random
from gdl.rulesheet import Relation, Rule, Rulesheet
from gdl.terms import Compound, Term, args_of, variables

SECONDS_UNCOMPILED = 2.0
"""Play with the interpreter for this long. Most games are done by then. Games whose terms grow
without bound fail in this time, and compiled rules would notice that much later.
"""

_SECONDS_FOR_COMPILED = 4.0  # with less time left, do not compile: loading the compiler takes long
_SHARE_OF_JUDGING = 0.2
"""Share of the time for evaluating the recorded games."""
_SHARE_OF_GROUNDING = 0.4
"""Share of the remaining playing time. Building the circuit takes about as long as grounding."""
_ENOUGH_FOR_PERCEPTS = 5  # number of playouts needed to judge percepts
_TAKING_TURNS = ("play-failed", "play-no-move", "play-lost", "play-turns")
"""Codes of findings that may explain why a role has no choice."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class PlayLimits:
    """Limits on playing: `playouts` random games of at most `steps` joint moves each."""

    playouts: int = 5
    steps: int = 500
    seconds: float = 20.0
    seed: int = 0


def check_play(
    rulesheet: Rulesheet, limits: PlayLimits | None = None, progress: Progress | None = None
) -> tuple[Diagnostic, ...]:
    """Play random games and report faults, each kind once for each role.

    Never raises. Skip rulesheets without roles or with meaningless statements, because `check`
    reports those. All parts of the check share one deadline, `limits.seconds` from now. Call
    `progress` with the number of the playout, from 1, and the number of its joint moves so far.
    """
    if rulesheet.refusal or not rulesheet.roles:
        return ()
    limits = limits or PlayLimits()
    end = time.monotonic() + limits.seconds
    end_of_play = end - _SHARE_OF_JUDGING * limits.seconds
    trial = _Trial(rulesheet, limits, end_of_play, progress or (lambda _playout, _step: None))
    try:
        trial.play()
    except GdlError as error:
        span = error.span or _growing(rulesheet, error) or start(rulesheet)
        where = f"playout {trial.playout}, after {trial.step} steps: " if trial.playout else ""
        trial.report("play-failed", span, f"{where}{error.message}")
    if trial.is_over_at_once and keyword_rules(
        rulesheet, "next"
    ):  # otherwise no second state is possible
        trial.report("play-over", *_over(rulesheet, end))
    found = {*trial.findings(), *check_ground_percepts(rulesheet, end - time.monotonic())}
    if not found and limits.playouts >= _ENOUGH_FOR_PERCEPTS:
        found.update(check_unseen(rulesheet, trial.percepts, limits.playouts))
    found.update(check_undeclared_in_play(rulesheet, trial.log.games, trial.legal, end))
    turns = doubtful_turns(rulesheet, trial.log)
    found.update(tuple(check_out_of_turn(rulesheet, trial.log)) or turns.values())
    misspelt = {wrong.instead for wrong in check_facts(rulesheet)}
    explained = {*turns, *(it for it in rulesheet.fluents if it and it.name in misspelt)}
    with suppress(GdlError):  # the relaxed rules may exceed their limits
        found.update(check_keeping(rulesheet, trial.log, end, explained))
        found.update(check_doubling(rulesheet, trial.log))
        # These findings already explain missing facts.
        if all(one.code != "play-lost" for one in found):
            found.update(check_apart(rulesheet, trial.log))
        found.update(check_sharing(rulesheet, trial.log))
    if all(one.code not in _TAKING_TURNS for one in found):
        found.update(check_idling(rulesheet, trial.choices, trial.log))
    return tuple(sorted(found, key=lambda one: (one.span.start, one.message)))


@dataclass(slots=True)
class _Sighting:
    code: str
    span: Span
    message: str
    instead: str
    playouts: set[int] = field(default_factory=set)


@dataclass(slots=True)
class _Trial:
    rulesheet: Rulesheet
    limits: PlayLimits
    end: float  # when playing stops, on the monotonic clock
    progress: Progress
    playout: int = 0
    step: int = 0
    is_over_at_once: bool = False  # whether the first state is terminal
    last_choice: int = -1  # last step at which a role had several moves
    sightings: dict[tuple[str, str], _Sighting] = field(default_factory=dict)
    log: StepLog = field(default_factory=StepLog)
    choices: Choices = field(default_factory=Choices)
    percepts: set[Term] = field(default_factory=set)  # as heads of `sees` rules
    legal: set[Compound] = field(
        default_factory=set
    )  # as heads of `legal` rules, if the rules have `input`

    def play(self) -> None:
        """Play with the interpreter. If that takes too long, compile the rules and start over."""
        soon = time.monotonic() + SECONDS_UNCOMPILED
        if self.end - soon < _SECONDS_FOR_COMPILED:
            soon = self.end
        is_done = self._play_uncompiled(soon)
        if not is_done and soon < self.end:
            self._forget()
            machine = self._compiled()
            is_done = (
                self._play_all(machine, self.end) if machine else self._play_uncompiled(self.end)
            )
        if not is_done:
            self._report_late()

    def _play_uncompiled(self, end: float) -> bool:
        try:
            return self._play_all(Interpreter(self.rulesheet, Limits(end=end)), end)
        except GrowthError:
            raise
        except EvaluationLimitError:
            # A limit other than the time was reached, and the rules are not compiled next.
            if end == self.end and time.monotonic() < end:
                raise
            return False

    def _compiled(self) -> StateMachine | None:
        """Return a machine with compiled rules, or None if compiling fails or takes too long."""
        from gdl.circuit.scalar.machine import CircuitMachine  # numba is slow to import

        seconds = _SHARE_OF_GROUNDING * (self.end - time.monotonic())
        try:
            circuit = compile_rules(self.rulesheet, Budget(seconds)).circuit
        except (GroundingError, MemoryError):
            return None
        return CircuitMachine(circuit.netlist)

    def _forget(self) -> None:
        self.sightings.clear()
        self.log = StepLog()
        self.choices = Choices()
        self.percepts.clear()
        self.legal.clear()

    def _play_all(self, machine: StateMachine, end: float) -> bool:
        """Play all playouts. Return False if time runs out first."""
        for playout in range(1, self.limits.playouts + 1):
            self.playout = playout
            if not self._play_once(machine, Random(self.limits.seed + playout - 1), end):
                return False
        return True

    def _report_late(self) -> None:
        self.report(
            "play-time",
            start(self.rulesheet),
            f"the time ran out in playout {max(1, self.playout)} of {self.limits.playouts}; "
            "allow more for a full check",
        )

    def _play_once(self, machine: StateMachine, random: Random, end: float) -> bool:
        state = machine.initial_state()
        self.log.begin()
        self.last_choice = -1
        possible = PossibleStates(machine, Random(self.playout))
        for step in range(self.limits.steps + 1):
            self.step = step
            self.progress(self.playout, step)
            if machine.is_terminal(state):
                self.is_over_at_once = step == 0
                self._check_goals(machine, state)
                self.choices.end(step, is_over=True)
                return True
            if time.monotonic() > end:
                return False
            if step < self.limits.steps:
                moves = self._choose(machine, state, random)
                if moves is None:
                    return True
                after = machine.next_state(state, moves)
                self.log.add(machine, state, moves, after)
                if self.rulesheet.has_percepts:
                    self._check_known(machine, possible.step(state, moves, after))
                    self._note_percepts(machine, state, moves)
                state = after
        self.choices.end(self.limits.steps, is_over=False)
        self._report_endless()
        return True

    def _choose(self, machine: StateMachine, state: State, random: Random) -> list[Move] | None:
        moves = {role: machine.legal_moves(state, role) for role in machine.roles}
        choosers = {role for role, found in moves.items() if len(found) > 1}
        has_choice = bool(choosers)
        self.choices.note(choosers)
        if keyword_rules(self.rulesheet, "input"):
            heads = (Compound("legal", (role, it)) for role, found in moves.items() for it in found)
            self.legal.update(heads)
        if has_choice:
            self.last_choice = self.step
        stuck = [role for role, found in moves.items() if not found]
        if not any(map(self._is_explained, stuck)):
            facts = machine.facts(state) if stuck else ()
            self._report_stuck(stuck, facts, has_choice=has_choice or not self.step)
        return None if stuck else [random.choice(found) for found in moves.values()]

    def _is_explained(self, role: Role) -> bool:
        """Return whether `check` explains the missing move by a missing rule or condition."""
        rules = rules_for(self.rulesheet, "legal", role)
        return any(variables(it.head) - bound_variables(it.body) for it in rules) or not rules

    def _check_goals(self, machine: StateMachine, state: State) -> None:
        for role in machine.roles:
            if is_random(role) or not rules_for(self.rulesheet, "goal", role):
                continue
            goals = machine.goals(state, role)
            if len(goals) != 1 or not 0 <= goals[0] <= 100:
                self._report_goals(role, goals)

    def _noop(self, role: Role, facts: Sequence[Term]) -> str:
        """Return the missing `noop` rule if another role has the turn, else ""."""
        turns = [args_of(fact)[0] for fact in facts if Relation.of(fact) == ("control", 1)]
        if len(turns) != 1 or turns[0] is role or turns[0] not in self.rulesheet.roles:
            return ""
        if len(self.rulesheet.roles) == 2:
            return f"(<= (legal {role} noop)\n    (true (control {turns[0]})))"
        return (
            f"(<= (legal {role} noop)\n    (true (control ?other))\n    (distinct ?other {role}))"
        )

    def _report_stuck(self, stuck: list[Role], facts: Sequence[Term], *, has_choice: bool) -> None:
        """Report roles without a move. If no role has a choice, also suggest ending the game."""
        when = f"legal move after {self.step} steps of playout {self.playout}"
        for role in stuck if has_choice else ():
            self.report(
                "play-no-move",
                self._place(rules_for(self.rulesheet, "legal", role)),
                f"role '{role}' has no {when}, but the game is not over; give it one, such as "
                "'noop'",
                role.name,
                instead=self._noop(role, facts),
            )
        if not stuck or has_choice:
            return
        is_all = len(stuck) == len(self.rulesheet.roles)
        names = " and ".join(f"'{role}'" for role in stuck)
        who = f"roles {names} have no" if len(stuck) > 1 else f"role {names} has no"
        terminal = keyword_rules(self.rulesheet, "terminal")
        self.report(
            "play-no-move",
            self._place(terminal or rules_for(self.rulesheet, "legal", stuck[0])),
            f"{f'no role has a {when}' if is_all else f'{who} {when}, and no other has a choice'}; "
            "if the game should end there, add a rule for 'terminal' that holds; if not, "
            "give a move, "
            f"such as 'noop', to {'all' if is_all else 'each role without one'}",
        )

    def _report_goals(self, role: Role, goals: tuple[int, ...]) -> None:
        got = " and ".join(map(str, goals)) if goals else "none"
        self.report(
            "play-goals",
            self._place(rules_for(self.rulesheet, "goal", role)),
            f"role '{role}' does not have exactly one goal value from 0 to 100 at the end of "
            f"playout {self.playout}, after {self.step} steps: it has {got}",
            role.name,
        )

    def _check_known(self, machine: StateMachine, unknowable: Iterable[Unknowable]) -> None:
        for found in unknowable:
            self.report(
                "play-unknowable",
                unknowable_place(self.rulesheet, found),
                f"role '{found.role}' cannot know its legal moves after {self.step + 1} steps of "
                f"playout {self.playout}: {unknowable_text(self.rulesheet, machine, found)}",
                found.role.name,
            )

    def _note_percepts(self, machine: StateMachine, state: State, moves: Sequence[Move]) -> None:
        for role in machine.roles:
            seen = machine.percepts(state, moves, role)
            self.percepts.update(Compound("sees", (role, percept)) for percept in seen)

    def _report_endless(self) -> None:
        terminal = keyword_rules(self.rulesheet, "terminal")
        if not terminal:
            return
        steps = self.limits.steps
        cure = "a game must end, so count the steps in the state, or allow more steps for the check"
        if 0 <= self.last_choice < steps // 2:
            cure = (
                f"no role has had a choice since step {self.last_choice + 1}; if the game "
                "should end there, add a rule for 'terminal' that holds"
            )
        self.report(
            "play-endless",
            self._place(terminal),
            f"playout {self.playout} is not over after {steps} steps; {cure}",
        )

    def _place(self, rules: tuple[Rule, ...]) -> Span:
        return head_span(rules[0]) if rules else start(self.rulesheet)

    def report(
        self, code: str, span: Span, message: str, role: str = "", instead: str = ""
    ) -> None:
        sighting = self.sightings.setdefault((code, role), _Sighting(code, span, message, instead))
        sighting.playouts.add(self.playout)

    def findings(self) -> list[Diagnostic]:
        return [
            finding(seen.code, seen.span, f"{seen.message}{self._share(seen)}", seen.instead)
            for seen in self.sightings.values()
        ]

    def _share(self, seen: _Sighting) -> str:
        count = len(seen.playouts)
        return f" (in {count} of {self.playout} playouts)" if count > 1 else ""


def _over(rulesheet: Rulesheet, end: float) -> tuple[Span, str]:
    """Return the `terminal` rule that holds in the first state, and a message about it."""
    rules = keyword_rules(rulesheet, "terminal")
    holding = (rule for rule in rules if len(rules) == 1 or _is_first_end(rulesheet, rule, end))
    rule = next(holding, rules[0])
    return head_span(rule), (
        "the game is over before the first move, because this rule for 'terminal' holds in the "
        "first state; check for a condition that means the opposite, or a missing 'init'"
    )


def _is_first_end(rulesheet: Rulesheet, rule: Rule, end: float) -> bool:
    others = tuple(it for it in rulesheet.rules if it is rule or it.relation.name != "terminal")
    alone = Rulesheet(rulesheet.name, rulesheet.forms, others, (), rulesheet.spelling)
    with suppress(GdlError):
        machine = Interpreter(alone, Limits(end=end))
        return machine.is_terminal(machine.initial_state())
    return False


def _growing(rulesheet: Rulesheet, error: GdlError) -> Span | None:
    """Return the head of the rule that makes terms grow, or None for any other kind of error."""
    if not isinstance(error, GrowthError):
        return None
    made = [(rule, _made(rule.head, error.symbol)) for rule in rulesheet.rules]
    rules = [
        rule
        for rule, terms in made
        if any(isinstance(arg, Compound) for term in terms for arg in term.args)
    ]
    rules += [rule for rule, terms in made if terms]
    return head_span(rules[0]) if rules else None


def _made(term: Term, symbol: str) -> list[Compound]:
    if not isinstance(term, Compound) or term.is_ground:
        return []
    inner = [found for arg in term.args for found in _made(arg, symbol)]
    return [term, *inner] if term.name == symbol else inner

"""Judge `gdl.why` on random facts: does it agree with the interpreter, and are its reasons right?

    python benchmarks/why.py [--facts NUMBER] [--seed NUMBER] FILE.kif ...

The script looks at positions of random matches of each game and asks about `--facts` facts in all.
A third of them hold in their position. The others are the same with an argument exchanged. A
separate interpreter lists all atoms of a relation that hold. With these lists the script checks:

* `why` explains a fact exactly if it is true.
* A derivation consists of statements of the rules whose conditions hold. It ends in the state, the
  moves and the facts, and nothing in it depends on itself.
* For a fact that does not hold, each statement whose head fits is named or counted, and each
  condition that is said to fail or to hold does so.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import gdl
from gdl.rulesheet import DependsOn, Relation
from gdl.rulesheet.graph import DOES, TRUE
from gdl.why.reason import parts
from gdl.why.scene import body_for, matched

MAX_PLIES = 40
FACTS_OF_POSITION = 25
SECONDS = 1.0  # that a list of all atoms may take


@dataclass
class Tally:
    """Results for one game."""

    kinds: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)


class Oracle:
    """The facts that hold in a match, by lists of all atoms."""

    def __init__(self, rules: gdl.Rulesheet) -> None:
        self.rules = rules
        self.machine = gdl.Interpreter(rules)
        self._lister = gdl.Interpreter(rules, gdl.Limits(seconds=SECONDS))
        self._endless: set[Relation] = set()
        self.states: list[frozenset[gdl.Term]] = []
        self.joints: list[tuple[gdl.Term, ...]] = []
        self._lists: dict[tuple[Relation, int], frozenset[gdl.Term] | None] = {}

    def play(self, rng: Random) -> None:
        """Set up a random position, with a joint move if there is one."""
        self.states, self.joints, self._lists = [self.machine.initial_state()], [], {}
        for _ in range(rng.randrange(MAX_PLIES) + 1):
            state = self.states[-1]
            legal = [self.machine.legal_moves(state, role) for role in self.machine.roles]
            if self.machine.is_terminal(state) or not all(legal):
                return
            joint = tuple(rng.choice(moves) for moves in legal)
            self.joints.append(joint)
            self.states.append(self.machine.next_state(state, joint))
        self.states.pop()

    @property
    def turn(self) -> int:
        """Return the turn of the question."""
        return len(self.states) - 1

    def atoms(self, relation: Relation, turn: int) -> frozenset[gdl.Term] | None:
        """Return all atoms of a relation; None if they cannot be listed."""
        if (relation, turn) not in self._lists:
            self._lists[relation, turn] = self._listed(relation, turn)
        return self._lists[relation, turn]

    def _listed(self, relation: Relation, turn: int) -> frozenset[gdl.Term] | None:
        if relation == TRUE:
            return frozenset(gdl.Compound("true", (fact,)) for fact in self.states[turn])
        if relation == DOES:
            joint = self.joints[turn] if turn < len(self.joints) else ()
            pairs = zip(self.machine.roles[: len(joint)], joint, strict=True)
            return frozenset(gdl.Compound("does", pair) for pair in pairs)
        if relation in self._endless:
            return None
        name, arity = relation
        try:
            moves = self._moves(relation, turn)
            return frozenset(self._lister.holding(name, arity, self.states[turn], moves))
        except gdl.EvaluationLimitError:
            self._endless.add(relation)
            return None

    def _moves(self, relation: Relation, turn: int) -> tuple[gdl.Term, ...]:
        """Return the moves of a turn, if a relation depends on them."""
        needs = self.rules.graph.dependence(relation) == DependsOn.MOVES
        return self.joints[turn] if needs and turn < len(self.joints) else ()

    def holds(self, atom: gdl.Term, turn: int) -> bool:
        """Return whether an instance of an atom holds."""
        relation = Relation.of(atom)
        listed = self.atoms(relation, turn)
        if listed is None or (atom.is_ground and self._is_open(relation)):
            listed = frozenset(
                self.machine.matching(atom, self.states[turn], self._moves(relation, turn))
            )
        return any(matched(atom, one, {}) is not None for one in listed)

    @cache  # noqa: B019  # as long as the game
    def _is_open(self, relation: Relation) -> bool:
        """Return whether unlisted facts may hold, because a variable of a head has no value."""
        from gdl.interpreter.ordering import bound_variables
        from gdl.terms import variables

        return any(
            not variables(rule.head) <= bound_variables(rule.body, ())
            for one in self.rules.graph.reachable([relation])
            for rule in self.rules.definitions.get(one, ())
        )

    def condition(self, text: str, turn: int) -> bool:
        """Return whether a condition holds, given as the answer shows it."""
        [form] = gdl.read_forms(text)
        return self._form(form, turn)

    def _form(self, form: Any, turn: int) -> bool:
        head = getattr(form, "head", "")
        items = list(getattr(form, "items", ()))[1:]
        if head == "not":
            return not self._form(items[0], turn)
        if head == "or":
            return any(self._form(item, turn) for item in items)
        if head == "and":
            return all(self._form(item, turn) for item in items)
        if head == "distinct":
            left, right = map(self.rules.term, items)
            return left is not right
        return self.holds(self.rules.term(form), turn)


class Judge:
    """Checks whether one answer is right."""

    def __init__(self, oracle: Oracle) -> None:
        self._oracle = oracle
        self._rules = {rule.span: rule for rule in oracle.rules.rules}
        self._by_head = oracle.rules.definitions
        self.faults: list[str] = []
        self.num = 0

    def judge(self, answer: gdl.Answer, fact: gdl.Term, is_true: bool) -> None:
        """Note the faults of an answer."""
        if answer.holds != is_true:
            self._fault(f"{fact} is {is_true}, said {answer.holds}")
        unexplained = (gdl.ReasonKind.DEEP, gdl.ReasonKind.ABOVE)
        if any(reason.kind in unexplained for reason in answer.reasons):
            self._fault(f"{fact}: not explained")
        on_way: set[int] = set()
        done: set[int] = set()
        waiting = [(reason, False) for reason in answer.reasons]
        while waiting:
            reason, is_left = waiting.pop()
            if is_left:
                on_way.discard(id(reason))
                done.add(id(reason))
            elif id(reason) in on_way:
                self._fault(f"{reason.fact} depends on itself")
            elif id(reason) not in done:
                on_way.add(id(reason))
                self._look(reason)
                waiting.append((reason, True))
                waiting.extend((part, False) for part in parts(reason))

    def _look(self, reason: gdl.Reason) -> None:
        self.num += 1
        kind = gdl.ReasonKind
        if reason.kind is kind.LARGE:
            self._fault(f"{reason.fact}: no derivation")
            return
        if self._oracle.condition(reason.fact, reason.turn) != reason.holds:
            self._fault(f"{reason.fact}: said {reason.kind}")
        if reason.kind is kind.RULE or (reason.kind is kind.FACT and reason.place is not None):
            self._statement(reason)
        if reason.kind in (kind.FAILED, kind.NO_RULE):
            self._attempts(reason)
        for attempt in reason.attempts:
            if attempt.failed.holds is not False:
                self._fault(f"{reason.fact}: no condition of {attempt.place} fails")
        for one in [*reason.conditions, *(one for a in reason.attempts for one in a.conditions)]:
            if one.holds is not None and "?" in one.text and "(or " in one.text:
                continue  # its variables are bound within its branches, which are looked at
            if one.holds is not None and self._oracle.condition(one.text, reason.turn) != one.holds:
                self._fault(f"{reason.fact}: {one.text} is not {one.holds} in {one.place}")

    def _statement(self, reason: gdl.Reason) -> None:
        """Check that the statement has this head and these conditions."""
        assert reason.place is not None
        rule = self._rules[reason.place]
        body = body_for(rule, self._term(reason.fact))
        if body is None or [item.span for item in body] != [one.place for one in reason.conditions]:
            self._fault(f"{reason.fact}: {reason.place} is another rule")
        elif not all(one.holds for one in reason.conditions):
            self._fault(f"{reason.fact}: a condition does not hold")

    def _attempts(self, reason: gdl.Reason) -> None:
        """Check that every statement whose head fits was tried."""
        fact = self._term(reason.fact)
        rules = self._by_head.get(Relation.of(fact), ())
        fitting = [rule.span for rule in rules if body_for(rule, fact) is not None]
        named = [attempt.place for attempt in reason.attempts]
        if len(fitting) != len(named) + reason.num_more or not set(named) <= set(fitting):
            self._fault(f"{reason.fact}: {len(fitting)} statements fit, {len(named)} are named")

    def _term(self, text: str) -> gdl.Term:
        return gdl.read_term(text, self._oracle.rules)

    def _fault(self, text: str) -> None:
        self.faults.append(text)


def asked_facts(oracle: Oracle, rng: Random, num: int) -> list[gdl.Term]:
    """Return facts to ask about: some that hold, and variations of these."""
    turn = oracle.turn
    has_moves = turn < len(oracle.joints)
    graph = oracle.rules.graph
    relations = sorted({*oracle.rules.definitions, TRUE, DOES})
    if not has_moves:
        relations = [one for one in relations if graph.dependence(one) != DependsOn.MOVES]
    found: list[gdl.Term] = []
    for _ in range(20 * num):
        if len(found) >= num:
            break
        listed = oracle.atoms(rng.choice(relations), turn)
        other = oracle.atoms(rng.choice(relations), turn)
        if not listed or not other:
            continue
        atom, donor = (rng.choice(sorted(one, key=str)) for one in (listed, other))
        found.append(atom)
        changed = (exchanged(atom, donor, rng) for _ in range(2))
        found.extend(one for one in changed if one is not None)
    return found[:num]


def exchanged(atom: gdl.Term, donor: gdl.Term, rng: Random) -> gdl.Term | None:
    """Return an atom with one constant exchanged for one of another atom."""
    spare = constants(donor) + constants(atom)
    if not isinstance(atom, gdl.Compound) or not spare:
        return None
    place = rng.randrange(len(atom.args))
    arg = atom.args[place]
    new = exchanged(arg, donor, rng) if isinstance(arg, gdl.Compound) else rng.choice(spare)
    if new is None:
        return None
    return gdl.Compound(atom.name, (*atom.args[:place], new, *atom.args[place + 1 :]))


def constants(term: gdl.Term) -> list[gdl.Term]:
    """Return the constants in a term."""
    if isinstance(term, gdl.Compound):
        return [one for arg in term.args for one in constants(arg)]
    return [term]


def judge_game(rules: gdl.Rulesheet, num: int, rng: Random) -> Tally:
    """Ask about `num` facts of a game."""
    tally, oracle, explainer = Tally(), Oracle(rules), gdl.Explainer(rules)
    while len(tally.seconds) < num:
        oracle.play(rng)
        turn = oracle.turn
        next_moves = oracle.joints[turn] if turn < len(oracle.joints) else None
        wanted = min(FACTS_OF_POSITION, num - len(tally.seconds))
        for fact in asked_facts(oracle, rng, wanted):
            is_true = oracle.holds(fact, turn)
            judge = Judge(oracle)
            start = time.perf_counter()
            try:
                answer = explainer.why(explainer.asked(fact), oracle.joints[:turn], next_moves)
            except gdl.GdlError as error:
                tally.faults.append(f"{fact}: {error}")
                continue
            tally.seconds.append(time.perf_counter() - start)
            judge.judge(answer, fact, is_true)
            tally.kinds["true" if is_true else "false"] += 1
            tally.sizes.append(judge.num)
            tally.faults.extend(judge.faults)
    return tally


def main(args: Sequence[str] | None = None) -> None:
    """Judge and print a line per game."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path, help="rulesheets")
    parser.add_argument("--facts", type=int, default=10_000, help="facts in all (default 10000)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the positions and facts")
    asked = parser.parse_args(args)
    print(
        f"{'game':28} {'true':>6} {'false':>6} {'wrong':>6} {'ms':>8} {'99 % ms':>8} {'reasons':>8}"
    )
    total, times, num_wrong = Counter[str](), list[float](), 0
    for index, path in enumerate(asked.files):
        start = index * asked.facts // len(asked.files)
        num = (index + 1) * asked.facts // len(asked.files) - start
        rules = gdl.read_rules(path.read_text(encoding="latin-1"), path.name)
        tally = judge_game(rules, num, Random(f"{asked.seed} {path.stem}"))
        total += tally.kinds
        times += tally.seconds
        num_wrong += len(tally.faults)
        print(
            line(path.stem, tally.kinds, len(tally.faults), tally.seconds, tally.sizes), flush=True
        )
        for fault in tally.faults[:3]:
            print(f"    {fault}", flush=True)
    print(line("all", total, num_wrong, times, []))


def line(
    name: str, kinds: Counter[str], num_wrong: int, times: list[float], sizes: list[int]
) -> str:
    """Return a line of the table."""
    found = f"{name:28} {kinds['true']:6} {kinds['false']:6} {num_wrong:6}"
    found += f" {1e3 * statistics.median(times):8.1f}"
    found += f" {1e3 * sorted(times)[int(0.99 * (len(times) - 1))]:8.0f}"
    return found + (f" {statistics.mean(sizes):8.1f}" if sizes else "")


if __name__ == "__main__":
    main()

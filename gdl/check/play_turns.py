"""Turns that go wrong in random games (`play-turns`, `play-idle`).

The checks report that several roles have the turn at once, that none has it, that a role moves out
of turn, or that a role never gets the turn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from gdl.check.demands import keeps, makers
from gdl.check.diagnostic import (
    Diagnostic,
    finding,
    head_span,
    role_place,
    rules_for,
    start,
    term_text,
)
from gdl.check.losses import Facts, Game, Step
from gdl.check.play_lost import StepLog, moment
from gdl.machine import Move, Role, is_random
from gdl.rulesheet import Literal, Relation, Rule, Rulesheet
from gdl.rulesheet.rules import item_variables
from gdl.terms import Compound, Term, args_of, variables

_ROLE = Relation("role", 1)
_FIRST_STEPS = 2
"""First steps of each game, which show how the author intended the turns."""


def doubtful_turns(rulesheet: Rulesheet, log: StepLog) -> dict[Relation, Diagnostic]:
    """Find, for each symbol, the first step after which several roles or none have the turn."""
    games = log.played
    findings = {}
    for symbol in rulesheet.fluents:
        if symbol is None or symbol.arity != 1:
            continue
        if is_of_turns(symbol, games, rulesheet):
            found = next((step for game in games if (step := _first_doubtful(symbol, game))), None)
            if found is not None and found.place[1] >= _FIRST_STEPS:
                findings[symbol] = _finding(rulesheet, symbol, found)
        elif _is_never_given_away(symbol, games, rulesheet):
            findings[symbol] = _finding(rulesheet, symbol, games[0][0])
    return findings


def is_of_turns(symbol: Relation, games: Sequence[Game], rulesheet: Rulesheet) -> bool:
    """Return whether the facts of a symbol seem to name the role to move."""
    roles = {role.name for role in rulesheet.roles}
    early = [step for game in games for step in game[:_FIRST_STEPS]]
    states = [step.facts for step in early] + [step.after for step in early if not step.is_last]
    had = [named(symbol, facts) for facts in states]
    return (
        bool(had)
        and all(len(found) == 1 and str(found[0]) in roles for found in had)
        and len(set(map(str, (found[0] for found in had)))) > 1
    )


def turn_symbol(rulesheet: Rulesheet, games: Sequence[Game]) -> Relation | None:
    """Return the symbol of the facts that name the role to move.

    Return None if no symbol fits. Return None also if several fit, because then each names only a
    part of the turn.
    """
    unary = [one for one in rulesheet.fluents if one is not None and one.arity == 1]
    found = [symbol for symbol in unary if is_of_turns(symbol, games, rulesheet)]
    return found[0] if len(found) == 1 else None


def _is_never_given_away(symbol: Relation, games: Sequence[Game], rulesheet: Rulesheet) -> bool:
    """Return whether the facts of a symbol name a turn that no role ever loses.

    In each game one role has the turn at first. The first step gives it to another role as well,
    and both still have it in all later states. Return False if no rule keeps the facts or makes
    them for each role unconditionally.
    """
    is_spread = any(keeps(rule) or _is_of_each_role(rule) for rule in makers(rulesheet, symbol))
    roles = {role.name for role in rulesheet.roles}
    for game in games if is_spread else ():
        had, *later = [named(symbol, it) for it in (game[0].facts, *(step.after for step in game))]
        is_of_roles = roles.issuperset(map(str, had + later[0]))
        if len(had) != 1 or len(later[0]) < 2 or not is_of_roles:
            return False
        if not all(set(had + later[0]) <= set(found) for found in later):
            return False
    return is_spread and bool(games)


def _is_of_each_role(rule: Rule) -> bool:
    """Return whether `(role ?q)` is the only condition about the role in the head."""
    roles = variables(rule.head)
    about = [item for item in rule.body if item_variables(item) & roles]
    return len(about) == 1 and isinstance(about[0], Literal) and about[0].relation == _ROLE


def _first_doubtful(symbol: Relation, game: Game) -> Step | None:
    steps = (step for step in game if not step.is_last)
    return next((step for step in steps if len(named(symbol, step.after)) != 1), None)


def named(symbol: Relation, facts: Facts) -> list[Term]:
    """Return the arguments of the unary facts of a symbol, sorted by text."""
    return sorted((args_of(it)[0] for it in facts if Relation.of(it) == symbol), key=str)


def _finding(rulesheet: Rulesheet, symbol: Relation, step: Step) -> Diagnostic:
    def text(term: Term) -> str:
        return term_text(term, rulesheet)

    made_by = makers(rulesheet, symbol)
    facts = sorted((it for it in step.after if Relation.of(it) == symbol), key=str)
    there = " and ".join(map(text, facts)) or f"no fact '{symbol.name}'"
    verb = "are" if len(facts) > 1 else "is"
    lines = ", ".join(str(head_span(rule).line) for rule in made_by)
    cure = "make the conditions exclusive" if facts else "cover every case"
    return finding(
        "play-turns",
        head_span(made_by[0]) if made_by else start(rulesheet),
        f"there {verb} {there} after {moment(step)} ({', '.join(map(text, step.moves))}), although "
        f"only one role had the turn before; {cure} in the rules on line {lines}",
    )


_FEWEST = 3
"""Least number of moves out of turn to report, because a game may end with a few on purpose."""


def check_out_of_turn(rulesheet: Rulesheet, log: StepLog) -> Iterator[Diagnostic]:
    """Find a role that moves out of turn, although roles out of turn usually have other moves."""
    turn = turn_symbol(rulesheet, log.played)
    if turn is None:
        return
    own, others = _moves(rulesheet, turn, log.played)
    waiting = {Relation.of(move) for _, _, move in others} - own
    doubtful = [one for one in others if Relation.of(one[2]) in own]
    if waiting and len(doubtful) >= _FEWEST:
        yield _out_of_turn(rulesheet, turn, *doubtful[0])


def _moves(
    rulesheet: Rulesheet, turn: Relation, games: Sequence[Game]
) -> tuple[set[Relation], list[tuple[Step, Role, Move]]]:
    """Return the symbols of moves made in turn, and all moves made out of turn."""
    own, others = set[Relation](), list[tuple[Step, Role, Move]]()
    for step in (step for game in games for step in game):
        holders = set(map(str, named(turn, step.facts)))
        for role, move in zip(rulesheet.roles, step.moves, strict=True):
            if str(role) in holders:
                own.add(Relation.of(move))
            elif holders and not is_random(role):
                others.append((step, role, move))
    return own, others


def _out_of_turn(
    rulesheet: Rulesheet, turn: Relation, step: Step, role: Role, move: Move
) -> Diagnostic:
    [fact, *_] = [fact for fact in step.facts if Relation.of(fact) == turn]
    rules = [
        rule
        for rule in rules_for(rulesheet, "legal", role)
        if Relation.of(args_of(rule.head)[1]) == Relation.of(move)
    ] or rules_for(rulesheet, "legal", role)
    return finding(
        "play-turns",
        head_span(rules[0]),
        f"{role} made the move {term_text(move, rulesheet)} as {moment(step)} "
        f"while {term_text(fact, rulesheet)} was true, although roles without the "
        "turn usually make other moves; if only the role with the turn may make "
        f"this move, add the condition (true ({turn.name} ?role)) to this rule, "
        "with the role of this rule for ?role",
    )


_MIN_GAMES = 3
_MIN_CHOICES = 3  # in one game, because a short game may give a role nothing to do
_ENOUGH_STEPS = 50
"""After this many steps of an unfinished game, any role that ever gets a choice has had one."""


class Choices:
    """Record of the roles that had several legal moves, and of the number of games that count.

    A game counts if it had enough choices, and if it ended or was long enough.
    """

    def __init__(self) -> None:
        self.choosers: set[Role] = set()
        self.num_games = 0
        self._num_steps = 0  # steps of the current game in which a role had a choice

    def note(self, roles: Collection[Role]) -> None:
        """Record a state in which `roles` have several legal moves."""
        self.choosers.update(roles)
        self._num_steps += bool(roles)

    def end(self, steps: int, *, is_over: bool) -> None:
        """Record the end of a game after `steps` steps."""
        is_long = is_over or steps >= _ENOUGH_STEPS
        self.num_games += is_long and self._num_steps >= _MIN_CHOICES
        self._num_steps = 0


def check_idling(rulesheet: Rulesheet, choices: Choices, log: StepLog) -> Iterator[Diagnostic]:
    """Report the roles that never had a choice although others did. Give a likely reason."""
    if choices.num_games < _MIN_GAMES or not choices.choosers:
        return
    for role in rulesheet.roles:
        if role not in choices.choosers and not is_random(role):
            yield _idle(rulesheet, role, choices, log.played)


def _idle(rulesheet: Rulesheet, role: Role, choices: Choices, games: Sequence[Game]) -> Diagnostic:
    others = " and ".join(str(it) for it in rulesheet.roles if it in choices.choosers)
    rules = rules_for(rulesheet, "legal", role)
    span = head_span(rules[0]) if rules else role_place(rulesheet, role)
    reason = "check its 'legal' rules if it should have more than one move at some time"
    turn = _lasting_turn(rulesheet, role, games)
    if turn is not None:
        made = makers(rulesheet, Relation.of(turn))
        span = head_span(made[0]) if made else span
        lines = ", ".join(str(head_span(rule).line) for rule in made)
        reason = (
            f"{term_text(turn, rulesheet)} stays true in every position, and no rule gives {role} "
            "the turn" + (f"; see {'lines' if len(made) > 1 else 'line'} {lines}" if made else "")
        )
    return finding(
        "play-idle",
        span,
        f"{role} never had a choice in {choices.num_games} random games, but {others} did; "
        f"{reason}",
    )


def _lasting_turn(rulesheet: Rulesheet, role: Role, games: Sequence[Game]) -> Term | None:
    """Return a fact that holds in every state and gives the turn to another role, or None.

    Ignore facts of a symbol that gives the turn to `role` in some state.
    """
    states: list[Facts] = [step.facts for game in games for step in game]
    states += [game[-1].after for game in games]
    if not states:
        return None
    others = {it for it in rulesheet.roles if it is not role}
    lasting = frozenset.intersection(*states)
    turns = (
        fact
        for fact in sorted(lasting, key=str)
        if Relation.of(fact).arity == 1 and args_of(fact)[0] in others
    )
    seen = frozenset.union(*states)
    return next((it for it in turns if Compound(Relation.of(it).name, (role,)) not in seen), None)

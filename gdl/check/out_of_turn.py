"""Moves that a role makes in random games while another role has the turn.

If the rules give the waiting role a move of its own, such as `noop`, its other moves are for the
role that has the turn. A rule for `legal` without `(true (control ?p))` gives them to both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gdl.check.diagnostic import Diagnostic, finding, head_span, rules_for, term_text
from gdl.check.keeping import StepLog, moment
from gdl.check.losses import Game, Step
from gdl.check.turns import is_of_turns, named
from gdl.machine import Move, Role, is_random
from gdl.rulesheet import Relation, Rulesheet
from gdl.terms import args_of

_FEWEST = 3
"""Moves out of turn to report: a game may end with fewer on purpose."""


def check_out_of_turn(rulesheet: Rulesheet, log: StepLog) -> Iterator[Diagnostic]:
    """Find the first move of each kind that is made both in turn and out of turn."""
    games = [game for game in log.games if game]
    unary = [one for one in rulesheet.fluents if one is not None and one.arity == 1]
    turns = [one for one in unary if is_of_turns(one, games, rulesheet)]
    for turn in turns if len(turns) == 1 else ():  # each of several facts says only a part
        own, others = _moves(rulesheet, turn, games)
        waiting = {Relation.of(move) for _, _, move in others} - own
        doubtful = [one for one in others if Relation.of(one[2]) in own]
        if waiting and len(doubtful) >= _FEWEST:
            yield _finding(rulesheet, turn, *doubtful[0])


def _moves(
    rulesheet: Rulesheet, turn: Relation, games: Sequence[Game]
) -> tuple[set[Relation], list[tuple[Step, Role, Move]]]:
    """Return the moves of roles with the turn, and each move of another role with its step."""
    own, others = set[Relation](), list[tuple[Step, Role, Move]]()
    for step in (step for game in games for step in game):
        holders = set(map(str, named(turn, step.facts)))
        for role, move in zip(rulesheet.roles, step.moves, strict=True):
            if str(role) in holders:
                own.add(Relation.of(move))
            elif holders and not is_random(role):
                others.append((step, role, move))
    return own, others


def _finding(
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
        f"{role} made {term_text(move, rulesheet)} as {moment(step)} while "
        f"{term_text(fact, rulesheet)} was true, but a role without the turn has other moves; if "
        f"only the role with the turn may make it, add the condition (true ({turn.name} ?role)) "
        "for the role of this rule",
    )

"""Roles that never have a choice in random games although another role has one.

Rules that leave the turn with the same role, `(<= (next (control ?p)) (true (control ?p)))`, are
valid by themselves. Only games show that the other role has nothing but its only move.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from gdl.check.asking import makers
from gdl.check.diagnostic import Diagnostic, finding, head_span, role_place, rules_for, term_text
from gdl.check.keeping import StepLog
from gdl.check.losses import Facts, Game
from gdl.machine import Role, is_random
from gdl.rulesheet import Relation, Rulesheet
from gdl.terms import Compound, Term, args_of

_FEWEST_GAMES = 3
_FEWEST_CHOICES = 3  # in one game: a shorter game may have nothing for a role to do
_ENOUGH_STEPS = 50
"""Steps of an unfinished game after which each role that can get a choice has had one."""


class Choices:
    """Roles that had several legal moves in some state, and the number of games that count.

    A game counts if it had enough choices, and if it ended or was long enough.
    """

    def __init__(self) -> None:
        self.choosers: set[Role] = set()
        self.num_games = 0
        self._num_steps = 0  # with a choice, in the current game

    def note(self, roles: Collection[Role]) -> None:
        """Record the roles that have several legal moves in a state."""
        self.choosers.update(roles)
        self._num_steps += bool(roles)

    def end(self, steps: int, *, is_over: bool) -> None:
        """Record that a game was played for this many steps."""
        is_long = is_over or steps >= _ENOUGH_STEPS
        self.num_games += is_long and self._num_steps >= _FEWEST_CHOICES
        self._num_steps = 0


def check_idling(rulesheet: Rulesheet, choices: Choices, log: StepLog) -> Iterator[Diagnostic]:
    """Report the roles that never had a choice although others had, with a likely reason."""
    if choices.num_games < _FEWEST_GAMES or not choices.choosers:
        return
    for role in rulesheet.roles:
        if role not in choices.choosers and not is_random(role):
            yield _finding(rulesheet, role, choices, [game for game in log.games if game])


def _finding(
    rulesheet: Rulesheet, role: Role, choices: Choices, games: Sequence[Game]
) -> Diagnostic:
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
        f"{role} never had a choice in {choices.num_games} random games, but {others} had; "
        f"{reason}",
    )


def _lasting_turn(rulesheet: Rulesheet, role: Role, games: Sequence[Game]) -> Term | None:
    """Return a fact that names another role in every state, if no such fact ever names `role`."""
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

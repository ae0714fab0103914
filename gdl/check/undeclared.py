"""Facts and moves missing from the `base` and `input` declarations of a rulesheet."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress

from gdl.check.depends_on import may_unify
from gdl.check.diagnostic import Diagnostic, finding, head_span, keyword_rules, term_text
from gdl.check.losses import Game
from gdl.errors import GdlError
from gdl.interpreter.limits import Limits
from gdl.interpreter.machine import Interpreter
from gdl.rulesheet import Relation, Rule, Rulesheet
from gdl.terms import Compound, Term, Variable, args_of

_DECLARED = {"init": "base", "next": "base", "legal": "input"}
_MAX_ATOMS = 20_000  # facts and moves to look up


def check_undeclared(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Find facts and moves in rule heads that no head for `base` or `input` matches."""
    if rulesheet.origin.is_epilog:  # Epilog games can be played without declarations
        return
    for keyword, declares in _DECLARED.items():
        declared = keyword_rules(rulesheet, declares)
        symbols = set[Relation | None]()
        for rule in keyword_rules(rulesheet, keyword) if declared else ():
            made = args_of(rule.head)[-1]
            symbol = None if isinstance(made, Variable) else Relation.of(made)
            atom = Compound(declares, args_of(rule.head))
            if symbol not in symbols and not any(may_unify(it.head, atom) for it in declared):
                symbols.add(symbol)
                yield _finding(rulesheet, "undeclared", rule, atom)


def check_undeclared_in_play(
    rulesheet: Rulesheet, games: Iterable[Game], moves: Collection[Compound], end: float
) -> Iterator[Diagnostic]:
    """Find the first undeclared fact and move of each symbol in random games.

    Args:
        moves: Legal moves, as heads of rules for `legal`.
        end: Deadline, on the monotonic clock.
    """
    if rulesheet.origin.is_epilog:
        return
    known = {found.span for found in check_undeclared(rulesheet)}
    facts = {fact for game in games for step in game for fact in (*step.facts, *step.after)}
    atoms = [Compound("base", (fact,)) for fact in facts] if _has(rulesheet, "base") else []
    atoms += [Compound("input", move.args) for move in moves]
    symbols = set[tuple[str, Relation]]()
    with suppress(GdlError):
        machine = Interpreter(rulesheet, Limits(end=end))
        for atom in sorted(atoms, key=str)[:_MAX_ATOMS]:
            about = (atom.name, Relation.of(atom.args[-1]))
            if about in symbols or machine.matching(atom, machine.initial_state()):
                continue
            symbols.add(about)
            rule = _maker(rulesheet, atom)
            if rule is not None and head_span(rule) not in known:
                yield _finding(rulesheet, "play-undeclared", rule, atom)


def _has(rulesheet: Rulesheet, keyword: str) -> bool:
    return bool(keyword_rules(rulesheet, keyword))


def _maker(rulesheet: Rulesheet, atom: Compound) -> Rule | None:
    """Return the first rule that can make an undeclared fact or move."""
    keywords = (keyword for keyword, declares in _DECLARED.items() if declares == atom.name)
    rules = (rule for keyword in keywords for rule in keyword_rules(rulesheet, keyword))
    heads = ((rule, Compound(rule.relation.name, atom.args)) for rule in rules)
    return next((rule for rule, head in heads if may_unify(rule.head, head)), None)


def _finding(rulesheet: Rulesheet, code: str, rule: Rule, atom: Compound) -> Diagnostic:
    def text(term: Term) -> str:
        return term_text(term, rulesheet)

    about = text(atom.args[-1])
    made = f"the rules make {about}"
    if atom.name == "input":
        made = f"{about} is legal for {text(atom.args[0])}"
    return finding(
        code,
        head_span(rule),
        f"{made}, but no rule for '{atom.name}' includes it, so players that rely "
        f"on '{atom.name}' do not know it; write a rule for '{atom.name}' that "
        "includes it",
    )

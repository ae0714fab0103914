"""Whether two atoms have a common instance, their variables taken as different ones."""

from __future__ import annotations

from gdl.terms import Compound, Constant, Term, Variable

# A variable together with the side it comes from, so that `?x` left and `?x` right differ.
_Bindings = dict[tuple[Variable, int], tuple[Term, int]]

_MOST_STEPS = 5000  # shared variables can make the work exponential, and rules come from strangers


def may_unify(left: Term, right: Term) -> bool:
    """Whether some instance of the left term is an instance of the right one.

    There is no occurs check, and after `_MOST_STEPS` comparisons the answer is yes: it may be wrong
    to say yes, never to say no.
    """
    bindings: _Bindings = {}
    waiting: list[tuple[Term, int, Term, int]] = [(left, 0, right, 1)]
    for _ in range(_MOST_STEPS):
        if not waiting:
            return True
        first, first_side, second, second_side = waiting.pop()
        first, first_side = _value(first, first_side, bindings)
        second, second_side = _value(second, second_side, bindings)
        if first is second and (first_side == second_side or first.is_ground):
            continue
        if isinstance(first, Variable):
            bindings[first, first_side] = (second, second_side)
        elif isinstance(second, Variable):
            bindings[second, second_side] = (first, first_side)
        elif not _same_symbol(first, second):
            return False
        elif isinstance(first, Compound) and isinstance(second, Compound):
            waiting.extend(
                (one, first_side, other, second_side)
                for one, other in zip(first.args, second.args, strict=True)
            )
    return True


def _value(term: Term, side: int, bindings: _Bindings) -> tuple[Term, int]:
    while isinstance(term, Variable) and (term, side) in bindings:
        term, side = bindings[term, side]
    return term, side


def _same_symbol(first: Term, second: Term) -> bool:
    if isinstance(first, Constant) or isinstance(second, Constant):
        return first is second
    assert isinstance(first, Compound)
    assert isinstance(second, Compound)
    return first.name == second.name and len(first.args) == len(second.args)

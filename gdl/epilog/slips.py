"""Slips of authors that Gamemaster passes over, so that a game with them can be played here too.

Each is reported by `gdl.check`. In a rulesheet that Gamemaster hosts there is

    goal(R,25) :- p & R
    ~q(R) & ~r(R)

where one condition lost its parentheses and an `&`. It has a rule that can never hold, for a term
is no condition, and a sentence that says nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from gdl.epilog.forms import atoms, head_and_body, relation_of, variables, written
from gdl.errors import Span
from gdl.rulesheet import Remark
from gdl.syntax import Form, Word


def without_slips(sentences: Sequence[Form], remarks: list[Remark]) -> tuple[Form, ...]:
    """The sentences that say something; of each other one a remark is added."""
    kept: list[Form] = []
    for sentence in sentences:
        slip = _slip(sentence)
        if slip is None:
            kept.append(sentence)
        else:
            remarks.append(("without-effect", *slip))
    return tuple(kept)


def _slip(sentence: Form) -> tuple[Span, str] | None:
    head, body = head_and_body(sentence)
    if not body:
        if relation_of(sentence).name in ("and", "or", "not"):
            return sentence.span, "this sentence says nothing; is it a condition of the rule above?"
        return None
    for form in body:
        if isinstance(form, Word) and form.is_variable and _is_bound(form, head, body):
            name = written(form)
            message = f"{name} stands for a term, which is no condition: this rule never holds"
            return form.span, f"{message}; did you mean a relation of {name}?"
    return None


def _is_bound(word: Word, head: Form, body: Sequence[Form]) -> bool:
    """Whether a variable has a value. One without is no slip: every fact would be its value."""
    known = [atom for atom, is_positive in atoms(body) if is_positive and atom is not word]
    return word.text in variables([head, *(atom for atom in known if not isinstance(atom, Word))])

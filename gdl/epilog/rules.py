"""Epilog text to the rulesheet that reasoners take, without the slips that Gamemaster passes over.

A rulesheet that Gamemaster hosts has `goal(R,25) :- p & R` and in the next line `~q(R) & ~r(R)`,
a rule that can never hold, for a term is no condition, and a sentence that says nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from gdl.epilog.builtins import BUILTINS, expand_builtins
from gdl.epilog.forms import atoms, head_and_body, relation_of, symbols, variables, written
from gdl.epilog.reader import read_faulty_forms, read_forms
from gdl.epilog.sequential import is_sequential, to_gdl
from gdl.errors import GdlSyntaxError, RulesheetError, Source, Span
from gdl.rulesheet import KEYWORDS, Origin, Remark, Rulesheet
from gdl.syntax import Form, Word, only_form
from gdl.terms import Term


def read_epilog(text: str, name: str = "<text>") -> Rulesheet:
    """The rulesheet that an Epilog text describes, a sequential game read as GDL.

    Raises:
        GdlSyntaxError: The text is not Epilog.
        RulesheetError: An operation or a built-in relation is used in a way that has no meaning.
    """
    return _rulesheet(read_forms(text, name), name)


def read_faulty_epilog(text: str, name: str) -> tuple[Rulesheet, tuple[GdlSyntaxError, ...]]:
    """The readable part of an Epilog text, and its faults; RulesheetError as in `read_epilog`."""
    forms, errors = read_faulty_forms(text, name)
    if not errors:
        return _rulesheet(forms, name), ()
    try:
        return _rulesheet(forms, name), errors
    except RulesheetError:  # without the other sentences; perhaps not with them
        return Rulesheet.from_forms((), name), errors


def _rulesheet(forms: tuple[Form, ...], name: str) -> Rulesheet:
    if forms and isinstance(forms[0], Word) and forms[0].text == "ruleset":
        forms = forms[1:]
    remarks: list[Remark] = []
    sentences = _without_slips(forms, remarks)
    if is_sequential(sentences):
        statements = expand_builtins(to_gdl(sentences), remarks)
    else:
        statements = expand_builtins(sentences)
    return Rulesheet.from_forms(statements, name, _origin(forms, statements, remarks))


def _origin(forms: Sequence[Form], statements: Sequence[Form], remarks: Sequence[Remark]) -> Origin:
    """Origin of statements of GDL: what their translation from the author's forms has added."""
    heads = {relation_of(head_and_body(form)[0]) for form in forms}
    own = {name for name, arity in heads if BUILTINS.get(name, "").startswith(f"{arity} ")}
    return Origin(
        is_epilog=True,
        builtins={name: BUILTINS[name] for name in BUILTINS.keys() - own},
        # The translation takes names that nobody has written, so these are all that are new.
        generated=frozenset(symbols(statements) - symbols(forms) - KEYWORDS),
        is_sequential=is_sequential(forms),
        remarks=tuple(remarks),
    )


def read_term(text: str, rulesheet: Rulesheet | None = None, name: str = "<term>") -> Term:
    """The one term that an Epilog text holds, such as `mark(1,1)`, as a rulesheet spells it."""
    form = only_form(read_forms(text, name), Source(name, text), "term")
    return (rulesheet or Rulesheet.from_forms((), name)).term(form)


def _without_slips(sentences: Sequence[Form], remarks: list[Remark]) -> tuple[Form, ...]:
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

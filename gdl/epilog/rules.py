"""From an Epilog text to the rulesheet that reasoners take."""

from __future__ import annotations

from collections.abc import Sequence

from gdl.epilog.builtins import BUILTINS, expand_builtins
from gdl.epilog.forms import head_and_body, relation_of, symbols
from gdl.epilog.reader import read_faulty_forms, read_forms
from gdl.epilog.sequential import is_sequential, to_gdl
from gdl.epilog.slips import without_slips
from gdl.errors import GdlSyntaxError, RulesheetError, Source, Span
from gdl.rulesheet import KEYWORDS, Origin, Remark, Rulesheet
from gdl.syntax import Form, Word
from gdl.terms import Term


def read_epilog(text: str, name: str = "<text>") -> Rulesheet:
    """The rulesheet that an Epilog text describes, a sequential game read as GDL.

    Args:
        text: Sentences of Epilog; the word `ruleset` before them is dropped.
        name: What the text is called in error messages, such as its file name.

    Raises:
        GdlSyntaxError: The text is not Epilog.
        RulesheetError: An operation or a built-in relation is used in a way that has no meaning.
    """
    return _rulesheet(read_forms(text, name), name)


def read_faulty_epilog(text: str, name: str) -> tuple[Rulesheet, tuple[GdlSyntaxError, ...]]:
    """The readable part of an Epilog text, and its faults.

    Raises:
        RulesheetError: What can be read has no meaning; there are no faults beside.
    """
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
    sentences = without_slips(forms, remarks)
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
    """The one term that an Epilog text holds, such as the move `mark(1,1)`.

    Args:
        text: One term.
        rulesheet: If given, symbols take the spelling they have there.
        name: What the text is called in error messages.

    Raises:
        GdlSyntaxError: The text holds no term, or more than one.
    """
    forms = read_forms(text, name)
    if len(forms) != 1:
        span = forms[1].span if forms else Span(Source(name, text), 0, 0)
        raise GdlSyntaxError(f"expected one term, got {len(forms)}", span)
    return (rulesheet or Rulesheet.from_forms((), name)).term(forms[0])

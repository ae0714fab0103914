"""From an Epilog text to the rulesheet that reasoners take."""

from __future__ import annotations

from collections.abc import Sequence

from gdl.epilog.builtins import BUILTINS, expand_builtins
from gdl.epilog.forms import head_and_body, relation_of, symbols
from gdl.epilog.reader import read_forms
from gdl.epilog.sequential import is_sequential, to_gdl
from gdl.errors import GdlSyntaxError, Source, Span
from gdl.rulesheet import KEYWORDS, Origin, Rulesheet
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
    forms = read_forms(text, name)
    if forms and isinstance(forms[0], Word) and forms[0].text == "ruleset":
        forms = forms[1:]
    statements = to_gdl(forms) if is_sequential(forms) else forms
    statements = expand_builtins(statements)
    return Rulesheet.from_forms(statements, name, _origin(forms, statements))


def _origin(forms: Sequence[Form], statements: Sequence[Form]) -> Origin:
    """What the translation of the author's forms to statements of GDL has added."""
    heads = {relation_of(head_and_body(form)[0]) for form in forms}
    own = {name for name, arity in heads if BUILTINS.get(name, "").startswith(f"{arity} ")}
    return Origin(
        is_epilog=True,
        builtins={name: BUILTINS[name] for name in BUILTINS.keys() - own},
        # The translation takes names that nobody has written, so these are all that are new.
        generated=frozenset(symbols(statements) - symbols(forms) - KEYWORDS),
        is_sequential=is_sequential(forms),
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

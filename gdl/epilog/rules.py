"""From an Epilog text to the rulesheet that reasoners take."""

from __future__ import annotations

from gdl.epilog.builtins import expand_builtins
from gdl.epilog.reader import read_forms
from gdl.epilog.sequential import is_sequential, to_gdl
from gdl.errors import GdlSyntaxError, Source, Span
from gdl.rulesheet import Rulesheet
from gdl.syntax import Word
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
    if is_sequential(forms):
        forms = to_gdl(forms)
    return Rulesheet.from_forms(expand_builtins(forms), name)


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

"""Translation of Epilog text to rulesheets, and of GDL forms to Epilog.

Gamemaster ignores sentences without effect, and so does this module. For example, a rulesheet there
has `goal(R,25) :- p & R`, and `~q(R) & ~r(R)` on the next line. The rule can never hold, because a
term is not a condition, and the next sentence has no meaning.

>>> from gdl.epilog.reader import read_forms
>>> print(write_epilog(read_forms("r(X):-p(X)&~q(X)|s")), end="")
r(X) :- (p(X) & ~q(X) | s)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gdl.epilog.builtins import BUILTINS, expand_builtins
from gdl.epilog.forms import atoms, relation_of, symbols, variables
from gdl.epilog.reader import read_faulty_forms, read_forms
from gdl.epilog.sequential import given_names, is_sequential, to_gdl
from gdl.epilog.tokens import Renaming, epilog_variable, write_symbol
from gdl.errors import GdlSyntaxError, RulesheetError, Source, Span
from gdl.rulesheet import KEYWORDS, Origin, Remark, Rulesheet
from gdl.syntax import Form, Group, Word, head_and_body, is_epilog, only_form, written
from gdl.terms import Compound, Term, Variable


def read_epilog(text: str, name: str = "<text>") -> Rulesheet:
    """Parse an Epilog text into a rulesheet. Translate a sequential game to GDL.

    Raises:
        GdlSyntaxError: The text is not Epilog.
        RulesheetError: The use of an operation or a built-in relation has no meaning.
    """
    if not is_epilog(text, default=True):
        start = text.index("(")
        raise GdlSyntaxError(
            "expected Epilog, got prefix KIF; use 'gdl.read_kif', or 'gdl.read_rules' for both",
            Span(Source(name, text), start, start + 1),
        )
    return _rulesheet(read_forms(text, name), name)


def read_faulty_epilog(text: str, name: str) -> tuple[Rulesheet, tuple[GdlSyntaxError, ...]]:
    """Return the readable part of an Epilog text, and its syntax errors.

    Raises:
        RulesheetError: As in `read_epilog`.
    """
    forms, errors = read_faulty_forms(text, name)
    if not errors:
        return _rulesheet(forms, name), ()
    try:
        return _rulesheet(forms, name), errors
    except RulesheetError:  # sentences with syntax errors are missing, which may be the reason
        return Rulesheet.from_forms((), name), errors


def _rulesheet(forms: tuple[Form, ...], name: str) -> Rulesheet:
    if forms and isinstance(forms[0], Word) and forms[0].text == "ruleset":
        forms = forms[1:]
    remarks: list[Remark] = []
    sentences = _without_slips(forms, remarks)
    has_operations = is_sequential(sentences)
    deleted = movable = ""
    if has_operations:
        deleted, movable = given_names(sentences)
        statements = expand_builtins(to_gdl(sentences), remarks)
    else:
        statements = expand_builtins(sentences)
    heads = {relation_of(head_and_body(form)[0]) for form in forms}
    own = {name for name, arity in heads if BUILTINS.get(name, "").startswith(f"{arity} ")}
    origin = Origin(
        is_epilog=True,
        builtins={name: BUILTINS[name] for name in BUILTINS.keys() - own},
        # The translation adds only unused names, so all new names come from it.
        generated=frozenset(symbols(statements) - symbols(forms) - KEYWORDS),
        is_sequential=has_operations,
        remarks=tuple(remarks),
        deleted=deleted,
        movable=movable,
    )
    return Rulesheet.from_forms(statements, name, origin)


def read_term(text: str, rulesheet: Rulesheet | None = None, name: str = "<term>") -> Term:
    """Parse a term in Epilog, such as `mark(1,1)`, and spell it as the rulesheet does."""
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
            return (
                sentence.span,
                "this sentence has no effect; is it a condition of the rule above?",
            )
        return None
    for form in body:
        if isinstance(form, Word) and form.is_variable and _is_bound(form, head, body):
            name = written(form)
            message = f"{name} stands for a term, not a condition, so this rule never holds"
            return form.span, f"{message}; did you mean a relation of {name}?"
    return None


def _is_bound(word: Word, head: Form, body: Sequence[Form]) -> bool:
    """Return whether the head or another condition gives a value to a variable used as a condition.

    A variable without a value may stand for any fact. So it is no mistake to use it as a condition.
    """
    known = [atom for atom, is_positive in atoms(body) if is_positive and atom is not word]
    return word.text in variables([head, *(atom for atom in known if not isinstance(atom, Word))])


LINE_LENGTH = 100
_INDENT = "  "
_OR, _AND, _NOT, _ATOM = range(4)  # binding strength of the operators


def write_epilog(rules: Rulesheet | Iterable[Form]) -> str:
    """Return the Epilog text of a rulesheet or of statements. `read_epilog` can read it back.

    A sequential game is written as its GDL translation.

    Raises:
        RulesheetError: A statement cannot be written in Epilog, such as `((f) a)`.
    """
    forms = rules.forms if isinstance(rules, Rulesheet) else rules
    return "".join(_Statement().write(form) + "\n" for form in forms)


def write_term(term: Term) -> str:
    """Return the Epilog text of a term, such as a move: `mark(1,1)`, `noop`."""
    if isinstance(term, Compound):
        return f"{write_symbol(term.name)}({','.join(map(write_term, term.args))})"
    return epilog_variable(term.name) if isinstance(term, Variable) else write_symbol(str(term))


class _Statement:
    """Writer of one statement, which keeps track of its variable names."""

    def __init__(self) -> None:
        self._variables = Renaming(epilog_variable)

    def write(self, form: Form) -> str:
        if not isinstance(form, Group) or form.head != "<=":
            return self._term(form)
        if len(form.items) < 2:
            raise RulesheetError("expected a head after '<='", form.span)
        head, *body = (form.items[1], *form.items[2:])
        if not body:
            return self._term(head)
        strength = _OR if len(body) == 1 else _AND
        return _wrapped(self._term(head), [self._literal(part, strength + 1) for part in body])

    def _literal(self, form: Form, strength: int) -> str:
        keyword, parts = _operator(form)
        if keyword == "not":
            return "~" + self._literal(parts[0], _NOT)
        if not keyword:
            return self._term(form)
        own = _OR if keyword == "or" else _AND
        mark = " | " if keyword == "or" else " & "
        text = mark.join(self._literal(part, own + 1) for part in parts)
        return f"({text})" if own < strength else text

    def _term(self, form: Form) -> str:
        if isinstance(form, Word):
            if form.is_variable:
                return self._variables.of(form.text.lower())
            return write_symbol(form.text)
        first = form.items[0] if form.items else form
        if not isinstance(first, Word) or first.is_variable:
            raise RulesheetError("expected a symbol after '('", first.span)
        arguments = ",".join(map(self._term, form.items[1:]))
        return f"{write_symbol(first.text)}({arguments})"


def _operator(form: Form) -> tuple[str, tuple[Form, ...]]:
    """Return the connective and the parts of a form, or "" if Epilog has no operator for it."""
    if isinstance(form, Group) and form.head in ("and", "or", "not"):
        parts = form.items[1:]
        if (len(parts) == 1) if form.head == "not" else (len(parts) > 1):
            return form.head, parts
    return "", ()


def _wrapped(head: str, body: list[str]) -> str:
    line = f"{head} :- {' & '.join(body)}"
    if len(line) <= LINE_LENGTH:
        return line
    return f"{head} :-\n{_INDENT}" + f" &\n{_INDENT}".join(body)

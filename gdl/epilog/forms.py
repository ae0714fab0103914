"""Operations on forms for the translation of Epilog: building, binding, unifying."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from gdl.errors import Span
from gdl.rulesheet import Relation
from gdl.syntax import Form, Group, Word, words

Bindings = Mapping[str, Form]


def group(span: Span, *items: Form | str) -> Group:
    """Return a group whose new words all have the same span. Strings become words."""
    parts = (Word(item, span) if isinstance(item, str) else item for item in items)
    return Group(tuple(parts), span)


def rule(span: Span, head: Form, body: Iterable[Form]) -> Form:
    """Return the rule `(<= HEAD BODY...)`, or the head alone if the body is empty."""
    parts = tuple(body)
    return group(span, "<=", head, *parts) if parts else head


def relation_of(atom: Form) -> Relation:
    """Return the lower-case symbol and the arity of an atom.

    For any other form the symbol is "".
    """
    if isinstance(atom, Word):
        return Relation("" if atom.is_variable else atom.text.lower(), 0)
    return Relation(atom.head, len(atom.items) - 1)


def arguments(atom: Form) -> tuple[Form, ...]:
    """Return the arguments of an atom. A proposition has none."""
    return atom.items[1:] if isinstance(atom, Group) else ()


def variables(forms: Iterable[Form]) -> dict[str, Word]:
    """Return the variables in `forms` by name, in order of their first occurrence."""
    found: dict[str, Word] = {}
    for form in forms:
        for word in words(form):
            if word.is_variable:
                found.setdefault(word.text, word)
    return found


def bind(form: Form, bindings: Bindings) -> Form:
    """Replace bound variables in a form, repeatedly until none is left."""
    if isinstance(form, Word):
        value = bindings.get(form.text)
        return form if value is None else bind(value, bindings)
    if not bindings:
        return form
    return Group(tuple(bind(item, bindings) for item in form.items), form.span)


def unify(left: Form, right: Form, bindings: Bindings | None = None) -> Bindings | None:
    """Return bindings that make two forms equal, or None if there are none."""
    found = dict(bindings or {})
    waiting = [(left, right)]
    while waiting:
        first, second = (_value(form, found) for form in waiting.pop())
        if isinstance(first, Word) and isinstance(second, Word) and first.text == second.text:
            continue
        if isinstance(second, Word) and second.is_variable:
            first, second = second, first
        if isinstance(first, Word) and first.is_variable:
            if first.text in variables([bind(second, found)]):
                return None
            found[first.text] = second
        elif isinstance(first, Group) and isinstance(second, Group):
            if len(first.items) != len(second.items):
                return None
            waiting.extend(zip(first.items, second.items, strict=True))
        else:
            return None
    return found


def _value(form: Form, bindings: Bindings) -> Form:
    while isinstance(form, Word) and form.text in bindings:
        form = bindings[form.text]
    return form


def rename_apart(forms: Iterable[Form], taken: Iterable[str]) -> tuple[Form, ...]:
    """Return the forms with variables renamed so that none has a name in `taken`."""
    parts = tuple(forms)
    used = set(taken)
    bindings: dict[str, Form] = {}
    for name, word in variables(parts).items():
        fresh = fresh_name(name, used)
        used.add(fresh)
        if fresh != name:
            bindings[name] = Word(fresh, word.span)
    return tuple(_renamed(part, bindings) for part in parts)


def _renamed(form: Form, names: Bindings) -> Form:
    """Rename variables in a form. Do not repeat, because a new name may also be an old name."""
    if isinstance(form, Word):
        return names.get(form.text, form)
    return Group(tuple(_renamed(item, names) for item in form.items), form.span)


def fresh_name(name: str, taken: Iterable[str]) -> str:
    """Return the name, with a number appended if it is taken."""
    used = taken if isinstance(taken, set) else set(taken)
    found, number = name, 2
    while found in used:
        found, number = f"{name}_{number}", number + 1
    return found


def symbols(forms: Iterable[Form]) -> set[str]:
    """Return all words in `forms`, in lower case."""
    return {word.text.lower() for form in forms for word in words(form)}


def depth(form: Form) -> int:
    """Return the nesting depth of the groups in a form. It is 0 for a word."""
    deepest, level = 0, [form]
    while level := [item for part in level if isinstance(part, Group) for item in part.items]:
        deepest += 1
    return deepest


def atoms(body: Iterable[Form]) -> Iterator[tuple[Form, bool]]:
    """Yield the atoms of a body, also inside connectives, and whether each is positive."""
    stack = [(form, True) for form in body]
    while stack:
        form, is_positive = stack.pop()
        if isinstance(form, Group) and form.head in ("and", "or", "not"):
            sign = is_positive != (form.head == "not")
            stack.extend((item, sign) for item in reversed(form.items[1:]))
        else:
            yield form, is_positive


def map_atoms(form: Form, translate: Callable[[Form], Form]) -> Form:
    """Return a condition with every atom in it translated."""
    if isinstance(form, Group) and form.head in ("and", "or", "not"):
        parts = (map_atoms(item, translate) for item in form.items[1:])
        return Group((form.items[0], *parts), form.span)
    return translate(form)

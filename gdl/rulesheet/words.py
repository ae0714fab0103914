"""The words that GDL reserves, and which spellings of a symbol mean the same."""

from __future__ import annotations

from collections.abc import Iterable

from gdl.syntax import Form, Group, words

# Relations with a meaning of their own, and the number of their arguments.
RESERVED: dict[str, int] = {
    "role": 1,
    "init": 1,
    "true": 1,
    "does": 2,
    "next": 1,
    "legal": 2,
    "goal": 2,
    "terminal": 0,
    "base": 1,
    "input": 2,
    "sees": 2,
}
CONNECTIVES = frozenset({"<=", "not", "and", "or", "distinct"})
ARROWS = frozenset({":-", "<-", "<--", "<==", "=<", "->", "=>", "==>", "←", "⇐", "⟸"})
"""Words that stand in other notations where a rule has `<=`."""
KEYWORDS = CONNECTIVES | RESERVED.keys() | {"random"}


class Spelling:
    """The spelling that each symbol of one rulesheet has, whatever case a message writes it in.

    Dresden's controller sends upper case, GGP-Base compares case, and one public rulesheet mixes
    cases by mistake. So within a rulesheet symbols that differ only by case are the same, and are
    written as the `legal` rules write them (a move must be answered so), else as they first occur.
    Keywords are lower case.
    """

    def __init__(self, forms: Iterable[Form] = ()) -> None:
        self._spelled: dict[str, str] = {keyword: keyword for keyword in KEYWORDS}
        forms = tuple(forms)
        for form in forms:
            if is_about_moves(form):
                self._learn(form)
        for form in forms:
            self._learn(form)

    def _learn(self, form: Form) -> None:
        spelled = self._spelled
        for word in words(form):
            spelled.setdefault(word.text.lower(), word.text)

    def of(self, text: str) -> str:
        """The spelling of a symbol; a symbol that the rulesheet does not have stays as it is."""
        return self._spelled.get(text.lower(), text)


def is_about_moves(statement: Form) -> bool:
    """Whether a statement is a `legal` fact or a rule with such a head."""
    if not isinstance(statement, Group):
        return False
    if statement.head == "<=" and len(statement.items) > 1:
        head = statement.items[1]
        return isinstance(head, Group) and head.head == "legal"
    return statement.head == "legal"

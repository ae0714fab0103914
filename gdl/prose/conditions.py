"""The conditions of a rule in words, with as few variable names as possible, and their ranges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from gdl.prose.knowledge import Knowledge, variable_text
from gdl.prose.tables import Row, all_of, numbers_of, offsets, said, values_text
from gdl.prose.wording import held, place_text, written
from gdl.rulesheet import Body, Comparison, Disjunction, Item, Literal, Relation
from gdl.rulesheet.graph import DOES, TRUE
from gdl.rulesheet.rules import literals
from gdl.terms import Compound, Term, Variable, args_of, variables

MAX_INLINE: Final = 110
"""Length limit in characters of a condition in a sentence. A longer one becomes a table."""


class Conditions:
    """The conditions of one rule, put into words.

    Some variables get no name of their own: a number at a fixed distance from another one is
    `ROW+1`, and the opponent of a player is `ROLE's opponent`.

    Attributes:
        clauses: Conditions in words.
    """

    def __init__(
        self,
        known: Knowledge,
        head: Iterable[Term],
        body: Body,
        *,
        may_rename_head: bool = False,
        is_choice: bool = False,
    ) -> None:
        """Put the conditions of a rule into words.

        Args:
            head: Terms whose variables keep their names.
            may_rename_head: Allow variables of the head to become expressions such as `ROW+1`.
            is_choice: Whether one of the conditions is enough. Then each of them is put into words
                independently.
        """
        self._known = known
        self._head = set().union(*map(variables, head)) if head else set()
        self._body = body
        self._fixed = {
            name
            for literal in literals(body)
            if literal.relation == DOES
            for name in variables(literal.atom)
        }
        self._fixed |= set() if may_rename_head else self._head
        self._named: dict[Variable, tuple[Variable | str, int]] = {}
        self._domains: dict[Variable, set[str]] = {}
        self._mentioned: dict[Variable, None] = {}
        self._settled: set[int] = set()
        for literal in () if is_choice else self._steady():
            self._settle(literal)
        self.clauses = list(self._tell(body))

    # --- Names ------------------------------------------------------------------------------------

    def text(self, term: Term) -> str:
        """Return a term with its variables as they are named in sentences."""
        if isinstance(term, Variable):
            base, by = self._resolved(term)
            if isinstance(base, str):
                return base
            self._mentioned[base] = None
            return f"{variable_text(base)}{by:+d}" if by else variable_text(base)
        if isinstance(term, Compound):
            return f"({term.name} {' '.join(map(self.text, term.args))})"
        return str(term)

    def args(self, term: Term) -> list[str]:
        """Return the arguments of an atom as texts, with their variables as named in sentences."""
        return [
            text if " " not in text or text.startswith("(") else f"[{text}]"
            for text in map(self.text, args_of(term))
        ]

    def written(self, term: Term) -> str:
        """Return a fact or a move in KIF, in backquotes."""
        return written(
            term.name if isinstance(term, Compound) else self.text(term), self.args(term)
        )

    def move(self, term: Term) -> str:
        """Return a move in KIF, followed by the author's name for it if there is one."""
        name = term.name if isinstance(term, Compound) else self.text(term)
        return self._known.wording.named("move", name, self.args(term))

    def some(self) -> str:
        """Return a phrase with the variables that are not in the head: `some A from 1 to 4`."""
        free = [name for name in self._mentioned if name not in self._head]
        return all_of([f"some {self._ranged(name)}" for name in free])

    def every(self) -> list[str]:
        """Return a phrase for each variable of the head with a range, such as `ROW from 1 to 7`."""
        mine = [name for name in self._domains if name in self._head]
        return [self._ranged(name) for name in mine if not self._is_any_role(name)]

    def ranges(self) -> list[str]:
        """Return a phrase for each variable mentioned so far that has a range."""
        mine = [name for name in self._mentioned if name in self._domains]
        return [self._ranged(name) for name in mine if not self._is_any_role(name)]

    def _ranged(self, name: Variable) -> str:
        values = self._domains.get(name)
        if values is None:
            return variable_text(name)
        if self._is_any_role(name):
            return f"role {variable_text(name)}"
        text = values_text(values) or ""
        return f"{variable_text(name)} {text if text.startswith('from') else f'({text})'}"

    def _is_any_role(self, name: Variable) -> bool:
        return self._domains.get(name) == set(self._known.roles)

    def _resolved(self, name: Variable) -> tuple[Variable | str, int]:
        by = 0
        base: Variable | str = name
        while isinstance(base, Variable) and base in self._named:
            base, more = self._named[base]
            by += more
        return base, by

    # --- What never changes -----------------------------------------------------------------------

    def _steady(self) -> Iterator[Literal]:
        for item in self._body:
            if isinstance(item, Literal) and item.is_positive and item.args:
                is_plain = all(arg.is_ground or isinstance(arg, Variable) for arg in item.args)
                if is_plain and self._known.rows(item.relation) is not None:
                    yield item

    def _rows(self, literal: Literal) -> tuple[list[Variable], set[Row]]:
        """Return the distinct variables of a literal, and the rows of values that they may have."""
        rows = self._known.rows(literal.relation) or frozenset()
        self._known.within.add(literal.relation)
        args = literal.args
        first = {
            arg: at for at, arg in reversed(list(enumerate(args))) if isinstance(arg, Variable)
        }
        names = list(dict.fromkeys(arg for arg in args if isinstance(arg, Variable)))
        found = {
            tuple(row[first[name]] for name in names)
            for row in rows
            if all(
                row[at] == (row[first[arg]] if isinstance(arg, Variable) else str(arg))
                for at, arg in enumerate(args)
            )
        }
        return names, found

    def _settle(self, literal: Literal) -> None:
        names, rows = self._rows(literal)
        if not rows:
            return
        if not names:
            self._settled.add(id(literal))
        elif len(names) == 1:
            self._settle_one(literal, names[0], {row[0] for row in rows})
        elif len(names) == 2 and self._known.swaps_players(literal.relation):
            self._settle_opponent(literal, names)
        else:
            self._settle_steps(literal, names, rows)

    def _settle_one(self, literal: Literal, name: Variable, values: set[str]) -> None:
        if len(values) == 1 and name not in self._fixed and name not in self._head:
            if name not in self._named and name not in self._domains:
                self._named[name] = (next(iter(values)), 0)
                self._settled.add(id(literal))
            return
        if values_text(values) is not None and self._restrict(name, values):
            self._settled.add(id(literal))

    def _settle_opponent(self, literal: Literal, names: Sequence[Variable]) -> None:
        for base, other in (names, names[::-1]):
            if other in self._fixed or other in self._named or base in self._named:
                continue
            if other in self._head and base not in self._in_state():
                continue
            self._domains.pop(other, None)
            self._named[other] = (self._known.other_role(variable_text(base)), 0)
            self._mentioned[base] = None
            if len(self._known.players) < len(self._known.roles):
                self._restrict(base, set(self._known.players))
            self._settled.add(id(literal))
            return

    def _settle_steps(self, literal: Literal, names: Sequence[Variable], rows: set[Row]) -> None:
        groups = offsets(rows)
        if groups is None or not all(
            values_text({row[at] for row in rows}) for at in range(len(names))
        ):
            return
        plan: list[tuple[Variable, Variable, int]] = []
        ranges: list[tuple[Variable, set[str]]] = []
        for group in groups:
            at, by = self._base(group, names)
            ranges.append((names[at], {row[at] for row in rows}))
            for other, more in group:
                if other == at:
                    continue
                name = names[other]
                if name in self._fixed or name in self._named:
                    return
                plan.append((name, names[at], more - by))
        for name, base, by in plan:
            values = self._domains.pop(name, None)
            self._named[name] = (base, by)
            if values is not None:
                self._restrict(name, values)
        restricted = [self._restrict(name, values) for name, values in ranges]
        if all(restricted):
            self._settled.add(id(literal))

    def _base(self, group: Sequence[tuple[int, int]], names: Sequence[Variable]) -> tuple[int, int]:
        """Return the argument of a group by which the others are named, such as ROW in `ROW+1`.

        Return its index and its offset.
        """

        def rank(one: tuple[int, int]) -> tuple[bool, bool, bool]:
            name = names[one[0]]
            return name not in self._fixed, name not in self._named, name not in self._in_state()

        return min(group, key=rank)

    def _in_state(self) -> set[Variable]:
        return {
            name
            for literal in literals(self._body)
            if literal.relation in (TRUE, DOES) and literal.is_positive
            for name in variables(literal.atom)
        }

    def _restrict(self, name: Variable, values: set[str]) -> bool:
        base, by = self._resolved(name)
        if isinstance(base, str):
            return False
        if by:
            if not numbers_of(values):
                return False
            values = {str(int(value) - by) for value in values}
        self._domains[base] = self._domains.get(base, values) & values
        return True

    # --- Clauses ----------------------------------------------------------------------------------

    def _tell(self, items: Sequence[Item]) -> Iterator[str]:
        done: set[int] = set(self._settled)
        for at, item in enumerate(items):
            if id(item) in done:
                continue
            if isinstance(item, Literal) and item.relation == TRUE and item.is_positive:
                alike = [item, *self._alike(item, items[at + 1 :])]
                done |= set(map(id, alike))
                yield self._facts(alike)
            else:
                yield self._clause(item)

    def _alike(self, item: Literal, rest: Sequence[Item]) -> Iterator[Literal]:
        """Yield later conditions about squares with the same content as the square in `item`."""
        fact = item.args[0]
        form = self._known.wording.cells.get(Relation.of(fact))
        if form is None or not isinstance(fact, Compound):
            return
        content = [fact.args[at] for at in form.content]
        for other in rest:
            if not isinstance(other, Literal) or other.relation != TRUE or not other.is_positive:
                continue
            mine = other.args[0]
            is_alike = isinstance(mine, Compound) and Relation.of(mine) == Relation.of(fact)
            if is_alike and [args_of(mine)[at] for at in form.content] == content:
                yield other

    def _facts(self, alike: Sequence[Literal]) -> str:
        facts = [literal.args[0] for literal in alike]
        if len(facts) == 1 or isinstance(facts[0], Variable):
            return self.fact(facts[0], holds=True)
        form = self._known.wording.cells[Relation.of(facts[0])]
        places = all_of([place_text(form, self.args(fact)) for fact in facts])
        return f"the squares {places} all {held(form, self.args(facts[0]), many=True)}"

    def fact(self, fact: Term, *, holds: bool = True) -> str:
        """Return a clause that says whether a fact of the state is true."""
        if isinstance(fact, Variable):
            return f"the fact {self.text(fact)} is {'' if holds else 'not '}in the position"
        return self._known.wording.fact(Relation.of(fact), self.args(fact), holds=holds)

    def _clause(self, item: Item) -> str:
        if isinstance(item, Comparison):
            sign = "is not" if item.is_distinct else "is"
            return f"{self.text(item.left)} {sign} {self.text(item.right)}"
        if isinstance(item, Disjunction):
            branches = [all_of(list(self._tell(branch))) for branch in item.branches]
            return (
                f"at least one of these holds: ({') or ('.join(branches)})" if branches else "never"
            )
        return self._literal(item)

    def _literal(self, literal: Literal) -> str:
        relation, args, holds = literal.relation, literal.args, literal.is_positive
        if relation == TRUE:
            return self.fact(args[0], holds=holds)
        if relation == DOES:
            verb = "plays" if holds else "does not play"
            return f"{self.text(args[0])} {verb} {self.move(args[1])}"
        if relation == ("terminal", 0):
            return f"the match is {'' if holds else 'not '}over"
        if relation == ("legal", 2):
            may = "may" if holds else "may not"
            return f"{self.text(args[0])} {may} play {self.move(args[1])}"
        if relation == ("goal", 2):
            verb = "scores" if holds else "does not score"
            return f"{self.text(args[0])} {verb} {self.text(args[1])}"
        return self._move_text(literal) or self._steady_text(literal) or self._reference(literal)

    def _move_text(self, literal: Literal) -> str:
        """Return a clause that says whether a move is legal, or "" for any other literal.

        Only sequential games have such literals.
        """
        if literal.relation != (self._known.rules.origin.movable, 1):
            return ""
        move = self.move(literal.args[0])
        return f"the move {move} is {'' if literal.is_positive else 'not '}legal"

    def _steady_text(self, literal: Literal) -> str:
        if literal not in self._steady() and literal.is_positive:
            return ""
        if self._known.rows(literal.relation) is None or not literal.args:
            return ""
        if any(not arg.is_ground and not isinstance(arg, Variable) for arg in literal.args):
            return ""
        names, rows = self._rows(literal)
        if literal.is_positive:
            text = said([self.text(name) for name in names], rows) if rows else None
            return text if text and len(text) <= MAX_INLINE else ""
        if len(names) == 1 and rows:
            text = values_text({row[0] for row in rows})
            return f"{self.text(names[0])} is not {text}" if text else ""
        return ""

    def _reference(self, literal: Literal) -> str:
        self._known.named.setdefault(literal.relation)
        name = " ".join([literal.relation.name, *self.args(literal.atom)])
        return f"`{name}` {'holds' if literal.is_positive else 'does not hold'}"

"""Guess templates for the names of moves from the rules and the boards of a game.

The rules show which arguments of a move name a place: they share variables with the place of a cell
in the same rule. The name of a variable says what a number counts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from typing import Final

import gdl
from ggp.naming.places import BoardPlaces
from ggp.naming.template import Hole, Part, Pattern, Place, Template, Thing, words_of_term
from ggp.naming.words import said
from ggp.term_text import terms_of

WAITING: Final = {"noop": "do nothing"}
GOING: Final = frozenset({"move", "go", "walk", "jump", "step", "ride", "run", "travel", "fly"})
"""Verbs for a move to a place, as opposed to a move of the thing in the place."""
PUTTING: Final = frozenset({"place", "put", "play", "lay", "set", "drop", "fire", "add", "build"})
_COLUMN_AND_ROW: Final = frozenset({("column", "row"), ("col", "row")})
MIN_LABEL: Final = 3
"""Minimum number of letters of a variable whose name is used as a label."""
VAGUE: Final = frozenset({"some", "any", "which", "what", "one", "other"})
"""Names of variables that do not say what they stand for."""
MAX_RULES, MAX_TERMS = 20_000, 400
"""Maximum number of rules to examine, and of terms in a rule."""
MAX_HOPS, MAX_SPOTS = 3, 60
_CONNECTIVES = frozenset({"<=", "not", "or", "and"})
_OF_MOVES = {"does": 2, "legal": 2, "input": 2}
_OF_FACTS = {"true": 1, "next": 1, "init": 1, "base": 1}

Kind = tuple[str, int]
"""A symbol in lower case and its number of arguments."""


@dataclass(slots=True)
class Evidence:
    """Evidence in the rules about the arguments of one kind of move.

    Attributes:
        pairs: How often two arguments are the column and row of a cell.
        columns: How often an argument is a column while the row is not an argument.
        rows: How often an argument is a row while the column is not an argument.
        wholes: How often an argument is a whole place.
        boards: How often an argument is the name of a board.
        labels: For each argument, the name of a variable used for it.
        values: For each argument, the values it has in legal moves.
    """

    pairs: Counter[tuple[int, int]] = field(default_factory=Counter)
    columns: Counter[int] = field(default_factory=Counter)
    rows: Counter[int] = field(default_factory=Counter)
    wholes: Counter[int] = field(default_factory=Counter)
    boards: Counter[int] = field(default_factory=Counter)
    labels: dict[int, str] = field(default_factory=dict)
    values: defaultdict[int, set[str]] = field(default_factory=lambda: defaultdict(set))


def kind_of(term: str) -> Kind:
    """Return the symbol and the number of arguments of a term."""
    words = words_of_term(term)
    return words[0].lower(), len(words) - 1


@dataclass(frozen=True, slots=True)
class Spot:
    """Which words of a relation's atoms name a place, by index. The relation is word 0.

    Attributes:
        row: Index of the word for the row, or 0 if `column` is the whole place.
        boards: Indices of the words that name one of several boards.
    """

    relation: str
    num_words: int
    column: int
    row: int
    boards: tuple[int, ...]


def evidence_of(
    rules: Sequence[str], boards: Sequence[BoardPlaces], moves: Iterable[str] = ()
) -> dict[Kind, Evidence]:
    """Collect the evidence for each kind of move.

    Args:
        rules: Rules in prefix KIF, without comments.
        moves: Some moves that are legal in some position.
    """
    split = [_acts_and_atoms(rule) for rule in rules[:MAX_RULES]]
    spots = _with_helpers(rules[:MAX_RULES], split, _spots(boards))
    found: dict[Kind, Evidence] = defaultdict(Evidence)
    for acts, atoms in split:
        for act in acts:
            if not act[0].startswith("?"):
                _learn(found[act[0].lower(), len(act) - 1], act, atoms, spots)
    for move in moves:
        words = words_of_term(move)
        known = found[words[0].lower(), len(words) - 1]
        for at, word in enumerate(words[1:]):
            known.values[at].add(word)
    return dict(found)


def _spots(boards: Sequence[BoardPlaces]) -> list[Spot]:
    found = [
        Spot(relation.lower(), one.board.layout.num_words, one.column, one.row, one.boards)
        for one in boards
        if not one.is_line
        for relation in one.relations
    ]
    return list(dict.fromkeys(found))


def _with_helpers(
    rules: Sequence[str], split: Sequence[tuple[set[Pattern], set[Pattern]]], spots: list[Spot]
) -> list[Spot]:
    """Add relations that rules derive from those in `spots`, such as `(holds ?x ?y ?piece)`."""
    known = dict.fromkeys(spots)
    for _ in range(MAX_HOPS):
        before = len(known)
        for rule, (_, atoms) in zip(rules, split, strict=True):
            if not rule.startswith("(<= ("):
                continue
            head = terms_of(terms_of(rule)[1])
            if head[0].lower() in gdl.KEYWORDS or len(known) > MAX_SPOTS:
                continue
            where = {word: at for at, word in enumerate(head) if word.startswith("?")}
            known.update(dict.fromkeys(_lifted(head, where, atoms, list(known))))
        if len(known) == before:
            break
    return list(known)


def _lifted(
    head: Pattern, where: dict[str, int], atoms: Iterable[Pattern], spots: Sequence[Spot]
) -> Iterator[Spot]:
    for atom, spot in product(atoms, spots):
        if (atom[0].lower(), len(atom)) != (spot.relation, spot.num_words) or atom == head:
            continue
        column = where.get(atom[spot.column], 0)
        row = where.get(atom[spot.row], 0) if spot.row else 0
        if column and bool(row) == bool(spot.row):
            boards = tuple(where[atom[at]] for at in spot.boards if atom[at] in where)
            yield Spot(head[0].lower(), len(head), column, row, boards)


def _acts_and_atoms(rule: str) -> tuple[set[Pattern], set[Pattern]]:
    """Return the moves that a rule mentions, and its other atoms."""
    acts: set[Pattern] = set()
    atoms: set[Pattern] = set()
    stack = [rule]
    for _ in range(MAX_TERMS):
        if not stack:
            break
        form = stack.pop()
        words = terms_of(form) if form.startswith("(") else ()
        head = words[0].lower() if words else ""
        if _OF_MOVES.get(head) == len(words) - 1:
            acts.add(words_of_term(words[2]))
        elif _OF_FACTS.get(head) == len(words) - 1 and words[1].startswith("("):
            atoms.add(terms_of(words[1]))
        elif head in _CONNECTIVES:
            stack.extend(words[1:])
        elif len(words) > 1:
            atoms.add(words)
    return acts, atoms


def _learn(known: Evidence, act: Pattern, atoms: Iterable[Pattern], spots: Iterable[Spot]) -> None:
    where: dict[str, int] = {}
    for at, word in enumerate(act[1:]):
        if word.startswith("?"):
            where.setdefault(word, at)
            label = said(word[1:]).rstrip("0123456789 ")
            is_telling = len(label) >= MIN_LABEL and label not in VAGUE
            if is_telling and label.replace(" ", "").isalpha():
                known.labels.setdefault(at, label)
    for atom, spot in product(atoms if where else (), spots):
        if (atom[0].lower(), len(atom)) == (spot.relation, spot.num_words):
            _learn_place(known, where, atom, spot)


def _learn_place(known: Evidence, where: dict[str, int], atom: Pattern, spot: Spot) -> None:
    column = where.get(atom[spot.column])
    row = where.get(atom[spot.row]) if spot.row else None
    for at in spot.boards:
        if atom[at] in where:
            known.boards[where[atom[at]]] += 1
    if not spot.row:
        if column is not None:
            known.wholes[column] += 1
    elif column is not None and row is not None:
        known.pairs[column, row] += 1
    elif column is not None:
        known.columns[column] += 1
    elif row is not None:
        known.rows[row] += 1


@dataclass(frozen=True, slots=True)
class Arguments:
    """The meanings of the arguments of one kind of move. Arguments are numbered from 0.

    Each argument has only one meaning.
    """

    places: tuple[tuple[int, int | None], ...]
    columns: frozenset[int]
    rows: frozenset[int]
    boards: tuple[int, ...]
    others: tuple[int, ...]


def arguments_of(arity: int, known: Evidence, boards: Sequence[BoardPlaces]) -> Arguments:
    """Choose the most likely meaning of each argument of a kind of move."""
    taken: set[int] = set()
    places: list[tuple[int, int | None]] = []

    def take(column: int, row: int | None) -> None:
        if not {column, row} & taken:
            places.append((column, row))
            taken.update({column} if row is None else {column, row})

    for (column, row), _ in sorted(known.pairs.items(), key=lambda one: (-one[1], one[0])):
        take(column, row)
    for at in known.wholes:
        take(at, None)
    free = [at for at in range(arity) if at not in taken | set(known.boards)]
    for at in _squares(free, known, boards):
        take(at, None)
    for column, row in pairwise(free):
        if row == column + 1 and _is_place(column, row, known, boards, is_sure=bool(places)):
            take(column, row)
    named = tuple(at for at in sorted(known.boards) if at not in taken)
    taken.update(named)
    columns = frozenset(known.columns) - taken
    rows = frozenset(known.rows) - taken - columns
    rest = [at for at in range(arity) if at not in taken | columns | rows]
    return Arguments(tuple(sorted(places)), columns, rows, named, tuple(rest))


def _squares(free: Iterable[int], known: Evidence, boards: Sequence[BoardPlaces]) -> Iterator[int]:
    """Yield the arguments in `free` whose values are all squares of a board."""
    squares = [places for places in boards if places.is_square]
    for at in free:
        values = known.values[at]
        if values and any(places.are_places(values, ()) for places in squares):
            yield at


def _is_place(
    column: int, row: int, known: Evidence, boards: Sequence[BoardPlaces], *, is_sure: bool
) -> bool:
    """Return whether two arguments are probably a place, judging by their labels or values.

    Args:
        is_sure: Whether other arguments of the move are already known to be a place. If not, and if
            neither labels nor rules show that these two are, the values of the column must be
            letters: numbers are not enough.
    """
    labels = known.labels.get(column, ""), known.labels.get(row, "")
    is_one_of_each = list(known.columns) == [column] and list(known.rows) == [row]
    if labels in _COLUMN_AND_ROW or is_one_of_each:
        return True
    columns, rows = known.values[column], known.values[row]
    is_likely = is_sure or all(one.isalpha() for one in columns)
    return (
        bool(columns and rows)
        and is_likely
        and any(places.row and places.are_places(columns, rows) for places in boards)
    )


def guess_template(kind: Kind, known: Evidence, boards: Sequence[BoardPlaces]) -> Template:
    """Guess the template for the names of a kind of move."""
    head, arity = kind
    verb = WAITING.get(head, said(head)) if not arity else said(head)
    pattern = (head, *(f"?{at}" for at in range(arity)))
    meant = arguments_of(arity, known, boards)
    if len(meant.places) == 1:
        return Template(pattern, _at_one_place(verb, meant, known))
    places = dict(meant.places)
    parts: list[Part] = [verb]
    rows = {row for row in places.values() if row is not None}
    num = 0
    for at in range(arity):
        if at in places:
            parts += _next_place(num, _place(at, places[at]), meant, len(places))
            num += 1
        elif at not in rows:
            parts += _other(at, meant, known)
    return Template(pattern, tuple(parts))


def _place(column: int, row: int | None) -> Place:
    return Place(f"?{column}", "" if row is None else f"?{row}")


def _next_place(num: int, place: Place, meant: Arguments, num_places: int) -> list[Part]:
    if num == 0:
        # If the move itself names a piece, do not name it again.
        thing: list[Part] = [] if meant.others or meant.boards else [Thing(place, " ")]
        return [*thing, " from ", place]
    return [" to " if num == 1 else " then ", place]


def _other(at: int, meant: Arguments, known: Evidence) -> list[Part]:
    if at in meant.columns:
        return [" in column ", Hole(f"?{at}")]
    if at in meant.rows:
        return [" in row ", Hole(f"?{at}")]
    if at in meant.boards:
        return [" on board ", Hole(f"?{at}")]
    label = known.labels.get(at, "")
    has_numbers = any(value.isdecimal() or len(value) == 1 for value in known.values[at])
    return [f" {label} " if label and has_numbers else " ", Hole(f"?{at}")]


def _at_one_place(verb: str, meant: Arguments, known: Evidence) -> tuple[Part, ...]:
    [(column, row)] = meant.places
    place = _place(column, row)
    parts: list[Part] = [verb]
    for at in [*meant.others, *sorted(meant.columns | meant.rows)]:
        parts += _other(at, meant, known)
    if verb in GOING and not meant.others and not meant.boards:
        parts.append(Thing(place, " ", " at ", " to "))
    else:
        parts.append(" at " if verb in PUTTING | GOING or meant.others else " ")
    parts.append(place)
    for at in meant.boards:
        parts += _other(at, meant, known) if at == meant.boards[0] else [" ", Hole(f"?{at}")]
    return tuple(parts)

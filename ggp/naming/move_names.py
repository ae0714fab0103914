"""Readable names of a game's moves and facts, and parsing of the names.

>>> import gdl
>>> from ggp import games
>>> text = games.text("connectFour")
>>> machine = gdl.load(gdl.read_kif(text, "connectFour"), "interpreter")
>>> names = names_of(machine, text)
>>> legal = ["(drop 1)", "(drop 2)", "(drop 4)"]
>>> names.write(legal, ())["(drop 4)"]
'drop a disc in column 4'
>>> names.read("DROP(4)", legal)
Understood(move='(drop 4)', name='drop a disc in column 4', note='')
>>> names.read("2", legal).note
'understood as: drop a disc in column 2'
>>> names.read("drop 3", legal).reason
'drop a disc in column 3 is not legal now'
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

import gdl
from ggp.boards.board import EMPTY
from ggp.boards.finding import find_all, steady_facts
from ggp.boards.plain_names import read_names
from ggp.clock import Deadline
from ggp.naming.annotations import Annotations, read_annotations
from ggp.naming.guessing import Evidence, Kind, evidence_of, guess_template, kind_of
from ggp.naming.places import BoardPlaces, Things, men, name_of_place
from ggp.naming.reading import Ambiguous, NotUnderstood, Understood, read_move
from ggp.naming.template import words_of_term
from ggp.naming.words import key, said
from ggp.term_text import terms_of

__all__ = ["Ambiguous", "MoveNames", "NotUnderstood", "Understood", "forms_of", "names_of"]

MAX_BYTES: Final = 200_000
"""Maximum size of the rules from which names are guessed."""
MAX_POSITIONS: Final = 60
SECONDS: Final = 1.0
"""Time limit in seconds for collecting positions in which to look for boards.

Games with slow rules get fewer positions.
"""


_CONDITIONS = frozenset({"on", "off", "lit", "unlit", "open", "closed", "full", "dirty", "clean"})


class MoveNames:
    """Names of the moves, places and facts of one game."""

    def __init__(
        self,
        boards: Sequence[BoardPlaces],
        evidence: Mapping[Kind, Evidence],
        annotations: Annotations,
        roles: Sequence[str] = (),
    ) -> None:
        """Create the names from boards and evidence, which `names_of` collects."""
        self._boards = boards
        self._annotations = annotations
        self._roles = roles
        contents = {content for one in boards for content in one.board.contents}
        self._words = {**men(contents), **annotations.words}
        self._guessed = {
            kind: guess_template(kind, known, boards) for kind, known in evidence.items()
        }
        self._last: tuple[tuple[str, ...], tuple[str, ...], dict[str, str]] = ((), (), {})

    @classmethod
    def of_states(
        cls,
        states: Sequence[Collection[str]],
        rules: Sequence[str],
        text: str = "",
        moves: Iterable[str] = (),
        roles: Sequence[str] = (),
    ) -> MoveNames:
        """Create the names for a game from positions and rules.

        Args:
            states: Facts of some positions, the initial one first.
            rules: Rules in prefix KIF, one string for each.
            text: The original text of the rules, with annotations in comments.
            moves: Some moves that are legal in some position.
            roles: All roles.
        """
        found = find_all(states, steady_facts(states), read_names("\n".join(rules), text))
        boards = [BoardPlaces(board) for board in found.boards]
        evidence = evidence_of(rules, boards, moves)
        return cls(boards, evidence, read_annotations(text), roles)

    def write(self, legal: Iterable[str], facts: Collection[str] = ()) -> dict[str, str]:
        """Return a unique name for each legal move of a role in one position.

        Args:
            legal: The legal moves.
            facts: The facts that the reader may know about the position, used to name pieces.
        """
        moves, known = tuple(dict.fromkeys(legal)), tuple(facts)
        last = self._last  # keep a reference, because other threads may replace it
        if last[:2] != (moves, known):
            things = Things(self._boards, known)
            names = _distinct({move: self._named(move, things) for move in moves})
            last = self._last = moves, known, names
        return dict(last[2])

    def read(
        self,
        text: str,
        legal: Sequence[str],
        facts: Collection[str] = (),
        *,
        is_numbered: bool = False,
    ) -> Understood | Ambiguous | NotUnderstood:
        """Find out which legal move a text means.

        Args:
            legal: All legal moves of a role in their order. They are numbered from 1.
            facts: As in `write`.
            is_numbered: Whether a number may select a move. If so, `#4` always selects the fourth
                one.
        """
        names = self.write(legal, facts)
        templates = [*self._annotations.moves, *self._guessed.values()]

        def name_of(move: str) -> str:
            return self._named(move, Things(self._boards, facts))

        return read_move(text, names, templates, name_of, is_numbered=is_numbered)

    def describe(self, fact: str) -> str:
        """Describe a fact of a state in words."""
        for template in self._annotations.facts:
            name = template.fill(fact, self.word, name_of_place, lambda column, row: "")
            if name:
                return name
        for places in self._boards:
            cells = {} if places.is_line else places.board.cells([fact])
            if len(cells) == 1:
                [((column, row), contents)] = cells.items()
                return self._cell(places, fact, name_of_place(column, row), contents[0])
        words = words_of_term(fact)
        if len(words) == 2 and words[0].lower() == "control" and words[1] in self._roles:
            return f"it is {self.word(words[1])}'s turn"
        return " ".join(map(self.word, words))

    def of_literal(self, text: str) -> tuple[str, str]:
        """Return the fact or move in a literal such as `(true FACT)`, and its name.

        For other texts, and for literals with variables, return the text itself twice. Names of
        moves do not mention pieces, because the position is not known.
        """
        match words_of_term(text) if "?" not in text else ():
            case "true" | "init" | "next", fact:
                return fact, self.describe(fact)
            case "legal" | "does", _, move:
                return move, self.write([move])[move]
        return text, text

    def place(self, column: str, row: str = "") -> str:
        """Return the name of a place."""
        return name_of_place(column, row)

    def word(self, symbol: str) -> str:
        """Return the name of a symbol or a term."""
        return self._words.get(symbol.lower()) or said(symbol)

    def _cell(self, places: BoardPlaces, fact: str, place: str, content: str) -> str:
        if places.is_named:
            return f"{self.word(content)} {place}"
        named = [words_of_term(fact)[at] for at in places.boards]
        board = f"board {' '.join(map(said, named))}: " if named else ""
        if places.is_empty(content) and (len(content) == 1 or content.lower() in EMPTY):
            return f"{board}{place} is empty"
        verb = "is" if content.lower() in _CONDITIONS else "has"
        return f"{board}{place} {verb} {self.word(content)}"

    def _named(self, move: str, things: Things) -> str:
        def thing(column: str, row: str) -> str:
            content = things.at(column, row)
            if content in self._roles and content.lower() not in self._words:
                return f"{self.word(content)}'s piece"
            return self.word(content) if content else ""

        for template in self._annotations.moves:
            name = template.fill(move, self.word, name_of_place, thing)
            if name:
                return name
        kind = kind_of(move)
        guess = self._guessed.get(kind)
        if guess is None:
            guess = self._guessed[kind] = guess_template(kind, Evidence(), self._boards)
        return guess.fill(move, self.word, name_of_place, thing) or said(move)


def _distinct(names: dict[str, str]) -> dict[str, str]:
    """Make names unique: extend those that equal another name or another move's term.

    >>> _distinct({"(take a 1)": "take 1", "(take b 1)": "take 1", "pass": "pass"})
    {'(take a 1)': 'take 1 (a)', '(take b 1)': 'take 1 (b)', 'pass': 'pass'}
    """
    unclear = _unclear(names)
    if not unclear:
        return names
    alike: dict[tuple[str, ...], list[str]] = {}
    for move in unclear:
        alike.setdefault(key(names[move]), []).append(move)
    longer = dict(names)
    for moves in alike.values():
        split = {move: words_of_term(move) for move in moves}
        if len({len(words) for words in split.values()}) == 1:
            for move, words in split.items():
                others = zip(*split.values(), strict=True)
                differing = [said(words[at]) for at, one in enumerate(others) if len(set(one)) > 1]
                longer[move] = f"{names[move]} ({', '.join(differing)})" if differing else ""
    still = _unclear(longer)
    return {
        move: f"{names[move]}, that is {move}" if move in still else longer[move] for move in names
    }


def _unclear(names: Mapping[str, str]) -> list[str]:
    """Return the moves whose name is empty, or is equal to another name or another move's term."""
    terms = {move: key(move) for move in names}
    owners = Counter(terms.values())
    counts = Counter(map(key, names.values()))

    def is_clear(move: str, words: tuple[str, ...]) -> bool:
        return counts[words] == 1 and owners[words] == (terms[move] == words)

    return [move for move, name in names.items() if not name or not is_clear(move, key(name))]


def forms_of(kif: str) -> Sequence[str]:
    """Split rules into statements, for `MoveNames.of_states`. Return () if they are too long.

    Args:
        kif: Rules in prefix KIF, without comments.
    """
    return terms_of(f"({kif})") if len(kif) <= MAX_BYTES else ()


def names_of(machine: gdl.StateMachine | gdl.Game, text: str = "") -> MoveNames:
    """Return the names for a game, based on random positions that are the same each time.

    Args:
        machine: The game.
        text: The original text of the rules, with annotations in comments.
    """
    rng, deadline = random.Random(0), Deadline.after(SECONDS)
    roles = machine.roles
    first = state = machine.initial_state()
    states: list[list[str]] = []
    moves: set[str] = set()
    while len(states) < MAX_POSITIONS and not (states and deadline.is_over()):
        states.append([str(fact) for fact in machine.facts(state)])
        legal = (
            []
            if machine.is_terminal(state)
            else [machine.legal_moves(state, role) for role in roles]
        )
        moves.update(str(move) for mine in legal for move in mine)
        if not legal or not all(legal):
            if state == first:
                break
            state = first
        else:
            state = machine.next_state(state, [rng.choice(mine) for mine in legal])
    rulesheet = getattr(machine, "rulesheet", None)
    rules = [str(form) for form in rulesheet.forms] if rulesheet is not None else []
    return MoveNames.of_states(states, rules, text, sorted(moves), [str(role) for role in roles])

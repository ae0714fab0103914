"""A scrambled game: the same tree, under names and with argument places that nobody has seen."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator, Sequence

import pytest

import gdl
from gdl.rulesheet import KEYWORDS
from gdl.rulesheet.canonical import fixed_symbols
from gdl.syntax import words
from gdl.terms import args_of
from ggp import games
from tests.shared import require
from tests.thorough import all_but

QUICK = ("kuhnPoker", "threePlayerTicTacToe", "ticTacToe")
"""Hidden information and chance; three roles; two."""
WAYS = {
    "symbols": {"board": False},
    "board": {"symbols": False},
    "both": {},
}
CASES = [*itertools.product(QUICK, WAYS)] + [
    (name, "both") for name in games.names() if name not in QUICK
]


def read(name: str) -> gdl.Rulesheet:
    """A bundled game."""
    return gdl.read_rules(games.text(name), name)


def symbols(rules: gdl.Rulesheet) -> set[str]:
    """The symbols of rules that are no keywords."""
    found = {word.text for form in rules.forms for word in words(form) if not word.is_variable}
    return found - KEYWORDS


class Pair:
    """A game and the same one scrambled, played side by side."""

    def __init__(self, rules: gdl.Rulesheet, scrambled: gdl.Scrambled) -> None:
        self.to = scrambled
        self.own = gdl.load(rules, "interpreter")
        self.other = gdl.load(gdl.read_kif(scrambled.text), "interpreter")

    def translated(self, terms: Sequence[gdl.Term]) -> tuple[gdl.Term, ...]:
        """What terms of the game are called in the scrambled one."""
        return tuple(map(self.to.move, terms))

    def check(self, own: gdl.State, other: gdl.State) -> None:
        """Two positions are each other's translation, in all that a player or a referee asks."""
        assert self.translated(self.own.roles) == self.other.roles
        assert set(self.translated(self.own.facts(own))) == set(self.other.facts(other))
        assert self.own.is_terminal(own) == self.other.is_terminal(other)
        for role, its in zip(self.own.roles, self.other.roles, strict=True):
            assert self.own.goals(own, role) == self.other.goals(other, its)
            theirs = self.other.legal_moves(other, its)
            assert set(self.translated(self.own.legal_moves(own, role))) == set(theirs)
            assert {*map(self.to.original, theirs)} == {*self.own.legal_moves(own, role)}

    def step(
        self, own: gdl.State, other: gdl.State, moves: Sequence[gdl.Move]
    ) -> tuple[gdl.State, gdl.State]:
        """Make a joint move in both games; all roles see the same."""
        its_moves = self.translated(moves)
        for role, its in zip(self.own.roles, self.other.roles, strict=True):
            seen = self.own.percepts(own, moves, role)
            assert set(self.translated(seen)) == {*self.other.percepts(other, its_moves, its)}
        return self.own.next_state(own, moves), self.other.next_state(other, its_moves)

    def play(self, seed: int, most_steps: int) -> None:
        """Play at random, and compare all positions on the way."""
        luck = random.Random(seed)
        own, other = self.own.initial_state(), self.other.initial_state()
        self.check(own, other)
        for _ in range(most_steps):
            if self.own.is_terminal(own):
                return
            moves = [luck.choice(self.own.legal_moves(own, role)) for role in self.own.roles]
            own, other = self.step(own, other, moves)
            self.check(own, other)


def perft(game: gdl.Game, depth: int, most_nodes: int) -> list[int]:
    """How many positions, with repetitions, each depth has, up to so many positions in all."""
    level = [game.initial_state()]
    counts = [1]
    while len(counts) <= depth and level:
        following = (after for state in level for after in successors(game, state))
        level = list(itertools.islice(following, most_nodes - sum(counts) + 1))
        if sum(counts) + len(level) > most_nodes:
            return counts
        counts.append(len(level))
    return counts


def successors(game: gdl.Game, state: gdl.State) -> Iterator[gdl.State]:
    """The position after each joint move; none if the game is over."""
    if not game.is_terminal(state):
        choices = [game.legal_moves(state, role) for role in game.roles]
        for moves in itertools.product(*choices):
            yield game.next_state(state, moves)


@pytest.mark.parametrize("case", all_but([*itertools.product(QUICK, WAYS)], CASES), ids="-".join)
def test_positions_moves_goals_and_percepts_are_translations(case: tuple[str, str]) -> None:
    """In random matches, with the moves translated both ways."""
    name, way = case
    rules = read(name)
    pair = Pair(rules, gdl.scramble(rules, 5, **WAYS[way]))
    for seed in range(2):
        pair.play(seed, most_steps=12)


@pytest.mark.parametrize(
    ("name", "depth", "most_nodes"),
    [(name, 3, 1_500) for name in QUICK]
    + [pytest.param(name, 6, 2_500, marks=pytest.mark.thorough) for name in games.names()],
)
def test_trees_have_the_same_size(name: str, depth: int, most_nodes: int) -> None:
    """Move by move from the start, as chess programmers count."""
    rules = read(name)
    pair = Pair(rules, gdl.scramble(rules, 6))
    assert perft(pair.own, depth, most_nodes) == perft(pair.other, depth, most_nodes)


@pytest.mark.parametrize("name", all_but(QUICK, games.names()))
def test_no_name_remains_but_those_that_mean_something(name: str) -> None:
    """Of symbols: keywords and numbers that may be goals; of variables none at all."""
    rules = read(name)
    other = gdl.scramble(rules, 2)
    left = symbols(rules) & symbols(gdl.read_kif(other.text))
    assert left <= fixed_symbols(rules.rules)
    assert left == {old for old, new in other.symbols.items() if old == new}
    comments = [line for line in other.text.splitlines() if ";" in line]
    assert all(line.startswith(";;@places ") for line in comments)


SQUARES = """
(role white) (init (at b2 knight1)) (init (at b3 o)) (init (at b1 x)) (init (step 1)) (init (in c))
(init (in d)) (<= (legal white (go ?x)) (true (at ?x ?y))) (<= (next (step 2)) (true (step 1)))
(goal white 50)
"""


def test_comments_say_which_names_are_places() -> None:
    """Numbers, squares and letters in a row; no other letters, and of a word only its number."""
    other = gdl.scramble(gdl.read_kif(SQUARES), 1)
    [line] = [line for line in other.text.splitlines() if line.startswith(";;@places ")]
    places = dict(pair.split("=") for pair in line.split()[1:])
    assert places == {
        other.symbols[name]: "aa1" if name == "knight1" else name
        for name in ("1", "2", "b1", "b2", "b3", "knight1", "c", "d")
    }
    assert ";" not in gdl.scramble(gdl.read_kif("(role white) (init on)"), 1).text


def test_coordinates_stay_beside_each_other() -> None:
    """What is there comes before or behind them, so that boards and lines are boards and lines."""
    rules = read("connectFour")
    orders = {str(name): order for name, order in gdl.scramble(rules, 1).board.items()}
    assert orders["cell/3"] == (2, 0, 1)
    assert "succ/2" not in orders


def test_same_seed_same_text() -> None:
    """Whatever the layout is; another seed gives other names and orders."""
    rules = read("ticTacToe")
    again = gdl.read_kif("; mine\n" + " ".join(map(str, rules.forms)), "ticTacToe")
    texts = {gdl.scramble(one, 4).text for one in (rules, again)}
    assert len(texts) == 1
    assert len(texts | {gdl.scramble(rules, seed).text for seed in range(4)}) == 5


def test_text_is_laid_out_as_the_formatter_does() -> None:
    """It is to be read by people and models."""
    text = gdl.scramble(read("kuhnPoker"), 1).text
    assert gdl.format_kif(text) == text


def check_form(rules: gdl.Rulesheet) -> None:
    """Rules under other names have the same shape, and the same form if no goal is a variable."""
    other = gdl.read_kif(gdl.scramble(rules, 3, board=False).text)
    assert rules.shape == other.shape
    heads = [rule.head for rule in rules.rules if rule.relation == ("goal", 2)]
    has_other = any(gdl.Variable in map(type, args_of(head)[1:]) for head in heads)
    if rules.canonical is not None and not has_other:
        assert other.canonical is not None
        assert rules.canonical.digest == other.canonical.digest


@pytest.mark.parametrize("name", all_but(QUICK, games.names()))
def test_other_names_have_the_same_canonical_form(name: str) -> None:
    """Where goals are numbers in the rules, the form depends on no other name."""
    check_form(read(name))


@pytest.mark.parametrize("way", WAYS)
def test_mapping_alone_translates_both_ways(way: str) -> None:
    """As its description says, with nothing of this package."""
    rules = read("breakthroughSmall")
    other = gdl.scramble(rules, 8, **WAYS[way])
    mapping = json.loads(json.dumps(other.mapping))
    names, board = mapping["symbols"], mapping["board"]

    def translated(term: gdl.Term) -> str:
        if not isinstance(term, gdl.Compound):
            return str(names[str(term)])
        args = [translated(arg) for arg in term.args]
        order = board.get(f"{term.name}/{len(args)}", range(len(args)))
        return f"({' '.join([names[term.name], *(args[old] for old in order)])})"

    game = gdl.load(rules, "interpreter")
    for fact in game.facts(game.initial_state()):
        assert translated(fact) == str(other.move(fact))
        assert other.original(other.move(fact)) == fact
    assert (mapping["game"], mapping["seed"]) == ("breakthroughSmall", 8)
    assert sorted(names.values()) == sorted(set(names.values()))


def test_board_only_swaps_coordinates_and_argument_places() -> None:
    """All names stay but those of rows and columns, which take each other's."""
    rules = read("breakthroughSmall")
    other = gdl.scramble(rules, 3, symbols=False)
    swapped = {old: new for old, new in other.symbols.items() if old != new}
    assert swapped
    assert swapped.keys() <= set("123456")
    assert sorted(swapped) == sorted(swapped.values())
    assert other.board
    assert symbols(gdl.read_kif(other.text)) == symbols(rules)


SCORES = """
(role white) (role random) (init (score white 5)) (init (step 1)) (init (at 7 a))
(succ 1 2) (succ 2 3) (more 5 10) (more 10 15)
(<= (legal white (go ?x)) (true (at ?x ?y))) (legal random noop)
(<= (next (score ?r ?m)) (true (score ?r ?n)) (more ?n ?m))
(<= (next (step ?t)) (true (step ?s)) (succ ?s ?t))
(<= (goal ?r ?n) (true (score ?r ?n))) (goal random 0)
(<= terminal (true (step 3)))
"""


def test_numbers_that_flow_into_goals_keep_their_names() -> None:
    """Through facts and tables; steps and places are names like others, `random` is chance."""
    other = gdl.scramble(gdl.read_kif(SCORES), 1)
    assert {old for old, new in other.symbols.items() if old == new} == {"0", "5", "10", "15"}
    assert "(role random)" in other.text
    assert other.text.index("(role random)") > other.text.index(f"(role {other.symbols['white']})")


def test_equal_terms_flow_into_each_other() -> None:
    """What a goal is said to be the same as is a goal value as well."""
    rules = "(role r) (t 30) (u 40) (<= (goal r ?g) (t ?n) (not (distinct ?g ?n)) (distinct ?g 9))"
    names = gdl.scramble(gdl.read_kif(rules), 1).symbols
    assert names["30"] == "30"
    assert names["40"] != "40"
    assert names["9"] != "9"


def test_roles_that_rules_derive_keep_their_names() -> None:
    """They are ordered by name, and joint moves by them."""
    rules = "(player b) (player a) (<= (role ?p) (player ?p)) (<= (legal ?p go) (role ?p))"
    names = gdl.scramble(gdl.read_kif(rules), 1).symbols
    assert (names["a"], names["b"]) == ("a", "b")
    assert names["player"] != "player"


def test_case_does_not_matter() -> None:
    """A symbol that is written in two ways is one, and keywords may be in capitals."""
    rules = gdl.read_kif("(ROLE White) (INIT (Lit A)) (<= (LEGAL white (put ?X)) (true (lit ?x)))")
    other = gdl.scramble(rules, 1)
    Pair(rules, other).check(
        *[
            gdl.load(gdl.read_kif(text), "interpreter").initial_state()
            for text in (str(rules), other.text)
        ]
    )


def test_epilog_becomes_prefix_kif() -> None:
    """Its functions are tables by then."""
    text = games.text("ticTacToe")
    rules = gdl.read_epilog(gdl.write_epilog(gdl.read_kif(text)))
    Pair(rules, gdl.scramble(rules, 1)).play(1, most_steps=9)


def test_rules_without_meaning_are_refused() -> None:
    """With the place of the fault."""
    with pytest.raises(gdl.RulesheetError, match="expected a head"):
        gdl.scramble(gdl.read_kif("(role r) (<=)"), 1)


@pytest.mark.parametrize("step", [80, pytest.param(20, marks=pytest.mark.thorough)])
def test_rulesheets_of_the_corpus_have_the_same_form(step: int) -> None:
    """Real ones, with what their authors have thought of."""
    for file in sorted(require("corpus", "rules").glob("*.kif"))[::step]:
        rules = gdl.read_rules(file.read_text(errors="replace"), file.name)
        if not rules.problems:
            check_form(rules)

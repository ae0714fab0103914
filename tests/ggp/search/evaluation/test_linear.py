"""Patterns of facts: found without names, counted exactly."""

from __future__ import annotations

import random
import re

import pytest

import gdl
from ggp import games
from ggp.search.core.playout import sample_states
from ggp.search.evaluation import NAMES, Weights, named
from ggp.search.evaluation.linear import find_patterns, patterns_of

pytestmark = pytest.mark.usefixtures("kernels")

KEPT = {"<=", "not", "or", "and", "distinct", "role", "init", "true", "does", "next"}
KEPT |= {"legal", "goal", "terminal", "base", "input"}


def scrambled(text: str) -> tuple[str, dict[str, str]]:
    """The rules with every name replaced by one that means nothing, and which by which.

    New names have the order of the old ones, since moves and facts are sorted by their text.
    """
    bare = re.sub(r";.*", "", text)
    words = sorted(set(re.findall(r"[^\s()?]+", bare)) - KEPT)
    words = [word for word in words if not word.isdecimal() or int(word) > 100]
    names = {word: f"n{number:04}" for number, word in enumerate(words) if f"?{word}" not in bare}
    replaced = re.sub(r"(?<![?\w])[^\s()?]+", lambda m: names.get(m[0], m[0]), bare)
    return replaced, names


def test_patterns_of_a_fact_are_all_that_match_it() -> None:
    """Every choice of open arguments, and the fact itself."""
    fact = gdl.Compound("cell", (gdl.Constant("1"), gdl.Constant("b")))

    found = {str(pattern) for pattern in patterns_of(fact)}

    assert found == {"(cell ? ?)", "(cell 1 ?)", "(cell ? b)", "(cell 1 b)"}


def test_a_fact_with_many_arguments_has_few_patterns() -> None:
    """Their number would double with every argument."""
    fact = gdl.Compound("row", tuple(gdl.Constant(str(number)) for number in range(20)))

    assert len(list(patterns_of(fact))) == 2


def test_pieces_are_found() -> None:
    """Of each role, without knowing what a piece is; what never changes is left out."""
    machine = gdl.load(games.text("breakthroughSmall"))

    found = {str(pattern) for pattern in find_patterns(machine, sample_states(machine), 1000)}

    assert {"(cell ? ? white)", "(cell ? ? black)", "(cell ? 5 white)"} <= found
    assert "(control ?)" not in found


def test_the_most_specific_patterns_are_left_out_first() -> None:
    """A bound costs detail, not the count of pieces."""
    machine = gdl.load(games.text("breakthroughSmall"))
    states = sample_states(machine)

    few, many = (find_patterns(machine, states, most) for most in (10, 1000))

    assert few == many[:10]
    assert all(str(pattern).count("?") >= 1 for pattern in few)


def test_names_mean_nothing() -> None:
    """Scrambled rules have the same patterns, mobility and learned values as the readable ones."""
    text = games.text("breakthroughSmall")
    other_text, names = scrambled(text)
    machine, other = gdl.load(text), gdl.load(other_text)
    states, other_states = sample_states(machine), sample_states(other)

    found = find_patterns(machine, states, 1000)
    other_found = find_patterns(other, other_states, 1000)

    assert len(found) == len(other_found) > 50
    rename = re.compile(r"[^\s()?]+")
    renamed = {rename.sub(lambda m: names.get(m[0], m[0]), str(pattern)) for pattern in found}
    assert renamed == {str(pattern) for pattern in other_found}
    for name in NAMES:
        evaluate, other_evaluate = named(machine, name), named(other, name)
        for state, other_state in zip(states[:30], other_states[:30], strict=True):
            assert evaluate(state) == pytest.approx(other_evaluate(other_state))


def test_weights_of_a_pattern_count_for_each_fact_that_matches() -> None:
    """The same counts, whether facts are counted or weighed."""
    machine = gdl.load(games.text("breakthroughSmall"))
    pieces = Weights("b", "", ("white", "black"), (0, 0), {"(cell ? ? white)": (0.1, 0)})
    evaluate = named(machine, "linear", pieces)
    state = random.Random(1).choice(sample_states(machine))

    value = evaluate(state)[0]

    count = sum(
        str(fact).endswith(" white)") and "cell" in str(fact) for fact in machine.facts(state)
    )
    assert value == named(machine, "linear", of_bias(count / 10))(state)[0]


def of_bias(bias: float) -> Weights:
    """Weights of breakthrough that are the same everywhere."""
    return Weights("b", "", ("white", "black"), (bias, 0), {})

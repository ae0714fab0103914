"""Numbers for games that do not ground: stable, and an error where they do not suffice."""

from __future__ import annotations

import random

import numpy as np
import pytest

import gdl
from ggp.environments.encoding import CompiledEncoding, HashedEncoding, make_encoding
from ggp.environments.episode import Episode
from ggp.environments.observations import make_observation

pytestmark = pytest.mark.usefixtures("kernels")

# A counter without end: (s (s z)) and so on, for as long as somebody counts.
COUNTER = """
(role me) (init (n z)) (init (odd no)) (legal me count) (legal me stop)
(<= (next (n (s ?x))) (true (n ?x)) (does me count))
(<= (next (n ?x)) (true (n ?x)) (does me stop))
(<= (next stopped) (does me stop))
(<= terminal (true stopped)) (<= (goal me 100) (true (n (s (s z))))) (<= (goal me 0) (true (n z)))
"""


@pytest.fixture
def counter() -> gdl.Game:
    """The game of the counter."""
    return gdl.load(COUNTER, "interpreter")


def test_facts_have_the_place_of_their_checksum(counter: gdl.Game) -> None:
    """Whatever else is true."""
    encoding = HashedEncoding(counter, num_facts=100)
    state = counter.initial_state()
    for count in range(4):
        text = "z"
        for _ in range(count):
            text = f"(s {text})"
        assert encoding.facts(state)[encoding.place(f"(n {text})")] == 1
        state = counter.next_state(state, [gdl.Constant("count")])
    # crc32 is what it has always been: 0xCBF43926 is its published check value.
    assert encoding.place("123456789") == 0xCBF43926 % 100
    first = encoding.facts(counter.initial_state())
    assert set(np.flatnonzero(first)) == {encoding.place("(n z)"), encoding.place("(odd no)")}


def test_an_episode_is_played_by_places_in_the_list_of_moves(counter: gdl.Game) -> None:
    """And ends, though its rules do not ground."""
    episode = Episode(counter, make_encoding(counter), random.Random(0))
    for action in (0, 0, 1):
        assert {n: str(move) for n, move in episode.legal[0].items()} == {0: "count", 1: "stop"}
        assert episode.mask(0, 3).tolist() == [1, 1, 0]
        episode.step({0: action})
    assert episode.is_over
    assert episode.goal(0) == 100


def test_more_moves_than_numbers_are_an_error(counter: gdl.Game) -> None:
    """It says whose, and what to do."""
    encoding = HashedEncoding(counter, max_actions=1)
    with pytest.raises(
        ValueError, match="role me has 2 legal moves, but there are only 1 action numbers"
    ):
        encoding.legal(counter.initial_state(), 0)
    with pytest.raises(ValueError, match="at least 1 place"):
        HashedEncoding(counter, num_facts=0)


def test_each_game_has_the_encoding_that_it_can_have(counter: gdl.Game) -> None:
    """Hashed only if there is no other."""
    encoding = make_encoding(counter)
    assert isinstance(encoding, HashedEncoding)
    assert len(encoding.fact_names()) == encoding.num_facts == 4096
    assert len(encoding.action_names(0)) == encoding.num_actions[0] == 1024
    grounds = gdl.load("(role me) (init (p 1)) (legal me go) (goal me 1) terminal", "scalar")
    assert isinstance(make_encoding(grounds), CompiledEncoding)


def test_planes_of_a_game_that_is_not_compiled_are_an_error(counter: gdl.Game) -> None:
    """Its facts can be packed."""
    encoding = make_encoding(counter)
    with pytest.raises(ValueError, match="planes need a compiled game"):
        make_observation(counter, encoding, "planes")
    facts = make_observation(counter, encoding, "packed").of(counter.initial_state())
    assert facts.shape == (64,)
    assert facts.view(np.uint8).any()

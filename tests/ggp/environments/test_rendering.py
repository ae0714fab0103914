"""Renderings: what is written and drawn, and the error where no converter is installed."""

from __future__ import annotations

import importlib.util
import sys
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import gdl
from ggp.environments.rendering import Renderer
from ggp.environments.task import load_game

pytestmark = pytest.mark.usefixtures("kernels")

IS_PIXELS = all(importlib.util.find_spec(name) for name in ("cairosvg", "PIL"))

COUNTER = """
(role me) (init (n z)) (legal me count)
(<= (next (n (s ?x))) (true (n ?x))) (<= terminal (true (n (s (s (s z))))))
(<= (goal me 100) terminal)
"""


@pytest.fixture(scope="module")
def game() -> gdl.Game:
    """Tic-tac-toe."""
    return load_game("ticTacToe")


def after(game: gdl.Game, *moves: str) -> tuple[gdl.State, tuple[gdl.Move, ...]]:
    """The first state, and a joint move."""
    return game.initial_state(), tuple(map(gdl.read_term, moves))


def test_text_shows_the_board_the_move_and_the_facts(game: gdl.Game) -> None:
    """As in a terminal."""
    state, moves = after(game, "(mark 1 2)", "noop")
    following = game.next_state(state, moves)
    assert Renderer(game, "ansi").render(following, moves) == (
        "xplayer: (mark 1 2), oplayer: noop\n"
        "3 · · ·\n"
        "2 x · ·\n"
        "1 · · ·\n"
        "  1 2 3\n"
        "(control oplayer)\n"
    )


def test_text_needs_no_move(game: gdl.Game) -> None:
    """As at the beginning."""
    lines = Renderer(game, "ansi").render(game.initial_state())
    assert isinstance(lines, str)
    assert lines.splitlines()[0] == "3 · · ·"


def test_a_picture_is_svg_and_bundled_games_look_as_elsewhere() -> None:
    """The maze has its walls, which only its view knows of."""
    game = load_game("maze")
    renderer = Renderer(game, "svg")
    svg = renderer.render(game.initial_state())
    assert isinstance(svg, str)
    assert ET.fromstring(svg).tag == "{http://www.w3.org/2000/svg}svg"
    assert "wall" in svg
    assert renderer.render(game.initial_state()) == svg


def test_any_game_is_drawn_also_one_that_does_not_ground() -> None:
    """A state that no sample had, too."""
    game = gdl.load(COUNTER, "interpreter")
    state = game.state_of([gdl.read_term("(n (s (s (s (s z)))))")])
    text, svg = Renderer(game, "ansi").render(state), Renderer(game, "svg").render(state)
    assert text == "(n (s (s (s (s z)))))\n"
    assert isinstance(svg, str)
    assert "<svg" in svg


@pytest.mark.skipif(not IS_PIXELS, reason="CairoSVG is not installed")
def test_pixels_are_those_of_the_picture(game: gdl.Game) -> None:
    """A stone makes a difference where it stands: at the left."""
    state, moves = after(game, "(mark 1 2)", "noop")
    renderer = Renderer(game, "rgb_array")
    first, second = renderer.render(state), renderer.render(game.next_state(state, moves))
    assert isinstance(first, np.ndarray)
    assert isinstance(second, np.ndarray)
    assert first.dtype == np.uint8
    assert first.ndim == 3
    assert first.shape[2] == 3
    board = (first != second)[: first.shape[1] - 20].any(axis=2)
    assert board.any()
    assert not board[:, first.shape[1] // 2 :].any()


def test_without_a_converter_one_line_says_what_to_install(
    game: gdl.Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what needs none."""
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    with pytest.raises(
        ImportError, match=r"pip install cairosvg, or use render_mode=\"svg\""
    ) as error:
        Renderer(game, "rgb_array")
    assert "\n" not in str(error.value)


def test_other_modes_are_errors(game: gdl.Game) -> None:
    """It says which there are."""
    with pytest.raises(ValueError, match="render_mode: expected one of ansi, svg, rgb_array"):
        Renderer(game, "human")  # type: ignore[arg-type]

"""A view file beside one's own rules, and what is told of how facts are drawn."""

from __future__ import annotations

from pathlib import Path

import pytest

import gdl
from ggp import games
from ggp.drawing.explanation import explain_drawing
from ggp.drawing.position_renderer import Painter
from ggp.drawing.views import ViewError, expect_names, read_view, view_of
from ggp.rulesheets import find_game

RULES = """\
(role x) (legal x go) (goal x 0) (init (drawn (h 1 1))) (<= terminal (true (drawn (h 1 1))))
"""
LINES = """\
(role x) (init (box 1 1 free)) (init (box 1 2 free)) (init (box 2 1 free)) (init (box 2 2 free))
(corner 1 1) (corner 1 2) (corner 1 3) (corner 2 1) (corner 2 2) (corner 2 3)
(<= (legal x (draw ?c ?r)) (corner ?c ?r) (not (true (line (dot ?c ?r) (dot 3 ?r)))))
(next_to 1 2) (next_to 2 3)
(<= (next (box ?c ?r ?s)) (true (box ?c ?r ?s)))
(<= (next (line (dot ?c ?r) (dot ?d ?r))) (does x (draw ?c ?r)) (next_to ?c ?d))
(<= (next (line ?a ?b)) (true (line ?a ?b)))
(<= terminal (true (line (dot 1 1) (dot 2 1))) (true (line (dot 2 1) (dot 3 1))))
(goal x 100)
"""


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """Rules of one's own."""
    file = tmp_path / "mine.kif"
    file.write_text(games.text("ticTacToe"), encoding="utf-8")
    return file


async def test_the_view_beside_the_rules_is_used(rules: Path) -> None:
    """And read again by the next who draws."""
    facts = ["(cell 1 1 x)", "(control oplayer)"]
    before = await Painter(find_game(str(rules))).svg([facts])
    view = 'hidden = ["control"]\n[things.x]\nshape = "disc"\nfill = "#abcdef"\n'
    rules.with_suffix(".view.toml").write_text(view, encoding="utf-8")

    after = await Painter(find_game(str(rules))).svg([facts])

    assert "#abcdef" not in before
    assert "#abcdef" in after
    assert "oplayer" not in after


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("frme = 3", "unknown field 'frme'; did you mean 'frame'?"),
        ("frame = { block = 900 }", "frame: block: expected a number from 0 to 50, got 900"),
        ('[things.x]\nshape = "disk"', "things: x: shape: expected one of disc, cross"),
        ('[things.x]\nshape = "disc"\nfill = "url(a)"', "fill: expected a colour such as #c8372d"),
        ("hidden = 'step'", "hidden: expected a list of texts, got 'step'"),
        ("[walk]\ncolumns = 3", "walk: the field 'relation' is missing"),
        ("sides = ['#ff0000']", "my.view.toml: sides: expected two colours, got 1"),
        ("frame =", "my.view.toml: "),
    ],
)
def test_what_means_nothing_is_named(text: str, said: str) -> None:
    """With its place and what would be right."""
    with pytest.raises(ViewError) as caught:
        read_view(text, "my.view.toml")

    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('hidden = ["contrl"]', "hidden: no fact is called 'contrl'; did you mean 'control'?"),
        ('hidden = ["xplayer"]', "hidden: no fact is called 'xplayer'"),
        ('[things.oo]\nshape = "disc"', "things: nothing is called 'oo'"),
        ("[walk]\nrelation = 'cel'\ncolumns = 3\nrows = 3", "walk: relation: no fact is called"),
    ],
)
async def test_what_the_rules_do_not_have_is_named(rules: Path, text: str, said: str) -> None:
    """A view that names nothing would be without effect, and nobody would know why."""
    rules.with_suffix(".view.toml").write_text(text, encoding="utf-8")

    with pytest.raises(ViewError) as caught:
        await Painter(find_game(str(rules))).svg([["(cell 1 1 x)"]])

    assert f"mine.view.toml: {said}" in str(caught.value)


@pytest.mark.parametrize("game", sorted(games.names()))
def test_views_of_bundled_games_name_what_the_rules_have(game: str) -> None:
    """All facts and things."""
    rules = gdl.read_kif(games.text(game), game)

    expect_names(view_of(game), rules, game)


async def test_it_is_told_what_is_drawn_and_why_not(rules: Path) -> None:
    """Of each relation of the state."""
    drawn = {one.fact: one.drawn for one in await explain_drawing(find_game(str(rules)))}
    rules.write_text(RULES, encoding="utf-8")
    [nested] = await explain_drawing(find_game(str(rules)))

    assert drawn["(cell 1 1 b)"] == "a place of a board with 3 columns and 3 rows"
    assert drawn["(control xplayer)"].startswith("a card: a place needs two words")
    assert "as in (line 1 1 2 1)" in nested.drawn


async def test_lines_between_nested_places_are_drawn(rules: Path) -> None:
    """Beside the places of the board, and no card tells of them."""
    rules.write_text(LINES, encoding="utf-8")
    game = find_game(str(rules))
    boxes = [f"(box {at} free)" for at in ("1 1", "1 2", "2 1", "2 2")]

    drawn = {one.fact.split()[0]: one.drawn for one in await explain_drawing(game)}
    picture = await Painter(game).svg([[*boxes, "(line (dot 2 1) (dot 3 1))"]])

    assert drawn["(line"] == "a line around or between places of the board"
    assert "<title>" in picture
    assert "stroke-linecap" in picture
    assert "dot" not in picture

"""Matches in a notebook."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ggp import notebook
from ggp.notebook.position import Position
from ggp.notebook.slider import (
    MAX_LETTERS,
    MAX_PICTURES,
    SCRIPT,
    Frame,
    slider,
    step_for,
    thinned,
)
from ggp.records.record import MatchRecord
from tests.ggp.notebook.hostile import EVIL, RULES, scripts_in

pytestmark = pytest.mark.usefixtures("kernels")


def random_match(game: notebook.Game, seed: int = 1) -> notebook.Match:
    """A match of random moves, without anybody who plays it."""
    luck = random.Random(seed)
    position: Position = game.start()
    while not position.is_terminal:
        position = position.play([luck.choice(moves) for moves in position.legal().values()])
    joints = tuple(tuple(map(str, joint)) for joint in position.path)
    goals = tuple(goal or 0 for goal in position.goals.values())
    record = MatchRecord(match_id="m", start_time=0, startclock=1, playclock=1, moves=joints)
    return notebook.Match(game, record.completed(goals))


class TestPlaying:
    """Matches and series."""

    async def test_a_match_is_played_while_a_loop_runs(self) -> None:
        match = notebook.match("ticTacToe", "random", "legal", seed=1)
        assert match.goals is not None
        assert match[-1].is_terminal
        assert match.title().startswith("ticTacToe: random (xplayer) ")

    def test_players_change_roles(self) -> None:
        series = notebook.play_many("ticTacToe", "random", "legal", matches=2, seed=1)
        names = [match.record.player_names for match in series.matches]
        assert names == [("random", "legal"), ("legal", "random")]
        assert [row[:2] for row in series.rows] == [("random", "2"), ("legal", "2")]

    @pytest.mark.parametrize(
        ("players", "said"),
        [
            (["random"], r"expected 2 players, one for each role \(xplayer, oplayer\), got 1"),
            (["random", "rnadom"], "did you mean random"),
            (["random", 5], "players: expected texts, .* got 5"),
            (["h:9", "http://H:9/"], "player 1 and player 2 at one address"),
        ],
    )
    def test_what_cannot_be_played_is_told(self, players: list[Any], said: str) -> None:
        with pytest.raises(notebook.NotebookError, match=said):
            notebook.match("ticTacToe", *players)
        with pytest.raises(notebook.NotebookError, match="playclock: expected a whole number"):
            notebook.match("ticTacToe", "random", "random", playclock=0)
        with pytest.raises(notebook.NotebookError, match="move_limit: expected a whole number"):
            notebook.match("ticTacToe", "random", "random", move_limit="x")  # type: ignore[arg-type]


class TestFiles:
    """Records saved, read, and broken."""

    def test_what_was_saved_is_read(self, tmp_path: Path) -> None:
        match = notebook.match("ticTacToe", "random", "legal", seed=1)
        match.save(tmp_path / "match.json")
        assert repr(notebook.read(tmp_path / "match.json")) == repr(match)

    def test_a_folder_that_is_missing_is_told(self, tmp_path: Path) -> None:
        match = random_match(notebook.game("ticTacToe"))
        with pytest.raises(notebook.NotebookError, match="there is no folder"):
            match.save(tmp_path / "none" / "match.json")
        with pytest.raises(notebook.NotebookError, match="there is no such file"):
            notebook.read(tmp_path / "match.json")

    def test_a_move_that_does_not_fit_is_told(self) -> None:
        match = random_match(notebook.game("ticTacToe"))
        moves = (*match.record.moves[:2], ("(mark 9 9)", "noop"))
        record = MatchRecord(match_id="m", start_time=0, startclock=1, playclock=1, moves=moves)
        broken = notebook.Match(match.game, record)
        assert len(broken) == 3
        assert "turn 3: (mark 9 9) is no legal move of xplayer" in broken._repr_html_()
        assert "turn 3: (mark 9 9) is no legal move of xplayer" in repr(broken)


class TestSlider:
    """A match as HTML."""

    def test_each_position_can_be_chosen_and_the_last_one_is(self) -> None:
        match = random_match(notebook.game("ticTacToe"))
        html = match._repr_html_()
        assert html.count('type="radio"') == len(match) == len(match.record.moves) + 1
        [chosen] = re.findall(r'aria-label="([^"]*)" checked', html)
        assert chosen == match[-1].move_in_words()

    def test_pictures_share_what_they_have_in_common(self) -> None:
        match = random_match(notebook.game("breakthrough"))
        separate = sum(len(position._repr_svg_()) for position in match.positions)
        html = match._repr_html_()
        assert len(html) < separate / 3
        ids = re.findall(r' id="([^"]*)"', html)
        used = re.findall(r'href="#([^"]*)"', html)
        assert len(ids) == len(set(ids))
        assert set(used) == set(ids)

    def test_matches_on_one_page_share_no_ids(self) -> None:
        game = notebook.game("ticTacToe")
        first, second = (
            set(re.findall(r' (?:id|name)="([^"]*)"', random_match(game, seed)._repr_html_()))
            for seed in (1, 2)
        )
        assert not first & second

    def test_a_match_is_the_same_html_each_time(self) -> None:
        match = random_match(notebook.game("ticTacToe"))
        assert match._repr_html_() == match._repr_html_()

    def test_a_long_match_leaves_positions_out(self) -> None:
        frames = [
            Frame(f"{turn}. go", f'<svg viewBox="0 0 9 9"><text>{turn:09999}</text></svg>')
            for turn in range(200)
        ]
        html = slider("long", frames)
        assert len(html) <= MAX_LETTERS
        assert "one position of 4 is shown" in html
        assert ">0. go<" in html
        assert ">199. go<" in html

    def test_so_many_pictures_are_drawn_and_no_more(self) -> None:
        for num in (1, 2, MAX_PICTURES, MAX_PICTURES + 1, 5001):
            drawn = thinned(range(num), step_for(num))
            assert len(drawn) <= MAX_PICTURES + 1
            assert (drawn[0], drawn[-1]) == (0, num - 1)

    def test_rules_cannot_bring_scripts(self) -> None:
        game = notebook.game(RULES)
        match = random_match(game)
        [script] = scripts_in(match._repr_html_())
        assert f"<script>{script}</script>" == SCRIPT
        assert EVIL in match.title()


class TestReport:
    """Reports on matches."""

    def test_a_report_has_a_chart_and_the_mistakes(self) -> None:
        moves = [
            *("(mark 1 1)", "(mark 2 1)", "(mark 2 2)", "(mark 3 2)"),
            *("(mark 1 2)", "(mark 3 1)", "(mark 3 3)"),
        ]
        position = notebook.game("ticTacToe").after(moves)
        joints = tuple(tuple(map(str, joint)) for joint in position.path)
        record = MatchRecord(match_id="m", start_time=0, startclock=1, playclock=1, moves=joints)
        report = notebook.Match(notebook.game("ticTacToe"), record).report(rounds=1000)
        assert report.mistakes.rows
        assert "blunder" in repr(report)
        html = report._repr_html_()
        assert "<polyline" in html
        anchors = re.findall(r'href="#([^"]*)"', html)
        assert anchors
        assert set(anchors) <= set(re.findall(r'id="([^"]*)"', html))

    def test_moves_made_in_a_players_place_are_told_of(self) -> None:
        match = random_match(notebook.game("ticTacToe"))
        record = replace(match.record, errors=(("", ""),) + (("TO", ""),) * len(match.record.moves))
        report = notebook.Match(match.game, record).report(seconds=0.1)
        assert report.accuracy["xplayer"] is None
        assert "moves of xplayer, where it had a choice, were made for it" in repr(report)

    def test_rules_cannot_bring_scripts(self) -> None:
        report = random_match(notebook.game(RULES)).report(seconds=0.1)
        assert scripts_in(report._repr_html_()) == []

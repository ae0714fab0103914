"""Harnesses: matches with whoever answers, what is told, and the files for each framework."""

from __future__ import annotations

import importlib.util
import os
import random
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from ggp import games
from ggp.harness.examples import Example, is_true
from ggp.harness.game import HarnessGame
from ggp.harness.table import Table, play
from ggp.harness.turn import Message
from ggp.harness.writing import Format, harness_file

QUICK = ("ticTacToe", "goofspiel", "kuhnPoker")
MORE = ("hex", "lightsOut", "pig", "threePlayerTicTacToe", "leducPoker", "chomp", "connectFour")
"""A long match, a puzzle, chance, three roles, hidden cards of a round that goes on, and moves
with numbers and columns."""
PYTHON = os.environ.get("GGP_TEST_HARNESS_PYTHON", sys.executable)


def game(name: str) -> HarnessGame:
    """A bundled game."""
    return HarnessGame(name, games.text(name))


def module(file: Path, text: str) -> ModuleType:
    """A harness file as Python imports it."""
    file.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def check_schema(value: object, schema: dict[str, object]) -> None:
    """A position is what its schema says, where there is a package to tell."""
    if importlib.util.find_spec("jsonschema"):
        import jsonschema  # type: ignore[import-untyped]

        jsonschema.validate(value, schema)


def check_harness(name: str, folder: Path) -> None:
    """The file of a game runs: its examples are true, and guesses end a match."""
    found = module(folder / f"{name}.py", harness_file(game(name), games.text(name), Format.PLAIN))
    rng = random.Random(1)

    def guess(messages: list[Message]) -> str:
        return f"I think of {rng.randint(1, 9)}.\nMOVE: {rng.randint(1, 5)}"

    result = found.play_match(guess)

    assert found.EXAMPLES
    for one in found.EXAMPLES:
        path = tuple(tuple(joint) for joint in one["path"])
        assert is_true(found.GAME, Example(path, one["role"], one["move"], one["legal"]))
        assert f"MOVE: {one['move']}" in found.BRIEFING
    assert {one["legal"] for one in found.EXAMPLES} == {True, False}
    assert result["match"]["over"]
    check_schema(result["match"], found.STATE_SCHEMA)


@pytest.mark.parametrize("name", QUICK)
def test_a_harness_runs(name: str, tmp_path: Path) -> None:
    """Of a board, of moves at once, and of hidden cards."""
    check_harness(name, tmp_path)


@pytest.mark.thorough
@pytest.mark.parametrize("name", MORE)
def test_harnesses_of_other_games_run(name: str, tmp_path: Path) -> None:
    """Of the other kinds of game."""
    check_harness(name, tmp_path)


def test_the_end_of_what_is_typed_ends_a_harness(tmp_path: Path) -> None:
    """With a line that says so."""
    file = tmp_path / "harness.py"
    file.write_text(harness_file(game("ticTacToe"), games.text("ticTacToe"), Format.PLAIN))

    ended = subprocess.run(
        [sys.executable, file],
        check=False,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )

    assert ended.returncode == 1
    assert ended.stderr.strip() == "the input ended before the match"


def test_a_refusal_says_why() -> None:
    """And which moves are legal only if they are told at all."""
    tic = game("ticTacToe")
    table = Table(tic, ["oplayer"], 3, shows_legal=False)
    taken = str(table.match.path[0][0])

    table.answer("oplayer", f"MOVE: {taken}")

    said = table.messages("oplayer")[-1]["content"]
    assert f"{taken} is not legal for oplayer after 1 joint move, because (cell" in said
    assert "one of your" not in said
    assert "legal moves:" not in table.messages("oplayer")[1]["content"]


def test_what_a_role_must_not_know_is_told_nowhere() -> None:
    """Neither in reasons nor in positions, where information is hidden."""
    table = Table(game("kuhnPoker"), ["second"], 1)
    other = next(str(joint[2]) for joint in table.match.path if str(joint[2]) != "noop")

    table.answer("second", "MOVE: noop")

    said = [message["content"].partition("This is turn")[2] for message in table.messages("second")]
    assert not any(other in text or "(card" in text for text in said)
    assert "because" not in table.messages("second")[-1]["content"]
    position = table.match.to_json("second")
    assert position["facts"] == {}
    assert all(set(turn) == {"second"} for turn in position["history"])


def test_answers_without_a_move_are_replaced_after_rethinks() -> None:
    """So that each match ends, the same for the same seed."""
    tables = [Table(game("nim"), ["first"], 4, rethinks=1) for _ in range(2)]

    found = [play(table, lambda _: "no idea") for table in tables]

    assert found[0] == found[1]
    counts = found[0]["roles"]["first"]
    assert counts["replaced"] == counts["asked"] == counts["illegal"] / 2 > 0


@pytest.mark.parametrize(
    "answer", ["MOVE: (mark 2 2)", "MOVE: Mark column 2, row 2", "so mark(2, 2) it is"]
)
def test_names_and_terms_are_read(answer: str) -> None:
    """As models write them."""
    turn = game("ticTacToe").match().ask("xplayer")

    assert turn.answer(answer)
    assert turn.move == "(mark 2 2)"


DRIVERS = {
    Format.INSPECT: """\
from inspect_ai import eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model
said = [ModelOutput.from_content("mockllm/model", f"MOVE: {at % 4 + 1}") for at in range(200)]
for one in said:  # or it asks the network how many tokens these are
    one.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
model = get_model("mockllm/model", custom_outputs=said)
[log] = eval("game.py", task_args={"seeds": 2}, model=model, display="none", log_dir="logs")
assert log.status == "success", log.error
for sample in log.samples:
    score = sample.scores["goal_value"]
    assert score.metadata["match"]["over"]
    assert score.value == score.metadata["roles"]["xplayer"]["score"]
    assert score.metadata["roles"]["xplayer"]["asked"] > 2
""",
    Format.OPENENV: """\
import game
from fastapi.testclient import TestClient
environment = game.GameEnvironment()
seen, answers = environment.reset(seed=3), ["MOVE: (mark 9 9)"]
while not seen.done:
    seen = environment.step(game.Answer(text=(answers or ["MOVE: 1"]).pop()))
mine = environment.state.result["roles"]["xplayer"]
assert (mine["illegal"], mine["mended"]) == (1, 1)
assert seen.reward == mine["score"]
client = TestClient(game.app)
answer = client.post("/reset", json={"seed": 3})
assert answer.status_code == 200
assert "You are the role xplayer" in answer.json()["observation"]["messages"][0]["content"]
""",
    Format.KAGGLE: """\
import game
environment = game.make_environment({"seed": 3})
def agent(observation):
    return "MOVE: (mark 9 9)" if len(observation.messages) == 2 else "MOVE: 1"
environment.run(["random", agent])
assert [one.status for one in environment.state] == ["DONE", "DONE"]
assert sum(one.reward for one in environment.state) == 1
counts = environment.ggp_table.counts["oplayer"]
assert counts.asked == counts.illegal == counts.mended > 0
""",
}
PACKAGES = {
    Format.INSPECT: "inspect_ai",
    Format.OPENENV: "openenv.core",
    Format.KAGGLE: "kaggle_environments",
}


@pytest.mark.thorough
@pytest.mark.parametrize("form", DRIVERS)
def test_a_harness_runs_in_its_framework(form: Format, tmp_path: Path) -> None:
    """With the real package, in the Python that has it (GGP_TEST_HARNESS_PYTHON)."""
    package = PACKAGES[form]
    have = subprocess.run([PYTHON, "-c", f"import {package}"], capture_output=True, check=False)
    if have.returncode:
        pytest.skip(f"{PYTHON} has no package {package}")
    text = harness_file(game("ticTacToe"), games.text("ticTacToe"), form)
    (tmp_path / "game.py").write_text(text, encoding="utf-8")
    (tmp_path / "drive.py").write_text(DRIVERS[form], encoding="utf-8")
    root = str(Path(__file__).parents[3])

    driven = subprocess.run(
        [PYTHON, "drive.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": root},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert driven.returncode == 0, driven.stderr[-2000:]


@pytest.mark.parametrize("form", list(Format))
def test_hostile_rules_make_a_file_that_only_holds_them(form: Format) -> None:
    """Whatever stands in comments stays a text."""
    rules = '; """ + print("gotcha") + """ \\ \n' + games.text("nim")

    text = harness_file(HarnessGame('x"""y', rules), rules, form)

    compiled = compile(text, "it.py", "exec")
    assert rules in compiled.co_consts

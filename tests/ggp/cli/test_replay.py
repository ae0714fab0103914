"""`ggp replay` replays one trace here, and folders of them within their time."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ggp.bench.replays import Pair, run_pairs
from ggp.cli import app

pytestmark = pytest.mark.usefixtures("kernels")

RULES = """
(role me) (init (s 0)) (legal me go) (<= (next (s 1)) (true (s 0))) (goal me 50)
(<= terminal (true (s 1)))
"""
# Each state doubles the terms: the rules cannot be evaluated, or not for long.
ENDLESS = """
(role me) (init (s z)) (legal me go) (<= (n z)) (<= (n (f ?x ?y)) (n ?x) (n ?y))
(<= (next (s ?x)) (n ?x)) (goal me 50) (<= terminal (true (s y)))
"""
HEAD = {"game": "g", "roles": ["me"]}
STATES = [
    {
        "playout": 0,
        "step": 0,
        "state": ["(s 0)"],
        "terminal": False,
        "legal": {"me": ["go"]},
        "moves": ["go"],
        "goals": {"me": 50},
    },
    {"playout": 0, "step": 1, "state": ["(s 1)"], "terminal": True, "goals": {"me": 50}},
]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A folder of rulesheets and one of traces: true, planted, endless, missing, broken."""
    rules, traces = tmp_path / "rules", tmp_path / "traces"
    rules.mkdir()
    traces.mkdir()
    planted = [STATES[0], STATES[1] | {"goals": {"me": 60}}]
    for name, text, states in [
        ("true", RULES, STATES),
        ("planted", RULES, planted),
        ("endless", ENDLESS, [{**STATES[0], "state": ["(s z)"]}, STATES[1]]),
        ("missing", RULES, None),
        ("broken", "(role me", STATES),
    ]:
        (rules / f"{name}.kif").write_text(text)
        if states is not None:
            lines = "\n".join(json.dumps(line) for line in [HEAD, *states])
            (traces / f"{name}.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    return tmp_path


def run(*args: str) -> tuple[int, str]:
    """Exit code and output of `ggp replay` with these arguments."""
    result = CliRunner().invoke(app, ["replay", *args])
    return result.exit_code, result.stdout


def test_a_true_trace_agrees(corpus: Path) -> None:
    """Exit 0, and how many states were compared."""
    code, shown = run(str(corpus / "rules" / "true.kif"), str(corpus / "traces" / "true.jsonl.gz"))

    assert (code, shown.splitlines()[0][:27]) == (0, "true: agrees (2 states, 0.0")


def test_a_planted_difference_is_found(corpus: Path) -> None:
    """Exit 1, with the place; a folder of traces serves as well."""
    code, shown = run(str(corpus / "rules" / "planted.kif"), str(corpus / "traces"))

    assert code == 1
    assert "playout 0, step 1: goals me: expected 60, got 50" in shown


def test_a_folder_is_replayed_by_name(corpus: Path) -> None:
    """Every rulesheet has its line, and the failures make the exit code."""
    code, shown = run(str(corpus / "rules"), str(corpus / "traces"), "--seconds", "5", "--json")

    reports = {report["name"]: report for report in json.loads(shown)}
    outcomes = {name: report["outcome"] for name, report in reports.items()}
    assert code == 1
    assert outcomes.pop("endless") in {"fails", "out of time"}
    assert outcomes == {
        "true": "agrees",
        "planted": "differs",
        "missing": "no trace",
        "broken": "fails",
    }
    assert reports["true"]["num_states"] == 2
    assert "broken.kif:1:1" in reports["broken"]["detail"]


def test_a_folder_is_shown_as_a_table(corpus: Path) -> None:
    """A row each, and the sum."""
    for name in ("planted", "endless", "broken"):
        (corpus / "rules" / f"{name}.kif").unlink()

    code, shown = run(str(corpus / "rules"), str(corpus / "traces"))

    assert code == 0
    assert "1 agrees, 1 no trace; 2 states compared" in shown


def test_a_replay_that_does_not_look_at_the_clock_is_stopped(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pipe as a trace: nobody writes, so reading never ends."""
    monkeypatch.setattr("ggp.bench.replays.KILL_AFTER_SECONDS", 0.5)
    os.mkfifo(corpus / "pipe.jsonl")
    pair = Pair("pipe", str(corpus / "rules" / "true.kif"), str(corpus / "pipe.jsonl"))

    [report] = run_pairs([pair], seconds=0.5, num_jobs=1)

    assert (report.outcome, report.num_states) == ("out of time", 0)


@pytest.mark.parametrize("engine", ["scalar", "lanes"])
def test_the_circuit_replays_like_the_interpreter(corpus: Path, engine: str) -> None:
    """Traces that agree do so on the circuit too, and a planted difference is found there."""
    arguments = ["--engine", engine, "--json"]
    rules, traces = corpus / "rules", corpus / "traces"

    agrees = CliRunner().invoke(
        app, ["replay", str(rules / "true.kif"), str(traces / "true.jsonl.gz"), *arguments]
    )
    differs = CliRunner().invoke(
        app, ["replay", str(rules / "planted.kif"), str(traces / "planted.jsonl.gz"), *arguments]
    )

    assert json.loads(agrees.stdout)[0]["outcome"] == "agrees"
    assert json.loads(differs.stdout)[0]["outcome"] == "differs"


@pytest.mark.parametrize("engine", ["scalar", "lanes"])
def test_rules_that_do_not_ground_are_no_failure(corpus: Path, engine: str) -> None:
    """Only the interpreter can replay them; the report says why, and nothing disagrees."""
    rules = corpus / "rules" / "true.kif"
    rules.write_text(RULES + "(<= (unsafe ?x) (true (s 0))) (<= (goal me 0) (unsafe 1))")

    code, shown = run(
        str(rules), str(corpus / "traces" / "true.jsonl.gz"), "--engine", engine, "--json"
    )

    assert code == 0
    [report] = json.loads(shown)
    assert report["outcome"] == "does not ground"
    assert "?x" in report["detail"]

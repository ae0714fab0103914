"""README keeps its word, and so do the pages it sends to: commands, verbs, figures, links."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
import typer

from tests.shared import REPOSITORY

pytestmark = pytest.mark.usefixtures("kernels")

README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
BENCHMARKS = (REPOSITORY / "benchmarks" / "README.md").read_text(encoding="utf-8")
ARCHITECTURE = (REPOSITORY / "docs" / "architecture.md").read_text(encoding="utf-8")
VERBS = (REPOSITORY / "docs" / "cli.md").read_text(encoding="utf-8")
DOCUMENTS = [
    REPOSITORY / name for name in ("README.md", "AGENTS.md", "CONTRIBUTING.md", "SECURITY.md")
]
DOCUMENTS += sorted((REPOSITORY / "benchmarks").glob("*.md"))
DOCUMENTS += sorted((REPOSITORY / "docs").rglob("*.md"))
DOCUMENTS += [path for room in ("gdl", "ggp") for path in sorted((REPOSITORY / room).rglob("*.md"))]

BLOCK = re.compile(r"^```(?P<language>\w*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"^```.*?^```$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?:\]\(|src(?:set)?=\")(?!https?:)(?P<target>[^)#\s\"]+)")
HEADING = re.compile(r"^#+ (?P<title>.+)$", re.MULTILINE)
FIGURE = re.compile(r"\[(?P<figure>[^]]*)\]\(benchmarks/README\.md#(?P<anchor>[\w-]+)\)")

TEST_COMMAND = "pip install '.[test]' && pytest"


def section(title: str, text: str = README) -> str:
    """The text of a document between this heading and the next of its level."""
    return text.split(f"\n## {title}\n")[1].split("\n## ", maxsplit=1)[0]


def anchors(text: str) -> set[str]:
    """What the headings of a document are called in links."""
    titles = (found["title"].lower().replace(" ", "-") for found in HEADING.finditer(text))
    return {re.sub(r"[^\w-]", "", title) for title in titles}


def verbs_of_the_command_line() -> set[str]:
    """Every verb that `ggp` has."""
    from ggp.cli import app

    command = typer.main.get_command(app)
    return set(getattr(command, "commands", ()))


def verbs_in(text: str) -> set[str]:
    """Every `ggp VERB` that stands in code in this text."""
    code = "\n".join(CODE.findall(text))
    return set(re.findall(r"(?:^|[`&|;]\s*|\s)ggp ([a-z]+)\b", code, re.MULTILINE))


def test_quick_start_is_exactly_two_commands() -> None:
    """Two lines, to the letter: one that plays a match and one that runs the tests."""
    blocks = BLOCK.findall(section("Quick start"))

    commands = blocks[0][1].splitlines()

    assert commands == ["pip install . && ggp match ticTacToe mcts random", TEST_COMMAND]


def test_ci_runs_the_test_command_of_the_quick_start() -> None:
    """The script reads the command from README, and reads it right."""
    script = (REPOSITORY / ".ci" / "run").read_text(encoding="utf-8")
    function = re.search(r"^readme_test_command\(\) \{.*?^\}", script, re.MULTILINE | re.DOTALL)
    assert function is not None

    found = subprocess.run(
        ["bash", "-c", f"{function[0]}\nreadme_test_command"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()

    assert found == TEST_COMMAND
    assert "test_command=$(readme_test_command)" in script
    assert 'bash -euo pipefail -c "$test_command"' in script


def test_every_verb_of_the_readme_exists() -> None:
    """Nobody is sent to a verb that is not there."""
    verbs = verbs_in(README)

    assert {"serve", "match"} <= verbs
    assert verbs - verbs_of_the_command_line() == set()


def test_readme_begins_with_six_verbs() -> None:
    """Who comes anew need not choose among all of them."""
    rows = re.findall(r"^\| `ggp (\w+)` \|", section("Six verbs to begin with"), re.MULTILINE)

    assert len(rows) == 6
    assert set(rows) <= verbs_of_the_command_line()


def test_every_verb_is_in_the_table_of_the_command_line() -> None:
    """A verb that the table does not name is one that nobody finds."""
    rows = re.findall(r"^\| `ggp (\w+)` \|", section("All verbs", VERBS), re.MULTILINE)

    assert set(rows) == verbs_of_the_command_line()


def test_figures_of_the_first_screen_are_measured() -> None:
    """Each number is in the summary of the benchmarks, and its link leads to a heading."""
    figures = FIGURE.findall(README.split("\n## ")[0])
    summary = set(re.findall(r"[\d.,]*\d", section("In short", BENCHMARKS)))

    numbers = {number for figure, _ in figures for number in re.findall(r"[\d.,]*\d", figure)}

    assert len(figures) == 3
    assert numbers - summary == set()
    assert {anchor for _, anchor in figures} - anchors(BENCHMARKS) == set()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_to_files(document: Path) -> None:
    """Every relative link of every document leads somewhere."""
    targets = LINK.findall(document.read_text(encoding="utf-8"))

    missing = [target for target in targets if not (document.parent / target).exists()]

    assert missing == []


def test_every_place_on_the_map_for_tools_exists() -> None:
    """AGENTS.md names folders and files; none of them has moved."""
    text = (REPOSITORY / "AGENTS.md").read_text(encoding="utf-8")
    places = re.findall(r"`((?:gdl|ggp|games|benchmarks|tests|docs)/[\w/.]*)`", text)

    assert len(places) > 30
    assert [place for place in places if not (REPOSITORY / place).exists()] == []


def test_python_examples_print_what_they_promise(capsys: pytest.CaptureFixture[str]) -> None:
    """Both run as they stand: nine squares to mark and nothing for the other; then playouts."""
    examples = [body for language, body in BLOCK.findall(README) if language == "python"]

    exec(compile("".join(examples), "README.md", "exec"), {})

    first, second, third = capsys.readouterr().out.splitlines()
    assert first.startswith("xplayer")
    assert first.count("mark") == 9
    assert second == "oplayer ['noop']"
    assert re.match(r"[\d,]{6,} playouts, 2[0-4]\.\d moves each, goals \(", third)


def rooms() -> set[str]:
    """Each package or module directly below `gdl` and `ggp`."""
    return {
        f"{package}.{entry.stem}"
        for package in ("gdl", "ggp")
        for entry in (REPOSITORY / package).iterdir()
        if not entry.name.startswith(("_", "."))
        and (entry.suffix == ".py" or (entry / "__init__.py").exists())
    }


def test_source_overview_names_every_room() -> None:
    """Each has its line in the table of the architecture."""
    table = section("Which way imports point", ARCHITECTURE)

    named = set(re.findall(r"^\| (.*?) \|", table, re.MULTILINE))
    named = {room for line in named for room in re.findall(r"`(g(?:dl|gp)\.\w+)`", line)}

    assert named == rooms()


def test_the_drawing_has_every_room() -> None:
    """And none that is not there: a layer's text has its rooms, in bold."""
    drawing = (REPOSITORY / "docs" / "pictures" / "rooms.svg").read_text(encoding="utf-8")
    layers = re.findall(r'font-weight="600"[^>]*>([\w ]+)<', drawing)

    drawn = {room for layer in layers for room in layer.split()}

    assert drawn == {room.split(".")[1] for room in rooms()}


def test_ci_is_executable_and_well_formed() -> None:
    """`bash .ci/run` at least parses, and so does `./.ci/run`."""
    script = REPOSITORY / ".ci" / "run"

    checked = subprocess.run(["bash", "-n", script], capture_output=True, text=True, check=False)

    assert checked.stderr == ""
    assert os.access(script, os.X_OK)

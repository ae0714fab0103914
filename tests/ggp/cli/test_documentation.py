"""Every command and option of the command line is documented in docs/cli.md, with its default."""

from __future__ import annotations

import re
from typing import Any

import pytest
import typer

from ggp.cli import app
from ggp.cli.verbs import command_of
from tests.shared import REPOSITORY

PAGE = (REPOSITORY / "docs" / "cli.md").read_text(encoding="utf-8")
ROOT: Any = typer.main.get_command(app)


def verbs_of(group: Any, prefix: str = "") -> dict[str, Any]:
    """Each verb by its words; those of a group of verbs one by one."""
    found = {}
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            found.update(verbs_of(command, f"{prefix}{name} "))
        if getattr(command, "is_verb", True):
            found[prefix + name] = command_of(ROOT, [*prefix.split(), name])
    return found


COMMANDS = verbs_of(ROOT)
VERBS: list[str] = sorted(COMMANDS)


def section(verb: str) -> str:
    """The text of the page on one verb."""
    found = re.search(rf"^## ggp {verb}\b.*?(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None, f"docs/cli.md has no section on {verb}"
    return found[0]


def option_names(verb: str) -> set[str]:
    """The options that a verb has."""
    params = COMMANDS[verb].params
    found = {name for param in params for name in param.opts if name.startswith("-")}
    return found - {"--help"}


@pytest.mark.parametrize("verb", VERBS)
def test_every_option_is_documented(verb: str) -> None:
    """The tables have exactly the options that there are."""
    documented = set(re.findall(r"`(--?[a-z][a-z-]*)\b", section(verb)))

    assert documented == option_names(verb)


@pytest.mark.parametrize("verb", VERBS)
def test_every_default_is_documented(verb: str) -> None:
    """A default value stands in the row of its option."""
    rows = section(verb).splitlines()
    for param in COMMANDS[verb].params:
        default = getattr(param.default, "value", param.default)
        if param.opts[0].startswith("--") and default not in (None, False, [], ()):
            [row] = [row for row in rows if row.startswith(f"| `{param.opts[0]}")]
            assert row.split("|")[2].strip() == str(default)


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_and_option_has_help(verb: str) -> None:
    """`ggp --help` and `ggp VERB --help` leave nothing unsaid."""
    command = COMMANDS[verb]

    assert command.help.splitlines()[0].endswith(".")
    assert [param.name for param in command.params if not param.help] == []


def test_every_section_is_a_verb() -> None:
    """The page describes no verb that is gone."""
    assert sorted(re.findall(r"^## ggp ([a-z ]*[a-z])", PAGE, re.MULTILINE)) == VERBS


def test_options_of_the_root_are_documented() -> None:
    """`ggp --version` and its like."""
    head = PAGE.split("\n## ")[0]
    names = {name for param in ROOT.params for name in param.opts}

    assert all(f"`{name}`" in head for name in names)

"""docs/cli.md documents every verb and option of the command line."""

from __future__ import annotations

import re
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType
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


def command_tables_script() -> ModuleType:
    """The script that writes the tables of the page."""
    spec = spec_from_file_location("command_tables", REPOSITORY / "docs" / "command_tables.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


command_tables = command_tables_script()


def test_tables_are_up_to_date() -> None:
    """The tables of verbs and options say what `ggp --help` says."""
    assert command_tables.updated(PAGE) == PAGE, (
        "docs/cli.md differs from `ggp --help`; run `python docs/command_tables.py`"
    )


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

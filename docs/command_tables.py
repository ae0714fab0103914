"""Write the tables of verbs and options in `docs/cli.md` from what `ggp --help` says.

Run it after a change of the command line: `python docs/command_tables.py`. What stands around the
tables is written by hand. A test compares the page with the result.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from ggp.cli import app
from ggp.cli.verbs import VERBS, command_of

PAGE = Path(__file__).with_name("cli.md")
ROOT: Any = typer.main.get_command(app)
SECTION = re.compile(r"^## ggp (?P<verb>[a-z ]*[a-z]).*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
OPTIONS = re.compile(r"^\| option \| default \| meaning \|\n(\|.*\n)+", re.MULTILINE)
ALL_VERBS = re.compile(r"^\| verb \| what it does \|\n(\|.*\n)+", re.MULTILINE)
MARKUP = re.compile(r"\[/?(?:bold|dim|cyan|link|b)[^\]]*\]")


def updated(page: str) -> str:
    """Return the page with its tables as the command line is now.

    Raises:
        ValueError: A verb with options has no section, or its section has no table.
    """
    page = ALL_VERBS.sub(lambda _: verb_table(), page)
    return SECTION.sub(lambda found: _with_options(found["verb"], found[0]), page)


def verb_table() -> str:
    """Return the table of all verbs."""
    rows = [f"| `ggp {verb}` | {summary} |" for verb, summary in _verbs()]
    return _table("| verb | what it does |", rows)


def option_table(verb: str) -> str:
    """Return the table of a verb's options; empty if it has none."""
    params = command_of(ROOT, verb.split()).params
    rows = [
        _row(param)
        for param in params
        if param.opts[0].startswith("-") and "--help" not in param.opts
    ]
    return _table("| option | default | meaning |", rows) if rows else ""


def _verbs() -> Iterator[tuple[str, str]]:
    for name, verb in VERBS.items():
        if isinstance(verb, str):
            yield name, verb
            continue
        if verb.is_verb:
            yield name, verb.summary
        yield from ((f"{name} {each}", summary) for each, summary in verb.verbs.items())


def _with_options(verb: str, section: str) -> str:
    table = option_table(verb)
    if bool(table) != bool(OPTIONS.search(section)):
        state = "has no table" if table else "has a table, but the verb has no options"
        raise ValueError(f"docs/cli.md: the section on {verb} {state}")
    return OPTIONS.sub(lambda _: table, section, count=1)


def _row(param: Any) -> str:
    names = [f"`{name}`" for name in param.opts]
    if param.metavar and not param.is_flag:
        names[0] = f"`{param.opts[0]} {param.metavar}`"
    default = getattr(param.default, "value", param.default)
    is_unset = default is None or default is False or default in ([], ())  # 0 is a default
    shown = "" if is_unset else f"`{default}`"
    meaning = MARKUP.sub("", " ".join(param.help.split())).replace("|", "\\|")
    return f"| {', '.join(names)} | {shown} | {meaning} |"


def _table(head: str, rows: list[str]) -> str:
    rule = "|---" * (head.count("|") - 1) + "|"
    return "\n".join([head, rule, *rows]) + "\n"


if __name__ == "__main__":
    PAGE.write_text(updated(PAGE.read_text(encoding="utf-8")), encoding="utf-8")

"""The command `ggp`: one module a verb, and the only place that prints.

Verbs import what is heavy inside their functions, so that `ggp --help` answers at once.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated

import typer

from ggp.cli.analyze import analyze
from ggp.cli.bench import playouts
from ggp.cli.bench_search import search
from ggp.cli.book import build as build_book
from ggp.cli.book import show as show_book
from ggp.cli.check import check
from ggp.cli.format import format_rules
from ggp.cli.games import games
from ggp.cli.learn import learn
from ggp.cli.lecture import lecture
from ggp.cli.manager import manager
from ggp.cli.match import match
from ggp.cli.ping import ping
from ggp.cli.play import play
from ggp.cli.replay import replay
from ggp.cli.root import Group, Root, Verb, print_version
from ggp.cli.serve import serve
from ggp.cli.tournament import tournament

app = typer.Typer(
    name="ggp",
    cls=Root,
    help="Play any game whose rules are given in GDL.",
    rich_markup_mode="rich",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def root(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            metavar="",
            callback=print_version,
            is_eager=True,
            help="Show the version and exit.",
        ),
    ] = False,
) -> None:
    """Play any game whose rules are given in GDL."""


bench = typer.Typer(cls=Group, rich_markup_mode="rich")
app.add_typer(bench, name="bench", help="Measure how fast reasoners and searches are.")

book = typer.Typer(cls=Group, rich_markup_mode="rich")
app.add_typer(book, name="book", help="Build a book of openings and endgames, or show one.")


def _add(name: str, verb: Callable[..., None], group: typer.Typer = app) -> None:
    """Add a verb; its help is its docstring, each paragraph as one line for the screen to break."""
    paragraphs = (inspect.getdoc(verb) or "").split("\n\n")
    text = "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
    group.command(name, cls=Verb, help=text)(verb)


_add("serve", serve)
_add("match", match)
_add("manager", manager)
_add("tournament", tournament)
_add("play", play)
_add("analyze", analyze)
_add("learn", learn)
_add("ping", ping)
_add("games", games)
_add("lecture", lecture)
_add("replay", replay)
_add("check", check)
_add("format", format_rules)
_add("playouts", playouts, bench)
_add("search", search, bench)
_add("build", build_book, book)
_add("show", show_book, book)


def main() -> None:
    """Run the command line; the console script `ggp` calls this."""
    app()

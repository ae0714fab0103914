"""The verbs: where each is written, and the command made of it, when it is asked for.

A verb's module is imported, and its options are read, only if the command line names the verb: the
list of all verbs needs no more than their first lines, which therefore stand here as well.
"""

from __future__ import annotations

import inspect
from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from importlib import import_module
from textwrap import dedent, indent
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

_EXAMPLES = "Examples:\n"


@dataclass(frozen=True, slots=True)
class Several:
    """A group of verbs, such as those of `ggp bench`, and the first line of each one's help."""

    summary: str
    verbs: dict[str, str]


VERBS: dict[str, str | Several] = {
    "serve": "Wait for game managers and play the matches they start.",
    "match": "Play matches and show how they go.",
    "manager": "Host matches and tournaments, and show them in a browser.",
    "tournament": "Hold a tournament that a file describes, and print its table.",
    "play": "Play a game yourself, against our players or others.",
    "analyze": "Search a position, and show what is found: moves, values, what is proven, what is "
    "expected.",
    "report": "Report on a match: what each position was worth, and the moves that gave something "
    "away.",
    "learn": "Learn by self-play what the states of a game are worth, and write it to a file.",
    "grade": "Grade players in Python files: are they sound, how fast, how good against baselines.",
    "ping": "Report what a player answers to INFO, and how fast.",
    "players": "List the players, or show the options of one.",
    "games": "List the bundled games, show one, or draw a picture of them.",
    "lecture": "Compute an example of the lectures anew, and show both results; or list the "
    "examples.",
    "warm": "Compile all that is compiled once after an install, so that nothing need wait for it.",
    "replay": "Replay recorded traces and matches, and name the first difference.",
    "check": "Report what is wrong with rulesheets, and where.",
    "why": "Tell why a fact holds in a position, or what is missing for it.",
    "format": "Print rulesheets in a regular layout; comments and the case of symbols are kept.",
    "lsp": "Help an editor with rulesheets: what is wrong while one types, and much more.",
    "bench": Several(
        "Measure how fast reasoners and searches are.",
        {
            "playouts": "Play games at random and tell how fast that goes.",
            "reasoners": "Play games at random on each reasoner, and tell how fast each is.",
            "search": "Search games from their first state and tell how fast that goes.",
            "match": "Play matches of games never seen before, and tell how fast the search is in "
            "each turn.",
        },
    ),
    "book": Several(
        "Build a book of openings and endgames, or show one.",
        {
            "build": "Build a book: the whole game solved backwards if it is small, else its "
            "opening and its ends.",
            "show": "Show what a book is, and what it says about a position.",
        },
    ),
}
"""The first line of each verb's help. A verb is the function of its name in the module of its name,
or of its group's."""


class Verb(TyperCommand):
    """One verb."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the command line; an option whose metavar ends in dots takes several values."""
        several = {
            name
            for param in self.params
            if param.opts[0].startswith("-") and str(param.metavar).endswith("...")
            for name in param.opts
        }
        found: list[str] = super().parse_args(ctx, list(_spread(args, several)))
        return found

    def get_params(self, ctx: Any) -> list[Any]:
        """The options and arguments; no argument is shown with the Python type that it has."""
        params: list[Any] = super().get_params(ctx)
        for param in params:
            if not param.opts[0].startswith("-"):
                param.display_type_rich = lambda ctx: ""
                if hasattr(param, "type"):  # older typers ask this instead
                    param.type = copy(param.type)
                    param.type.get_metavar = lambda *_, **__: ""
        return params

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """`[OPTIONS] GAME PLAYER...`, as the documentation has it."""
        arguments = [param for param in self.params if not param.opts[0].startswith("-")]
        return ["[OPTIONS]"] + [
            f"{param.metavar}" if param.required else f"[{param.metavar}]" for param in arguments
        ]

    def get_help_option(self, ctx: Any) -> Any:
        """`-h`, `--help`, without a word for the value that they do not take."""
        return _without_value(super().get_help_option(ctx))


def _spread(args: Sequence[str], several: Collection[str]) -> Iterator[str]:
    """`--games a b` as `--games a --games b`, for these options."""
    option, is_first = "", False
    for word in args:
        if word.startswith("-") and word != "-":
            option, is_first = (word if word in several else ""), True
        elif option and not is_first:
            yield option
        else:
            is_first = False
        yield word


class Group(TyperGroup):
    """A group of verbs; without others, that of all verbs."""

    def __init__(self, verbs: Mapping[str, str | Several] = VERBS, **attributes: Any) -> None:
        super().__init__(**attributes)
        module = "" if verbs is VERBS else attributes["name"]
        self.commands = Commands(verbs, module)  # type: ignore[assignment]  # nobody adds to them

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of the verbs, without making commands of them."""
        return list(self.commands)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The verb of a name, no more of it than a list of verbs needs; None if there is none."""
        return self.commands.listed(cmd_name)  # type: ignore[attr-defined]

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The verb that the arguments begin with, whole, and the arguments behind it."""
        name, listed, rest = super().resolve_command(ctx, args)
        return name, listed and self.commands[str(listed.name)], rest

    def get_help_option(self, ctx: Any) -> Any:
        """`-h`, `--help`, without a word for the value that they do not take."""
        return _without_value(super().get_help_option(ctx))


class Commands(Mapping[str, Any]):
    """Commands by their names; one is made when it is asked for."""

    def __init__(self, verbs: Mapping[str, str | Several], module: str = "") -> None:
        """Commands for these verbs; `module` is that of a group, else each has its own."""
        self._verbs = verbs
        self._module = module
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            verb = self._verbs[name]
            self._made[name] = (
                Group(verb.verbs, name=name, help=verb.summary, rich_markup_mode="rich")
                if isinstance(verb, Several)
                else _command(self._module or name, name)
            )
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._verbs)

    def __len__(self) -> int:
        return len(self._verbs)

    def __contains__(self, name: object) -> bool:
        return name in self._verbs

    def listed(self, name: str) -> Any:
        """A command that has a name and a summary only; None if there is none of that name."""
        if name not in self._verbs:
            return None
        verb = self._verbs[name]
        summary = verb.summary if isinstance(verb, Several) else verb
        return TyperCommand(name, help=summary, rich_markup_mode="rich")


def _command(module: str, name: str) -> Any:
    """The command of a verb."""
    function = getattr(import_module(f"ggp.cli.{module}"), name)
    text, _, examples = (inspect.getdoc(function) or "").partition(_EXAMPLES)
    # Each paragraph is one line, for the screen to break.
    paragraphs = [" ".join(paragraph.split()) for paragraph in text.strip().split("\n\n")]
    epilog = _EXAMPLES + indent(dedent(examples), "  ") if examples else ""
    single = typer.Typer(add_completion=False, rich_markup_mode="rich")
    single.command(name, cls=Verb, help="\n\n".join(paragraphs), epilog=epilog)(function)
    return typer.main.get_command(single)


def _without_value(option: Any) -> Any:
    if option is not None:
        option.metavar = ""
    return option


def words_of(root: Any, args: Sequence[str]) -> list[str]:
    """The first words of a command line, which name a verb, or a group of verbs and one of it."""
    words: list[str] = []
    command = root
    for word in args:
        if word not in getattr(command, "commands", {}):
            break
        words.append(word)
        command = command.commands[word]
    return words


def command_of(root: Any, args: Sequence[str]) -> Any:
    """Command that the first words of a command line name: a verb or a group of them."""
    command = root
    for word in words_of(root, args):
        command = command.commands[word]
    return command

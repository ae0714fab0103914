"""The verbs, and how a command ends: its exit code, and one line on standard error if it fails.

A verb's module is imported, and its options are read, only if the command line names the verb. To
list all verbs, only the first lines of their help are needed, so these lines are repeated here.

The exit codes are 0 for success, 1 for a valid command that could not be carried out, 2 for wrong
use, and 130 for an interrupted command. Every error line begins with the command and its verb.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import copy
from functools import cache
from importlib import import_module
from textwrap import dedent, indent
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

FAILED = 1
WRONG_USE = 2
INTERRUPTED = 130
TRACEBACK_VARIABLE = "GGP_TRACEBACK"

# Newer versions of typer bundle click. This finds the class in both cases.
UsageError: type[Exception] = typer.BadParameter.__bases__[0]

SETTINGS = {"help_option_names": ["-h", "--help"]}
"""Settings of the groups and of each verb.

A verb does not rely on a group's settings, because click caches the help option of a verb that is
first called without its group.
"""
_EXAMPLES = "Examples:\n"


class Several(NamedTuple):
    """A group of verbs, such as those of `ggp bench`, with the first line of each verb's help."""

    summary: str
    verbs: dict[str, str]
    module: str = ""
    """Module that contains the verbs. If empty, it is the module with the group's name."""
    is_verb: bool = False
    """Whether the name of the group is also a verb, in the module of that name."""


VERBS: dict[str, str | Several] = {
    "serve": "Wait for game managers and play the matches they start.",
    "match": "Play matches and show how they go.",
    "manager": Several(
        "Host matches and tournaments, and show them in a browser.",
        {
            "backup": "Write all data of a manager to one file, even while the manager runs.",
            "restore": "Restore the database of a manager from a backup, or check a backup.",
            "prune": "Remove the turns of old matches. Results stay.",
            "doctor": "Look for faults in a manager's database and machine.",
            "collect": "Copy the files of students' players to a folder, under their names.",
        },
        module="keeping",
        is_verb=True,
    ),
    "tournament": "Run a tournament that a file describes, and print its table.",
    "play": "Play a game yourself, against bundled players or others.",
    "analyze": "Search a position and show moves, values, proofs and the expected line.",
    "report": "Report what each position of a match was worth, and which moves gave something "
    "away.",
    "learn": "Learn the values of a game's states by self-play and write them to a file.",
    "grade": "Grade players in Python files: whether they are sound, how fast, and how strong.",
    "ping": "Report what a player answers to INFO, and how fast.",
    "players": "List the players, or show the options of one.",
    "games": "List the bundled games, show one, or draw pictures of them.",
    "lecture": "Compute an example of the lectures again and show both results, or list the "
    "examples.",
    "warm": "Compile everything that needs compiling once after an install.",
    "replay": "Replay recorded traces and matches, and report the first difference.",
    "check": "Report what is wrong with rulesheets, and where.",
    "why": "Explain why a fact holds in a position, or what is missing for it.",
    "format": "Print rulesheets in a regular layout. Comments and the case of symbols stay.",
    "scramble": "Print the same game under other names and with the arguments in another order.",
    "harness": "Make a harness for language models from the rules of any game.",
    "lsp": "Help an editor with rulesheets: findings while you type, and much more.",
    "mcp": "Give language models any game as tools: play, search, explain, write and check rules.",
    "bench": Several(
        "Measure how fast reasoners and searches are.",
        {
            "playouts": "Play random games and report how fast that goes.",
            "reasoners": "Play random games with each reasoner and report how fast each is.",
            "search": "Search games from their first state and report how fast that goes.",
            "match": "Play matches of games never seen before and report how fast the search is in "
            "each turn.",
        },
    ),
    "book": Several(
        "Build a book of openings and endgames, or show one.",
        {
            "build": "Build a book. A small game is solved completely, a large one at both ends.",
            "show": "Show what a book contains and what it says about a position.",
        },
    ),
}
"""The first line of each verb's help.

The verb `NAME` is the function `NAME` in the module `ggp.cli.NAME`. A verb of a group is a function
in the group's module.
"""


class Verb(TyperCommand):
    """A command whose options accept several values if their metavar ends in dots."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the command line. Options whose metavar ends in dots accept several values."""
        several = {
            name
            for param in self.params
            if param.opts[0].startswith("-") and str(param.metavar).endswith("...")
            for name in param.opts
        }
        found: list[str] = super().parse_args(ctx, list(_spread(args, several)))
        return found

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the options and arguments. Remove the Python types of arguments from the help."""
        params: list[Any] = super().get_params(ctx)
        for param in params:
            if not param.opts[0].startswith("-"):
                param.type = copy(param.type)
                param.type.get_metavar = lambda *_, **__: ""
        return params

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the parts of the usage line as documented: `[OPTIONS] GAME PLAYER...`."""
        arguments = [param for param in self.params if not param.opts[0].startswith("-")]
        return ["[OPTIONS]"] + [
            f"{param.metavar}" if param.required else f"[{param.metavar}]" for param in arguments
        ]


def _spread(args: Sequence[str], several: Collection[str]) -> Iterator[str]:
    """Expand `--games a b` to `--games a --games b`, for the options in `several`."""
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
    """A group of verbs. Its `commands` are stubs without options, for the list of verbs."""

    def __init__(self, verbs: Mapping[str, str | Several] = VERBS, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.module = self.name or ""
        self.is_verb = False
        self.commands = {
            name: _group(name, verb)
            if isinstance(verb, Several)
            else TyperCommand(name, help=verb, rich_markup_mode="rich")
            for name, verb in verbs.items()
        }

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the first argument, the verb or group of that name, and the remaining arguments.

        Return the verb itself, not its stub.
        """
        name, group, rest = super().resolve_command(ctx, args)
        if len(words_of(self, args)) > 1:
            return name, group, rest
        return name, name and command_of(self, [name]), rest


def _group(name: str, verbs: Several) -> Group:
    made = Group(verbs.verbs, name=name, help=verbs.summary)
    made.module, made.is_verb = verbs.module or name, verbs.is_verb
    return made


class Root(Group):
    """The group of all verbs. It converts what a verb raises to a message and an exit code."""

    def main(  # type: ignore[override]  # the bases differ between versions of typer
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the verb that the arguments name. Without arguments, show the help."""
        args = list(sys.argv[1:] if args is None else args)
        if hasattr(command_of(self, args), "commands") and len(words_of(self, args)) == len(args):
            args.append("--help")
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        try:
            # Typer returns the code of `typer.Exit`, or else the verb's result, which is None.
            result = super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        except UsageError as error:
            from ggp.cli.usage_errors import describe

            words = words_of(self, args)
            command = " ".join(["ggp", *words])
            inner = [*getattr(self.commands.get(words[-1]) if words else None, "commands", ())]
            error_text = describe(error, command_of(self, words), args[len(words) :], inner)
            _say(f"{command}: {error_text} (see {command} --help)")
            sys.exit(WRONG_USE)
        except (typer.Abort, KeyboardInterrupt):
            _say(f"{self._command(args)}: interrupted")
            sys.exit(INTERRUPTED)
        except Exception as error:  # noqa: BLE001  # this is the outermost handler
            sys.exit(_failed(error, self._command(args)))
        if result == INTERRUPTED:  # typer catches KeyboardInterrupt itself
            _say(f"{self._command(args)}: interrupted")
        sys.exit(result if isinstance(result, int) else 0)

    def _command(self, args: Sequence[str]) -> str:
        return " ".join(["ggp", *words_of(self, args)])


def words_of(root: Any, args: Sequence[str]) -> list[str]:
    """Return the leading words of a command line that name groups and a verb."""
    words: list[str] = []
    command = root
    for word in args:
        if word not in getattr(command, "commands", {}):
            break
        words.append(word)
        command = command.commands[word]
    return words


def command_of(root: Any, args: Sequence[str]) -> Any:
    """Return the command object of the verb or group that a command line begins with.

    If the group is itself a verb, such as `ggp manager`, return that verb.
    """
    group, command = root, root
    for word in words_of(root, args):
        group, command = command, command.commands[word]
    if getattr(command, "is_verb", False):
        return _command(command.name, command.name)
    if hasattr(command, "commands"):
        return command
    return _command(command.name if isinstance(group, Root) else group.module, command.name)


@cache
def _command(module: str, name: str) -> Any:
    function = getattr(import_module(f"ggp.cli.{module}"), name)
    text, _, examples = (inspect.getdoc(function) or "").partition(_EXAMPLES)
    # Join each paragraph to one line, because the help wraps it to fit the screen.
    paragraphs = [" ".join(paragraph.split()) for paragraph in text.strip().split("\n\n")]
    epilog = _EXAMPLES + indent(dedent(examples), "  ") if examples else ""
    single = typer.Typer(add_completion=False, rich_markup_mode="rich")
    single.command(
        name, cls=Verb, help="\n\n".join(paragraphs), epilog=epilog, context_settings=SETTINGS
    )(function)
    return typer.main.get_command(single)


def print_version(is_asked: bool) -> None:
    """Print the version and exit if `--version` was given."""
    if is_asked:
        from ggp import __version__

        print(f"ggp {__version__}")
        raise typer.Exit


def _failed(error: Exception, command: str) -> int:
    """Report why a verb failed, and return the exit code."""
    from ggp.errors import GgpError, UnknownNameError, WrongUseError, reason_of

    if os.environ.get(TRACEBACK_VARIABLE):
        raise error
    gdl = sys.modules.get("gdl")  # a package that has not been imported cannot have raised anything
    if gdl is not None and isinstance(error, gdl.GdlError):
        _say(f"{command}: {error.explain()}")
    elif isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        _say(f"{command}: {place}{reason_of(error)}")
    elif isinstance(error, GgpError):
        _say(f"{command}: {error}")
    else:
        hint = f"set {TRACEBACK_VARIABLE}=1 to see where"
        _say(f"{command}: internal error: {type(error).__name__}: {error} ({hint})")
    return WRONG_USE if isinstance(error, WrongUseError | UnknownNameError) else FAILED


def _say(text: str) -> None:
    print(text, file=sys.stderr)

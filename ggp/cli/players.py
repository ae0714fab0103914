"""`ggp players`: list the players and their options."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Annotated, Any

from ggp.cli.options import Json, argument
from ggp.errors import WrongUseError
from ggp.terminal.console import console, print_json, table

if TYPE_CHECKING:
    from ggp.players import Option, Player


def players(
    name: Annotated[
        str | None, argument("NAME", "Show the options of this player. FILE.py:CLASS works too.")
    ] = None,
    json: Json = False,
) -> None:
    """List the players, or show the options of one.

    Wherever a player is named, its options follow a colon, as in mcts:c=0.7,threads=2. Commands
    with --option also take --option c=0.7.

    Examples:
        ggp players mcts
        ggp match ticTacToe mcts:c=0.7,final=value random
    """
    from ggp.players import PlayerSpecError, names, player_class

    try:
        found = {one: player_class(one) for one in (names() if name is None else [name])}
    except PlayerSpecError as error:
        raise WrongUseError(str(error)) from error
    if json:
        print_json([_as_json(one, kind) for one, kind in found.items()])
    elif name is None:
        rows = [(one, _summary(kind)) for one, kind in found.items()]
        console().print(table(["player", "what it does"], rows))
        print("ggp players NAME shows the options of a player. Your own player: FILE.py:CLASS.")
    else:
        _show(name, found[name])


def _show(name: str, kind: type[Player]) -> None:
    print(f"{name}: {_summary(kind)}")
    if not kind.OPTIONS:
        print("It has no options.")
        return
    rows = [(one.name, _default(one) or "none", _takes(one) + one.help) for one in kind.OPTIONS]
    console().print(table(["option", "default", "meaning"], rows))


def _as_json(name: str, kind: type[Player]) -> dict[str, Any]:
    return {
        "name": name,
        "summary": _summary(kind),
        "options": [
            {
                "name": one.name,
                "default": _default(one),
                "expects": one.kind.expects,
                "help": one.help,
            }
            for one in kind.OPTIONS
        ],
    }


def _summary(kind: type[Player]) -> str:
    said = inspect.cleandoc(kind.__doc__ or "")  # not the docstring of a base class
    return " ".join(said.split("\n\n")[0].split()) or "(its class has no docstring)"


def _default(option: Option[Any]) -> str:
    return "" if option.default is None else str(option.default)


def _takes(option: Option[Any]) -> str:
    """Return what comes before the help text: the kind of value that the option takes, and a colon.

    Return "" if the help text already says the kind.
    """
    return "" if option.help.startswith(option.kind.expects) else f"{option.kind.expects}: "

"""View of a match on the screen: moves, the players' thoughts, and states drawn as boards."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from rich.console import Console
from rich.status import Status
from rich.text import Text

import gdl
from ggp.boards.board import Board
from ggp.boards.plain_names import names_of_game
from ggp.boards.state_view import StateView, survey
from ggp.boards.text import Line
from ggp.match.events import Reply
from ggp.match.referee import played_roles
from ggp.match.search_info import WAITING, bounds, expectation, number, verdict
from ggp.naming.move_names import MoveNames
from ggp.naming.words import gloss
from ggp.plurals import counted
from ggp.protocol import shown
from ggp.terminal.console import figure, megabytes

NAMED = {
    "red": "red",
    "green": "green",
    "blue": "blue",
    "yellow": "yellow",
    "teal": "cyan",
    "orange": "dark_orange",
    "purple": "magenta",
    "pink": "magenta",
}
PALETTE = ("red", "blue", "green", "magenta", "dark_orange", "cyan", "yellow")
PLAIN = {"white", "black"}
"""Colours that are not used for text, because each of them is invisible on some screens."""
MAX_COLOURED = 8
"""If boards have more contents than this, as in eightPuzzle, only named colours are used."""
FAINT = "dim"
MARK = "bold"


class Colours:
    """The colours of what squares of boards contain, such as the pieces `x` and `o`."""

    def __init__(self) -> None:
        self._styles: dict[str, str] = {}

    def styled(self, line: Line) -> Text:
        """Return a line as styled text. Show marked pieces in bold and uncertain ones faintly."""
        found = Text()
        for piece in line:
            style = self._styles.get(piece.content, "") if piece.content else ""
            if piece.is_marked:
                style = f"{style} {MARK}".strip()
            if piece.is_faint:
                style = f"{style} {FAINT}".strip()
            found.append(piece.text, style or None)
        found.rstrip()
        return found

    def learn(self, boards: Collection[Board]) -> None:
        """Choose colours for the contents of `boards` that have none yet.

        If there are more than `MAX_COLOURED` contents, colour only those whose names mention one.
        """
        contents = sorted({content for board in boards for content in board.contents})
        if len(contents) > MAX_COLOURED:
            contents = [content for content in contents if _named(content)]
        new = [content for content in contents if content not in self._styles]
        for content in new:
            self._styles[content] = _named(content) or self._free(contents)

    def _free(self, contents: Iterable[str]) -> str:
        taken = {*self._styles.values(), *map(_named, contents)}
        return next((colour for colour in PALETTE if colour not in taken), "")


def _named(content: str) -> str:
    """Return the colour that a content's name mentions.

    Return "default" for black and white, and "" if the name mentions no colour.
    """
    words = content.strip("()").split()
    for name, colour in NAMED.items():
        if any(word.startswith(name) for word in words):
            return colour
    return "default" if any(word.startswith(tuple(PLAIN)) for word in words) else ""


MANY = 1e12
MANY_POSITIONS = 10_000
MAX_OTHERS = 8
MAX_CHARACTERS = 40
MAX_PRINTED = 500
"""Maximum number of characters to show of a line that a player has printed."""

# Entries that searches report and that the view shows in other words or not at all.
REPORTED = {
    *("value", "lower", "upper", "solved", "plies", "forced", "visits", "line", "moves"),
    *("seconds", "iterations_before", "iterations", "iterations_per_second"),
    *("playouts", "playouts_per_second"),
    *("depth", "nodes", "memory", "machines", "machine_iterations"),
}
INDENT = "     "


class GameView:
    """Shows the moves and states of one match."""

    def __init__(self, console: Console, machine: gdl.Game, names: MoveNames | None = None) -> None:
        """Create a view that has shown nothing yet.

        Args:
            names: Names of moves, to be shown next to the moves. If it is None, show no names.
        """
        self._console = console
        self._names = names
        self._machine = machine
        self._played = [role.name for role in played_roles(machine)]  # roles whose time is shown
        self._role_width = max(len(role.name) for role in machine.roles)
        self._width = 0  # width of the longest role and move so far, in characters
        self._status: Status | None = None
        self._states = StateView([], console.width - len(INDENT))
        self._colours = Colours()

    def survey(self) -> None:
        """Find the boards of the game."""
        width = self._console.width - len(INDENT)
        self._states = StateView(survey(self._machine), width, names_of_game(self._machine))

    def turn(
        self,
        turn: int,
        replies: Sequence[Reply],
        facts: Sequence[str],
        *,
        has_thoughts: bool = True,
        has_output: bool = False,
    ) -> None:
        """Print the moves of a turn, and leave out moves of no interest.

        If some role had a choice or made an error, leave out the forced moves of other roles.
        Otherwise leave out only `noop`, unless all moves are `noop`.

        Args:
            facts: Facts before the turn that the reader may know. They are used to name moves.
            has_thoughts: Whether to show the players' thoughts and times.
            has_output: Whether to show what the players have printed.
        """
        chosen = [one for one in replies if one.num_legal > 1 or one.error or one.fallback]
        active = [one for one in replies if one.move != WAITING]
        for reply in chosen or active or replies:
            self._reply(turn, reply, facts, has_thoughts=has_thoughts)
        for line in printed_lines(replies) if has_output else ():
            self._console.print(f"{INDENT}{line}", soft_wrap=True)

    def state(self, facts: Sequence[str], before: Sequence[str] | None = None) -> None:
        """Print a state and a blank line. Mark the places that differ from the state `before`."""
        self._lines(self._states.pieces(facts, before))

    def belief(self, facts: Mapping[str, float], *, has_others: bool = True) -> None:
        """Print the facts that may be true, and a blank line.

        Args:
            facts: Probability of each fact that may be true.
            has_others: Whether to list the uncertain facts that do not belong to any board.
        """
        self._lines(self._states.belief_pieces(facts, has_others=has_others))

    def _lines(self, lines: Sequence[Line]) -> None:
        self._colours.learn(self._states.boards)
        for line in lines:
            text = self._colours.styled(line)
            text.pad_left(len(INDENT))
            self._console.print(text, soft_wrap=True)
        self._console.print()

    def wait(self, text: str) -> None:
        """At a terminal, show what the match is waiting for, until the next call or `close`."""
        if not self._console.is_terminal:
            return
        if self._status is None:
            self._status = self._console.status(text)
            self._status.start()
        self._status.update(text)

    def close(self) -> None:
        """Remove the line that shows what the match is waiting for."""
        if self._status is not None:
            self._status.stop()
            self._status = None

    def _reply(self, turn: int, reply: Reply, facts: Sequence[str], *, has_thoughts: bool) -> None:
        head = f"{turn:3}. {reply.role:{self._role_width}}  {reply.move}"
        if self._names and reply.move != WAITING:
            name = self._names.write([reply.move], facts)[reply.move]
            head = "   ".join(filter(None, (head, gloss(reply.move, name))))
        self._width = max(self._width, len(head))
        has_time = has_thoughts and reply.role in self._played
        parts = [f"{head:{self._width}}", *_remarks(reply)]
        parts += ["the only move"] * (reply.num_legal == 1 and not has_thoughts)
        parts += [f"{reply.seconds:.1f} s"] * has_time
        if has_thoughts and (thoughts := thoughts_line(reply)):
            parts.append(thoughts)
        self._console.print("   ".join(parts).rstrip(), soft_wrap=True)
        if has_thoughts and (expected := expectation(reply.search_info)):
            self._console.print(f"{INDENT}expects {expected}", soft_wrap=True)


def printed_lines(replies: Iterable[Reply]) -> list[str]:
    """Return the lines that players have printed, as in `xplayer prints: hello`.

    Control characters are removed.
    """
    return [
        f"{reply.role} prints: {shown(line, MAX_PRINTED)}"
        for reply in replies
        for line in reply.printed.splitlines()
    ]


def thoughts_line(reply: Reply) -> str:
    """Summarize what a player reports of its search. Return "" if it reports nothing useful."""
    thoughts = reply.search_info
    visits, depth, nodes, memory = (
        number(thoughts, name) for name in ("visits", "depth", "nodes", "memory")
    )
    found = [_worth(thoughts)]
    if machines := number(thoughts, "machines"):
        found.append(counted(int(machines), "machine"))
    if visits is not None:
        found.append(counted(int(visits), "visit"))
    if playouts := number(thoughts, "playouts_per_second"):
        found.append(f"{figure(playouts)} playouts/s")
    if depth:
        found.append(f"depth {depth:.0f}")
    if nodes is not None:
        found.append(counted(int(nodes), "node"))
    if memory is not None:
        found.append(megabytes(memory))
    return ", ".join([*filter(None, found), *_others(thoughts)])


def _others(thoughts: Mapping[str, object]) -> list[str]:
    """Return numbers and texts of a search info that are not in `REPORTED`, such as `games 40`.

    Return at most `MAX_OTHERS` of them.
    """
    own = [(name, value) for name, value in thoughts.items() if name not in REPORTED]
    plain = [(name, value) for name, value in own if isinstance(value, int | float | str)]
    return [f"{name.replace('_', ' ')} {_shown(value)}" for name, value in plain[:MAX_OTHERS]]


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:,.0f}" if value.is_integer() and abs(value) < MANY else f"{value:.4g}"
    return shown(value if isinstance(value, str) else f"{value:,}", MAX_CHARACTERS)


def preparation(name: str, positions: int) -> str:
    """Return a sentence on what a player did during the startclock."""
    seen = figure(positions) + " positions" if positions >= MANY_POSITIONS else None
    return f"{name} has looked at {seen or counted(positions, 'position')} before the first move"


def _remarks(reply: Reply) -> list[str]:
    remarks = ["the engine was replaced"] if reply.replaced else []
    if reply.error:
        return [f"at random, for {reply.error}", *remarks]
    return [f"fallback: {reply.fallback}", *remarks] if reply.fallback else remarks


def _worth(thoughts: Mapping[str, object]) -> str:
    value = number(thoughts, "value")
    proven = verdict(thoughts)
    if proven or value is None:
        return proven
    known = bounds(thoughts)
    return f"value {value:2.0f}" + (f" (proven: {known})" if known else "")

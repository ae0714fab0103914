"""The person's seat in a match. It asks for moves and carries out commands."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path

import gdl
from ggp.drawing.position_renderer import Painter
from ggp.errors import GgpError, reason_of_writing
from ggp.match.errors import TakeBackError
from ggp.match.seat import Answer, Invitation, OwnSeat, TurnReport
from ggp.naming.move_names import Ambiguous, NotUnderstood, Understood
from ggp.plurals import counted
from ggp.terminal.adviser import ANALYZE_SECONDS, HINT_SECONDS, Adviser, seconds_of
from ggp.terminal.knowledge import PersonKnowledge
from ggp.terminal.play_view import PlayView
from ggp.terminal.typed_line import Command, Lines, matching, named_move, read_line
from ggp.terminal.why_view import DEPTH, explain

NAME = "person"
_DEEP = re.compile(r"(?P<fact>.+\S)\s+depth\s+(?P<depth>[1-9][0-9]?)")


class LeftError(GgpError):
    """The person has left the match.

    Attributes:
        is_interrupted: Whether the person pressed Ctrl-C.
    """

    def __init__(self, *, is_interrupted: bool = False) -> None:
        self.is_interrupted = is_interrupted
        super().__init__("you have left")


class PersonSeat(OwnSeat):
    """A person at the keyboard. The seat plays a move without asking if no other is legal."""

    def __init__(
        self,
        view: PlayView,
        lines: Lines,
        adviser: Adviser,
        remote: str = "",
        clock: float | None = None,
    ) -> None:
        """Create the seat.

        Args:
            view: What the person sees. The caller must report the match's events to the view, which
                keeps its history up to date.
            adviser: Answers `hint` and `analyze`.
            remote: Name of an opponent that cannot take moves back, or "" if all can. If there is
                such an opponent, `undo` is refused.
            clock: Seconds for each move, or None for no limit.
        """
        self.name = NAME
        self._view = view
        self._lines = lines
        self._adviser = adviser
        self._painter = Painter(adviser.game)
        self._remote = remote
        self._clock = clock
        self._explainer = gdl.Explainer(adviser.game.rulesheet)
        self._knowledge = PersonKnowledge(adviser.game.name, view.role, adviser.loaded)

    async def start(self, invitation: Invitation) -> None:
        """Do nothing: the person needs no preparation."""

    async def resume(self, invitation: Invitation, history: Sequence[TurnReport]) -> None:
        """Do nothing: the person needs no preparation."""

    async def play(self, report: TurnReport) -> Answer:
        """Return the move that the person chooses.

        Raises:
            TakeBackError: The person wants to take moves back.
            LeftError: The person has left.
            TimeoutError: The person's clock has run out.
        """
        history = self._view.history
        moves = history.machine.legal_moves(history.states[-1], self._view.role)
        legal = list(map(str, moves))
        if len(legal) == 1:
            return Answer(legal[0])
        await self._learn()
        self._view.your_turn(legal)
        try:
            async with asyncio.timeout(self._clock):
                chosen = None
                while chosen is None:
                    chosen = await self._ask(legal)
        except TimeoutError:
            self._view.say("\nYour time is up.")
            raise
        self._view.chosen()
        return Answer(chosen)

    async def go_back(self, num_turns: int) -> None:
        """Do nothing, because the view's history is shortened when all seats have gone back."""

    async def abort(self) -> None:
        """Do nothing: the view shows how the match ended."""

    async def _learn(self) -> None:
        """Tell the view what the role knows, if the game hides information."""
        if self._view.is_hidden:
            with self._view.waiting("working out what you may know"):
                known = await asyncio.to_thread(self._knowledge.view, self._view.history)
            self._view.known = known, self._knowledge.is_consistent

    async def _ask(self, legal: list[str]) -> str | None:
        """Read a line. Return its move, or carry out its command and return None."""
        try:
            line = await self._lines.read(self._view.prompt, self._view.named(legal))
        except KeyboardInterrupt:
            raise LeftError(is_interrupted=True) from None
        if line is None:
            raise LeftError
        if not line:
            return None
        match read_line(line, legal, self._view.facts, self._view.names):
            case Understood(move, _, note):
                if note:
                    self._view.say(note)
                return move
            case Ambiguous(reason, moves):
                self._view.moves(legal, list(moves), reason)
            case NotUnderstood() as found:
                self._view.not_understood(line, found, len(legal))
            case Command(name, rest):
                await self._carry_out(name, rest, legal)
        return None

    async def _carry_out(self, name: str, rest: str, legal: list[str]) -> None:
        match name:
            case "quit":
                raise LeftError
            case "undo":
                self._take_back()
            case "hint" | "analyze":
                await self._advise(name, rest)
            case "why":
                self._explain(rest, legal)
            case "moves":
                self._show_moves(rest, legal)
            case "save":
                self._save(rest)
            case "picture":
                await self._draw(rest)
            case "board":
                self._view.position()
            case "history":
                self._view.turns()
            case _:
                self._view.help(legal[0])

    def _take_back(self) -> None:
        if self._remote:
            self._view.say(f"{self._remote} plays elsewhere and cannot take moves back.")
            return
        if self._view.is_hidden:
            self._view.say("No undo: you cannot forget what you have seen since then.")
            return
        if decisions := self._view.history.decisions(self._view.role):
            raise TakeBackError(decisions[-1])
        self._view.say("There is nothing to take back: this is your first decision.")

    async def _advise(self, name: str, rest: str) -> None:
        if self._view.is_hidden:
            self._view.say(f"No {name}: the search would see what this game hides from you.")
            return
        try:
            seconds = seconds_of(rest, HINT_SECONDS if name == "hint" else ANALYZE_SECONDS)
        except ValueError as error:
            self._view.say(f"{name}: {error}.")
            return
        try:
            with self._view.thinking(name):
                if name == "analyze":
                    await self._adviser.analyze(self._view.history.moves, self._view.role, seconds)
                    return
                found = await self._adviser.hint(self._view.history.moves, self._view.role, seconds)
        except GgpError as error:
            self._view.say(f"{name}: {error}")
            return
        self._view.hint(*found)

    def _explain(self, rest: str, legal: list[str]) -> None:
        if self._view.is_hidden:
            self._view.say("No why: it would show what this game hides from you.")
            return
        if not rest:
            self._view.say("why: expected a fact or a move after it, such as: why terminal")
            return
        asked = _DEEP.fullmatch(rest)
        depth = int(asked["depth"]) if asked else DEPTH
        text = asked["fact"] if asked else rest
        try:
            self._view.answer(self._reason(text, legal, depth), depth)
        except gdl.GdlError as error:
            self._view.say(f"why: {self._unplayed(text) or error.message}")

    def _unplayed(self, text: str) -> str:
        """Return an error message if the fact depends on the moves of this turn, else ""."""
        try:
            question = self._explainer.question(text)
        except gdl.GdlError:
            return ""
        if not question.needs_moves:
            return ""
        return (
            f"{question} depends on the moves of this turn, which are not played yet; ask later "
            "about a fact with true, or give the moves to `ggp why GAME --next MOVES`"
        )

    def _reason(self, text: str, legal: list[str], depth: int) -> gdl.Answer:
        view = self._view
        try:
            return explain(self._explainer, text, view.role, view.history.moves, depth)
        except gdl.GdlError:
            move = named_move(text, legal, view.facts, view.names)
            if move is None:
                raise
            return explain(self._explainer, move, view.role, view.history.moves, depth)

    def _show_moves(self, part: str, legal: list[str]) -> None:
        found = matching(part, self._view.named(legal)) if part else legal
        if not found:
            self._view.say(f"None of your {len(legal)} moves contains {part!r}.")
            return
        self._view.moves(legal, found)

    async def _draw(self, rest: str) -> None:
        if self._view.is_hidden:
            self._view.say("No picture: it would show what this game hides from you.")
            return
        if not rest:
            self._view.say("picture: expected a file after it, such as: picture board.svg")
            return
        with self._view.thinking("picture"):
            svg = await self._painter.svg(self._view.record.states, self._view.before)
        file = Path(rest).expanduser()
        try:
            file.write_text(svg, encoding="utf-8")
        except OSError as error:
            self._view.say(f"picture: {rest}: {reason_of_writing(error, file)}")
            return
        self._view.say(f"Drawn in {rest}.")

    def _save(self, rest: str) -> None:
        if not rest:
            self._view.say("save: expected a file after it, such as: save match.json")
            return
        if self._view.is_hidden:
            self._view.say("No save: the record would show what this game hides; use --save.")
            return
        file = Path(rest).expanduser()
        try:
            self._view.record.save(file)
        except OSError as error:
            self._view.say(f"save: {rest}: {reason_of_writing(error, file)}")
            return
        self._view.say(f"Saved in {rest}: {counted(len(self._view.record.moves), 'turn')}.")

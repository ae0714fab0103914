"""Output of `ggp play`: a match as the person who plays sees it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager

import gdl
from ggp.analysis.role_view import RoleView
from ggp.boards.state_view import in_columns
from ggp.match.events import Answered, Asked, Began, Event, Moved, TakenBack
from ggp.match.search_info import WAITING
from ggp.naming.move_names import NotUnderstood, names_of
from ggp.naming.reading import alike
from ggp.naming.words import with_name
from ggp.plurals import counted
from ggp.records.record import MatchRecord
from ggp.rulesheets import NamedGame
from ggp.term_text import plain
from ggp.terminal.console import console
from ggp.terminal.game_view import INDENT, GameView
from ggp.terminal.knowledge import MatchHistory
from ggp.terminal.typed_line import COMMANDS, OF_OPEN_GAMES, nearest_command
from ggp.terminal.why_view import parts_of

MAX_MOVE_LINES = 6
"""Maximum number of lines of moves to show before the person asks for all of them."""
ALL_LINES = 10_000


class PlayView:
    """The view of a match for the person who plays in it.

    Attributes:
        names: Names of the game's moves.
        prompt: Text shown in front of the line that the person types.
        is_hidden: Whether the rules hide information. Then the view shows only what the person's
            role knows, until the match is over.
        known: The position as the role knows it, and whether this agrees with what the role saw.
            None if the game hides no information.
    """

    def __init__(
        self,
        game: NamedGame,
        role: gdl.Role,
        names: Mapping[str, str],
        *,
        has_thoughts: bool,
    ) -> None:
        """Create a view that has shown nothing yet.

        Args:
            names: The player's name for each role except `random`; `you` for the person's own role.
            has_thoughts: Whether to show the opponents' thoughts.
        """
        self.history = MatchHistory(game.machine)
        self.role = role
        self._me = str(role)
        self._console = console()
        self._names = names
        self._has_thoughts = has_thoughts
        self._record: MatchRecord | None = None
        self._last_decision = 0  # index of the state after the person's last choice, or 0
        self.is_hidden = game.has_percepts
        self.known: tuple[RoleView, bool] | None = None
        self.prompt = f"{role}> "
        self.names = names_of(game.machine, game.text)
        self._game = GameView(self._console, game.machine, self.names)
        self._game.survey()

    @property
    def facts(self) -> Sequence[str]:
        """Facts of the position. Empty if the game hides information."""
        return () if self.is_hidden else self.record.states[-1]

    def named(self, legal: Sequence[str]) -> dict[str, str]:
        """Return the name of each of the person's legal moves."""
        return self.names.write(legal, self.facts)

    @property
    def record(self) -> MatchRecord:
        """The record so far. It exists only once the match has begun."""
        assert self._record is not None
        return self._record

    def observe(self, event: Event) -> None:
        """Show an event of the match."""
        if isinstance(event, Asked):
            if self._me not in event.deciding:
                self.wait_for(event.deciding)
            return
        if isinstance(event, Answered):
            return
        self._game.close()
        self._record = event.record
        if isinstance(event, Began):
            self._began()
        elif isinstance(event, Moved):
            self.history.follow(event.record.moves[-1])
            self._moved(event)
        elif isinstance(event, TakenBack):
            self._last_decision = 0
            turns = len(event.record.moves)
            self.history.cut(turns)
            self.say(f"Taken back; the match continues after {counted(turns, 'turn')}.")
        elif event.record.is_completed:
            self._ended()

    def wait_for(self, roles: Sequence[str]) -> None:
        """At a terminal, show which players the match is waiting for, unless that is hidden."""
        if self.is_hidden:  # which roles have a choice may be hidden information, too
            self._game.wait("waiting for the others")
            return
        names = [self._names.get(role, role) for role in roles if role != self._me]
        if names:
            self._game.wait(f"waiting for {', '.join(names)}")

    def starting(self) -> None:
        """Before the first event, show that the players are getting ready."""
        self._game.wait("the players get ready")

    def close(self) -> None:
        """Remove the line that shows what the match is waiting for."""
        self._game.close()

    def your_turn(self, legal: Sequence[str]) -> None:
        """Show the position and the moves to choose from."""
        self.position()
        self.moves(legal, legal, most=MAX_MOVE_LINES)

    def chosen(self) -> None:
        """Record that the person has chosen, and show which roles the match waits for."""
        self._last_decision = len(self.record.moves) + 1
        roles = self.history.machine.roles
        deciders = self.history.deciders(len(self.history.moves))
        self.wait_for([roles[index].name for index in deciders])

    def position(self) -> None:
        """Print the state. Mark what differs from the state `before`.

        If the game hides information, print what the role knows, and how likely other facts are.
        """
        if self.is_hidden:
            self._known()
            return
        self._console.print()
        self._game.state(self.record.states[-1], self.before)

    @property
    def before(self) -> Sequence[str] | None:
        """The earlier state with which `position` compares the current one. None at the start."""
        states, since = self.record.states, self._last_decision
        if len(states) < 2:
            return None
        return states[since] if 0 < since < len(states) - 1 else states[-2]

    def moves(
        self, legal: Sequence[str], some: Sequence[str], head: str = "", most: int = ALL_LINES
    ) -> None:
        """Print moves in columns, each with its number, and with its name if the names fit.

        Args:
            legal: All legal moves, in the order of their numbers.
            some: The moves to print.
            head: A heading, if not empty.
            most: Maximum number of lines.
        """
        if head:
            self.say(f"{head}:")
        width = len(str(len(legal)))
        names = self.named(legal)
        numbers = {move: f"{number:{width}}" for number, move in enumerate(legal, start=1)}
        terms = [f"{numbers[move]} {plain(move)}" for move in some]
        room = self._console.width - len(INDENT)
        named = [with_name(t, move, names[move]) for t, move in zip(terms, some, strict=True)]
        has_room = len(in_columns(named, room, most)) <= most
        what = "moves: `moves`, or type a part"
        for line in in_columns(named if has_room else terms, room, most, what):
            self._console.print(f"{INDENT}{line}", soft_wrap=True)

    def not_understood(self, line: str, found: NotUnderstood, num_legal: int) -> None:
        """Explain why a line was not understood, and make suggestions."""
        if line.isdecimal():
            self.say(f"There is no move {line}; expected a number from 1 to {num_legal}.")
            return
        if found.meant and not self.is_hidden:
            self.say(f"{found.reason}; `why {plain(found.meant)}` says why.")
            return
        command = nearest_command(line)
        meant = [command] if command else list(map(plain, alike(line, found.nearest)))
        if meant:
            asked = f"Did you mean {' or '.join(meant)}? (`moves` shows all, `help` the commands.)"
        else:
            asked = "Type a move (`moves` lists them) or a command (`help` lists them)."
        self.say(f"{found.reason}. {asked}")

    def turns(self) -> None:
        """Print one line for each turn so far, with the moves of the roles that had a choice."""
        if not self.history.moves:
            self.say("No move has been made yet.")
        if self.is_hidden:
            seat = self.history.machine.roles.index(self.role)
            for turn, joint in enumerate(self.history.moves):
                own = f"{turn + 1:3}. {self._called(str(joint[seat]))}, saw {self._seen(turn)}"
                self._console.print(own, soft_wrap=True)
            return
        roles = self.history.machine.roles
        for turn, joint in enumerate(self.history.moves):
            deciders = self.history.deciders(turn)
            facts = self.record.states[turn]
            called = {index: self._called(str(joint[index]), facts) for index in deciders}
            chosen = (f"{roles[index]} {move}" for index, move in called.items())
            shown = ", ".join(chosen) or " ".join(map(str, joint))
            self._console.print(f"{turn + 1:3}. {shown}", soft_wrap=True)

    def help(self, move: str) -> None:
        """Print the available commands, with `move` as an example of a move."""
        self.say(
            f"Type the number of a move, its text `{plain(move)}`, its name, or a part of these "
            "that is unique."
        )
        barred = OF_OPEN_GAMES if self.is_hidden else frozenset()
        width = max(map(len, COMMANDS))
        for name, says in COMMANDS.items():
            if name in barred:
                continue
            self._console.print(f"{INDENT}{name:{width}}  {says}", soft_wrap=True)
        self.say("If a move has the name of a command, type /NAME for the command.")

    def hint(self, move: str, worth: str) -> None:
        """Print the recommended move and its value."""
        self.say(f"hint: {self._called(move, self.facts)} ({worth})")

    def answer(self, answer: gdl.Answer, depth: int) -> None:
        """Explain why a fact holds or does not hold, down to `depth` rules."""
        for part in parts_of(answer, depth, self.names):
            self._console.print(part)

    def say(self, text: str) -> None:
        """Print a line."""
        self._console.print(text, soft_wrap=True)

    def write(self, text: str) -> None:
        """Print a text that may end in the middle of a line."""
        self._console.print(text, end="", soft_wrap=True)
        self._console.file.flush()

    def thinking(self, what: str) -> AbstractContextManager[None]:
        """At a terminal, show that a search for advice is running."""
        return self.waiting(f"{what} (Ctrl-C shows what is known so far)")

    @contextmanager
    def waiting(self, what: str) -> Iterator[None]:
        """At a terminal, show what the person is waiting for."""
        self._game.wait(what)
        try:
            yield
        finally:
            self._game.close()

    def _called(self, move: str, facts: Sequence[str] = ()) -> str:
        """Return a move as the person would type it, followed by its name.

        Args:
            facts: Facts that the person may know. They are used to name the move.
        """
        if move == WAITING:
            return move
        return with_name(plain(move), move, self.names.write([move], facts)[move])

    def _known(self) -> None:
        if self.known is None:
            return
        view, is_consistent = self.known
        self._console.print()
        self._game.belief({str(fact): share for fact, share in view.facts.items()})
        worlds = counted(view.num_worlds, "state")
        agree = "agrees" if view.num_worlds == 1 else "agree"
        some = "" if view.is_complete else ", of more that are possible"
        says = f"{worlds} {agree} with what you have seen{some}."
        if not is_consistent:
            says = "No state was found that agrees with what you have seen; this one is made up."
        self.say(says)

    def _seen(self, turn: int) -> str:
        history = self.history
        seen = history.machine.percepts(history.states[turn], history.moves[turn], self.role)
        return ", ".join(sorted(map(str, seen))) or "nothing"

    def _began(self) -> None:
        others = [f"{name} ({role})" for role, name in self._names.items() if role != self._me]
        against = f" against {', '.join(others)}" if others else ""
        self.say(f"You are {self.role}{against}. `help` lists what you can type.")
        if self.is_hidden:
            self.say("You do not see everything in this game, only what its rules let you see.")

    def _moved(self, event: Moved) -> None:
        if not self.is_hidden:
            before = event.record.states[-2]
            self._game.turn(event.turn, event.replies, before, has_thoughts=self._has_thoughts)
            return
        own = [reply for reply in event.replies if reply.role == self._me]
        self._game.turn(event.turn, own, (), has_thoughts=False)
        self.say(f"{INDENT}you see {self._seen(event.turn - 1)}")

    def _ended(self) -> None:
        record = self.record
        roles = map(str, self.history.machine.roles)
        goals = dict(zip(roles, record.goals or (), strict=True))
        if self.is_hidden:
            self.is_hidden = False
            self.say("The match is over; this is what happened:")
            self.turns()
        self._last_decision = max(0, len(self.record.states) - 2)
        self.position()
        results = [f"{role} ({name}) {goals[role]}" for role, name in self._names.items()]
        best = max([goals[role] for role in self._names if role != self._me], default=99)
        mine = goals[self._me]
        verdict = "You win." if mine > best else "You lose." if mine < best else "It is a draw."
        if len(self._names) == 1:
            verdict = f"You have {mine} of 100."
        turns = counted(len(self.record.moves), "turn")
        self.say(f"The game is over after {turns}: {', '.join(results)}. {verdict}")

"""Data that all positions and matches of a game share: rules, pictures and explanations."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from numbers import Real
from pathlib import Path
from types import UnionType

import gdl
from ggp.boards.plain_names import names_of_game
from ggp.boards.state_view import StateView, survey
from ggp.drawing.position_renderer import Painter
from ggp.errors import GgpError, WrongUseError
from ggp.match.referee import played_roles
from ggp.notebook.table import run
from ggp.rulesheets import NamedGame, RulesheetText, find_game, is_rules_text, written_game


class NotebookError(GgpError):
    """A request cannot be carried out. The message explains why."""

    def _render_traceback_(self) -> list[str]:
        return [f"{type(self).__name__}: {self}"]


def check_kind(name: str, value: object, kind: type | UnionType, expected: str) -> None:
    """Raise NotebookError unless an argument has the expected type."""
    if not isinstance(value, kind):
        raise NotebookError(f"{name}: expected {expected}, got {value!r:.80}")


def check_seconds(seconds: float, most: float) -> None:
    """Raise NotebookError unless a time is a number of seconds above 0, at most `most`."""
    check_kind("seconds", seconds, Real, expected := f"a number up to {most:g}")
    if not 0 < seconds <= most:
        raise NotebookError(f"seconds: expected {expected}, got {seconds}")


@contextmanager
def plain_errors() -> Iterator[None]:
    """Convert expected errors to errors that a notebook shows without a stack trace."""
    try:
        yield
    except NotebookError:
        raise
    except gdl.GdlError as error:
        raise NotebookError(error.explain()) from error
    except GgpError as error:
        raise NotebookError(str(error)) from error


Rules = str | os.PathLike[str]
"""The name of a bundled game, the path of a file, or the text of rules."""


class LoadedGame:
    """A game. Its pictures, explainer and compiled form are created on first use.

    Attributes:
        named: The game with its rules.
        roles: All roles, in the order of the rules.
        played: The roles that need a player: all except `random`.
        painter: Draws the positions.
    """

    def __init__(self, named: NamedGame) -> None:
        self.named = named
        self.roles = named.machine.roles
        self.played = played_roles(named.machine)
        self.painter = Painter(named)
        self._compiled: gdl.Game | None = None

    @property
    def name(self) -> str:
        """Name of the game."""
        return self.named.name

    def role(self, name: str) -> gdl.Role:
        """Return the role with the given name.

        Raises:
            NotebookError: There is no such role, or it needs no player.
        """
        for role in self.played:
            if str(role).casefold() == str(name).casefold():
                return role
        raise NotebookError(f"role: expected {', '.join(map(str, self.played))}, got {name!r:.80}")

    @property
    def machine(self) -> gdl.Game:
        """The game on the interpreter: slow, but ready at once."""
        return self.named.machine

    @cached_property
    def explainer(self) -> gdl.Explainer:
        """The explainer, which finds out why facts hold."""
        return gdl.Explainer(self.named.rulesheet)

    def compiled(self, report: Callable[[str], None]) -> gdl.Game:
        """Return the game in the form that searches use, compiled if its rules allow it.

        `report` is called before slow work, such as compiling the kernels after an install.
        """
        if self._compiled is None:
            from ggp.warming import kernels as warming

            warming.warm_up(report)
            self._compiled = gdl.load(self.named.rulesheet)
        return self._compiled

    def facts(self, state: gdl.State) -> tuple[str, ...]:
        """Return the facts of a state in prefix KIF."""
        return tuple(map(str, self.machine.facts(state)))

    def pictures(
        self, shown: Sequence[tuple[gdl.State, gdl.State | None]], known: Sequence[gdl.State]
    ) -> list[str]:
        """Draw states as SVG, all in the layout that suits the `known` states of the match.

        Each state in `shown` comes with the state against which changes are marked, or None.
        """
        facts = {state: self.facts(state) for state in known}

        async def draw() -> list[str]:
            settled = list(facts.values())
            return [
                await self.painter.svg(
                    [*settled, self.facts(state)], None if before is None else self.facts(before)
                )
                for state, before in shown
            ]

        return run(draw())

    def lines(self, state: gdl.State, before: gdl.State | None) -> list[str]:
        """Return a state as lines of text."""
        return self._text.lines(self.facts(state), None if before is None else self.facts(before))

    @cached_property
    def _text(self) -> StateView:
        return StateView(survey(self.machine), names=names_of_game(self.machine))


def load(rules: Rules | LoadedGame) -> LoadedGame:
    """Load the game that `rules` refers to.

    Raises:
        WrongUseError: There is no such bundled game or file.
        GdlError: The rules cannot be read or played.
    """
    if isinstance(rules, LoadedGame):
        return rules
    if isinstance(rules, str) and is_rules_text(rules):
        return LoadedGame(written_game(RulesheetText("<rules>", rules, None), "rules"))
    if not isinstance(rules, str | os.PathLike):
        raise WrongUseError(
            f"expected the name of a game, a file or the text of rules, got {rules!r:.80}"
        )
    if rules == "-":
        raise WrongUseError("a notebook has no standard input; give the text of the rules")
    return LoadedGame(find_game(str(Path(rules))))

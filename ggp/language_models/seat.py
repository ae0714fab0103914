"""A seat for a language model behind an endpoint."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Final

import gdl
from ggp.clock import Deadline
from ggp.language_models.briefing import prose_of
from ggp.language_models.endpoint import Endpoint
from ggp.language_models.prompt import system_message, turn_message
from ggp.language_models.reading import read_move
from ggp.language_models.spec import ModelSpec
from ggp.language_models.turn import ModelTally, ModelTurn
from ggp.log import ReportLine
from ggp.match.errors import SeatError
from ggp.match.rulebook import FollowedRulebook
from ggp.match.seat import Answer, Invitation, OwnSeat, TurnReport
from ggp.naming.move_names import MoveNames, names_of

MARGIN_SECONDS: Final = 0.2
"""Time before the end of the clock at which a request is abandoned."""


class ModelSeat(OwnSeat):
    """A language model. Each request for a move contains everything that its role may know.

    If only one move is legal, the seat plays it without asking the model.
    """

    def __init__(
        self,
        spec: ModelSpec,
        key: str,
        book: FollowedRulebook,
        name: str,
        note: ReportLine,
        warn: ReportLine,
    ) -> None:
        """Create the seat.

        Args:
            key: Sent as a bearer token, unless it is empty.
            book: The rules with the current position. Not used in games with hidden information.
            note: Called at the end with a one-line summary.
            warn: Called with the reason if the endpoint does not answer, once for each reason.
        """
        self.name = name
        self._spec = spec
        self._book = book
        self._note = note
        self._warn = warn
        self._endpoint = Endpoint(spec, key)
        self._tally = ModelTally()
        self._invitation: Invitation | None = None
        self._turns: list[TurnReport] = []
        self._warned: set[str] = set()
        self._prose = ""
        self._names: MoveNames | None = None

    async def start(self, invitation: Invitation) -> None:
        """Prepare the rules in the form that the model gets. Send nothing until it has a choice."""
        self._invitation = invitation
        if self._spec.is_prose:
            try:
                self._prose, self._names = await asyncio.to_thread(_in_prose, invitation.rules)
            except gdl.GdlError as error:
                self._warn(f"{self.name} gets the rules in GDL, not in prose: {error}")

    async def resume(self, invitation: Invitation, history: Sequence[TurnReport]) -> None:
        """Prepare as in `start`, and take over the turns played so far."""
        await self.start(invitation)
        self._turns = list(history[:-1])  # the last turn is reported by PLAY

    async def play(self, report: TurnReport) -> Answer:
        """Ask the model for its move."""
        if self._invitation is None:
            raise SeatError(f"{self.name} has not started")
        deadline = Deadline.after(self._invitation.playclock - MARGIN_SECONDS)
        if report.moves is not None:
            self._turns.append(report)
        # Sort by text, because the reasoner's order may depend on how it reached the state.
        legal = sorted(report.legal)
        if len(legal) == 1:
            return Answer(legal[0])
        facts = None if self._invitation.has_percepts else self._book.position.facts
        read = partial(read_move, legal=legal, names=self._names, facts=facts or ())
        messages = self._messages(legal, facts)
        turn = ModelTurn(self._endpoint, messages, legal, self._tally, read)
        answer = await turn.answer(deadline, self._spec.rethinks)
        if turn.failure and turn.failure not in self._warned:
            self._warned.add(turn.failure)
            self._warn(f"{self.name} gives no answer: {turn.failure}")
        return answer

    async def go_back(self, num_turns: int) -> None:
        """Forget the turns that are taken back. `play` reports the last remaining turn again."""
        self._turns = self._turns[: max(0, num_turns - 1)]

    async def abort(self) -> None:
        """Close the session, and report a summary."""
        await self._endpoint.close()
        if self._tally.turns:
            self._note(f"{self.name}: {self._tally.summary()}")
            self._tally = ModelTally()

    def _messages(self, legal: Sequence[str], facts: Sequence[str] | None) -> list[dict[str, str]]:
        assert self._invitation is not None
        system = system_message(self._invitation, legal[0], self._prose)
        return [
            {"role": "system", "content": system},
            {"role": "user", "content": turn_message(self._turns, facts, legal)},
        ]


def _in_prose(text: str) -> tuple[str, MoveNames]:
    """Return the rules in prose, and the names of moves, which the model may use in answers."""
    rules = gdl.read_kif(text)
    machine = gdl.load(rules, "interpreter")
    return prose_of(rules, machine).text(has_lines=False), names_of(machine, text)

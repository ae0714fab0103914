"""One turn of a model: ask it, and repeat the question while its answer is not legal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from ggp import clock
from ggp.clock import Deadline
from ggp.language_models.endpoint import Completion, Endpoint, EndpointError, Message
from ggp.language_models.prompt import rethink_message
from ggp.language_models.reading import MAX_READ, Reading
from ggp.match.seat import Answer

LATE: Final = "TO"
FAILED: Final = "CE"
MAX_KEPT: Final = 20_000
"""Maximum number of characters of one message to keep in the transcript."""


@dataclass(slots=True)
class ModelTally:
    """Counts of a model's questions and answers in one match.

    Attributes:
        turns: Turns in which the model was asked. It is not asked if only one move is legal.
        requests: Requests sent, including retries.
        tokens_in: Tokens of the questions, if the endpoint reports them.
        tokens_out: Tokens of the answers, if the endpoint reports them.
        illegal: Answers without a legal move, counting each try.
        mended: Turns in which a legal move followed an illegal one.
        late: Turns in which no answer arrived in time.
        failed: Turns in which the endpoint gave no answer.
    """

    turns: int = 0
    requests: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    illegal: int = 0
    mended: int = 0
    late: int = 0
    failed: int = 0

    def summary(self) -> str:
        """Return a one-line summary for the end of a match."""
        return (
            f"turns asked: {self.turns}, requests: {self.requests}, tokens in: {self.tokens_in}, "
            f"out: {self.tokens_out}; illegal answers: {self.illegal} "
            f"(turns mended by a rethink: {self.mended}), late: {self.late}, "
            f"no answer: {self.failed}"
        )


class ModelTurn:
    """One turn of a model.

    It writes a transcript of the turn: `>` marks what was sent, `<` what was received, and `=`
    remarks.

    Attributes:
        failure: Why the endpoint gave no answer. Empty if it gave one.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        messages: Sequence[Message],
        legal: Sequence[str],
        tally: ModelTally,
        read: Callable[[str], Reading],
    ) -> None:
        """Create the turn without asking yet. `read` finds the move in an answer."""
        self.failure = ""
        self._endpoint = endpoint
        self._messages = list(messages)
        self._legal = legal
        self._tally = tally
        self._read = read
        self._lines: list[str] = []
        self._last: Reading | None = None

    async def answer(self, deadline: Deadline, max_rethinks: int) -> Answer:
        """Ask until the model names a legal move. Return this move, with the transcript.

        After an illegal answer, ask up to `max_rethinks` times more. If no answer is legal, return
        the last one. If there is no answer at all, return an error. The referee records such an
        answer or error, and replaces the move.
        """
        self._tally.turns += 1
        rules = len(self._messages[0]["content"])
        self._keep("= ", f"the rules were sent, in a message of {rules:,} characters")
        self._keep("> ", self._messages[-1]["content"])
        missing = ""
        for rethink in range(max_rethinks + 1):
            try:
                completion = await self._ask(deadline)
            except (TimeoutError, EndpointError) as error:
                missing = self._went_wrong(error)
                break
            reading = self._read(completion.text)
            if reading.move is not None:
                self._keep("= ", f"understood as: {reading.move}")
                self._tally.mended += rethink > 0
                return Answer(reading.move, printed=self._transcript())
            self._tally.illegal += 1
            self._last = reading
            self._keep("= ", f"not legal: {reading.understood or 'no move'}")
            if rethink < max_rethinks:
                self._rethink(completion, reading)
        if self._last is not None:  # an answer arrived in time
            return Answer(self._last.understood, printed=self._transcript())
        return Answer("", missing=missing, printed=self._transcript())

    async def _ask(self, deadline: Deadline) -> Completion:
        began, before = clock.now(), self._endpoint.num_requests
        try:
            found = await self._endpoint.complete(self._messages, deadline)
        finally:
            num_requests = self._endpoint.num_requests - before
            self._tally.requests += num_requests
            spent = f"requests: {num_requests}, {clock.now() - began:.1f} s"
            self._keep("= ", spent)
        self._tally.tokens_in += found.tokens_in
        self._tally.tokens_out += found.tokens_out
        self._keep("< ", found.text)
        ended = f", ended by {found.finish}" if found.finish else ""
        self._keep("= ", f"tokens in: {found.tokens_in}, out: {found.tokens_out}{ended}")
        return found

    def _rethink(self, completion: Completion, reading: Reading) -> None:
        again = rethink_message(reading, self._legal)
        said = completion.text[-MAX_READ:] or "(no text)"  # some endpoints reject an empty message
        self._messages.append({"role": "assistant", "content": said})
        self._messages.append({"role": "user", "content": again})
        self._keep("> ", again)

    def _went_wrong(self, error: TimeoutError | EndpointError) -> str:
        if isinstance(error, EndpointError):
            self.failure = str(error)
            self._tally.failed += 1
            self._keep("= ", f"no answer: {error}")
            return FAILED
        self._tally.late += 1
        self._keep("= ", "late: the clock has run out")
        return LATE

    def _keep(self, prefix: str, text: str) -> None:
        kept = text if len(text) <= MAX_KEPT else f"{text[:MAX_KEPT]} ..."
        self._lines += [f"{prefix}{line}" for line in kept.splitlines() or [""]]

    def _transcript(self) -> str:
        return "\n".join(self._lines)

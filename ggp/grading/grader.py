"""The grading of one submission: it is loaded, plays its matches, and a verdict is found."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import gdl
from ggp.clock import milliseconds_since_1970
from ggp.grading.baseline import BaselineSeat
from ggp.grading.grade import ALONE, Cell, Example, Grade, Measured, Verdict
from ggp.match.errors import MoveLimitError
from ggp.match.referee import MatchSetup, Referee, is_played
from ggp.match.rulebook import MachineRulebook
from ggp.match.seat import Seat
from ggp.records.record import MatchRecord
from ggp.submission.process import (
    MAX_OUTPUT_BYTES,
    Fault,
    Submission,
    SubmissionLostError,
    SubmissionProcess,
)
from ggp.submission.seat import Mistake, SeatNotes, SubmissionSeat
from ggp.submission.starter import Starter
from ggp.tournament.standings import Score

MOVE_LIMIT: Final = 1000
"""Turns after which a match counts for nobody."""
SEED_BITS: Final = 31
_OF_FAULTS: Final = {
    Fault.FORGED: Verdict.FORGED,
    Fault.PRINTED: Verdict.PRINTED,
    Fault.CRASHED: Verdict.CRASHED,
    Fault.HUNG: Verdict.HUNG,
}
_OF_MISTAKES: Final = {
    Mistake.ERROR: Verdict.ERRORS,
    Mistake.LATE: Verdict.LATE,
    Mistake.ILLEGAL: Verdict.ILLEGAL,
}


@dataclass(frozen=True, slots=True)
class GradedGame:
    """A game that is graded in.

    Attributes:
        name: What it is called.
        game: It, as fast as baselines play it.
        rules: Prefix KIF, as START carries it.
    """

    name: str
    game: gdl.Game
    rules: str

    @property
    def num_played(self) -> int:
        """The number of roles that need a player."""
        return sum(is_played(role.name) for role in self.game.roles)


@dataclass(frozen=True, slots=True)
class GradingTerms:
    """Terms of a grading; clocks are seconds.

    Attributes:
        against: Specs of the baselines.
        matches: In each game against each baseline.
    """

    against: tuple[str, ...]
    matches: int
    seed: int
    startclock: int
    playclock: int


@dataclass(frozen=True, slots=True)
class _Match:
    """One match that was played, or came to nothing because the submission did."""

    game: str
    against: str
    role: str
    record: MatchRecord
    notes: SeatNotes
    lost: SubmissionLostError | None
    score: Score | None


class Grader:
    """Grades one submission after the other.

    Attributes:
        gaps: Sentences on what does not confine them, as far as is known.
    """

    def __init__(self, starter: Starter, games: Sequence[GradedGame], terms: GradingTerms) -> None:
        self._starter = starter
        self._games = games
        self._terms = terms
        self.gaps: tuple[str, ...] = ()

    async def grade(
        self, name: str, submission: Submission, tell: Callable[[], None] = lambda: None
    ) -> Grade:
        """The grade of a submission.

        Args:
            name: What it is called.
            submission: The file.
            tell: Called after each match.

        Raises:
            StarterError: There is no process for it; it is not to blame.
            UnconfinedError: Nothing of this machine confines it.
        """
        player, refusal = await self._load(submission, name)
        if refusal is not None:
            return refusal
        matches: list[_Match] = []
        cells: list[Cell] = []
        for game in self._games:
            cells += await self._play_all(game, submission, matches, tell)
        return await self._judged(name, player, submission, matches, cells)

    async def _load(self, submission: Submission, name: str) -> tuple[str, Grade | None]:
        """The class; the grade of a file that has none."""
        process = await SubmissionProcess.start(self._starter, submission, self._terms.seed)
        self.gaps = process.gaps
        player = ""
        try:
            player, wrong = await process.load(submission.class_name, self._terms.startclock)
        except SubmissionLostError as error:
            wrong = str(error)
        finally:
            await process.close()
        if not wrong:
            return player, None
        verdict, attempts = Verdict.UNLOADABLE, tuple(process.attempts)
        if attempts:
            verdict, wrong = Verdict.FORBIDDEN, f"{_attempted(attempts)}; {wrong}"
        output = process.output
        return "", Grade(
            file=name,
            player=player,
            verdict=verdict,
            reason=wrong,
            example=None,
            counts={},
            attempts=attempts,
            cells=(),
            unrepeatable="",
            measured=Measured((), output.num_bytes, output.text),
        )

    async def _play_all(
        self,
        game: GradedGame,
        submission: Submission,
        matches: list[_Match],
        tell: Callable[[], None],
    ) -> list[Cell]:
        """The matches in one game. After one that cost the process the others are not played."""
        cells = []
        nothing = Score(0, (100,) * (game.num_played - 1))
        is_lost = False
        for against in self._terms.against if game.num_played > 1 else (ALONE,):
            scores: list[Score] = []
            for index in range(self._terms.matches):
                if is_lost:
                    break
                match = await self._play(game, against, submission, index)
                matches.append(match)
                is_lost = match.lost is not None
                scores += [match.score] if match.score is not None else []
                tell()
            forfeited = self._terms.matches - len(scores) if is_lost else 0
            cells.append(Cell(game.name, against, (*scores, *[nothing] * forfeited), forfeited))
        return cells

    async def _play(
        self, game: GradedGame, against: str, submission: Submission, index: int
    ) -> _Match:
        terms = self._terms
        # All submissions have the same luck, and so has one that is graded alone.
        luck = random.Random(f"{terms.seed}:{game.name}:{against}:{index}")
        seeds = [luck.getrandbits(SEED_BITS) for _ in range(game.num_played + 1)]
        roles = [role.name for role in game.game.roles if is_played(role.name)]
        place = index % len(roles)
        own = SubmissionSeat(self._starter, submission, "submission", seeds[place])
        seats: list[Seat] = [
            own if at == place else BaselineSeat(against, game.game, seeds[at])
            for at in range(len(roles))
        ]
        setup = MatchSetup(
            match_id=f"grade.{game.name}.{milliseconds_since_1970()}",
            rulebook=MachineRulebook(game.game),
            rules=game.rules,
            startclock=terms.startclock,
            playclock=terms.playclock,
            move_limit=MOVE_LIMIT,
            seed=seeds[-1],
            unhurried=frozenset(roles),
        )
        referee = Referee(setup, seats)
        lost: SubmissionLostError | None = None
        try:
            await referee.run()
        except SubmissionLostError as error:
            lost = error
        except MoveLimitError:
            pass
        if lost is None and own.notes.output_bytes > MAX_OUTPUT_BYTES:
            lost = SubmissionLostError.by_printing()  # and its last answer came before we knew
        score = None if lost else _score(referee, roles[place])
        return _Match(game.name, against, roles[place], referee.record, own.notes, lost, score)

    async def _judged(
        self,
        name: str,
        player: str,
        submission: Submission,
        matches: Sequence[_Match],
        cells: Sequence[Cell],
    ) -> Grade:
        attempts = tuple(dict.fromkeys(one for match in matches for one in match.notes.attempts))
        counts = Counter(
            incident.mistake.value for match in matches for incident in match.notes.incidents
        )
        verdict, reason, example = _verdict(matches, attempts)
        outputs = [match.notes for match in matches if match.notes.output_bytes]
        return Grade(
            file=name,
            player=player,
            verdict=verdict,
            reason=reason,
            example=example,
            counts={mistake.value: counts[mistake.value] for mistake in Mistake},
            attempts=attempts,
            cells=tuple(cells),
            unrepeatable=await self._unrepeatable(submission, matches),
            measured=Measured(
                tuple(one for match in matches for one in match.notes.seconds),
                sum(notes.output_bytes for notes in outputs),
                outputs[0].output if outputs else "",
            ),
        )

    async def _unrepeatable(self, submission: Submission, matches: Sequence[_Match]) -> str:
        """Why the same seed may give another result; the first match is played again for that."""
        if any(match.notes.uses_clock for match in matches):
            return "it searches by the clock"
        played = [match for match in matches if match.score is not None and match.lost is None]
        if not played or played[0] is not matches[0]:
            return ""
        first = matches[0]
        again = await self._play(self._games[0], first.against, submission, 0)
        for turn, (one, other) in enumerate(
            zip(first.record.moves, again.record.moves, strict=False), start=1
        ):
            if one != other:
                return f"the same match was another one when played again, from turn {turn} on"
        return ""


def _score(referee: Referee, role: str) -> Score | None:
    goals = referee.record.goals
    if goals is None:
        return None
    by_role = dict(zip(referee.roles, goals, strict=True))
    others = [goal for one, goal in by_role.items() if one != role and is_played(one)]
    return Score(by_role[role], tuple(others))


def _attempted(attempts: Sequence[str]) -> str:
    shown = ", ".join(attempts[:3])
    return f"it tried to {shown}" + (f" and {len(attempts) - 3} more" if attempts[3:] else "")


def _verdict(
    matches: Sequence[_Match], attempts: Sequence[str]
) -> tuple[Verdict, str, Example | None]:
    """The verdict, why, and where it was first seen."""
    found: list[tuple[Verdict, str, Example | None]] = []
    for match in matches:
        for incident in match.notes.incidents:
            example = _example(match, incident.turn, incident.text)
            found.append((_OF_MISTAKES[incident.mistake], _said(example), example))
        if match.lost is not None:
            # How much is printed when that is seen depends on the clock.
            is_sure = match.lost.fault is not Fault.PRINTED
            last = len(match.record.moves) + bool(match.record.states) if is_sure else None
            example = _example(match, last, str(match.lost))
            found.append((_OF_FAULTS[match.lost.fault], _said(example), example))
    order = list(Verdict)
    found.sort(key=lambda one: order.index(one[0]))  # stable: the first of a kind stays first
    if attempts:
        return Verdict.FORBIDDEN, _attempted(attempts), found[0][2] if found else None
    return found[0] if found else (Verdict.PASSED, "", None)


def _example(match: _Match, turn: int | None, text: str) -> Example:
    states = match.record.states
    state = states[turn - 1] if turn and turn <= len(states) else ()
    return Example(match.game, match.against, match.role, turn, state, text)


def _said(example: Example) -> str:
    where = [example.game, example.role]
    if example.turn is not None:
        where.append(f"turn {example.turn}" if example.turn else "before turn 1")
    return f"{', '.join(where)}: {example.text}"

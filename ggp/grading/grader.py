"""The grading of one submission: load it, play its matches, and find a verdict."""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import gdl
from ggp.clock import milliseconds_since_1970
from ggp.grading.baseline import BaselineSeat
from ggp.grading.grade import (
    ALONE,
    Grade,
    GradeCell,
    Measured,
    PlayedMatch,
    Verdict,
    attempted,
    verdict_on,
)
from ggp.match.errors import MatchError
from ggp.match.referee import MatchSetup, Referee, is_played
from ggp.match.rulebook import MachineRulebook
from ggp.match.seat import Seat
from ggp.rulesheets import pointer_to_check
from ggp.search.core.choices import StuckError
from ggp.submission.circuits import NotCompiledError
from ggp.submission.process import (
    MAX_OUTPUT_BYTES,
    Submission,
    SubmissionLostError,
    SubmissionProcess,
    one_line,
)
from ggp.submission.seat import Mistake, SeatNotes, SubmissionSeat
from ggp.submission.starter import Starter
from ggp.tournament.fixture import is_absent
from ggp.tournament.standings import Score

MOVE_LIMIT: Final = 1000
"""Number of turns after which a match is aborted and does not count."""
SEED_BITS: Final = 31
_NOTHING_MEASURED: Final = Measured()


@dataclass(frozen=True, slots=True)
class GradedGame:
    """A game in which submissions are graded.

    Attributes:
        game: The game with the reasoner that baselines use.
        rules: The rules in prefix KIF, as sent with START.
        source: The name that the user gave: a bundled game or a file.
    """

    name: str
    game: gdl.Game
    rules: str
    source: str

    @property
    def has_percepts(self) -> bool:
        """Whether the game hides information, so that roles see only their percepts."""
        return self.game.rulesheet is not None and self.game.rulesheet.has_percepts

    @property
    def num_played(self) -> int:
        """Number of roles that need a player."""
        return sum(is_played(role.name) for role in self.game.roles)

    @property
    def loss(self) -> Score:
        """The score of a match that the submission forfeits or in which it is absent."""
        return Score(0, (100,) * (self.num_played - 1))


@dataclass(frozen=True, slots=True)
class GradingTerms:
    """The settings of a grading. Clocks are in seconds."""

    against: tuple[str, ...]
    matches: int
    seed: int
    startclock: int
    playclock: int


class Grader:
    """A grader of submissions, which it grades one after the other.

    Attributes:
        gaps: Sentences on protections that are known to be missing for submissions.
    """

    def __init__(self, starter: Starter, games: Sequence[GradedGame], terms: GradingTerms) -> None:
        self._starter = starter
        self._games = games
        self._terms = terms
        self.gaps: tuple[str, ...] = ()

    async def grade(self, name: str, submission: Submission) -> Grade:
        """Return the grade of a submission, under the name `name`.

        Raises:
            StarterError: The submission's process could not be started. The submission is not at
                fault.
            UnconfinedError: This machine has no means to confine submissions.
        """
        wrong = _missing(submission)
        if wrong:
            return self._refusal(name, Verdict.UNLOADABLE, wrong)
        player, refusal = await self._load(submission, name)
        if refusal is not None:
            return refusal
        matches: list[PlayedMatch] = []
        cells: list[GradeCell] = []
        for game in self._games:
            cells += await self._play_all(game, submission, matches)
        return await self._graded(name, player, submission, matches, cells)

    async def _load(self, submission: Submission, name: str) -> tuple[str, Grade | None]:
        process = await SubmissionProcess.start(self._starter, submission, self._terms.seed)
        self.gaps = process.gaps
        player = ""
        try:
            loaded = await process.load(submission.class_name, self._terms.startclock)
            player, wrong = loaded.player, loaded.wrong
            if not wrong and loaded.engine != "interpreter":
                await self._compile(submission)
        except SubmissionLostError as error:
            wrong = str(error)
        finally:
            await process.close()
        if not wrong:
            return player, None
        verdict, attempts = Verdict.UNLOADABLE, tuple(process.attempts)
        if attempts:
            verdict, wrong = Verdict.FORBIDDEN, f"{attempted(attempts)}; {wrong}"
        measured = Measured((), process.output.num_bytes, process.output.text)
        return "", self._refusal(name, verdict, wrong, attempts, measured)

    async def _compile(self, submission: Submission) -> None:
        """Compile all games before a clock runs. Games that do not compile are interpreted."""
        able = await SubmissionProcess.start(self._starter.compiled, submission, self._terms.seed)
        await able.close()
        for game in self._games:
            with contextlib.suppress(NotCompiledError):
                await self._starter.circuits.of(game.rules)

    def _refusal(
        self,
        name: str,
        verdict: Verdict,
        reason: str,
        attempts: tuple[str, ...] = (),
        measured: Measured = _NOTHING_MEASURED,
    ) -> Grade:
        """Return the grade of a submission that cannot play and so loses all its matches."""
        number = self._terms.matches
        return Grade(
            file=name,
            verdict=verdict,
            reason=reason,
            attempts=attempts,
            cells=tuple(
                GradeCell(game.name, against, (game.loss,) * number, number)
                for game in self._games
                for against in self._against(game)
            ),
            measured=measured,
        )

    def _against(self, game: GradedGame) -> tuple[str, ...]:
        return self._terms.against if game.num_played > 1 else (ALONE,)

    async def _play_all(
        self, game: GradedGame, submission: Submission, matches: list[PlayedMatch]
    ) -> list[GradeCell]:
        """Play the matches in one game. If the submission's process is lost, forfeit the rest.

        Add the played matches to `matches`, and return one cell for each opponent.
        """
        cells = []
        is_lost = False
        for against in self._against(game):
            scores: list[Score] = []
            unfinished: list[str] = []
            absent = 0
            for index in range(self._terms.matches):
                if is_lost:
                    break
                match = await self._play(game, against, submission, index)
                matches.append(match)
                is_lost = match.lost is not None
                scores += [match.score] if match.score is not None else []
                absent += match.is_absent and match.score is not None
                unfinished += [f"as {match.role}: {match.unfinished}"] if match.unfinished else []
            forfeited = self._terms.matches - len(scores) - len(unfinished)
            scores += [game.loss] * forfeited
            counts = forfeited, absent
            cells.append(GradeCell(game.name, against, tuple(scores), *counts, tuple(unfinished)))
        return cells

    async def _play(
        self, game: GradedGame, against: str, submission: Submission, index: int
    ) -> PlayedMatch:
        terms = self._terms
        # Use the same random numbers for each submission, even if it is graded alone.
        rng = random.Random(f"{terms.seed}:{game.name}:{against}:{index}")
        seeds = [rng.getrandbits(SEED_BITS) for _ in range(game.num_played + 1)]
        roles = [role.name for role in game.game.roles if is_played(role.name)]
        place = index % len(roles)
        own = SubmissionSeat(self._starter, submission, "submission", seeds[place])
        seats: list[Seat] = [
            own if at == place else BaselineSeat(against, game.game, seeds[at])
            for at in range(len(roles))
        ]
        setup = MatchSetup(
            match_id=f"grade.{game.name}.{milliseconds_since_1970()}",
            rulebook=MachineRulebook(game.game, has_percepts=game.has_percepts),
            rules=game.rules,
            startclock=terms.startclock,
            playclock=terms.playclock,
            move_limit=MOVE_LIMIT,
            seed=seeds[-1],
            unhurried=frozenset(roles),
        )
        referee = Referee(setup, seats)
        lost: SubmissionLostError | None = None
        fault = ""
        try:
            await referee.run()
        except SubmissionLostError as error:
            lost = error
        except (MatchError, StuckError, gdl.GdlError) as error:  # this is the game's fault
            fault = f"{error}; {pointer_to_check(game.source)}"
        if lost is None and own.notes.output_bytes > MAX_OUTPUT_BYTES:
            lost = SubmissionLostError.by_printing()  # its last answer arrived before we noticed
        names = game.name, against, index, roles[place]
        did_not_play = _is_absent(own.notes, len(referee.record.moves))
        unfinished, score = ("", None) if lost else (fault, _score(referee, roles[place]))
        if did_not_play and score is not None:
            score = game.loss
        return PlayedMatch(*names, referee.record, own.notes, lost, unfinished, did_not_play, score)

    async def _graded(
        self,
        name: str,
        player: str,
        submission: Submission,
        matches: Sequence[PlayedMatch],
        cells: Sequence[GradeCell],
    ) -> Grade:
        attempts = tuple(dict.fromkeys(one for match in matches for one in match.notes.attempts))
        counts = Counter(
            incident.mistake.value for match in matches for incident in match.notes.incidents
        )
        verdict, reason, example = verdict_on(matches, attempts)
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
            interpreted=_interpreted(matches),
            unrepeatable=await self._unrepeatable(submission, matches),
            measured=Measured(
                tuple(one for match in matches for one in match.notes.seconds),
                sum(notes.output_bytes for notes in outputs),
                outputs[0].output if outputs else "",
            ),
        )

    async def _unrepeatable(self, submission: Submission, matches: Sequence[PlayedMatch]) -> str:
        """Play one match again, and return why the same seed may give a different result.

        Return "" if both matches were the same. If the submission uses the clock, play no match.
        """
        if any(match.notes.uses_clock for match in matches):
            return "it searches by the clock"
        first = next((match for match in matches if match.score is not None), None)
        if first is None:
            return ""
        game = next(game for game in self._games if game.name == first.game)
        again = await self._play(game, first.against, submission, first.index)
        for turn, (one, other) in enumerate(
            zip(first.record.moves, again.record.moves, strict=False), start=1
        ):
            if one != other:
                return f"the same match went differently when played again, from turn {turn} on"
        return ""


def _interpreted(matches: Sequence[PlayedMatch]) -> tuple[str, ...]:
    """Return the games that were interpreted although they should have been compiled, and why."""
    found = {match.game: match.notes.reasoner for match in matches if match.notes.reasoner}
    return tuple(f"{game}: {reason}" for game, reason in found.items())


def _missing(submission: Submission) -> str:
    """Return why the submission has no regular file of its own, or "" if it has one."""
    file = submission.file
    for place in (file.parent, file) if submission.is_folder else (file,):
        if place.is_symlink():
            return one_line(f"{place} is a symbolic link; expected a regular file")
    return "" if file.is_file() else one_line(f"there is no file {file}")


def _is_absent(notes: SeatNotes, num_turns: int) -> bool:
    """Return whether the submission made mistakes in too many turns.

    Too many are a quarter of all turns, or all turns in which it had to choose a move.
    """
    mistakes = [one.mistake for one in notes.incidents if one.turn]
    num_answers = len(notes.seconds) + mistakes.count(Mistake.ERROR)
    return is_absent(len(mistakes), num_turns) or 0 < len(mistakes) == num_answers


def _score(referee: Referee, role: str) -> Score | None:
    goals = referee.record.goals
    if goals is None:
        return None
    by_role = dict(zip(referee.roles, goals, strict=True))
    others = [goal for one, goal in by_role.items() if one != role and is_played(one)]
    return Score(by_role[role], tuple(others))

"""Self-play: games from which a book learns the values of states.

In the first plies, every state is searched for a long time, and its best moves are kept. The game
continues with one of the moves that are nearly as good as the best, so that different games reach
different states. After the first plies the players search only briefly, because the games only have
to reach ends that sensible players reach.

Other machines may do parts of the work. A part is the search of one state, or the rest of one game.
Its random choices depend only on the seed, and on the state or the game's number. So the games do
not depend on where and in which order the parts are done.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

import gdl
from ggp.clock import Deadline
from ggp.cluster.tasks import Crew, SentGame, crew
from ggp.log import ReportLine
from ggp.search.core.choices import Joint, TurnUnknownError, choices_in
from ggp.search.core.search import search_until
from ggp.search.evaluation.book.book import Tried, kept
from ggp.search.textbook.mcts.search import MctsSearch
from ggp.training.books.exploring import Place

if TYPE_CHECKING:
    from ggp.search.fast.tree.search import LaneSearch

LONGEST = 1000  # maximum number of plies of a game
MEMORY = 256 << 20  # bytes of a long search
MIN_ROUNDS = 10  # minimum iterations of a brief search, unless a long one has fewer


@dataclass(frozen=True, slots=True)
class SelfPlaySettings:
    """Parameters of self-play."""

    plies: int = 6  # a state after fewer plies gets an entry in the opening book
    seconds: float = 1.0  # duration of the search for an entry
    seconds_after: float = 0.02  # duration of the search for each later move
    rounds: int | None = None
    """Iterations of the search for an entry, instead of a time limit. Later searches get a
    proportional number. Counting iterations makes the games reproducible."""
    margin: float = 10.0
    """A move may be played if its value is at most this many points, out of 100, below that of the
    best move."""
    seed: int = 0

    @property
    def rounds_after(self) -> int | None:
        """Iterations of the search for each later move, or None if time is the limit."""
        if self.rounds is None:
            return None
        proportional = round(self.rounds * self.seconds_after / self.seconds)
        return min(self.rounds, max(MIN_ROUNDS, proportional))


def search(
    game: gdl.Game,
    settings: SelfPlaySettings,
    place: tuple[gdl.State, int],
    rng: random.Random,
    deadline: Deadline,
) -> tuple[Tried, ...]:
    """Search a state by MCTS for an entry of the opening book. Return the moves that it keeps.

    `place` is the state and a role's index. Use lanes if the game has them and time is the limit.
    """
    state, role = place[0], game.roles[place[1]]
    lanes = _lanes(game, state, role, rng) if settings.rounds is None else None
    if lanes is not None:
        return kept(search_until(lanes, _sooner(settings.seconds, deadline)))
    tree = MctsSearch(game, state, role, rng)
    until = deadline if settings.rounds else _sooner(settings.seconds, deadline)
    return kept(search_until(tree, until, settings.rounds))


def play_on(
    game: gdl.Game, settings: SelfPlaySettings, place: Place, rng: random.Random, deadline: Deadline
) -> NDArray[np.int32] | None:
    """Play a game to its end from `place`, a state and its ply.

    Return the index of each role's move among its legal moves, `[T, R]`, for the `T` turns. Return
    None if the game does not end in time.
    """
    state, ply = place
    joints: list[list[int]] = []
    while not game.is_terminal(state):
        choices = choices_in(game, state)
        if ply == LONGEST or deadline.is_over() or not choices:
            return None
        joints.append([])
        for role, legal in zip(game.roles, choices, strict=True):
            if len(legal) == 1 or gdl.is_random(role):
                joints[-1].append(rng.randrange(len(legal)))
                continue
            tree = MctsSearch(game, state, role, rng)
            until = deadline if settings.rounds else _sooner(settings.seconds_after, deadline)
            found = search_until(tree, until, settings.rounds_after)
            joints[-1].append(legal.index(found.move))
        moves = [legal[index] for legal, index in zip(choices, joints[-1], strict=True)]
        state, ply = game.next_state(state, moves), ply + 1
    return np.array(joints, np.int32).reshape(-1, len(game.roles))


def _lanes(
    game: gdl.Game, state: gdl.State, role: gdl.Role, rng: random.Random
) -> LaneSearch | None:
    # Imported here so that reading a book does not have to wait for numba.
    from ggp.search.fast.lanes import LaneSettings, has_lanes
    from ggp.search.fast.tree.search import LaneSearch

    if not has_lanes(game):
        return None
    seed, settings = rng.randrange(1 << 31), LaneSettings(memory=MEMORY)
    try:
        return LaneSearch(game, state, role, seed, settings)
    except TurnUnknownError:
        return None


def _sooner(seconds: float, deadline: Deadline) -> Deadline:
    return Deadline.after(min(seconds, deadline.remaining()))


Key = tuple[gdl.State, int] | int
"""The key of a part of the work: a state and the index of a role, or the number of a game."""


class Part(NamedTuple):
    """A part of the work: the search of a state for an entry, or the rest of a game."""

    facts: bytes  # the facts of the state, as text
    seconds: float  # remaining time
    role: int = 0  # for an entry: index of the role
    number: int | None = None  # for a game: its number
    ply: int = 0  # for a game: number of plies played


Made = tuple[Tried, ...] | NDArray[np.int32] | None
"""The result of a part: the moves of an entry, or the rest of a game as `play_on` returns it."""


@dataclass(slots=True)
class _Game:
    number: int
    rng: random.Random
    state: gdl.State
    trail: list[Place] = field(default_factory=list)
    num_missing: int = 0  # number of entries that the game waits for


class SelfPlay:
    """Self-play: one game after the other, or several at once on a cluster."""

    def __init__(
        self, game: gdl.Game, settings: SelfPlaySettings, is_on_cluster: bool = False
    ) -> None:
        # For each state of the first plies: the best moves of each role, by its index
        self.entries: dict[gdl.State, dict[int, tuple[Tried, ...]]] = {}
        # For each game: its states in order, except the terminal one
        self.trails: list[list[Place]] = []
        self._game, self._settings = game, settings
        self._is_on_cluster = is_on_cluster
        self._deadline = Deadline.never()
        self._playing: dict[int, _Game] = {}  # the games in progress, by number
        self._waiting: dict[tuple[gdl.State, int], list[_Game]] = {}
        self._ended: dict[int, list[Place]] = {}

    def play(self, games: int, deadline: Deadline, progress: ReportLine) -> None:
        """Play `games` games, or fewer if the deadline comes first. Set `entries` and `trails`."""
        self._deadline = deadline
        work = (SentGame(self._game), self._settings)
        started = 0
        with crew(done, work, is_on_cluster=self._is_on_cluster) as workers:
            while not deadline.is_over():
                while started < games and len(self._playing) < workers.capacity():
                    self._start(started, workers)
                    started += 1
                if not len(workers):
                    break
                self._take(*workers.next(), workers)
                progress(self._progress_text(games))
        self.trails = [self._ended[number] for number in sorted(self._ended)]
        made = [state for state, entry in self.entries.items() if entry]
        self.entries = {state: self.entries[state] for state in sorted(made, key=self._text)}

    def _progress_text(self, games: int) -> str:
        left = self._deadline.remaining()
        time_left = f", {left:.0f} s left" if left < float("inf") else ""
        num_begun = sum(1 for entry in self.entries.values() if entry)
        return f"{len(self._ended)} of {games} games, {num_begun:,} opening states{time_left}"

    def _start(self, number: int, workers: Crew[Part, Made]) -> None:
        rng = random.Random(f"{self._settings.seed} {number}")
        self._playing[number] = _Game(number, rng, self._game.initial_state())
        self._advance(self._playing[number], workers)

    def _take(self, key: Key, made: Made, workers: Crew[Part, Made]) -> None:
        if isinstance(key, int):
            self._end(self._playing.pop(key), made)
            return
        state, role = key
        assert isinstance(made, tuple)
        self.entries.setdefault(state, {})[role] = made
        for game in self._waiting.pop(key):
            game.num_missing -= 1
            if not game.num_missing:
                self._advance(game, workers)

    def _advance(self, game: _Game, workers: Crew[Part, Made]) -> None:
        rules, plies = self._game, self._settings.plies
        while not rules.is_terminal(game.state) and len(game.trail) < min(plies, LONGEST):
            if not choices_in(rules, game.state):
                del self._playing[game.number]
                return
            if self._ask(game, workers):
                return
            joint = self._joint(game)
            game.trail.append((game.state, len(game.trail)))
            game.state = rules.next_state(game.state, joint)
        part = self._part(game.state)._replace(number=game.number, ply=len(game.trail))
        workers.add(game.number, part)

    def _ask(self, game: _Game, workers: Crew[Part, Made]) -> bool:
        entry = self.entries.setdefault(game.state, {})
        missing = [
            index
            for index, role in enumerate(self._game.roles)
            if index not in entry and self._has_choice(game.state, role)
        ]
        for index in missing:
            key = (game.state, index)
            if key not in self._waiting:
                self._waiting[key] = []
                workers.add(key, self._part(game.state)._replace(role=index))
            self._waiting[key].append(game)
        game.num_missing = len(missing)
        return bool(missing)

    def _joint(self, game: _Game) -> Joint:
        rules, entry = self._game, self.entries[game.state]
        moves = []
        for index, role in enumerate(rules.roles):
            legal = rules.legal_moves(game.state, role)
            if index not in entry:
                moves.append(game.rng.choice(legal))
                continue
            tried = entry[index]
            margin = self._settings.margin
            good = [each for each in tried if each.value >= tried[0].value - margin]
            chosen = game.rng.choice(good)
            moves.append(next(move for move in legal if str(move) == chosen.move))
        return tuple(moves)

    def _end(self, game: _Game, made: Made) -> None:
        if made is None:
            return
        rules = self._game
        for row in np.asarray(made):
            game.trail.append((game.state, len(game.trail)))
            joint = [
                rules.legal_moves(game.state, role)[index]
                for role, index in zip(rules.roles, row.tolist(), strict=True)
            ]
            game.state = rules.next_state(game.state, joint)
        self._ended[game.number] = game.trail

    def _part(self, state: gdl.State) -> Part:
        return Part(self._text(state).encode(), self._deadline.remaining())

    def _text(self, state: gdl.State) -> str:
        return " ".join(map(str, self._game.facts(state)))

    def _has_choice(self, state: gdl.State, role: gdl.Role) -> bool:
        return not gdl.is_random(role) and len(self._game.legal_moves(state, role)) > 1


def done(work: tuple[SentGame, SelfPlaySettings], part: Part) -> Made:
    """Do one part of self-play for a crew: search a state for an entry, or play a game to its end.

    Return the result.
    """
    game, settings = work[0].game, work[1]
    text, deadline = part.facts.decode(), Deadline.after(part.seconds)
    facts = gdl.read_term(f"(state {text})") if text else None
    state = game.state_of(facts.args if isinstance(facts, gdl.Compound) else ())
    if part.number is None:
        rng = random.Random(f"{settings.seed} {part.role} {text}")
        return search(game, settings, (state, part.role), rng, deadline)
    rng = random.Random(f"{settings.seed} {part.number} on")
    return play_on(game, settings, (state, part.ply), rng, deadline)

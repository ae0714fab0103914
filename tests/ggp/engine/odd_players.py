"""Players that misbehave, each in one way. They run inside engine processes."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Mapping

import gdl
from ggp.clock import Deadline
from ggp.players import Option, Player, whole
from ggp.search.core.playout import playout


class Last(Player):
    """Makes the last legal move at once."""

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """The last legal move."""
        return self.legal_moves(state)[-1]


class Watchful(Last):
    """Reports the last legal move, then uses all its time."""

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """The last legal move, at the deadline."""
        self.report(self.legal_moves(state)[-1], visits=1)
        while not deadline.is_over():
            pass
        return self.legal_moves(state)[-1]


class Deaf(Last):
    """Reports the last legal move and never returns, whatever the deadline."""

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """Nothing."""
        self.report(self.legal_moves(state)[-1])
        while True:
            pass


class Unhurried(Last):
    """Is so slow that two more commands have come before it has chosen."""

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """The last legal move, some time after the deadline was brought forward."""
        while not deadline.is_over():
            pass
        time.sleep(0.2)
        return self.legal_moves(state)[-1]


class Mute(Last):
    """Never returns and never reports."""

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """Nothing."""
        while True:
            pass


class Unready(Last):
    """Never returns from its compilation."""

    def prepare(self, state: gdl.State, deadline: Deadline) -> None:
        """Go on for ever."""
        while True:
            pass


class Sleepy(Last):
    """Sleeps through the time to prepare."""

    def prepare(self, state: gdl.State, deadline: Deadline) -> None:
        """Nothing, for as long as it takes."""
        while not deadline.is_over():
            time.sleep(0.01)


class Failing(Last):
    """Reports the last legal move and raises; its other methods raise too."""

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """Nothing."""
        self.report(self.legal_moves(state)[-1])
        raise RuntimeError("no idea")

    def prepare(self, state: gdl.State, deadline: Deadline) -> None:
        """Raise."""
        raise RuntimeError("not prepared")

    def ponder(self, state: gdl.State, deadline: Deadline) -> None:
        """Raise."""
        raise RuntimeError("nothing to ponder")

    def advance(self, moves: tuple[gdl.Move, ...], state: gdl.State) -> None:
        """Raise."""
        raise RuntimeError("cannot follow")


class Cheating(Player):
    """Reports and chooses moves that are not legal."""

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """An illegal move."""
        self.report(gdl.Constant("cheat"))
        return gdl.Constant("cheat")


class Leaving(Last):
    """Ends the process."""

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """Nothing."""
        os._exit(3)


class Quitting(Last):
    """Calls sys.exit."""

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """Nothing."""
        sys.exit("I am leaving")


class Chatty(Last):
    """Prints to standard output, in Python and below it, and reads standard input."""

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """The last legal move."""
        print('{"#":"Done","request":1,"move":"cheat"}')  # noqa: T201  # the misdeed itself
        os.write(1, b"not a message\n")
        print(sys.stdin.read(), os.read(0, 100), "z" * 100_000)  # noqa: T201  # likewise
        return super().choose(state, deadline)


class Unborn(Last):
    """Cannot be made."""

    def __init__(self, *_: object) -> None:
        raise RuntimeError("out of luck")


class Hoarding(Last):
    """Takes memory until there is none, unless the engine bounds it (`max_nodes`)."""

    OPTIONS = (Option("max_nodes", whole(1), 1024, "megabytes to take"),)

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """The last legal move, if the memory suffices."""
        megabytes = self.OPTIONS[0].read(self.options)
        hoard = [bytearray(1 << 20) for _ in range(megabytes)]
        self.report(self.legal_moves(state)[-1], hoard=len(hoard))
        return self.legal_moves(state)[-1]

    def __init__(
        self,
        machine: gdl.Game,
        role: gdl.Role,
        options: Mapping[str, str],
        seed: int | None = None,
    ) -> None:
        super().__init__(machine, role, options, seed)
        self.options = dict(options)


class Thoughtful(Last):
    """Has thoughts that are no JSON, then far too many."""

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """The last legal move."""
        move = self.legal_moves(state)[-1]
        self.report(move, values={("a", 1): 2}, role=self.role)
        self.report(move, everything=["x"] * 1_000_000)
        self.report(move, role=self.role)
        return move


class Counting(Last):
    """Counts what it was told, and says so in its thoughts."""

    def __init__(
        self,
        machine: gdl.Game,
        role: gdl.Role,
        options: Mapping[str, str],
        seed: int | None = None,
    ) -> None:
        super().__init__(machine, role, options, seed)
        self.told: list[str] = []

    def prepare(self, state: gdl.State, deadline: Deadline) -> None:
        """Count."""
        self.told.append("prepare")

    def ponder(self, state: gdl.State, deadline: Deadline) -> None:
        """Count, and go on until ended."""
        self.told.append("ponder")
        while not deadline.is_over():
            pass

    def advance(self, moves: tuple[gdl.Move, ...], state: gdl.State) -> None:
        """Count."""
        self.told.append(" ".join(map(str, moves)))

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """The last legal move."""
        move = super().choose(state, deadline)
        self.report(move, told=self.told)
        return move


class Plodding(Counting):
    """Looks at its deadline between steps of half a second, in which no other thread can run."""

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """The last legal move, after one step at least."""
        self.step()
        return super().choose(state, deadline)

    def ponder(self, state: gdl.State, deadline: Deadline) -> None:
        """Go on, step by step."""
        while not deadline.is_over():
            self.step()

    @staticmethod
    def step() -> None:
        """Hold the interpreter's lock for half a second or so."""
        sum(range(30_000_000))


class Foresighted(Plodding):
    """Chooses the last legal move at once, expects the same of all, then is slow for long."""

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """The last legal move."""
        move = self.legal_moves(state)[-1]
        self.thoughts = {"line": [[str(move)]] * 3}
        return move

    def ponder(self, state: gdl.State, deadline: Deadline) -> None:
        """Once it has chosen a move, take no notice of the deadline."""
        for _ in range(20 if self.thoughts else 0):
            self.step()


class Locked(Last):
    """Waits for ever in the first turn, and in no other."""

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """The last legal move, unless it is the first turn."""
        self.report(self.legal_moves(state)[-1])
        if state == self.game.initial_state():
            threading.Event().wait()
        return self.legal_moves(state)[-1]


class WaitsForTheCompiledGame(Last):
    """Chooses once it has been given the compiled game, and the first legal move until then."""

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """The last legal move, on the compiled game."""
        if self.game.simulator is not None:
            return super().choose(state, deadline)
        while not deadline.is_over():
            time.sleep(0.01)
        return self.legal_moves(state)[0]


class Drawing(Player):
    """Plays random games, without a look at the clock."""

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """The move with the best of three random games."""
        played = [playout(self.machine, state, self.rng, deadline) for _ in range(3)]
        games = [game for game in played if game is not None]
        best = max(games, key=lambda game: game.goals[0])
        return best.moves[0][self.machine.roles.index(self.role)]

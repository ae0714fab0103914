"""A controller as that of Dresden: it runs a match of hidden information with our server in it.

It writes its bytes itself, as those of the real controller look on the wire, and knows the rules by
the interpreter. The other roles play at random.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

import gdl
from tests.ggp.server.wire import Wire, parsed

HEAD = (
    "POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: Gamecontroller\r\nReceiver: 127.0.0.1\r\n"
    "Content-type: text/acl\r\nContent-length: {length}\r\n\r\n"
)
"""Of every request: there is no `Host`."""

RACE = (
    "(role white) (role black) (role random) "
    "(init (at white 0)) (init (at black 0)) (init (rolls white)) "
    "(die 1) (die 2) (die 3) (other white black) (other black white) "
    "(<= (legal random (roll ?a ?b)) (true (rolls ?p)) (die ?a) (die ?b)) "
    "(<= (legal random noop) (true (moves ?p))) "
    "(<= (legal ?p (run ?a)) (true (moves ?p)) (true (dice ?a ?b))) "
    "(<= (legal ?p (run ?b)) (true (moves ?p)) (true (dice ?a ?b))) "
    "(<= (legal ?p noop) (true (rolls ?q)) (other ?p ?r)) "
    "(<= (legal ?p noop) (true (moves ?q)) (other ?q ?p)) "
    "(<= (next (dice ?a ?b)) (does random (roll ?a ?b))) "
    "(<= (next (moves ?p)) (true (rolls ?p))) "
    "(<= (next (rolls ?q)) (true (moves ?p)) (other ?p ?q)) "
    "(<= (next (at ?p ?m)) (does ?p (run ?d)) (true (at ?p ?n)) (plus ?n ?d ?m)) "
    "(<= (next (at ?p ?n)) (true (at ?p ?n)) (does ?p noop)) "
    "(<= (sees ?p (rolled ?a ?b)) (does random (roll ?a ?b)) (other ?p ?q)) "
    "(<= (sees ?q (ran ?p ?d)) (does ?p (run ?d)) (other ?p ?q)) "
    "(<= terminal (true (at ?p 6))) "
    "(<= (goal ?p 100) (true (at ?p 6))) "
    "(<= (goal ?p 0) (other ?p ?q) (true (at ?q 6))) "
    "(goal random 0) "
    + " ".join(f"(plus {n} {d} {min(6, n + d)})" for n in range(6) for d in (1, 2, 3))
)
"""Dice are thrown openly, and whoever is to move runs by one of them; the other one is told so."""

Form = Callable[[str, int, str, list[str]], str]
"""PLAY or STOP after a turn: of its word, the turn's number, our move and what our role saw."""


def older(match: str) -> Form:
    """The form of the controller of 2011: percepts in the moves' place."""
    return lambda word, turn, move, seen: f"({word} {match} ({' '.join(seen)}))"


def later(match: str) -> Form:
    """The form with the turn and our own move."""
    return lambda word, turn, move, seen: f"({word} {match} {turn} {move} ({' '.join(seen)}))"


def later_with_nil(match: str) -> Form:
    """Likewise, where an empty list is written NIL."""
    return lambda word, turn, move, seen: (
        f"({word} {match} {turn} {move} {'(' + ' '.join(seen) + ')' if seen else 'NIL'})"
    )


def request(body: str) -> bytes:
    """The bytes of a message."""
    return (HEAD.format(length=len(body)) + body).encode()


def start(match: str, role: str, rules: str) -> str:
    """START: all in upper case but the name of the match."""
    spelled = " ".join(map(str, gdl.read_kif(rules).forms))
    return f"(START {match} {role.upper()} ({spelled.upper()} ) 9 5)"


@dataclass
class Controller:
    """A match with our server in one role.

    Attributes:
        wire: To our server.
        rules: Of the game.
        role: Ours.
        match: Its name.
        form: How turns are told.
        rng: Draws the moves of the others.
        said: All bodies that were sent, and what was replied.
        illegal: The replies that are no legal moves.
    """

    wire: Wire
    rules: str
    role: str
    match: str
    form: Callable[[str], Form]
    rng: random.Random
    said: list[tuple[str, str]] = field(default_factory=list)
    illegal: list[str] = field(default_factory=list)

    async def run(self, most_turns: int = 100) -> None:
        """Play until the game is over or so many turns were made, then send STOP."""
        game = gdl.load(self.rules, "interpreter")
        seat = [str(role) for role in game.roles].index(self.role)
        form, state = self.form(self.match), game.initial_state()
        await self.say(start(self.match, self.role, self.rules))
        is_later = self.form is not older
        question = f"(PLAY {self.match} 0 NIL NIL)" if is_later else f"(PLAY {self.match} NIL)"
        for turn in range(1, most_turns + 1):
            legal = [game.legal_moves(state, role) for role in game.roles]
            joint = [self.rng.choice(moves) for moves in legal]
            joint[seat] = self._named(await self.say(question), legal[seat])
            seen = sorted(map(str, game.percepts(state, tuple(joint), game.roles[seat])))
            state = game.next_state(state, tuple(joint))
            own, percepts = str(joint[seat]).upper(), [text.upper() for text in seen]
            if game.is_terminal(state) or turn == most_turns:
                await self.say(form("STOP", turn, own, percepts))
                return
            question = form("PLAY", turn, own, percepts)

    async def say(self, body: str) -> str:
        """The reply to a message; its status must be 200."""
        response = parsed(await self.wire.raw(request(body)))
        self.said.append((body, response.body))
        assert response.status == 200, response.body
        return response.body

    def _named(self, reply: str, legal: tuple[gdl.Move, ...]) -> gdl.Move:
        """The move that is meant; where the reply is none the first one, as there."""
        found = [move for move in legal if str(move).upper() == reply]
        if not found:
            self.illegal.append(reply)
        return found[0] if found else legal[0]

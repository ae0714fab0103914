"""Small games of hidden information."""

from collections.abc import Sequence

import gdl
from ggp.belief import Belief

# Chance hides a coin. Who plays safe has 60 points; who gambles guesses then, without having seen
# anything, and has 100 or 0. Whoever believes to see the coin gambles.
COIN = """
(role random) (role guesser) (side heads) (side tails)
(init (step 1))
(<= (legal random (hide ?s)) (side ?s) (true (step 1)))
(<= (legal random noop) (not (true (step 1))))
(<= (legal guesser noop) (true (step 1)))
(<= (legal guesser safe) (true (step 2)))
(<= (legal guesser gamble) (true (step 2)))
(<= (legal guesser (guess ?s)) (side ?s) (true (step 3)))
(<= (next (coin ?s)) (does random (hide ?s)))
(<= (next (coin ?s)) (true (coin ?s)))
(<= (next (step 2)) (true (step 1)))
(<= (next (step 3)) (does guesser gamble))
(<= (next (step safe)) (does guesser safe))
(<= (next (guessed ?s)) (does guesser (guess ?s)))
(<= (sees guesser started) (true (step 1)))
(<= terminal (true (step safe)))
(<= terminal (true (guessed ?s)))
(<= right (true (guessed ?s)) (true (coin ?s)))
(<= (goal guesser 100) right)
(<= (goal guesser 60) (true (step safe)))
(<= (goal guesser 0) (true (guessed ?s)) (not right))
(<= (goal random 0) terminal)
"""

# Both draw one of four cards, the higher one wins; each sees its own, and one may ask for another.
CARDS = """
(role one) (role two) (role random) (card 1) (card 2) (card 3)
(init deal)
(<= (legal random (give ?a ?b)) (true deal) (card ?a) (card ?b) (distinct ?a ?b))
(<= (legal random noop) (not (true deal)))
(<= (legal one noop) (true deal)) (<= (legal two noop) (true deal))
(<= (legal ?r ?m) (true bet) (role ?r) (distinct ?r random) (choice ?m))
(choice fold) (choice stay)
(<= (next (has one ?a)) (does random (give ?a ?b)))
(<= (next (has two ?b)) (does random (give ?a ?b)))
(<= (next (has ?r ?c)) (true (has ?r ?c)))
(<= (next bet) (true deal))
(<= (next (chose ?r ?m)) (does ?r ?m) (choice ?m))
(<= (sees one ?a) (does random (give ?a ?b)))
(<= (sees two ?b) (does random (give ?a ?b)))
(<= terminal (true (chose one ?m)))
(higher 2 1) (higher 3 1) (higher 3 2)
(other one two) (other two one)
(<= (beats ?r) (other ?r ?q) (true (has ?r ?a)) (true (has ?q ?b)) (higher ?a ?b))
(<= (goal ?r 40) (other ?r ?q) (true (chose ?r fold)))
(<= (goal ?r 60) (other ?r ?q) (true (chose ?r stay)) (true (chose ?q fold)))
(<= (goal ?r 100) (other ?r ?q) (true (chose ?r stay)) (true (chose ?q stay)) (beats ?r))
(<= (goal ?r 0) (other ?r ?q) (true (chose ?r stay)) (true (chose ?q stay)) (not (beats ?r)))
(<= (goal random 0) terminal)
"""

# Who hides a coin may stop, for 25 points, or let the other guess, who has seen nothing: 0 or 100.
HIDE = """
(role hider) (role guesser) (side heads) (side tails)
(init (step 1))
(<= (legal hider (hide ?s)) (side ?s) (true (step 1)))
(<= (legal hider stop) (true (step 2))) (<= (legal hider go) (true (step 2)))
(<= (legal hider noop) (true (step 3)))
(<= (legal guesser noop) (not (true (step 3))))
(<= (legal guesser (guess ?s)) (side ?s) (true (step 3)))
(<= (next (coin ?s)) (does hider (hide ?s)))
(<= (next (coin ?s)) (true (coin ?s)))
(<= (next (step 2)) (true (step 1)))
(<= (next (step 3)) (does hider go))
(<= (next (step stopped)) (does hider stop))
(<= (next (guessed ?s)) (does guesser (guess ?s)))
(<= (sees guesser (did ?m)) (does hider ?m) (true (step 2)))
(<= terminal (true (step stopped)))
(<= terminal (true (guessed ?s)))
(<= right (true (guessed ?s)) (true (coin ?s)))
(<= (goal hider 25) (true (step stopped))) (<= (goal guesser 75) (true (step stopped)))
(<= (goal hider 0) right) (<= (goal guesser 100) right)
(<= wrong (true (guessed ?s)) (not right))
(<= (goal hider 100) wrong) (<= (goal guesser 0) wrong)
"""

# One takes 40 points, or sets a trap into which three of the other's four answers run. What the
# other may do it sees; that a die lies hidden makes it a game of hidden information.
TRAP = """
(role one) (role two) (role random) (answer 1) (answer 2) (answer 3) (answer 4)
(init (step 1))
(<= (legal random (throw 1)) (true (step 1))) (<= (legal random (throw 2)) (true (step 1)))
(<= (legal random noop) (not (true (step 1))))
(<= (legal one take) (true (step 1))) (<= (legal one trap) (true (step 1)))
(<= (legal one noop) (not (true (step 1))))
(<= (legal two noop) (true (step 1)))
(<= (legal two (say ?a)) (answer ?a) (true (step 2)))
(<= (next (die ?n)) (does random (throw ?n)))
(<= (next (step taken)) (does one take))
(<= (next (step 2)) (does one trap))
(<= (next (said ?a)) (does two (say ?a)))
(<= (sees two (did ?m)) (does one ?m))
(<= terminal (true (step taken))) (<= terminal (true (said ?a)))
(<= (goal one 40) (true (step taken))) (<= (goal two 60) (true (step taken)))
(<= (goal one 0) (true (said 1))) (<= (goal two 100) (true (said 1)))
(<= caught (true (said ?a)) (distinct ?a 1))
(<= (goal one 100) caught) (<= (goal two 0) caught)
(<= (goal random 0) terminal)
"""

# Chance draws one of three balls, two of which are red; who has not seen it names a colour.
BALLS = """
(role random) (role guesser) (colour red) (colour blue)
(ball 1 red) (ball 2 red) (ball 3 blue)
(init (step 1))
(<= (legal random (draw ?n)) (ball ?n ?c) (true (step 1)))
(<= (legal random noop) (not (true (step 1))))
(<= (legal guesser noop) (true (step 1)))
(<= (legal guesser (name ?c)) (colour ?c) (true (step 2)))
(<= (next (drawn ?n)) (does random (draw ?n)))
(<= (next (drawn ?n)) (true (drawn ?n)))
(<= (next (step 2)) (true (step 1)))
(<= (next (named ?c)) (does guesser (name ?c)))
(<= (sees guesser drawn) (true (step 1)))
(<= terminal (true (named ?c)))
(<= right (true (named ?c)) (true (drawn ?n)) (ball ?n ?c))
(<= (goal guesser 100) right)
(<= (goal guesser 0) (true (named ?c)) (not right))
(<= (goal random 0) terminal)
"""


def loaded(text: str, engine: gdl.Engine = "auto") -> gdl.Game:
    """The game of a text."""
    return gdl.load(gdl.read_rules(text), engine)


def believed(game: gdl.Game, seat: int, *scripts: Sequence[str]) -> Belief:
    """What a role believes after a match in which all made these moves.

    Args:
        game: The game.
        seat: Whose belief.
        scripts: The moves of each role in the turns in which it has a choice.
    """
    belief = Belief(game, game.roles[seat], seed=1)
    waiting = [list(script) for script in scripts]
    state = game.initial_state()
    while any(waiting):
        moves = []
        for number, role in enumerate(game.roles):
            legal = game.legal_moves(state, role)
            moves.append(legal[0] if len(legal) == 1 else gdl.read_term(waiting[number].pop(0)))
            assert moves[-1] in legal
        percepts = frozenset(game.percepts(state, moves, game.roles[seat]))
        state = game.next_state(state, moves)
        belief.advance(moves[seat], percepts, is_over=game.is_terminal(state))
    return belief

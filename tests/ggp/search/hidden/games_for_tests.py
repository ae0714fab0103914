"""Small games of hidden information."""

import gdl

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


def loaded(text: str, engine: gdl.Engine = "auto") -> gdl.Game:
    """The game of a text."""
    return gdl.load(gdl.read_rules(text), engine)

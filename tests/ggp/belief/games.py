"""Small games of incomplete information that beliefs are tried on."""

from __future__ import annotations

# A coin is thrown; the guesser hears a sound of it or not, then guesses.
COIN = """
(role guesser) (role random)
(init (phase throw))
(<= (legal random (throw ?side)) (true (phase throw)) (side ?side))
(<= (legal guesser wait) (true (phase throw)))
(<= (legal guesser (guess ?side)) (true (phase guess)) (side ?side))
(<= (legal random wait) (true (phase guess)))
(side heads) (side tails) (side edge)
(<= (next (phase guess)) (true (phase throw)))
(<= (next (lies ?side)) (does random (throw ?side)))
(<= (next (lies ?side)) (true (lies ?side)))
(<= (next done) (true (phase guess)))
(<= (sees guesser clang) (does random (throw edge)))
(<= (sees guesser tick) (does random (throw ?side)) (distinct ?side edge))
(<= terminal (true done))
(<= (goal guesser 100) (true done))
(goal random 0)
"""

# Two dice and a reply, 144 joint moves: what is seen names one of them. The state keeps the last.
DICE = """
(role me) (role you) (role random)
(init (total 0)) (init (turn 0))
(number 1) (number 2) (number 3) (number 4) (number 5) (number 6)
(reply a) (reply b) (reply c) (reply d)
(<= (legal random (roll ?a ?b)) (number ?a) (number ?b))
(<= (legal you ?reply) (reply ?reply))
(legal me wait)
(<= (next (rolled ?a ?b)) (does random (roll ?a ?b)))
(<= (next (replied ?reply)) (does you ?reply))
(<= (next (turn ?m)) (true (turn ?n)) (after ?n ?m))
(<= (sees me (rolled ?a ?b)) (does random (roll ?a ?b)))
(<= (sees me (replied ?reply)) (does you ?reply))
(<= terminal (true (turn 40)))
(goal me 50) (goal you 50) (goal random 50)
""" + "".join(f"(after {n} {n + 1})" for n in range(40))

# Two numbers of thirty are hidden, one after the other; the third turn tells both.
HIDDEN = """
(role seeker) (role random)
(init (turn 1))
(legal seeker wait)
(<= (legal random (hide ?n)) (number ?n) (not (true (turn 3))))
(<= (legal random show) (true (turn 3)))
(<= (next (first ?n)) (does random (hide ?n)) (true (turn 1)))
(<= (next (second ?n)) (does random (hide ?n)) (true (turn 2)))
(<= (next (first ?n)) (true (first ?n)))
(<= (next (second ?n)) (true (second ?n)))
(<= (sees seeker (first ?n)) (does random show) (true (first ?n)))
(<= (sees seeker (second ?n)) (does random show) (true (second ?n)))
(<= (next (turn 2)) (true (turn 1)))
(<= (next (turn 3)) (true (turn 2)))
(<= (next (turn 4)) (true (turn 3)))
(<= terminal (true (turn 4)))
(goal seeker 50) (goal random 50)
""" + "".join(f"(number {n})" for n in range(30))

# Chance chooses a box, then a card of it: one box has one card, the other three. The card's colour
# is seen: all are red but one of the three.
BOXES = """
(role me) (role random)
(init start)
(legal me wait)
(<= (legal random (box one)) (true start))
(<= (legal random (box three)) (true start))
(<= (legal random (card a)) (true (in one)))
(<= (legal random (card ?c)) (true (in three)) (of_three ?c))
(of_three a) (of_three b) (of_three c)
(<= (next (in ?b)) (does random (box ?b)))
(<= (next (in ?b)) (true (in ?b)))
(<= (next (drawn ?c)) (does random (card ?c)))
(<= (sees me red) (does random (card ?c)) (distinct ?c c))
(<= terminal (true (drawn ?c)))
(goal me 50) (goal random 50)
"""

# Three others choose one of twenty words each, and all of it is seen.
WORDS = (
    """
(role me) (role one) (role two) (role random)
(init (turn 0))
(legal me wait)
(<= (legal ?role (say ?n)) (role ?role) (distinct ?role me) (number ?n))
(<= (next (said ?role ?n)) (does ?role (say ?n)))
(<= (next (turn ?m)) (true (turn ?n)) (after ?n ?m))
(<= (sees me (heard ?role ?n)) (does ?role (say ?n)))
(<= terminal (true (turn 5)))
(goal me 50) (goal one 50) (goal two 50) (goal random 50)
"""
    + "".join(f"(number {n}) " for n in range(20))
    + "".join(f"(after {n} {n + 1})" for n in range(5))
)

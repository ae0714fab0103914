"""What the words mean that GDL reserves, in a sentence or two."""

from __future__ import annotations

MEANINGS: dict[str, str] = {
    "role": "`(role R)`: R takes part in the game. The roles are facts, and in this order.",
    "init": "`(init F)`: the fact F is true in the first state.",
    "true": "`(true F)`: the fact F is true in the present state. Only conditions ask for it.",
    "does": "`(does R M)`: the role R makes the move M in this turn. Only conditions ask for it.",
    "next": "`(next F)`: the fact F is true in the state after this turn; what no `next` says is "
    "not true any more.",
    "legal": "`(legal R M)`: the role R may make the move M in the present state.",
    "goal": "`(goal R N)`: the state is worth N, from 0 to 100, to the role R.",
    "terminal": "`terminal`: the game is over in the present state.",
    "base": "`(base F)`: F is one of the facts that a state may have.",
    "input": "`(input R M)`: M is one of the moves that the role R may have.",
    "sees": "`(sees R P)`: the role R sees the percept P when this turn's moves are made (GDL-II).",
    "<=": "`(<= HEAD CONDITION ...)`: the head holds if all conditions hold.",
    "not": "`(not C)`: C does not hold. Its variables need values from other conditions.",
    "or": "`(or C ...)`: at least one of the conditions holds.",
    "and": "`(and C ...)`: all of the conditions hold.",
    "distinct": "`(distinct T U)`: the two terms are different. Their variables need values from "
    "other conditions.",
}
RANDOM = "The role of chance: all its legal moves are equally likely (GDL-II)."

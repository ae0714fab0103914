"""Small random games in GDL: places, and who leads where from them.

Rules of one form, so that every oddity can be had: turns, moves at once, chance, three roles,
goals that are not shared out, ways that run in circles, places where a role has no move.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tests.thorough import all_but

NUM_PLACES = 24
GOALS = (0, 0, 25, 50, 75, 100, 100)


@dataclass(frozen=True)
class Form:
    """Features of a random game."""

    roles: tuple[str, ...] = ("one", "two")
    is_shared: bool = True
    """Whether the goals of two roles add up to 100."""
    circles: float = 0.0
    """Share of moves that lead back."""
    together: float = 0.0
    """Share of places where several roles decide at once."""
    chance: float = 0.0
    """Share of places where `random` decides; it is added to the roles."""
    stuck: float = 0.0
    """Share of places where a role has no move."""


FORMS = {
    "turns": Form(),
    "circles": Form(circles=0.4),
    "selfish": Form(is_shared=False),
    "selfish circles": Form(is_shared=False, circles=0.4),
    "three roles": Form(roles=("one", "two", "three"), is_shared=False),
    "chance": Form(chance=0.4),
    "chance in circles": Form(chance=0.3, circles=0.2, is_shared=False),
    "at once": Form(together=0.6),
    "at once, selfish": Form(together=0.6, is_shared=False, circles=0.2),
    "at once, three roles": Form(
        roles=("one", "two", "three"), is_shared=False, together=0.7, chance=0.2
    ),
    "stuck": Form(stuck=0.15),
}
QUICK = ("turns", "at once", "three roles", "chance in circles", "stuck")
"""Between them these have all that a form can have."""


def shown(names: Iterable[str] = FORMS) -> list[Any]:
    """For `parametrize`: of these forms, those that are not among the quick ones are thorough."""
    names = list(names)
    return all_but([name for name in QUICK if name in names], names)


def random_rules(form: Form, seed: int) -> str:
    """The rules of a random game of a form."""
    rng = random.Random(f"{form} {seed}")
    roles = (*form.roles, "random") if form.chance else form.roles
    lines = [f"(role {role})" for role in roles]
    lines.append("(init (at p0))")
    lines.append("(<= (legal ?r ?m) (true (at ?p)) (move ?p ?r ?m))")
    does = " ".join(f"(does {role} ?m{i})" for i, role in enumerate(roles))
    made = " ".join(f"?m{i}" for i in range(len(roles)))
    lines.append(f"(<= (next (at ?q)) (true (at ?p)) {does} (leads ?p {made} ?q))")
    lines.append("(<= terminal (true (at ?p)) (end ?p))")
    lines.append("(<= (goal ?r ?g) (true (at ?p)) (worth ?p ?r ?g))")
    for place in range(NUM_PLACES):
        is_end = place and (place >= NUM_PLACES - 7 or rng.random() < 0.15)
        lines += _end(rng, form, roles, place) if is_end else _choices(rng, form, roles, place)
    return "\n".join(lines)


def _end(rng: random.Random, form: Form, roles: tuple[str, ...], place: int) -> list[str]:
    goals = [rng.choice(GOALS) for _ in roles]
    if form.is_shared:
        goals[1] = 100 - goals[0]
    worth = [f"(worth p{place} {role} {goal})" for role, goal in zip(roles, goals, strict=True)]
    return [f"(end p{place})", *worth]


def _choices(rng: random.Random, form: Form, roles: tuple[str, ...], place: int) -> list[str]:
    deciders = {rng.choice(form.roles)}
    if rng.random() < form.together:
        deciders = set(roles if rng.random() < 0.3 else form.roles[:2])
    elif rng.random() < form.chance:
        deciders = {"random"}
    elif rng.random() < 0.15:
        deciders = set()
    moves = [
        [f"m{i}" for i in range(rng.randint(2, 3))] if role in deciders else ["noop"]
        for role in roles
    ]
    if rng.random() < form.stuck and place:
        moves[0] = []
    lines = [
        f"(move p{place} {role} {move})"
        for role, each in zip(roles, moves, strict=True)
        for move in each
    ]
    for joint in itertools.product(*moves):
        is_back = rng.random() < form.circles
        target = rng.randrange(place + 1) if is_back else rng.randint(place + 1, _end_of(place))
        lines.append(f"(leads p{place} {' '.join(joint)} p{target})")
    return lines


def _end_of(place: int) -> int:
    return min(place + 8, NUM_PLACES - 1)

"""Elo numbers of a round robin, in each game and in all games together.

A difference of 200 means three points of four against each other. The average player has 0.
"""

from __future__ import annotations

from collections.abc import Sequence

from contest.score import Outcome
from ggp.rating.ratings import Meeting, Rating, rate

ALL = "all games"


def elo_table(outcomes: Sequence[Outcome]) -> list[list[str]]:
    """Return rows with headings: a row per player, strongest first, and a column per game."""
    games = list(dict.fromkeys(one.game for one in outcomes))
    ratings = {game: _rated([one for one in outcomes if one.game == game]) for game in games}
    everywhere = _rated(outcomes)
    order = sorted(everywhere, key=lambda name: -everywhere[name].elo)
    return [
        ["player", *games, ALL, "95 %", "points"],
        *(
            [
                f"`{name}`",
                *(_elo(ratings[game].get(name)) for game in games),
                _elo(everywhere[name]),
                f"{everywhere[name].low:+.0f} to {everywhere[name].high:+.0f}",
                _points(name, outcomes),
            ]
            for name in order
        ),
    ]


def _rated(outcomes: Sequence[Outcome]) -> dict[str, Rating]:
    meetings = [Meeting(*one.names, one.points) for one in outcomes]
    return {one.name: one for one in rate(meetings)}


def _elo(rating: Rating | None) -> str:
    return f"{rating.elo:+.0f}" if rating else ""


def _points(name: str, outcomes: Sequence[Outcome]) -> str:
    own = [one.points for one in outcomes if one.names[0] == name]
    own += [1 - one.points for one in outcomes if one.names[1] == name]
    return f"{sum(own):g} of {len(own)}"

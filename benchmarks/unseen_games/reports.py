"""Tables of tactics and of matches."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from statistics import fmean

from contest.score import wilson

from unseen_games.figures import Mean, elo_of, markdown, mean_over_games
from unseen_games.results import Row

Column = tuple[str, str]
"""A player and its budget."""


def _share(row: Row) -> float:
    return fmean(row["kept"])


def _columns(rows: Sequence[Row]) -> dict[Column, dict[str, float]]:
    """Return for each player and budget the share of kept outcomes by game."""
    found: dict[Column, dict[str, float]] = defaultdict(dict)
    for row in rows:
        found[row["player"], row["budget"]][row["game"]] = _share(row)
    return found


def tactics_by_game(rows: Sequence[Row]) -> str:
    """Return a table with a row for each game, and a column for each player and budget."""
    columns = _columns(rows)
    at_random = {row["game"]: row["at_random"] for row in rows}
    numbers = {row["game"]: len(row["kept"]) for row in rows}
    table = [["game", "positions", "at random"]]
    table[0] += [f"`{player}` {budget}" for player, budget in columns]
    for game in sorted(at_random):
        shares = [by_game.get(game) for by_game in columns.values()]
        cells = ["" if share is None else f"{100 * share:.0f} %" for share in shares]
        table.append([game, str(numbers[game]), f"{100 * at_random[game]:.0f} %", *cells])
    return markdown(table)


def tactics_by_player(rows: Sequence[Row], first: str) -> str:
    """Return a table with a row for each player and budget: the mean over its games.

    The last column compares with the player `first` in the games that both were asked about.
    """
    columns = _columns(rows)
    at_random = {row["game"]: row["at_random"] for row in rows}
    table = [
        ["player", "budget", "games", "at random", "keeps the outcome", f"more than `{first}`"]
    ]
    for (player, budget), by_game in columns.items():
        mean = mean_over_games(list(by_game.values())).as_percent()
        chance = fmean(at_random[game] for game in by_game)
        other = columns.get((first, budget), {})
        both = [by_game[game] - other[game] for game in by_game if game in other]
        is_compared = both and player != first
        difference = mean_over_games(both).as_percent(is_signed=True) if is_compared else ""
        row = [f"`{player}`", budget, str(len(by_game)), f"{100 * chance:.1f} %", mean, difference]
        table.append(row)
    return markdown(table, num_texts=2)


def matches_by_game(rows: Sequence[Row]) -> str:
    """Return a table of the first player's points: a row for each game, a column for each other."""
    others = list(dict.fromkeys(row["players"][1] for row in rows))
    table = [["game", *(f"against `{other}`" for other in others)]]
    for game in sorted({row["game"] for row in rows}):
        cells = []
        for other in others:
            own = [row for row in rows if row["game"] == game and row["players"][1] == other]
            points = sum(row["points"] for row in own)
            cells.append(f"{points:g} of {len(own)}" if own else "")
        table.append([game, *cells])
    return markdown(table)


def matches_by_opponent(rows: Sequence[Row]) -> str:
    """Return a table of the first player's points against each other player, and Elo numbers."""
    table = [["opponent", "games", "matches", "W", "D", "L", "points", "Elo", "Elo, 95 %"]]
    for other in dict.fromkeys(row["players"][1] for row in rows):
        own = [row for row in rows if row["players"][1] == other]
        by_game: dict[str, list[float]] = defaultdict(list)
        for row in own:
            by_game[row["game"]].append(row["points"])
        mean = _points([fmean(points) for points in by_game.values()], len(own))
        number = elo_of(mean, len(own))
        counts = Counter(row["points"] for row in own)
        table.append(
            [
                *(f"`{other}`", str(len(by_game)), str(len(own))),
                *(str(counts[points]) for points in (1.0, 0.5, 0.0)),
                mean.as_percent(),
                *(f"{number.value:+.0f}", f"{number.low:+.0f} to {number.high:+.0f}"),
            ]
        )
    return markdown(table)


def _points(shares: Sequence[float], num_matches: int) -> Mean:
    """Return the mean with the wider of two intervals: bootstrap over games, Wilson's over matches.

    Where all games end alike, the bootstrap's is empty.
    """
    mean = mean_over_games(shares)
    low, high = wilson(mean.value * num_matches, num_matches)
    return Mean(mean.value, min(mean.low, low), max(mean.high, high))


def faults(rows: Sequence[Row]) -> list[str]:
    """Return the faults in matches, one line each."""
    return [
        f"{row['game']}, match {row['number']} against {row['players'][1]}: {text} ({count} times)"
        for row in rows
        for text, count in row["faults"].items()
    ]

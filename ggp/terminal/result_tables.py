"""The tables at the end of `ggp match`, and the lines below them.

Players' names are never truncated. If they do not fit, the table shows short names such as
`mcts#1`, and a line below explains each. If even those do not fit, the table is transposed, so that
each player has a column.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.console import Console

from ggp.seating.series import FALLBACK_ERRORS, SeriesMatch
from ggp.terminal.console import or_dash, table
from ggp.terminal.text_table import TextTable
from ggp.tournament.standings import Score, tally

MAX_SHORT_NAME = 12
MAX_WIDTH = 10_000
_ERROR_WORDS = {"IL": "illegal (IL)", "TO": "late (TO)", "CE": "no connection (CE)"}

_ABSENCE = (
    "in a quarter of the turns or more, another move was made instead of its answer. "
    "Tournaments count that as lost."
)

Row = dict[str, str]


def print_results(
    console: Console, names: Sequence[str], sittings: Sequence[SeriesMatch], num_matches: int
) -> None:
    """Print the table of one match, or of the players over several.

    Args:
        console: Where to print. Its width decides the layout.
        names: Names of the players, in the order of the command line.
        sittings: The matches that have ended, at least one.
        num_matches: Number of matches that were planned.
    """
    if num_matches == 1:
        [sitting] = sittings
        rows = {seat: _match_row(sitting, at) for at, seat in enumerate(sitting.contestants)}
    else:
        rows = series_rows(len(names), sittings)
    _print_rows(console, names, rows)
    errors = _sums(names, sittings)
    for name, found in errors:
        kinds = ", ".join(f"{num} {_ERROR_WORDS.get(kind, kind)}" for kind, num in found.items())
        console.print(f"Errors of {name}: {kinds}.", soft_wrap=True)
    if any(kind.startswith(FALLBACK_ERRORS) for _, kinds in errors for kind in kinds):
        console.print("Fallback: a move made instead of one that failed, was late or is illegal.")
    for seat, name in enumerate(names):
        if absent := sum(one.is_absent(one.role_of(seat)) for one in sittings):
            matches = f" {absent} of {len(sittings)} matches" * (num_matches > 1)
            console.print(f"{name} did not play{matches}: {_ABSENCE}", soft_wrap=True)
    if any(one.replaced.total() for one in sittings):
        console.print("Replaced: processes that died or hung; what they had found is lost.")


def series_rows(num_players: int, sittings: Sequence[SeriesMatch]) -> dict[int, Row]:
    """Return each player's row of results over several matches, with an empty column `player`."""
    return {seat: _series_row(seat, sittings) for seat in range(num_players)}


def short_names(names: Sequence[str]) -> list[str]:
    """Return a unique short name for each player, such as `mcts#1` for `mcts:iterations=100`."""
    return [f"{_stem(name)[:MAX_SHORT_NAME]}#{number}" for number, name in enumerate(names, 1)]


def _stem(name: str) -> str:
    """Return the main part of a player's name: a built-in player, a class, or a host."""
    plain = name.partition("#")[0].removeprefix("http://").removeprefix("https://")
    first, _, rest = plain.partition(":")
    return rest.partition(":")[0] if "." in first and rest[:1].isalpha() else first


def _print_rows(console: Console, names: Sequence[str], rows: dict[int, Row]) -> None:
    short = short_names(names)
    boundless = console.options.update(max_width=MAX_WIDTH)  # to measure the table without wrapping
    headings = list(next(iter(rows.values())))
    numeric = ",".join(heading for heading in headings if heading not in {"role", "player"})
    for shown in (names, short):
        named = [row | {"player": shown[seat]} for seat, row in rows.items()]
        found = table(headings, [list(row.values()) for row in named], numeric)
        if console.measure(found, options=boundless).maximum <= console.width:
            break
    else:
        found = _turned(named)
    console.print(found)
    if shown is short:
        for number, name in enumerate(names, start=1):
            console.print(f"#{number} = {name}", soft_wrap=True)


def _turned(rows: Sequence[Row]) -> TextTable:
    names = [row["player"] for row in rows]
    lines = [[heading, *(row[heading] for row in rows)] for heading in rows[0]]
    return table(["", *names], [line for line in lines if line[0] != "player"], ",".join(names))


def _match_row(sitting: SeriesMatch, index: int) -> Row:
    role = sitting.roles[index]
    row = {
        "role": role,
        "player": "",
        "goal": or_dash(sitting.goal(role)),
        "errors": str(sitting.errors(role).total()),
        "mean time": f"{sitting.mean_seconds(role):.2f} s",
    }
    return row | _replaced([sitting], sitting.replaced[role])


def _series_row(seat: int, sittings: Sequence[SeriesMatch]) -> Row:
    places = [(one, one.role_of(seat)) for one in sittings]
    scores = [_score(one, role) for one, role in places if one.record.goals is not None]
    row = {"player": "", "matches": "0"}
    row |= dict.fromkeys(["wins", "draws", "losses", "mean goal", "95 % interval"], "-")
    if scores:
        standing = tally(scores)
        low, high = standing.interval
        row |= {
            "matches": str(standing.matches),
            "wins": str(standing.wins),
            "draws": str(standing.draws),
            "losses": str(standing.losses),
            "mean goal": f"{standing.mean_goal:.1f}",
            "95 % interval": f"{low:.0f} to {high:.0f}",
        }
    row["errors"] = str(sum(one.errors(role).total() for one, role in places))
    seconds = sum(one.mean_seconds(role) for one, role in places) / len(places)
    row["mean time"] = f"{seconds:.2f} s"
    return row | _replaced(sittings, sum(one.replaced[role] for one, role in places))


def _replaced(sittings: Sequence[SeriesMatch], num: int) -> Row:
    """Return the column `replaced` with `num`, or no column if no match replaced a process."""
    return {"replaced": str(num)} if any(one.replaced.total() for one in sittings) else {}


def _sums(names: Sequence[str], sittings: Sequence[SeriesMatch]) -> list[tuple[str, Counter[str]]]:
    """Return the players that made errors, each with its errors over all matches."""
    places = [[(one, one.role_of(seat)) for one in sittings] for seat in range(len(names))]
    sums = [sum((one.errors(role) for one, role in each), Counter[str]()) for each in places]
    return [(name, found) for name, found in zip(names, sums, strict=True) if found]


def _score(sitting: SeriesMatch, role: str) -> Score:
    others = [sitting.goal(other) or 0 for other in sitting.roles if other != role]
    return Score(sitting.goal(role) or 0, tuple(others))

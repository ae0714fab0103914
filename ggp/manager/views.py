"""Views of a match in the API and on live pages, as JSON objects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from ggp.manager.catalogue import CatalogueEntry
from ggp.manager.hints import Hint
from ggp.manager.performance import PlayerRecord, Tally
from ggp.manager.store.matches import Match, Turn
from ggp.manager.store.results import Result
from ggp.manager.store.status import Status
from ggp.manager.store.tables import PlayerRow, RatingRow, TournamentRow
from ggp.manager.store.tournaments import Entry
from ggp.match.thoughts import bounds, verdict
from ggp.protocol.addresses import is_address
from ggp.tournament.faults import Faults
from ggp.tournament.table import Crosstable


def turn_view(turn: Turn) -> dict[str, Any]:
    """A turn: the joint move, the state that it led to, and how the answers came."""
    return {
        "number": turn.number,
        "moves": list(turn.moves),
        "facts": list(turn.facts),
        "errors": list(turn.errors),
        "replies": [dict(reply) for reply in turn.replies],
        "time": turn.time,
    }


def ended_view(status: Status, goals: Sequence[int] = (), reason: str = "") -> dict[str, Any]:
    """The outcome of a match."""
    return {"status": status.value, "goals": list(goals), "reason": reason}


def match_view(match: Match) -> dict[str, Any]:
    """A match without its turns."""
    row = match.row
    return {
        "number": row.id,
        "match_id": row.match_id,
        "game": row.game,
        "roles": row.roles,
        "startclock": row.startclock,
        "playclock": row.playclock,
        "dialect": row.dialect,
        "scrambled": row.is_scrambled,
        "seed": row.seed,
        "move_limit": row.move_limit,
        "status": row.status,
        "reason": row.reason,
        "goals": row.goals,
        "created": row.created,
        "ended": row.ended,
        "tournament": row.tournament_id,
        "annulled": row.annulled is not None,
        "turns": match.num_turns,
        "seats": [
            {
                "role": seat.role,
                "player": seat.player_name,
                "dialect": seat.dialect if is_address(seat.source) else "",
                "goal": seat.goal,
                **asdict(Faults(seat.timeouts, seat.illegal, seat.connection)),
            }
            for seat in match.seats
        ],
    }


def analysis_view(found: Hint) -> dict[str, Any]:
    """The judgement of a search on a position."""
    moves, line = found.thoughts.get("moves"), found.thoughts.get("line")
    return {
        "move": found.move,
        "value": found.value,
        "proven": verdict(found.thoughts),
        "line": line if isinstance(line, list) else [],
        "moves": [_candidate_view(one) for one in moves] if isinstance(moves, list) else [],
    }


def _candidate_view(thoughts: Mapping[str, Any]) -> dict[str, Any]:
    proven = verdict(thoughts).removeprefix("proven").lstrip(": ") or bounds(thoughts)
    is_known = thoughts["visits"] or proven
    return {
        "move": thoughts["move"],
        "visits": thoughts["visits"],
        "value": thoughts["value"] if is_known else None,
        "proven": proven,
    }


def game_view(game: CatalogueEntry) -> dict[str, Any]:
    """A game in the catalogue."""
    return {
        "name": game.name,
        "title": game.title,
        "roles": list(game.roles),
        "rules": game.rules,
        "bundled": game.is_bundled,
    }


def player_view(row: PlayerRow) -> dict[str, Any]:
    """A player as it is registered."""
    return {
        "name": row.name,
        "source": row.source,
        "dialect": row.dialect,
        "created": row.created,
    }


def rating_view(row: RatingRow) -> dict[str, Any]:
    """A player's strength, in Elo."""
    return {
        "name": row.player_name,
        "elo": round(row.elo, 1),
        "low": round(row.low, 1),
        "high": round(row.high, 1),
        "meetings": row.meetings,
    }


def tally_view(tally: Tally) -> dict[str, Any]:
    """A player's results in a game, or against an opponent."""
    percent = tally.points_percent
    return {
        "name": tally.name,
        "matches": tally.matches,
        "wins": tally.scores[1.0],
        "draws": tally.scores[0.5],
        "losses": tally.scores[0.0],
        "points_percent": None if percent is None else round(percent, 1),
        "mean_goal": round(tally.mean_goal, 1),
    }


def result_view(result: Result) -> dict[str, Any]:
    """A match that was played to its end."""
    return {
        "number": result.number,
        "game": result.game,
        "ended": result.ended,
        "seats": [
            {"role": seat.role, "player": seat.player, "goal": seat.goal} for seat in result.seats
        ],
    }


def record_view(record: PlayerRecord) -> dict[str, Any]:
    """A player's record."""
    return {
        "name": record.name,
        "rating": record.rating and rating_view(record.rating),
        "games": [tally_view(tally) for tally in record.games],
        "opponents": [tally_view(tally) for tally in record.opponents],
        "results": [result_view(result) for result in record.results],
    }


def tournament_view(row: TournamentRow) -> dict[str, Any]:
    """A tournament without its fixtures."""
    return {
        "number": row.id,
        "name": row.name,
        "plan": row.plan,
        "status": row.status,
        "reason": row.reason,
        "created": row.created,
        "ended": row.ended,
    }


def entry_view(entry: Entry) -> dict[str, Any]:
    """A fixture and what has become of it."""
    fixture = entry.fixture
    return {
        "number": fixture.number,
        "round": fixture.round,
        "game": fixture.game,
        "players": list(fixture.players),
        "match": entry.match,
        "status": entry.status.value,
        "goals": None if entry.goals is None else list(entry.goals),
        "faults": [asdict(faults) for faults in entry.faults],
        "annulled": list(entry.annulled),
    }


def table_view(table: Crosstable) -> dict[str, Any]:
    """The table: the best first, and who did how well against whom."""
    return {
        "rows": [
            {
                "name": row.name,
                "matches": row.matches,
                "points": row.points,
                "wins": row.wins,
                "draws": row.draws,
                "losses": row.losses,
                "elo": row.rating and round(row.rating.elo, 1),
                "low": row.rating and round(row.rating.low, 1),
                "high": row.rating and round(row.rating.high, 1),
                **asdict(row.faults),
            }
            for row in table.rows
        ],
        "cells": [
            {"player": one, "opponent": other, "score": cell.score, "meetings": cell.meetings}
            for (one, other), cell in table.cells.items()
        ],
    }

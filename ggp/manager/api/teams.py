"""/teams and /me/team: teams of students, on a manager with accounts."""

from __future__ import annotations

from typing import Annotated

from aiohttp import web
from pydantic import Field

from ggp.manager.api.models import AnswerModel, Name
from ggp.manager.api.route import Routes
from ggp.manager.domain.rights import Right, current_caller
from ggp.manager.service import TEAMS
from ggp.manager.web.request_parts import RequestModel


class TeamRequest(RequestModel):
    """A team to create."""

    name: Name


class JoinTeamRequest(RequestModel):
    """The key of a team."""

    key: Annotated[str, Field(min_length=1, max_length=40, examples=["sBe0VN1xGHwA"], repr=False)]


class TeamsRequest(RequestModel):
    """The teams of students."""

    text: Annotated[str, Field(max_length=200_000, examples=["team,student\n"])]
    """CSV with the columns `team` and `student`. An empty team takes a student out of teams."""


class TeamAnswer(AnswerModel):
    """A team."""

    id: int
    name: str
    key: str
    """The key with which students join."""
    members: list[str]


routes = Routes()


@routes.add("GET /teams", Right.TEACH)
async def list_teams(request: web.Request) -> list[TeamAnswer]:
    """Return all teams, sorted by name."""
    return TeamAnswer.each(await request.app[TEAMS].listed())


@routes.add("POST /teams", Right.REGISTER, status=201)
async def create_team(request: web.Request, body: TeamRequest) -> TeamAnswer:
    """Create a team. The caller, a student, is its first member."""
    return TeamAnswer.model_validate(await request.app[TEAMS].create(body.name, current_caller()))


@routes.add("POST /teams/assign", Right.TEACH)
async def assign_teams(request: web.Request, body: TeamsRequest) -> list[TeamAnswer]:
    """Put students into teams, and create missing teams. Nothing changes if a line is wrong."""
    return TeamAnswer.each(await request.app[TEAMS].assign(body.text))


@routes.add("GET /me/team", Right.REGISTER)
async def show_team(request: web.Request) -> TeamAnswer | None:
    """Return the caller's team with its join key, or null."""
    found = await request.app[TEAMS].of(current_caller())
    return None if found is None else TeamAnswer.model_validate(found)


@routes.add("POST /me/team", Right.REGISTER)
async def join_team(request: web.Request, body: JoinTeamRequest) -> TeamAnswer:
    """Join the team that has a key."""
    return TeamAnswer.model_validate(await request.app[TEAMS].join(body.key, current_caller()))


@routes.add("DELETE /me/team", Right.REGISTER)
async def leave_team(request: web.Request) -> None:
    """Leave the caller's team. Its players stay with the team."""
    await request.app[TEAMS].leave(current_caller())

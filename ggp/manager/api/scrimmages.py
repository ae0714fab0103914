"""/scrimmages: matches against players of other students, on a manager with accounts."""

from __future__ import annotations

from typing import Annotated

from aiohttp import web
from pydantic import Field

from ggp.clock import milliseconds_since_1970
from ggp.manager.api.models import AnswerModel, Clock, GameName, Name
from ggp.manager.api.route import Routes
from ggp.manager.domain.rights import Right, current_caller
from ggp.manager.hosting.scrimmages import Accepts, ScrimmageWish
from ggp.manager.service import SERVICE
from ggp.manager.store.scrimmages import ScrimmageRow
from ggp.manager.web.request_parts import RequestModel, number_of


class ScrimmageRequest(RequestModel):
    """A scrimmage to request."""

    game: GameName
    player: Name
    """One of the caller's players."""
    opponent: Name
    """A player of another student."""
    rated: bool = False
    startclock: Clock = 10
    playclock: Clock = 5

    def wish(self) -> ScrimmageWish:
        """Return the requested scrimmage."""
        return ScrimmageWish(**self.model_dump(exclude={"rated"}), is_rated=self.rated)


class AcceptsRequest(RequestModel):
    """The caller's standing answer to requests for unrated scrimmages."""

    accepts: Annotated[Accepts, Field(examples=["auto"])]


class AcceptsAnswer(AnswerModel):
    """The caller's standing answer to requests for unrated scrimmages."""

    accepts: str


class ScrimmageAnswer(AnswerModel):
    """A request for a scrimmage."""

    number: int
    game: str
    player: str
    opponent: str
    rated: bool
    status: str
    """`open`, `accepted`, `declined`, `withdrawn` or `expired`."""
    created: int
    expires: int
    match: int | None
    """The number of the match. Null before the request is accepted."""
    own: bool
    """Whether the caller has made the request."""

    @classmethod
    def of(cls, row: ScrimmageRow) -> ScrimmageAnswer:
        """Return a request as the caller sees it."""
        return cls(
            number=row.id,
            game=row.game,
            player=row.player,
            opponent=row.opponent,
            rated=row.is_rated,
            status=row.status_at(milliseconds_since_1970()),
            created=row.created,
            expires=row.expires,
            match=row.match_id,
            own=row.owner_id in current_caller().owners,
        )


class BegunAnswer(AnswerModel):
    """A scrimmage that was accepted."""

    match: int


routes = Routes()


@routes.add("GET /scrimmages", Right.REGISTER)
async def list_scrimmages(request: web.Request) -> list[ScrimmageAnswer]:
    """Return the latest requests from and to the caller, newest first."""
    found = await request.app[SERVICE].scrimmages.listed(current_caller())
    return [ScrimmageAnswer.of(row) for row in found]


@routes.add("POST /scrimmages", Right.REGISTER, status=201)
async def request_scrimmage(request: web.Request, body: ScrimmageRequest) -> ScrimmageAnswer:
    """Request a scrimmage against the latest version of another student's player.

    It begins when the other student accepts, or at once if that student accepts automatically.
    """
    row = await request.app[SERVICE].scrimmages.request(body.wish(), current_caller())
    return ScrimmageAnswer.of(row)


@routes.add("POST /scrimmages/{number}/accept", Right.REGISTER)
async def accept_scrimmage(request: web.Request) -> BegunAnswer:
    """Accept a request to the caller. The match begins as soon as there are cores."""
    number = await request.app[SERVICE].scrimmages.accept(number_of(request), current_caller())
    return BegunAnswer(match=number)


@routes.add("DELETE /scrimmages/{number}", Right.REGISTER)
async def close_scrimmage(request: web.Request) -> None:
    """Decline a request to the caller, or withdraw one of the caller."""
    await request.app[SERVICE].scrimmages.close(number_of(request), current_caller())


@routes.add("GET /me/scrimmages", Right.REGISTER)
async def show_accepts(request: web.Request) -> AcceptsAnswer:
    """Return the caller's standing answer to requests: `ask`, `auto` or `never`."""
    return AcceptsAnswer(accepts=await request.app[SERVICE].scrimmages.accepts(current_caller()))


@routes.add("POST /me/scrimmages", Right.REGISTER)
async def set_accepts(request: web.Request, body: AcceptsRequest) -> None:
    """Set the standing answer for the caller's players and those of the caller's team."""
    await request.app[SERVICE].scrimmages.set_accepts(body.accepts, current_caller())

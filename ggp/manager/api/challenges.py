"""/challenges: matches that begin when somebody sits in each seat; made, taken up, withdrawn."""

from __future__ import annotations

from typing import Annotated, Literal

from aiohttp import web
from pydantic import Field

from ggp.manager.api.models import (
    AnswerModel,
    Clock,
    ClockPart,
    GameName,
    PersonName,
    Role,
)
from ggp.manager.api.route import Routes
from ggp.manager.domain.challenges import is_own, places_of, sits_already
from ggp.manager.domain.rights import Right, current_caller
from ggp.manager.hosting.lobby import ChallengeWish
from ggp.manager.service import SERVICE
from ggp.manager.store.challenges import OPEN
from ggp.manager.store.tables import ChallengeRow
from ggp.manager.web.request_parts import RequestModel, number_of

Key = Annotated[str, Field(max_length=100, examples=["KEY"], repr=False)]
MOST_MINUTES = 7 * 24 * 60


class ChallengeRequest(RequestModel):
    """A challenge to make."""

    game: GameName
    players: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=500)]],
        Field(max_length=64, examples=[["person", "person:anybody"]]),
    ]
    """One for each role but `random`, in role order: `person` (who asks), `person:anybody`,
    `person:link`, `person:@NAME` of an account, or a player."""
    name: PersonName | None = None
    """How who asks is called, where there are no accounts."""
    sides: Annotated[Literal["given", "random"], Field(examples=["random"])] = "given"
    """Whether people sit as said here, or at random."""
    minutes: Annotated[int, Field(ge=1, le=MOST_MINUTES)] = 30
    """Until it expires."""
    clock: Annotated[ClockPart | None, Field(examples=[{"kind": "game", "seconds": 300}])] = None
    startclock: Clock = 10
    playclock: Clock = 5
    seed: Annotated[int | None, Field(ge=0, lt=2**31, examples=[1])] = None
    move_limit: Annotated[int | None, Field(ge=1, le=100_000, examples=[200])] = None
    spectators: Annotated[Literal["nothing", "all"], Field(examples=["nothing"])] = "nothing"
    rated: bool = True
    """Whether the match counts for ratings, if all its people have accounts."""

    def wish(self) -> ChallengeWish:
        """The challenge that is asked for."""
        said = {"game", "players", "name", "sides", "minutes", "rated"}
        return ChallengeWish(
            game=self.game,
            players=tuple(self.players),
            name=self.name,
            sides=self.sides,
            minutes=self.minutes,
            plan={**self.model_dump(exclude=said), "is_rated": self.rated},
        )


class ChallengeQuery(RequestModel):
    """A key of a challenge, or a link to it."""

    challenge: Key = ""


class AcceptRequest(RequestModel):
    """A seat that somebody takes."""

    role: Role | None = None
    """Null: the first one that is open to who asks."""
    name: PersonName | None = None
    """How who asks is called, where there are no accounts."""
    link: Key = ""


class WithdrawRequest(RequestModel):
    """The key of whoever has made a challenge; not needed by the account that has."""

    key: Key = ""


class MadeChallengeAnswer(AnswerModel):
    """A challenge that has been made."""

    number: int
    key: str
    """Of who has made it: it withdraws the challenge, and opens its seat in the match."""
    links: dict[str, str]
    """Of each role that is for whoever has the link."""


class ChallengeSeatAnswer(AnswerModel):
    """A seat of a challenge."""

    role: str
    player: Annotated[str, Field(validation_alias="sitting")]
    """Who sits there; empty if nobody does yet."""
    open: Annotated[str, Field(validation_alias="open_for")]
    """For whom it is: `anybody`, `link` or `account`; empty if it is taken."""
    account: Annotated[str, Field(validation_alias="account_name")]
    """The name of the account for which it is or was; else empty."""


class ChallengeAnswer(AnswerModel):
    """A challenge."""

    number: int
    game: str
    status: str
    """`open`, `accepted`, `withdrawn`, `declined` or `expired`."""
    challenger: str
    seats: list[ChallengeSeatAnswer]
    sides: str
    clock: ClockPart | None
    startclock: int
    playclock: int
    spectators: str
    rated: bool
    created: int
    expires: int
    match: int | None
    """That has begun."""
    own: bool
    """Whether who asks may withdraw it."""
    acceptable: bool
    """Whether who asks may take a seat."""

    @classmethod
    def of(cls, row: ChallengeRow, key: str) -> ChallengeAnswer:
        """A challenge as whoever has this key or link, or none, sees it."""
        caller, places = current_caller(), places_of(row)
        return cls(
            number=row.id,
            game=row.game,
            status=row.status,
            challenger=row.owner_name,
            seats=[ChallengeSeatAnswer.model_validate(place) for place in places],
            sides=row.sides,
            clock=row.plan["clock"],
            startclock=row.plan["startclock"],
            playclock=row.plan["playclock"],
            spectators=row.plan["spectators"],
            rated=row.plan.get("is_rated", True),
            created=row.created,
            expires=row.expires,
            match=row.match_id,
            own=is_own(row, caller, key),
            acceptable=row.status == OPEN
            and caller.may(Right.PLAY)
            and not (sits_already(row, caller) or is_own(row, caller, key))
            and any(place.is_for(caller, key) for place in places),
        )


class TakenSeatAnswer(AnswerModel):
    """A seat that was taken."""

    match: int | None
    """Null as long as other seats are open."""
    role: str | None
    """Null as long as that is not known."""
    key: str
    """Of the seat in the match, and of the challenge before that."""


routes = Routes()


@routes.add("GET /challenges", Right.LOOK)
async def list_challenges(request: web.Request) -> list[ChallengeAnswer]:
    """The open ones: those for anybody, those for one's account, one's own; the newest first."""
    found = await request.app[SERVICE].lobby.listed(current_caller())
    return [ChallengeAnswer.of(row, "") for row in found]


@routes.add("POST /challenges", Right.PLAY, status=201)
async def make_challenge(request: web.Request, body: ChallengeRequest) -> MadeChallengeAnswer:
    """Set up a match that begins when all its seats are taken."""
    address = request.remote or ""
    row = await request.app[SERVICE].lobby.make(current_caller(), address, body.wish())
    links = {place.role: place.link for place in places_of(row) if place.link}
    return MadeChallengeAnswer(number=row.id, key=row.key, links=links)


@routes.add("GET /challenges/{number}", Right.LOOK)
async def show_challenge(request: web.Request, query: ChallengeQuery) -> ChallengeAnswer:
    """One, to those whom it is about or who have a key or a link."""
    key = query.challenge
    row = await request.app[SERVICE].lobby.find(number_of(request), current_caller(), key)
    return ChallengeAnswer.of(row, key)


@routes.add("POST /challenges/{number}/accept", Right.PLAY)
async def accept_challenge(request: web.Request, body: AcceptRequest) -> TakenSeatAnswer:
    """Take a seat; the match begins when the last one is taken."""
    found = await request.app[SERVICE].lobby.accept(
        number_of(request), current_caller(), role=body.role, name=body.name, link=body.link
    )
    return TakenSeatAnswer.model_validate(found)


@routes.add("POST /challenges/{number}/withdraw", Right.PLAY)
async def withdraw_challenge(request: web.Request, body: WithdrawRequest) -> None:
    """Take back a challenge of one's own."""
    await request.app[SERVICE].lobby.withdraw(number_of(request), current_caller(), body.key)


@routes.add("POST /challenges/{number}/decline", Right.PLAY)
async def decline_challenge(request: web.Request) -> None:
    """Refuse a challenge that is for one's account."""
    await request.app[SERVICE].lobby.decline(number_of(request), current_caller())

"""/challenges: creating, accepting, declining and withdrawing challenges."""

from __future__ import annotations

from typing import Annotated, Literal

from aiohttp import web
from pydantic import Field

from ggp.manager.api.models import (
    AnswerModel,
    Clock,
    ClockPart,
    GameName,
    LinkKey,
    MoveLimit,
    PersonName,
    Players,
    Role,
    Seed,
    Spectators,
    WantedClock,
)
from ggp.manager.api.route import Routes
from ggp.manager.domain.challenges import is_own, places_of, sits_already
from ggp.manager.domain.rights import Right, current_caller
from ggp.manager.hosting.lobby import ChallengeWish
from ggp.manager.service import SERVICE
from ggp.manager.store.challenges import OPEN, ChallengeRow
from ggp.manager.web.request_parts import RequestModel, number_of

MAX_MINUTES = 7 * 24 * 60


class ChallengeRequest(RequestModel):
    """A challenge to create."""

    game: GameName
    players: Annotated[Players, Field(examples=[["person", "person:anybody"]])]
    """The player of each role except `random`, in role order: `person` (the caller),
    `person:anybody`, `person:link`, `person:@NAME` for an account, or a program."""
    name: PersonName | None = None
    """The caller's name on a manager without accounts."""
    sides: Annotated[Literal["given", "random"], Field(examples=["random"])] = "given"
    """Whether people get the seats in `players` or random seats."""
    minutes: Annotated[int, Field(ge=1, le=MAX_MINUTES)] = 30
    """Minutes until the challenge expires."""
    clock: WantedClock = None
    startclock: Clock = 10
    playclock: Clock = 5
    seed: Seed = None
    move_limit: MoveLimit = None
    spectators: Spectators = "nothing"
    rated: bool = True
    """Whether the match counts for ratings, provided that all its people have accounts."""

    def wish(self) -> ChallengeWish:
        """Return the requested challenge."""
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
    """The key of a challenge, of a seat in it, or of a link to it. Empty if the caller has none."""

    challenge: LinkKey = ""


class AcceptRequest(RequestModel):
    """A seat to take."""

    role: Role | None = None
    """Null to take the first seat that is open to the caller."""
    name: PersonName | None = None
    """The caller's name on a manager without accounts."""
    link: LinkKey = ""


class WithdrawRequest(RequestModel):
    """The key that the author got with the challenge. Not needed if the author is logged in."""

    key: LinkKey = ""


class MadeChallengeAnswer(AnswerModel):
    """A new challenge."""

    number: int
    key: str
    """The author's key, which withdraws the challenge and opens the author's seat in the match."""
    links: dict[str, str]
    """For each role with a link, the key of its link."""


class ChallengeSeatAnswer(AnswerModel):
    """A seat of a challenge."""

    role: str
    player: Annotated[str, Field(validation_alias="sitting")]
    """The name of the player in the seat. Empty if the seat is not taken yet."""
    open: Annotated[str, Field(validation_alias="open_for")]
    """Who may take the seat: `anybody`, `link` or `account`. Empty if the seat is taken."""
    account: Annotated[str, Field(validation_alias="account_name")]
    """The name of the invited account. Empty if there is none."""


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
    """The number of the match. Null before the match has begun."""
    own: bool
    """Whether the caller may withdraw the challenge."""
    acceptable: bool
    """Whether the caller may take a seat in it."""

    @classmethod
    def of(cls, row: ChallengeRow, key: str) -> ChallengeAnswer:
        """Return a challenge as the caller sees it.

        Args:
            key: The key of the challenge, of a seat or of a link. Empty if the caller has none.
        """
        caller, places = current_caller(), places_of(row)
        return cls(
            number=row.id,
            game=row.game,
            status=row.status,
            challenger=row.owner_name,
            seats=ChallengeSeatAnswer.each(places),
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
    """A seat that the caller has taken."""

    match: int | None
    """The number of the match. Null while other seats are open."""
    role: str | None
    """Null while the role is not known."""
    key: str
    """The key of the seat in the match and, until the match begins, of the challenge."""


routes = Routes()


@routes.add("GET /challenges", Right.LOOK)
async def list_challenges(request: web.Request) -> list[ChallengeAnswer]:
    """Return the open challenges for everybody, for the caller and by the caller, newest first."""
    found = await request.app[SERVICE].lobby.listed(current_caller())
    return [ChallengeAnswer.of(row, "") for row in found]


@routes.add("POST /challenges", Right.PLAY, status=201)
async def make_challenge(request: web.Request, body: ChallengeRequest) -> MadeChallengeAnswer:
    """Create a challenge: a match that begins when all its seats are taken."""
    address = request.remote or ""
    row = await request.app[SERVICE].lobby.make(current_caller(), address, body.wish())
    links = {place.role: place.link for place in places_of(row) if place.link}
    return MadeChallengeAnswer(number=row.id, key=row.key, links=links)


@routes.add("GET /challenges/{number}", Right.LOOK)
async def show_challenge(request: web.Request, query: ChallengeQuery) -> ChallengeAnswer:
    """Return a challenge. The caller must take part in it, or have its key or a link."""
    key = query.challenge
    row = await request.app[SERVICE].lobby.find(number_of(request), current_caller(), key)
    return ChallengeAnswer.of(row, key)


@routes.add("POST /challenges/{number}/accept", Right.PLAY)
async def accept_challenge(request: web.Request, body: AcceptRequest) -> TakenSeatAnswer:
    """Take a seat. The match begins when the last seat is taken."""
    found = await request.app[SERVICE].lobby.accept(
        number_of(request), current_caller(), role=body.role, name=body.name, link=body.link
    )
    return TakenSeatAnswer.model_validate(found)


@routes.add("POST /challenges/{number}/withdraw", Right.PLAY)
async def withdraw_challenge(request: web.Request, body: WithdrawRequest) -> None:
    """Withdraw one of the caller's challenges."""
    await request.app[SERVICE].lobby.withdraw(number_of(request), current_caller(), body.key)


@routes.add("POST /challenges/{number}/decline", Right.PLAY)
async def decline_challenge(request: web.Request) -> None:
    """Decline a challenge to the caller's account."""
    await request.app[SERVICE].lobby.decline(number_of(request), current_caller())

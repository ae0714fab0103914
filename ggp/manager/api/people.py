"""/matches/N: what people do besides moving: resign, make or decline offers, and renew keys."""

from __future__ import annotations

from typing import Annotated, Literal

from aiohttp import web
from pydantic import Field

from ggp.manager.api.matches import find_match
from ggp.manager.api.models import AnswerModel, Role
from ggp.manager.api.route import Routes
from ggp.manager.domain.people import new_key
from ggp.manager.domain.rights import Right, current_caller, held_seats
from ggp.manager.errors import NotAllowedError, NotThereError
from ggp.manager.hosting.people import Offer
from ggp.manager.service import SERVICE
from ggp.manager.store import matches
from ggp.manager.web.request_parts import RequestModel, check_seat, number_of, seat_key


class SeatRequest(RequestModel):
    """A person's request about a seat."""

    role: Role


class TakeBackRequest(SeatRequest):
    """A person's request to take moves back."""

    turns: Annotated[int, Field(ge=0, le=1_000_000, examples=[0])]
    """Number of turns that are to remain."""


Kind = Annotated[
    Literal["draw", "take-back", "rematch", "reveal"],
    Field(examples=["draw"]),
]
"""The kind of an offer, as in `ggp.manager.hosting.people.Offer`."""


class OfferRequest(SeatRequest):
    """A person's offer to the other people, or acceptance of their offer."""

    kind: Kind
    turns: Annotated[int | None, Field(ge=0, le=1_000_000, examples=[0])] = None
    """For a take-back: how many turns are to remain. Null for the number that another person has
    offered or, without an offer, for the turns before the caller's last choice."""


class DeclineRequest(SeatRequest):
    """A person's refusal of an offer, or withdrawal of the person's own offer."""

    kind: Kind


class AgreementAnswer(AnswerModel):
    """The result of an offer."""

    agreed: Annotated[bool, Field(validation_alias="is_agreed")]
    number: int | None
    """The number of the rematch. Null if there is none."""
    key: str
    """The key of the caller's seat in the rematch. Empty if there is none."""


class OwnSeatsAnswer(AnswerModel):
    """The caller's seats."""

    roles: list[str]
    keys: dict[str, str]


class SeatKeyAnswer(AnswerModel):
    """The key of a seat."""

    key: str


routes = Routes()


@routes.add("GET /matches/{number}/seat", Right.LOOK)
async def show_own_seats(request: web.Request) -> OwnSeatsAnswer:
    """Return the roles that the caller plays, and the keys of their seats."""
    held = held_seats(await find_match(request), seat_key(request))
    return OwnSeatsAnswer(
        roles=[seat.role for seat in held], keys={seat.role: seat.key for seat in held}
    )


@routes.add("POST /matches/{number}/resign", Right.PLAY)
async def resign(request: web.Request, body: SeatRequest) -> None:
    """Resign a match. The caller's goal is 0, and everybody else's is 100."""
    await _check(request, body.role)
    await request.app[SERVICE].agreements.resign(number_of(request), body.role)


@routes.add("POST /matches/{number}/offers", Right.PLAY)
async def offer(request: web.Request, body: OfferRequest) -> AgreementAnswer:
    """Make an offer or accept one: a draw, a rematch, to take moves back or to reveal the match.

    The offer takes effect once all people in the match have made it.
    """
    await _check(request, body.role)
    found = await request.app[SERVICE].agreements.offer(
        number_of(request), body.role, Offer(body.kind), body.turns
    )
    return AgreementAnswer.model_validate(found)


@routes.add("POST /matches/{number}/declines", Right.PLAY)
async def decline(request: web.Request, body: DeclineRequest) -> None:
    """Decline an offer that another person made, or withdraw the caller's own offer."""
    await _check(request, body.role)
    await request.app[SERVICE].agreements.decline(number_of(request), body.role, Offer(body.kind))


@routes.add("POST /matches/{number}/take-back", Right.PLAY)
async def take_back(request: web.Request, body: TakeBackRequest) -> None:
    """Go back to an earlier position. If other people play in the match, only offer this."""
    await _check(request, body.role)
    await request.app[SERVICE].agreements.offer(
        number_of(request), body.role, Offer.TAKE_BACK, body.turns
    )


@routes.add("POST /matches/{number}/seats/{role}/key", Right.PLAY)
async def renew_key(request: web.Request) -> SeatKeyAnswer:
    """Replace the key of a person's seat, at the request of this person or of a host."""
    match, role = await find_match(request), request.match_info["role"]
    seat = next((one for one in match.people if one.role == role), None)
    if seat is None:
        raise NotThereError(f"no person plays {role:.100} in match {match.id}")
    if not (current_caller().is_host or seat in held_seats(match, seat_key(request))):
        raise NotAllowedError(
            f"the seat of {role} belongs to {seat.player_name}; log in to that "
            "account or as a host, or send the key of the seat"
        )
    key = new_key()
    await request.app[SERVICE].database.write(matches.give_key, match.id, role, key)
    people = request.app[SERVICE].people.of(match)
    if people is not None:
        people.give_key(role, key)
    return SeatKeyAnswer(key=key)


async def _check(request: web.Request, role: str) -> None:
    check_seat(request, await find_match(request), role)

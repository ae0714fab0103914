"""/matches/N: what people do there beside moving: resign, offer, agree, decline; keys of seats."""

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


class TakeBackRequest(RequestModel):
    """A person's wish to go back."""

    role: Role
    turns: Annotated[int, Field(ge=0, le=1_000_000, examples=[0])]
    """Number of turns that remain."""


class SeatRequest(RequestModel):
    """A person's wish about a seat."""

    role: Role


Kind = Annotated[
    Literal["draw", "take-back", "rematch", "reveal"],
    Field(examples=["draw"]),
]
"""Of what people agree on, as `ggp.manager.hosting.people.Offer` has it."""


class OfferRequest(SeatRequest):
    """A person's offer to the others, or agreement to theirs."""

    kind: Kind
    turns: Annotated[int | None, Field(ge=0, le=1_000_000, examples=[0])] = None
    """Turns that are to remain, where moves are taken back; null: those before one's last choice,
    or as many as the others have said."""


class DeclineRequest(SeatRequest):
    """A person does not want what was offered, or offers it no more."""

    kind: Kind


class AgreementAnswer(AnswerModel):
    """The result of an offer."""

    agreed: Annotated[bool, Field(validation_alias="is_agreed")]
    number: int | None
    """The match that is played as a rematch."""
    key: str
    """Of the seat there of whoever asks."""


class OwnSeatsAnswer(AnswerModel):
    """The seats of whoever asks."""

    roles: list[str]
    keys: dict[str, str]


class KeyAnswer(AnswerModel):
    """The key of a seat."""

    key: str


routes = Routes()


@routes.add("GET /matches/{number}/seat", Right.LOOK)
async def show_own_seats(request: web.Request) -> OwnSeatsAnswer:
    """The roles that whoever asks plays, and the keys of their seats."""
    held = held_seats(await find_match(request), seat_key(request))
    return OwnSeatsAnswer(
        roles=[seat.role for seat in held], keys={seat.role: seat.key for seat in held}
    )


@routes.add("POST /matches/{number}/resign", Right.PLAY)
async def resign(request: web.Request, body: SeatRequest) -> None:
    """Give a match up: the goal is 0 then, and that of all others 100."""
    await _check(request, body.role)
    await request.app[SERVICE].agreements.resign(number_of(request), body.role)


@routes.add("POST /matches/{number}/offers", Right.PLAY)
async def offer(request: web.Request, body: OfferRequest) -> AgreementAnswer:
    """Offer a draw, a rematch, to take moves back, or to show what was broken off; or agree to it.

    It is done once all people of the match have offered it.
    """
    await _check(request, body.role)
    found = await request.app[SERVICE].agreements.offer(
        number_of(request), body.role, Offer(body.kind), body.turns
    )
    return AgreementAnswer.model_validate(found)


@routes.add("POST /matches/{number}/declines", Right.PLAY)
async def decline(request: web.Request, body: DeclineRequest) -> None:
    """Refuse what others offer, or withdraw one's own offer."""
    await _check(request, body.role)
    await request.app[SERVICE].agreements.decline(number_of(request), body.role, Offer(body.kind))


@routes.add("POST /matches/{number}/take-back", Right.PLAY)
async def take_back(request: web.Request, body: TakeBackRequest) -> None:
    """Go back to an earlier position; where others play by hand, offer it to them."""
    await _check(request, body.role)
    await request.app[SERVICE].agreements.offer(
        number_of(request), body.role, Offer.TAKE_BACK, body.turns
    )


@routes.add("POST /matches/{number}/seats/{role}/key", Right.PLAY)
async def renew_key(request: web.Request) -> KeyAnswer:
    """A new key for the seat of a person, in place of the old one: for that person, or the host."""
    match, role = await find_match(request), request.match_info["role"]
    seat = next((one for one in match.people if one.role == role), None)
    if seat is None:
        raise NotThereError(f"no person plays {role:.100} in match {match.id}")
    if not (current_caller().is_host or seat in held_seats(match, seat_key(request))):
        raise NotAllowedError(
            f"the seat of {role} is {seat.player_name}'s; expected that account, the key, or a host"
        )
    key = new_key()
    await request.app[SERVICE].database.write(matches.give_key, match.id, role, key)
    people = request.app[SERVICE].people.of(match)
    if people is not None:
        people.give_key(role, key)
    return KeyAnswer(key=key)


async def _check(request: web.Request, role: str) -> None:
    check_seat(request, await find_match(request), role)

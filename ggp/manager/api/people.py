"""/matches/N: what people do there beside moving: resign, offer, agree, decline; keys of seats."""

from __future__ import annotations

from aiohttp import web

from ggp.manager.api.matches import find_match
from ggp.manager.api.models import (
    AgreementAnswer,
    DeclineRequest,
    KeyAnswer,
    OfferRequest,
    OwnSeatsAnswer,
    SeatRequest,
    TakeBackRequest,
)
from ggp.manager.api.route import Routes
from ggp.manager.domain.people import new_key
from ggp.manager.domain.rights import Right, current_caller, held_seats
from ggp.manager.errors import NotAllowedError, NotThereError
from ggp.manager.hosting.people import Offer
from ggp.manager.service import SERVICE
from ggp.manager.store import matches
from ggp.manager.web.request_parts import check_seat, number_of, seat_key

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
    await request.app[SERVICE].agreements.decline(number_of(request), Offer(body.kind))


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

"""/me/messages: messages to the caller, and where they go, on a manager with accounts."""

from __future__ import annotations

from typing import Annotated

from aiohttp import web
from pydantic import Field

from ggp.manager.api.models import AnswerModel
from ggp.manager.api.route import Routes
from ggp.manager.domain.rights import Right, current_caller
from ggp.manager.service import MESSAGES
from ggp.manager.store.messages import About, MessageRow, SubscriptionRow
from ggp.manager.web.request_parts import RequestModel


class SubscriptionRequest(RequestModel):
    """Which messages the caller wants, and where they go."""

    about: Annotated[list[About], Field(max_length=len(About), examples=[["turn"]])]
    """`turn`, `challenge`, `check` and `results`. An empty list for no messages."""
    webhook: Annotated[str, Field(max_length=500, examples=[""])] = ""
    """The URL to which messages are posted. Empty for none."""
    mail: Annotated[str, Field(max_length=200, examples=[""])] = ""
    """The address to which messages are mailed. Empty for none."""


class MessageAnswer(AnswerModel):
    """A message to the caller."""

    about: str
    text: str
    path: str
    channel: str
    """`webhook` or `mail`."""
    created: int
    attempts: int
    due: int | None
    """When the next attempt is due. Null if the message was sent or given up."""
    problem: str
    """Why the last attempt failed. Empty if it did not."""


class SubscriptionAnswer(AnswerModel):
    """The caller's choice of messages, and the latest ones."""

    about: list[str]
    webhook: str
    secret: str
    """The key of the signatures of messages to the webhook. Empty before the first change."""
    mail: str
    messages: list[MessageAnswer]

    @classmethod
    def of(cls, row: SubscriptionRow, found: list[MessageRow]) -> SubscriptionAnswer:
        """Create the answer from the rows."""
        return cls(
            about=row.about,
            webhook=row.webhook,
            secret=row.secret,
            mail=row.mail,
            messages=MessageAnswer.each(found),
        )


routes = Routes()


@routes.add("GET /me/messages", Right.ACCOUNT)
async def show_messages(request: web.Request) -> SubscriptionAnswer:
    """Return which messages the caller gets, where they go, and the latest ones, newest first."""
    return SubscriptionAnswer.of(*await request.app[MESSAGES].of(current_caller()))


@routes.add("POST /me/messages", Right.ACCOUNT)
async def subscribe(request: web.Request, body: SubscriptionRequest) -> SubscriptionAnswer:
    """Choose which messages the caller gets, and where they go."""
    messages, caller = request.app[MESSAGES], current_caller()
    await messages.subscribe(body.about, body.webhook, body.mail, caller)
    return SubscriptionAnswer.of(*await messages.of(caller))

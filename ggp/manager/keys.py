"""Keys of what handlers find in the application."""

from __future__ import annotations

from aiohttp import web

from ggp.manager.service import Service
from ggp.manager.tournaments import Holder

SERVICE: web.AppKey[Service] = web.AppKey("service", Service)
HOLDER: web.AppKey[Holder] = web.AppKey("holder", Holder)


def service_of(request: web.Request) -> Service:
    """The manager that answers this request."""
    return request.app[SERVICE]


def holder_of(request: web.Request) -> Holder:
    """The holder of the tournaments."""
    return request.app[HOLDER]

"""What handlers find in the application."""

from __future__ import annotations

from aiohttp import web

from ggp.manager.service import Service

SERVICE: web.AppKey[Service] = web.AppKey("service", Service)


def service_of(request: web.Request) -> Service:
    """The manager that answers this request."""
    return request.app[SERVICE]

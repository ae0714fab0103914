"""Start and stop the player server."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
from collections.abc import AsyncIterator, Callable
from functools import partial

from aiohttp import hdrs, web

from ggp import clock
from ggp.engine import EngineError, EnginePool
from ggp.errors import GgpError
from ggp.listener import descriptors
from ggp.listener.address import http_address, listen
from ggp.listener.bounds import home_of
from ggp.listener.connection import BoundedServer, Connection
from ggp.listener.unread import round_trip_seconds, seconds_waiting
from ggp.log import log_event
from ggp.metrics.health import Readiness, answer_health
from ggp.processes.machine import give_back_memory
from ggp.processes.priority import come_first
from ggp.processes.tasks import cancel, termination_event
from ggp.protocol import Message, Notation, ProtocolError
from ggp.server.agent import Agent
from ggp.server.callers import UNKNOWN_CALLER, caller_of
from ggp.server.config import ServerConfig
from ggp.server.deadlines import TRIPS
from ggp.server.metrics import ServerMetrics
from ggp.server.replies import HttpReply, RefusalError
from ggp.server.requests import Reader, message_of
from ggp.server.turn_trace import REASONS, TurnTrace
from ggp.server.waiting import HERE, Client

SHUTDOWN_SECONDS = 2.0
SWITCH_SECONDS = 0.0005
"""Switch interval: how long the event loop waits each time for a thread that parses a long message.
The loop releases Python's GIL about a dozen times between a request and its answer.
"""
LOAD_SECONDS = 30.0
"""Time limit for loading before the server prints its address. Takes 0.3 s on an idle machine."""
SHOWN_SECONDS = 0.01  # the shortest wait worth logging; Linux counts in milliseconds
TIGHT_SECONDS = 0.1  # warn if less than this is left of the playclock when an answer leaves
TIGHT = "each step was in time; the margin is too short"
NO_ROOM = "no room for another match"


@contextlib.asynccontextmanager
async def running(config: ServerConfig, lender: EnginePool | None = None) -> AsyncIterator[str]:
    """Run a server inside the `async with`. Yield its address, such as `http://[::1]:9147`.

    Args:
        lender: Lends the engine processes. The server closes it. If None, use a new pool.

    Raises:
        ListenError: The address cannot be used, for example because it is in use.
    """
    async with lender or EnginePool() as pool, contextlib.AsyncExitStack() as stack:
        agent = Agent(config, pool)
        handlers = Handlers(agent, config)
        server = BoundedServer(handlers.handle, config.bounds(), is_known=handlers.plays_with)
        runner = web.ServerRunner(server, shutdown_timeout=SHUTDOWN_SECONDS)
        await runner.setup()
        regular = (agent.sweep(), agent.lag.watch(), give_back_memory())
        watching = [asyncio.create_task(each) for each in regular]
        try:
            site = web.TCPSite(runner, config.host, config.port, backlog=descriptors.backlog())
            await listen(site, config.host, config.port)
            await stack.enter_async_context(_measured(config, handlers, pool, server))
            await _load(pool)
            # Until these processes have started, a match starts its own.
            watching.append(asyncio.create_task(_keep_warm(pool, config.num_warm)))
            yield http_address(config.host, runner.addresses[0][1])
        finally:
            for task in watching:
                task.cancel()
            await agent.close()
            await runner.cleanup()


@contextlib.asynccontextmanager
async def _measured(
    config: ServerConfig, handlers: Handlers, pool: EnginePool, server: BoundedServer
) -> AsyncIterator[None]:
    """Return a context in which metrics are served, if the settings name a port for them."""
    if config.metrics_port is None:
        yield
        return
    from ggp.metrics.port import metrics_port  # prometheus-client is optional, so import late

    found = ServerMetrics(handlers.agent, pool, server)
    async with metrics_port(
        *(config.metrics_host, config.metrics_port, found.metrics(), found.gather),
        handlers.readiness,
    ):
        yield


async def _load(pool: EnginePool) -> None:
    """Load what the first START needs to list legal moves. If that fails, this START tries again.

    On a busy machine this takes seconds, and the startclock may be too short for that.
    """
    try:
        async with asyncio.timeout(LOAD_SECONDS):
            await asyncio.gather(pool.forks.until_loaded(), asyncio.to_thread(_load_language))
    except (EngineError, TimeoutError) as error:
        log_event(logging.WARNING, "could not load the engine before the first START", error=error)


async def _keep_warm(pool: EnginePool, num_warm: int) -> None:
    """Start the idle processes for matches. Only log failures, because each START tries again."""
    try:
        await pool.start(num_warm)
        await pool.load_ahead()
    except EngineError as error:
        log_event(logging.ERROR, "no engine", error=error)


def _load_language() -> None:
    """Import the message parser. Inside the event loop, the import would delay all answers."""
    import gdl  # noqa: F401  # needed to parse messages


async def serve(config: ServerConfig, tell: Callable[[str], None]) -> None:
    """Run a server until SIGINT or SIGTERM.

    Args:
        tell: Called with the address once the server answers requests.

    Raises:
        ListenError: The address cannot be used, for example because it is in use.
    """
    descriptors.raise_limit()
    come_first()
    sys.setswitchinterval(SWITCH_SECONDS)
    stopping = asyncio.create_task(termination_event().wait())
    async with contextlib.AsyncExitStack() as stack:
        starting = asyncio.create_task(stack.enter_async_context(running(config)))
        await asyncio.wait({starting, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if not starting.done():
            await cancel(starting)
            return
        tell(await starting)
        await stopping


ALLOWED_METHODS = "POST, GET, OPTIONS"
ONE_DAY = "86400"
HEADERS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": ALLOWED_METHODS,
    "Access-Control-Allow-Headers": "Content-Type, Accept, Sender, Receiver",
    "Access-Control-Max-Age": ONE_DAY,
    "Access-Control-Allow-Age": ONE_DAY,  # GGP-Base's spelling
    # Let a manager's page on the internet reach a player on the user's own machine.
    "Access-Control-Allow-Private-Network": "true",
    "Server": "ggp-agent",
}
CONTENT_TYPES = {Notation.PREFIX: "text/acl", Notation.INFIX: "text/plain"}
WELCOME = (
    "{name}: a player for General Game Playing. Register this address with a game manager. "
    "Send (INFO) by POST /, or GET /(INFO), to see whether it is free.\n"
)


class Handlers:
    """The handlers of all requests, whatever the method and path. They never raise."""

    def __init__(self, agent: Agent, config: ServerConfig) -> None:
        self.agent = agent
        self.readiness = Readiness(self._hindrance)
        self._config = config
        self._reader = Reader(config.limits)

    async def handle(self, request: web.BaseRequest) -> web.Response:
        """Answer a request.

        The manager's clock is taken to start before the request arrives at this machine, earlier
        by the time that messages travel.
        """
        trace, seen = self._arrived(request)
        try:
            caller = caller_of(request, self._config)
            seen["page"] = caller.page or None
            if (early := await self._without_message(request)) is not None:
                return early
            text = await message_of(request, self._config)
            if isinstance(request.protocol, Connection):
                request.protocol.message_arrived()
            trace.read = clock.now()
            message = await self._reader.read(text, partial(self.agent.refuses, caller=caller))
            trace.handled = clock.now()
            seen |= _described(message)
            reply = await self.agent.answer(
                message, trace.began, _addressee(request), caller, _client(request)
            )
        except asyncio.CancelledError:
            duration_ms = round((clock.now() - trace.arrived) * 1000, 1)
            log_event(logging.INFO, "hung up", **seen, duration_ms=duration_ms)
            raise
        except RefusalError as error:
            reply = HttpReply(f"{error}\n", status=error.status)
        except ProtocolError as error:
            seen["field"] = error.field
            reply = HttpReply(f"{error}\n", status=400)
        except GgpError as error:
            reply = HttpReply(f"{error}\n", status=400)
        except Exception as error:  # noqa: BLE001  # outermost handler
            log_event(logging.ERROR, "failed", **seen, error=error)
            reply = HttpReply("the message could not be answered\n", status=500)
        if isinstance(request.protocol, Connection):
            request.protocol.when_answered = partial(self._replied, reply, seen, trace)
        content_type = CONTENT_TYPES[reply.notation] if reply.status == 200 else "text/plain"
        return _response(reply.text, reply.status, content_type)

    def plays_with(self, client: str) -> bool:
        """Return whether we play a match that was started from the address `client`."""
        return self.agent.places.plays_with(
            str(home_of(client, self._config.one_manager) or client)
        )

    def _arrived(self, request: web.BaseRequest) -> tuple[TurnTrace, dict[str, object]]:
        """Record the arrival of a request. Return its trace, and its fields for the log."""
        now, waited = clock.now(), seconds_waiting(request.transport)
        self.agent.lag.note(waited, now)
        trace = TurnTrace(now - waited, TRIPS * round_trip_seconds(request.transport))
        if isinstance(request.protocol, Connection):
            request.protocol.request_arrived()
            trace.accepted = request.protocol.accepted
        seen: dict[str, object] = {"client": request.remote, "method": request.method}
        if waited >= SHOWN_SECONDS:
            seen["waited_ms"] = round(waited * 1000)
        return trace, seen

    def _replied(self, reply: HttpReply, seen: dict[str, object], trace: TurnTrace) -> None:
        """Log and count an answer that has been sent."""
        replied = clock.now()
        seen["duration_ms"] = round((replied - trace.arrived) * 1000, 1)
        seen["reply"] = reply.text.strip()
        seen |= reply.notes
        if reply.status != 200:
            log_event(logging.WARNING, "refused", **seen, status=reply.status)
            return
        reason = None
        if reply.turn is not None:
            turn = reply.turn
            trace.asked, trace.chosen, trace.due = turn.asked, turn.chosen, turn.due
            left, slow_step = trace.began + turn.playclock - replied, trace.slow_step(replied)
            self.agent.counts.replied(left, slow_step)
            seen |= {"left": round(left, 3)} | trace.fields(replied)
            reason = REASONS.get(slow_step) or (TIGHT if left < TIGHT_SECONDS else None)
        log_event(logging.WARNING if reason else logging.INFO, "message", **seen, slow=reason)

    async def _hindrance(self) -> str:
        return NO_ROOM if self.agent.refusal(UNKNOWN_CALLER) else ""

    async def _without_message(self, request: web.BaseRequest) -> web.Response | None:
        if request.method in {hdrs.METH_GET, hdrs.METH_HEAD}:
            if request.path == "/health":
                return await answer_health(request)
            if request.path == "/ready":
                return await self.readiness.answer(request)
        is_post = request.method == hdrs.METH_POST
        if is_post or (request.method == hdrs.METH_GET and request.raw_path != "/"):
            return None
        if request.method == hdrs.METH_OPTIONS:
            return _response("", 200, "text/acl")
        if request.method in {hdrs.METH_GET, hdrs.METH_HEAD}:
            return _response(WELCOME.format(name=self._config.public_name()), 200, "text/plain")
        return _response("expected one of POST, GET, HEAD, OPTIONS\n", 405, "text/plain")


def _addressee(request: web.BaseRequest) -> str:
    """Return the path and the manager's name for the player, which identify a role in a match.

    A GET has its message in the path, so for a GET return only the player's name.
    """
    path = request.path if request.method == hdrs.METH_POST else "/"
    return f"{path} {request.headers.get('Receiver', '')}".strip()


def _client(request: web.BaseRequest) -> Client:
    return request.protocol if isinstance(request.protocol, Connection) else HERE


def _described(message: Message) -> dict[str, object]:
    return {
        "kind": type(message).__name__.upper(),
        "match": getattr(message, "match", None),
        "role": getattr(message, "role", None),
    }


def _response(text: str, status: int, content_type: str) -> web.Response:
    body = text.encode()
    response = web.Response(body=body, status=status, headers=HEADERS, content_type=content_type)
    # The Dresden manager reads to the end of the stream, so close the connection.
    response.force_close()
    return response

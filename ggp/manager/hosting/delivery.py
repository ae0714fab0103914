"""Delivery of messages: signed webhooks and mail, with repeated attempts.

A webhook is only called in networks that the host allows. The address is checked when the
connection is made, so that neither a name that points elsewhere nor a redirection leads into
another network.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import smtplib
import socket
from collections.abc import Sequence
from email.message import EmailMessage
from ipaddress import IPv4Network, IPv6Network, ip_address
from typing import Any, Final
from urllib.parse import unquote, urlsplit

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import DefaultResolver

from ggp.errors import GgpError
from ggp.manager.config import ManagerConfig
from ggp.manager.errors import WrongRequestError
from ggp.manager.store.messages import MessageRow

SEND_SECONDS: Final = 10.0
SIGNATURE: Final = "X-GGP-Signature"
DELIVERY: Final = "X-GGP-Delivery"


class DeliveryError(GgpError):
    """A message could not be delivered."""


class AllowedResolver(AbstractResolver):
    """A resolver that returns only addresses in the allowed networks."""

    def __init__(self, networks: Sequence[IPv4Network | IPv6Network]) -> None:
        self._networks = networks
        self._resolver = DefaultResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Return the allowed addresses of a host."""
        found = await self._resolver.resolve(host, port, family)
        allowed = [one for one in found if is_in(one["host"], self._networks)]
        if not allowed:
            raise OSError(f"{host} is in no network that the host of this manager allows")
        return allowed

    async def close(self) -> None:
        """Close the resolver."""
        await self._resolver.close()


def is_in(address: str, networks: Sequence[IPv4Network | IPv6Network]) -> bool:
    """Return whether an IP address is in one of the networks."""
    number = ip_address(address)
    return any(number in network for network in networks)


def check_webhook(url: str, config: ManagerConfig) -> None:
    """Check that messages may be posted to a URL.

    Raises:
        WrongRequestError: The URL is malformed, or the host of this manager allows no webhooks.
    """
    if not config.webhook_networks:
        raise WrongRequestError(
            "webhook: this manager calls no webhooks; its host can start it with --webhook-network"
        )
    try:
        parts = urlsplit(url)
        is_whole = parts.scheme in {"http", "https"} and bool(parts.hostname)
        is_whole = is_whole and parts.username is None and (parts.port or 1) > 0
    except ValueError:
        is_whole = False
    if not is_whole or not url.isascii() or not url.isprintable():
        raise WrongRequestError(
            f"webhook: expected a URL such as https://example.org/ggp, got {url!r:.60}"
        )


def signature(secret: str, body: bytes) -> str:
    """Return the signature of a message, which its receiver can check."""
    return "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def content(message: MessageRow) -> dict[str, Any]:
    """Return the JSON of a message to a webhook."""
    return {
        "about": message.about,
        "text": message.text,
        "path": message.path,
        "created": message.created,
    }


async def post(message: MessageRow, url: str, secret: str, config: ManagerConfig) -> None:
    """Post a message to a webhook.

    Raises:
        DeliveryError: The webhook does not answer in time, refuses the message, redirects, or is in
            no allowed network.
    """
    host, networks = urlsplit(url).hostname or "", config.webhook_networks
    try:
        is_refused = not is_in(host, networks)  # aiohttp does not ask the resolver about numbers
    except ValueError:
        is_refused = False
    if is_refused:
        raise DeliveryError(f"{host} is in no network that the host of this manager allows")
    body = json.dumps(content(message)).encode()
    headers = {
        "Content-Type": "application/json",
        SIGNATURE: signature(secret, body),
        DELIVERY: str(message.id),
    }
    connector = aiohttp.TCPConnector(resolver=AllowedResolver(networks), force_close=True)
    timeout = aiohttp.ClientTimeout(total=SEND_SECONDS)
    try:
        async with (
            aiohttp.ClientSession(connector=connector, timeout=timeout, trust_env=False) as session,
            session.post(url, data=body, headers=headers, allow_redirects=False) as answer,
        ):
            status = answer.status
    except TimeoutError:
        raise DeliveryError(f"no answer within {SEND_SECONDS:g} s") from None
    except aiohttp.ClientConnectorError as error:
        raise DeliveryError(str(error.os_error)) from error
    except (aiohttp.ClientError, OSError, ValueError) as error:
        raise DeliveryError(str(error) or type(error).__name__) from error
    if not 200 <= status < 300:
        raise DeliveryError(f"expected an answer with status 200, got {status}")


async def mail(message: MessageRow, address: str, config: ManagerConfig) -> None:
    """Mail a message.

    Raises:
        DeliveryError: The mail server does not accept the message.
    """
    letter = EmailMessage()
    letter["Subject"] = message.text
    letter["From"], letter["To"] = config.mail_from, address
    letter.set_content(f"{message.text}\n\nPage: {message.path}\n")
    try:
        await asyncio.to_thread(_send, letter, config.mail_server)
    except (OSError, smtplib.SMTPException) as error:
        raise DeliveryError(str(error) or type(error).__name__) from error


def _send(letter: EmailMessage, server: str) -> None:
    parts = urlsplit(server)
    kind = smtplib.SMTP_SSL if parts.scheme == "smtps" else smtplib.SMTP
    with kind(parts.hostname or "", parts.port or 0, timeout=SEND_SECONDS) as connection:
        if parts.scheme == "smtp" and connection.has_extn("starttls"):
            connection.starttls()
        if parts.username:
            connection.login(unquote(parts.username), unquote(parts.password or ""))
        connection.send_message(letter)

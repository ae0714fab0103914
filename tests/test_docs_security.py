"""SECURITY.md keeps its word: its numbers are those of the code, and its attacks exist."""

from __future__ import annotations

import re
from typing import Any

import pytest
import typer

from ggp.cli import app
from ggp.cli.verbs import command_of
from ggp.engine import EngineConfig
from ggp.manager import service
from ggp.manager.api.positions import MAX_DEPTH
from ggp.manager.config import ManagerConfig
from ggp.manager.domain import players, uploads
from ggp.manager.domain.accounts import MAX_ACCOUNTS, MAX_INVITATIONS, MAX_SESSIONS, MAX_TOKENS
from ggp.manager.domain.match_records import MAX_TURNS
from ggp.manager.domain.passwords import (
    MAX_OF_ACCOUNT,
    MAX_OF_ADDRESS,
    NUM_THREADS,
    WINDOW_SECONDS,
)
from ggp.manager.domain.passwords import MAX_WAITING as MAX_WAITING_PASSWORDS
from ggp.manager.hosting import lobby
from ggp.manager.hosting.positions import MAX_BELIEVERS
from ggp.manager.hosting.reports import MAX_SECONDS, MAX_WAITING_OF_STUDENT
from ggp.manager.hosting.reports import MAX_WAITING as MAX_REPORTS
from ggp.manager.store.entrants import MAX_ENTRANTS
from ggp.manager.store.matches import MAX_OF_STUDENT, MAX_SECONDS_OF_STUDENT
from ggp.protocol import MessageLimits
from ggp.report.__main__ import MEMORY_BYTES as REPORT_MEMORY
from ggp.sandbox.match_questions import MAX_BYTES
from ggp.sandbox.position_questions import MAX_LINES
from ggp.sandbox.position_questions import MAX_TURNS as MAX_POSITION_TURNS
from ggp.sandbox.process import MAX_ANSWER_BYTES, SandboxBounds
from ggp.server.config import ServerConfig
from ggp.server.ongoing import MAX_COPIES, MAX_WAITING
from ggp.submission.confinement import Limits
from ggp.submission.process import MAX_LINE_BYTES, MAX_OUTPUT_BYTES
from ggp.submission.seat import GRACE_SECONDS
from ggp.submission.supervision import MAX_THREADS
from ggp.tournament.fixtures import MAX_FIXTURES
from ggp.tournament.plan import MAX_GAMES, MAX_PLAYERS
from tests.shared import REPOSITORY

ROOT: Any = typer.main.get_command(app)
PAGE = (REPOSITORY / "SECURITY.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
MEBIBYTE = 1 << 20
SUBMISSION = Limits()
SERVER, MANAGER, LIMITS, ENGINE = ServerConfig(), ManagerConfig(), MessageLimits(), EngineConfig()
EXPECTED = {
    "size of a message": (
        f"{SERVER.max_body_bytes:,} bytes, and {SERVER.receive_seconds:g} s to arrive"
    ),
    "connections": f"{SERVER.max_connections} at a time",
    "matches": (
        f"{SERVER.max_matches} at a time, {SERVER.page_places()} of them from pages in browsers"
    ),
    "clients waiting for one answer": f"{MAX_COPIES}, and {MAX_WAITING} in one match",
    "clocks": f"{LIMITS.startclock:,} s",
    "moves in a message": (
        f"{LIMITS.num_moves_characters:,} characters, nested {LIMITS.depth} deep"
    ),
    "memory of a search process": f"{ENGINE.memory_bytes // MEBIBYTE:,} MB",
    "time to compile a game": f"{ENGINE.compile_seconds:g} s, while the match continues",
    "size of a request body": f"{MANAGER.max_body_bytes // MEBIBYTE} MiB",
    "matches queued or running": f"{MANAGER.max_waiting}",
    "spectators": f"{MANAGER.max_spectators:,} at a time",
    "open challenges": (
        f"{lobby.MAX_OPEN} in all, {lobby.MAX_OF_ACCOUNT} per account, {lobby.MAX_OF_ADDRESS} "
        f"per address without accounts; each expires after a week"
    ),
    "states and moves of a match with uploaded rules": (
        f"{MAX_BYTES // MEBIBYTE} MiB each, {MANAGER.max_match_bytes // MEBIBYTE} MiB in all"
    ),
    "imported match": f"{MAX_TURNS:,} turns",
    "tournament": (
        f"{MAX_PLAYERS} players ({MAX_ENTRANTS} in a continuous one, including later entrants), "
        f"{MAX_GAMES} games, {MAX_FIXTURES:,} matches"
    ),
    f"failed logins within {WINDOW_SECONDS:g} s": (
        f"{MAX_OF_ACCOUNT} per account, {MAX_OF_ADDRESS} per address"
    ),
    "passwords being hashed": f"{NUM_THREADS} at a time, {MAX_WAITING_PASSWORDS} queued",
    "accounts": (
        f"{MAX_ACCOUNTS:,}, each with {MAX_SESSIONS} sessions, {MAX_TOKENS} tokens and "
        f"{MAX_INVITATIONS} invitations"
    ),
    "per student": (
        f"{MAX_OF_STUDENT} unfinished matches with clocks of at most {MAX_SECONDS_OF_STUDENT} s, "
        f"one of which runs at a time; {players.MAX_OF_STUDENT} players; "
        f"{uploads.MAX_OF_STUDENT} uploaded files"
    ),
    "uploaded files": f"{uploads.MAX_FILES:,} of {uploads.MAX_BYTES >> 10} KiB each",
    "check of an upload": (
        f"{uploads.TRIAL_SECONDS:g} s to load; one at a time, {uploads.MAX_TRIALS} including the "
        f"queue, {uploads.MAX_TRIALS_OF_STUDENT} per student"
    ),
    "match reports": (
        f"one process at a time, {REPORT_MEMORY // MEBIBYTE:,} MB, "
        f"{MAX_SECONDS:,.0f} s of search; {MAX_REPORTS} queued, "
        f"{MAX_WAITING_OF_STUDENT} per student"
    ),
    "one query, such as the legal moves": f"{SandboxBounds().seconds:g} s",
    "memory of its process": f"{SandboxBounds().num_bytes // MEBIBYTE:,} MB",
    "processes": (
        f"{service.NUM_OF_MATCHES} for matches, {service.NUM_OF_PAGES} for pages, "
        f"{service.NUM_OF_EDITORS} for the editor, {service.NUM_OF_TRIALS} for its "
        f"random games, {MAX_BELIEVERS} for beliefs"
    ),
    "memory": f"{SUBMISSION.memory_bytes // MEBIBYTE} MB in addition to Python's own",
    "processor time per match": f"{SUBMISSION.cpu_seconds:,} s",
    "answer after the clock": f"{GRACE_SECONDS:g} s, then its process is killed",
    "open files": f"{SUBMISSION.open_files}",
    "threads": f"{MAX_THREADS}",
    "output per match": f"{MAX_OUTPUT_BYTES // MEBIBYTE} MiB",
    "length of a protocol line": f"{MAX_LINE_BYTES // 1024} KiB",
    "size of an answer": f"{MAX_ANSWER_BYTES // MEBIBYTE} MiB",
    "explanation of a fact": (
        f"{MAX_POSITION_TURNS:,} turns to its position, {MAX_DEPTH} rules deep, {MAX_LINES} lines"
    ),
}
"""The entries that the tables of limits must have."""


def test_the_limits_are_those_of_the_code() -> None:
    """Each row, and no other rows."""
    told = {name: limit for name, limit in ROW.findall(PAGE) if not limit.startswith("-")}

    assert told == EXPECTED


def test_clocks_have_one_limit() -> None:
    """The page names one for both."""
    assert LIMITS.startclock == LIMITS.playclock


@pytest.mark.parametrize("option", re.findall(r"`(--[a-z-]+)`", PAGE))
def test_its_options_exist(option: str) -> None:
    """Those of the two programs that listen."""
    commands = (command_of(ROOT, [name]) for name in ("serve", "manager"))
    known = {name for command in commands for param in command.params for name in param.opts}

    assert option in known | {"--list"}


def test_its_links_lead_somewhere() -> None:
    """To files of the repository, and headings in them."""
    for path, heading in re.findall(r"\]\(([^)#]+)#?([^)]*)\)", PAGE):
        text = (REPOSITORY / path).read_text(encoding="utf-8")
        headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
        anchors = {re.sub(r"[^a-z0-9 -]", "", one.lower()).replace(" ", "-") for one in headings}
        assert not heading or heading in anchors, heading

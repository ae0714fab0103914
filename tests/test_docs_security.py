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
from ggp.manager.api.games import MOST_DEPTH
from ggp.manager.config import ManagerConfig
from ggp.manager.domain import players, uploads
from ggp.manager.domain.accounts import MOST_ACCOUNTS, MOST_INVITATIONS, MOST_SESSIONS, MOST_TOKENS
from ggp.manager.domain.match_records import MAX_TURNS
from ggp.manager.domain.passwords import (
    MOST_OF_ACCOUNT,
    MOST_OF_ADDRESS,
    NUM_THREADS,
    WINDOW_SECONDS,
)
from ggp.manager.domain.passwords import MOST_WAITING as MOST_WAITING_PASSWORDS
from ggp.manager.hosting import lobby
from ggp.manager.hosting.positions import MAX_BELIEVERS
from ggp.manager.hosting.reports import MAX_WAITING as MAX_REPORTS
from ggp.manager.hosting.reports import MOST_SECONDS, MOST_WAITING_OF_STUDENT
from ggp.manager.store.matches import MOST_OF_STUDENT, MOST_SECONDS_OF_STUDENT
from ggp.manager.store.pool import MAX_ENTRANTS
from ggp.protocol import MessageLimits
from ggp.report.__main__ import MEMORY_BYTES as REPORT_MEMORY
from ggp.sandbox.match_questions import MAX_BYTES
from ggp.sandbox.position_questions import MAX_LINES
from ggp.sandbox.position_questions import MAX_TURNS as MOST_TURNS
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
    "a message": f"{SERVER.max_body_bytes:,} bytes, {SERVER.receive_seconds:g} s to arrive",
    "connections": f"{SERVER.max_connections} at once",
    "matches": f"{SERVER.max_matches} at once, {SERVER.page_places()} of pages in browsers",
    "clients that wait for one answer": f"{MAX_COPIES}, and {MAX_WAITING} in one match",
    "clocks": f"{LIMITS.startclock:,} s",
    "the moves that a message tells": (
        f"{LIMITS.num_moves_characters:,} characters, nested {LIMITS.depth} deep"
    ),
    "memory of a search process": f"{ENGINE.memory_bytes // MEBIBYTE:,} MB",
    "compiling a game": f"{ENGINE.compile_seconds:g} s, while the match goes on",
    "the body of a request": f"{MANAGER.max_body_bytes // MEBIBYTE} MiB",
    "matches that wait or run": f"{MANAGER.max_waiting}",
    "spectators": f"{MANAGER.max_spectators:,} at once",
    "challenges that are open": (
        f"{lobby.MOST_OPEN}, of an account {lobby.MOST_OF_ACCOUNT}, of an address without accounts "
        f"{lobby.MOST_OF_ADDRESS}; for a week at most"
    ),
    "states and moves of a match of strangers' rules": (
        f"{MAX_BYTES // MEBIBYTE} MiB each, {MANAGER.max_match_bytes // MEBIBYTE} MiB in all"
    ),
    "a match that comes from elsewhere": f"{MAX_TURNS:,} turns",
    "a tournament": (
        f"{MAX_PLAYERS} players (of a continuous one {MAX_ENTRANTS}, with those who join later), "
        f"{MAX_GAMES} games, {MAX_FIXTURES:,} matches"
    ),
    f"logins that fail, within {WINDOW_SECONDS:g} s": (
        f"{MOST_OF_ACCOUNT} an account, {MOST_OF_ADDRESS} an address"
    ),
    "passwords that are hashed": f"{NUM_THREADS} at once, {MOST_WAITING_PASSWORDS} wait",
    "accounts": (
        f"{MOST_ACCOUNTS:,}, each with {MOST_SESSIONS} sessions, {MOST_TOKENS} tokens and "
        f"{MOST_INVITATIONS} invitations"
    ),
    "what a student has": (
        f"{MOST_OF_STUDENT} matches that are not over, with clocks of {MOST_SECONDS_OF_STUDENT} s "
        f"and cores for one of them, {players.MOST_OF_STUDENT} players, "
        f"{uploads.MOST_OF_STUDENT} uploaded files"
    ),
    "uploaded files": f"{uploads.MAX_FILES:,} of {uploads.MAX_BYTES >> 10} KiB each",
    "a file that is tried when it comes": (
        f"{uploads.TRIAL_SECONDS:g} s to load; one at a time, {uploads.MAX_TRIALS} at most with "
        f"those that wait, {uploads.MOST_TRIALS_OF_STUDENT} of them one student's"
    ),
    "reports on matches": (
        f"one process at a time, {REPORT_MEMORY // MEBIBYTE:,} MB, "
        f"{MOST_SECONDS:,.0f} s of search; {MAX_REPORTS} wait, "
        f"of one student {MOST_WAITING_OF_STUDENT}"
    ),
    "a question, such as which moves are legal": f"{SandboxBounds().seconds:g} s",
    "memory of its process": f"{SandboxBounds().num_bytes // MEBIBYTE:,} MB",
    "processes": (
        f"{service.NUM_OF_MATCHES} for matches, {service.NUM_OF_PAGES} for pages, "
        f"{service.NUM_OF_EDITORS} for the editor and {service.NUM_OF_TRIALS} for its "
        f"random games, {MAX_BELIEVERS} for what roles know"
    ),
    "memory of a submission": f"{SUBMISSION.memory_bytes // MEBIBYTE} MB beyond Python's own",
    "processor time of a match": f"{SUBMISSION.cpu_seconds:,} s",
    "an answer after the clock": f"{GRACE_SECONDS:g} s, then its process is ended",
    "files that it has open": f"{SUBMISSION.open_files}",
    "threads": f"{MAX_THREADS}",
    "what it prints in a match": f"{MAX_OUTPUT_BYTES // MEBIBYTE} MiB",
    "a line of its talk": f"{MAX_LINE_BYTES // 1024} KiB",
    "an answer": f"{MAX_ANSWER_BYTES // MEBIBYTE} MiB",
    "why a fact holds": (
        f"{MOST_TURNS:,} turns to its position, {MOST_DEPTH} rules deep, {MAX_LINES} lines"
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

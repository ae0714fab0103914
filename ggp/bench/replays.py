"""Replays of traces and matches with a time limit: in this process, or in parallel processes.

A single state of a difficult rulesheet can take longer than the whole time limit. The replay can
then be stopped only if it runs in a separate process.
"""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Literal

import gdl
from ggp.clock import Deadline
from ggp.errors import GgpError, WrongUseError
from ggp.records.recording import SUFFIXES, TraceFileError, open_recording, recording_name
from ggp.records.replay import replay
from ggp.rulesheets import find_rules

AGREES = "agrees"
DIFFERS = "differs"
OUT_OF_TIME = "out of time"
NO_TRACE = "no trace"
NOT_GROUND = "does not ground"
FAILS = "fails"

Engine = Literal["interpreter", "scalar", "lanes"]

KILL_AFTER_SECONDS = 2.0  # kill a replay this long after its time limit if it still runs
_REPORT_EVERY_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Pair:
    """A rulesheet, and optionally a trace or matches that were made with it."""

    name: str
    rules: str
    """The path of a file, or the name of a bundled game."""
    trace: str | None
    engine: Engine = "interpreter"


@dataclass(frozen=True, slots=True)
class ReplayReport:
    """The result of replaying one pair."""

    name: str
    outcome: str
    num_states: int = 0
    seconds: float = 0.0
    detail: str = ""
    """The first difference, or why the replay failed."""

    @property
    def is_failure(self) -> bool:
        """Whether the replay contradicts the trace, or the rules cannot be played."""
        return self.outcome in (DIFFERS, FAILS)


def pairs_of(rules: Path, traces: Sequence[Path], engine: Engine = "interpreter") -> list[Pair]:
    """Return the pairs of a rulesheet and a trace to replay.

    If `rules` is a file, pair it with each file in `traces`. In a folder, take the traces that have
    its name. If `rules` is a folder, `traces` must be one folder. Then pair each rulesheet with the
    trace of the same name, or with None.

    Raises:
        WrongUseError: `rules` is a folder and `traces` is not one folder, or files are missing.
    """
    if not rules.is_dir():
        files = [file for trace in traces for file in _trace_files(trace, rules.stem)]
        return [Pair(recording_name(file), str(rules), str(file), engine) for file in files]
    if len(traces) != 1 or not traces[0].is_dir():
        raise WrongUseError(
            f"expected one folder of traces, because {rules} is a folder of rulesheets"
        )
    found = {recording_name(file): str(file) for file in traces[0].iterdir() if _is_trace(file)}
    sheets = sorted(file for file in rules.iterdir() if file.suffix in (".kif", ".epilog"))
    if not sheets:
        raise WrongUseError(
            f"{rules}: expected a folder with rulesheets (*.kif or *.epilog), found none"
        )
    return [Pair(sheet.stem, str(sheet), found.get(sheet.stem), engine) for sheet in sheets]


def _trace_files(trace: Path, name: str) -> list[Path]:
    if not trace.is_dir():
        return [trace]
    files = [file for file in trace.iterdir() if _is_trace(file) and recording_name(file) == name]
    if not files:
        raise WrongUseError(
            f"{trace}: expected a folder with a trace of {name}, such as "
            f"{name}.jsonl.gz, found none"
        )
    return files


def _is_trace(file: Path) -> bool:
    return file.name.endswith(SUFFIXES)


def run_pair(
    pair: Pair, seconds: float, on_state: Callable[[int], None] = lambda num_states: None
) -> ReplayReport:
    """Replay one trace and return a report. The time limit is checked between states.

    Raises:
        WrongUseError: The file of the rules or of the trace cannot be read.
        TraceError: The file is not a trace.
    """
    if pair.trace is None:
        return ReplayReport(pair.name, NO_TRACE)
    began = time.monotonic()
    deadline = Deadline.after(seconds)
    try:
        recording = open_recording(Path(pair.trace))
        budget = replace(gdl.Budget(), seconds=min(seconds, gdl.Budget().seconds))
        rulesheet = find_rules(pair.rules)
        # A game loaded for lanes uses the scalar machine for questions about a single state.
        machine = (
            gdl.load_lane_machine(rulesheet, budget)
            if pair.engine == "lanes"
            else gdl.load(rulesheet, pair.engine, budget)
        )
        roles = [role.name.lower() for role in machine.roles]
        verdict = replay(machine, recording.roles, recording.states(roles), deadline, on_state)
    except TraceFileError as error:
        raise WrongUseError(str(error)) from error
    except gdl.GdlError as error:
        outcome = NOT_GROUND if isinstance(error, gdl.GroundingError) else FAILS
        return ReplayReport(pair.name, outcome, seconds=time.monotonic() - began, detail=str(error))
    spent = time.monotonic() - began
    if verdict.difference is not None:
        detail = str(verdict.difference)
        return ReplayReport(pair.name, DIFFERS, verdict.num_states, spent, detail)
    outcome = AGREES if verdict.is_complete else OUT_OF_TIME
    return ReplayReport(pair.name, outcome, verdict.num_states, spent)


@dataclass(slots=True)
class _Job:
    pair: Pair
    process: BaseProcess
    began: float
    num_states: int = 0


def run_pairs(pairs: Iterable[Pair], seconds: float, num_jobs: int) -> Iterator[ReplayReport]:
    """Replay traces in up to `num_jobs` parallel processes. Yield reports as they become ready."""
    # A fork server forks fast, and it starts before threads draw progress, so forking is safe.
    context = get_context("forkserver")
    context.set_forkserver_preload([__name__])
    waiting, running = deque(pairs), dict[Connection, _Job]()
    try:
        while waiting or running:
            while waiting and len(running) < num_jobs:
                running.update([_begin(context, waiting.popleft(), seconds)])
            yield from _collect(running, seconds)
    finally:
        for connection, job in running.items():
            _end(connection, job)


def _collect(running: dict[Connection, _Job], seconds: float) -> Iterator[ReplayReport]:
    for connection in _ready(running, seconds):
        report = _report(connection, running[connection], seconds)
        if report is not None:
            _end(connection, running.pop(connection))
            yield report


def _begin(context: Any, pair: Pair, seconds: float) -> tuple[Connection, _Job]:
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(pair, seconds, theirs), daemon=True)
    process.start()
    theirs.close()
    return ours, _Job(pair, process, time.monotonic())


def _ready(running: dict[Connection, _Job], seconds: float) -> list[Connection]:
    limit = seconds + KILL_AFTER_SECONDS
    first = min(job.began for job in running.values()) + limit
    heard = set(wait(list(running), timeout=max(0.0, first - time.monotonic())))
    now = time.monotonic()
    return [one for one, job in running.items() if one in heard or now >= job.began + limit]


def _report(connection: Connection, job: _Job, seconds: float) -> ReplayReport | None:
    """Return the job's report, or None if the job has only reported progress so far."""
    spent = time.monotonic() - job.began
    try:
        while connection.poll():
            message = json.loads(connection.recv_bytes())
            if isinstance(message, dict):
                return ReplayReport(**message)
            job.num_states = message
    except EOFError:
        return ReplayReport(job.pair.name, FAILS, job.num_states, spent, "the process died")
    if spent < seconds + KILL_AFTER_SECONDS:
        return None
    return ReplayReport(job.pair.name, OUT_OF_TIME, job.num_states, spent)


def _end(connection: Connection, job: _Job) -> None:
    connection.close()
    job.process.kill()
    job.process.join()


def _work(pair: Pair, seconds: float, connection: Connection) -> None:
    """Run in the child process: send the progress from time to time, and finally the report."""
    sent = time.monotonic()

    def send(num_states: int) -> None:
        nonlocal sent
        if time.monotonic() - sent > _REPORT_EVERY_SECONDS:
            sent = time.monotonic()
            connection.send_bytes(json.dumps(num_states).encode())

    try:
        report = run_pair(pair, seconds, send)
    except GgpError as error:
        report = ReplayReport(pair.name, FAILS, detail=str(error))
    connection.send_bytes(json.dumps(asdict(report)).encode())

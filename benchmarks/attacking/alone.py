"""Attacks from outside a program: modules in its folder, an empty token, a sudden kill."""

from __future__ import annotations

import asyncio
import re
import time
from dataclasses import dataclass
from pathlib import Path

from aiohttp import ClientSession
from processes import COMMAND, running

from attacking.manager_scene import API, ask
from attacking.on_server import idle_player
from attacking.rulesheets import endless
from attacking.server_scene import server
from attacking.stage import Attack, Stage
from attacking.weighing import cpu_seconds, family, is_alive, kill_all

PLANTED = ("resource.py", "random.py", "json.py", "numpy.py", "gdl/__init__.py", "ggp/__init__.py")
TRAP = """
import pathlib
pathlib.Path(__file__ + ".ran").touch()
raise ImportError("this module should not have been found")
"""
END_SECONDS = 120.0
BUSY_SECONDS = 2.5
MAX_SECONDS_AFTER_DEATH = 5.0


@dataclass(frozen=True, slots=True)
class Said:
    """The outcome of a command."""

    status: int
    """Its exit status; 0 if the script had to end it."""
    is_open: bool
    """Whether it printed an address instead, and ran."""
    text: str


async def ended(folder: Path, *arguments: str) -> Said:
    """Run `ggp` with arguments with which it should refuse to start; return the outcome."""
    process = await asyncio.create_subprocess_exec(
        *(*COMMAND, *arguments),
        cwd=folder,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    lines: list[str] = []
    try:
        async with asyncio.timeout(END_SECONDS):
            is_open = await _opens(process, lines)
            return Said(0 if is_open else await process.wait(), is_open, "".join(lines))
    except TimeoutError:
        return Said(0, False, "".join(lines))
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def _opens(process: asyncio.subprocess.Process, lines: list[str]) -> bool:
    """Return whether a process prints an address before it ends; put its output into `lines`."""
    assert process.stdout is not None
    async for line in process.stdout:
        lines.append(line.decode())
        if re.search(r"http://[\w.]+:\d+", lines[-1]):
            return True
    return False


async def planted_module(stage: Stage) -> None:
    """Modules in the current folder with the names of modules that our processes import."""
    start = stage.folder / "planted"
    for name in PLANTED:
        file = start / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(TRAP, encoding="utf-8")
    async with server(stage, *idle_player(stage), start=start) as (scene, _):
        await _check(stage, start)
        await scene.recovered()
    if ran := sorted(str(file.relative_to(start).with_suffix("")) for file in start.rglob("*.ran")):
        stage.report.fault(f"code of the current folder ran: {', '.join(ran)}")


async def _check(stage: Stage, start: Path) -> None:
    """Let a manager that was started in a folder check a rulesheet."""
    log, db = stage.folder / "manager.log", f"sqlite:///{stage.folder}/ggp.db"
    async with (
        running("manager", "--port", "0", "--db", db, folder=start, log=log) as program,
        ClientSession(program.address) as client,
    ):
        found = await ask(client, f"{API}/rules/check", {"text": "(role me)"}, seconds=20)
        if found.status != 200:
            stage.report.fault(f"a rulesheet could not be checked: {found.status}")


async def empty_token(stage: Stage) -> None:
    """`--token ""`, as from an unset variable: the program must refuse it, not admit everyone."""
    tried = (("--token", ""), ("--token", " "), ("--host", "::1", "--token", ""))
    trials = (ended(stage.folder, "manager", "--port", "0", *options) for options in tried)
    for options, said in zip(tried, await asyncio.gather(*trials), strict=True):
        words = " ".join(repr(one) if not one.strip() else one for one in options)
        if said.is_open or said.status == 0:
            stage.report.fault(f"a manager with {words} runs")
        elif "Traceback" in said.text:
            stage.report.fault(f"a manager with {words} ends with a stack trace")


async def killed_manager(stage: Stage) -> None:
    """A manager that is killed while it computes an untrusted rulesheet."""
    db, log = f"sqlite:///{stage.folder}/ggp.db", stage.folder / "manager.log"
    async with running("manager", "--port", "0", "--db", db, log=log) as program:
        async with ClientSession(program.address) as client:
            body = {"text": endless(), "play": True}
            asking = asyncio.create_task(ask(client, f"{API}/rules/check", body, seconds=60))
            left = await _busy(program.pid)
            if not left:
                stage.report.fault("no process computes what strangers' rules mean")
            kill_all([program.pid])
            await asking
        stage.report.recovery = await _gone(left)
        if alive := [pid for pid in left if is_alive(pid)]:
            stage.report.fault(f"{len(alive)} processes outlive the manager")
            kill_all(alive)


async def _busy(pid: int) -> list[int]:
    """Return the processes that a program has started, once they compute; none if they never do."""
    end = time.monotonic() + END_SECONDS
    while time.monotonic() < end:
        await asyncio.sleep(0.1)
        found = [one for one in family(pid) if one != pid]
        # Reading our modules takes one second of that.
        if sum(map(cpu_seconds, found)) > BUSY_SECONDS:
            return found
    return []


async def _gone(pids: list[int]) -> float:
    """Return the seconds until none of these processes is left."""
    start = time.monotonic()
    while any(map(is_alive, pids)) and time.monotonic() < start + 2 * MAX_SECONDS_AFTER_DEATH:
        await asyncio.sleep(0.05)
    return round(time.monotonic() - start, 1)


ATTACKS = (
    Attack("planted-module", "modules in the current folder, as the standard ones", planted_module),
    Attack("empty-token", "a token that is empty", empty_token),
    Attack("killed-manager", "a manager killed while it computes strangers' rules", killed_manager),
)

"""The process that compiles the rules of a match while the engine process already plays.

Compiling holds Python's GIL for seconds, and a search in the same process would stall. So this
process is forked from the engine process before any thread starts:

    compiler_process = CompilerProcess.fork()
    game = compiler_process.load(order, rules)     # waits without the GIL

It also derives what a search later needs to know about the game, such as moves that win at once.
It returns bytes, which the engine process parses as numbers and names. It ends with the engine
process. If it dies earlier, the engine process continues without it.

If a player wants a learner (`ggp.training.live`), the compiling process forks it. The learner has
the compiled game and talks to the engine process directly.
"""

from __future__ import annotations

import contextlib
import dataclasses
import gc
import json
import logging
import os
import signal
import traceback
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Lock
from typing import Any, Final, NoReturn

import gdl
from ggp.engine.worker.memory import COLLECTOR_THRESHOLDS, bound_memory
from ggp.errors import GgpError
from ggp.log import LogFunction
from ggp.processes.json_lines import end_with
from ggp.training.live.link import LearnerLink, LearnerTerms

KERNELS: Final = "kernels"
RULES: Final = "rules"
EXTRA: Final = "extra"
LEARN: Final = "learn"

_OOM_SCORE: Final = Path("/proc/self/oom_score_adj")
_GOES_FIRST: Final = "500"  # Linux kills this process before the engine process

Request = dict[str, Any]  # Any: JSON values


class NotCompiledError(GgpError):
    """The rules cannot be compiled within the budget. This is no fault: the interpreter plays."""


class PreparerLostError(GgpError):
    """The compiling process is gone."""


@dataclass(frozen=True, slots=True)
class CompileOrder:
    """A request to compile rules.

    Attributes:
        text: The rules.
        notation: `kif` or `epilog`. If None, it is detected from the text.
        engine: The reasoner to build, as in `gdl.load`, but not the interpreter.
        budget: Limits for compiling. Its memory is also the limit of the process.
    """

    text: str
    notation: str | None
    engine: gdl.Engine
    budget: gdl.Budget

    def read(self) -> gdl.Rulesheet:
        """Parse the rules.

        Raises:
            gdl.GdlError: The rules cannot be read.
        """
        match self.notation:
            case "kif":
                return gdl.read_kif(self.text, "<rules>")
            case "epilog":
                return gdl.read_epilog(self.text, "<rules>")
            case _:
                return gdl.read_rules(self.text, "<rules>")


class CompilerProcess:
    """The compiling process as the engine process sees it. Requests from several threads queue up.

    Attributes:
        pid: Its process id.
        log: Called with a level and a message about errors that are not raised.
    """

    def __init__(self, pid: int, connection: Connection, of_learner: Connection) -> None:
        self.pid = pid
        self.log: LogFunction = logging.getLogger(__name__).log
        self._connection = connection
        self._of_learner = of_learner
        self._asking = Lock()
        self._end = ""

    @classmethod
    def fork(cls) -> CompilerProcess | None:
        """Fork the compiling process from this one, which must have no threads.

        Return None if the system cannot create a process.
        """
        ours, theirs = Pipe()
        of_learner, learners = Pipe()
        try:
            pid = os.fork()
        except OSError:
            return None
        if not pid:
            ours.close()
            of_learner.close()
            _serve(theirs, learners)
        theirs.close()
        learners.close()
        return cls(pid, ours, of_learner)

    def close(self) -> None:
        """Close the connection, which ends the process."""
        self._connection.close()

    def load_kernels(self) -> None:
        """Let the process load the machine code that compiling needs. Return at once."""
        with self._asking, contextlib.suppress(OSError):
            self._connection.send_bytes(json.dumps({"ask": KERNELS}).encode())

    def load(self, order: CompileOrder, rules: gdl.Rulesheet) -> gdl.Game:
        """Let the process compile the game, and return the game.

        Raises:
            NotCompiledError: The rules cannot be compiled within the budget. This is not a fault.
            PreparerLostError: The process is gone.
            GgpError: Something else went wrong.
        """
        report, data = self._ask({"ask": RULES, **dataclasses.asdict(order)})
        if report["failure"]:
            self.close()
            is_fault = report["is_fault"] or order.engine != "auto"
            raise (GgpError if is_fault else NotCompiledError)(report["failure"])
        return gdl.load_compiled(rules, order.engine, data, report["timings"], self._extra)

    def learner(self) -> LearnerLink:
        """Return the link to a learner of the game, which has not been started yet."""
        return LearnerLink(self._of_learner, self._fork_learner, self.log)

    def _fork_learner(self, terms: LearnerTerms) -> None:
        request = {"ask": LEARN, "terms": terms._asdict()}
        with self._asking, contextlib.suppress(OSError):
            self._connection.send_bytes(json.dumps(request).encode())

    def _extra(self, name: gdl.Extra) -> bytes | None:
        try:
            report, data = self._ask({"ask": EXTRA, "name": name})
        except PreparerLostError as error:
            self.log(logging.WARNING, f"the search works without {name}: {error}")
            return None
        if report["failure"]:
            self.log(logging.WARNING, f"the search works without {name}: {report['failure']}")
        return data or None

    def _ask(self, request: Request) -> tuple[Request, bytes]:
        with self._asking:
            try:
                self._connection.send_bytes(json.dumps(request).encode())
                report: Request = json.loads(self._connection.recv_bytes())
                return report, self._connection.recv_bytes()
            except (OSError, EOFError):
                self._end = self._end or _how_it_ended(self.pid)
                raise PreparerLostError(f"the process that compiles games {self._end}") from None


def _how_it_ended(pid: int) -> str:
    try:
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    except OSError:
        return "is gone"
    if code < 0:
        name = signal.Signals(-code).name
        return f"was killed by {name}" + (" (out of memory?)" if name == "SIGKILL" else "")
    return f"ended with status {code}"


# --- In the process itself --------------------------------------------------------------------


def _serve(connection: Connection, learners: Connection) -> NoReturn:
    """Answer requests until the engine process is gone, then end this process.

    Args:
        learners: The learner's connection to the engine process.
    """
    status = 1
    try:
        _leave_pipes()
        end_with(connection.fileno(), "engine")
        _answer(connection, learners)
    except (EOFError, OSError):  # the engine process is gone
        status = 0
    except BaseException:  # noqa: BLE001 - it is logged
        traceback.print_exc()
    finally:
        os._exit(status)


def _leave_pipes() -> None:
    """Close this process's copies of the engine process's pipes.

    Also tell the system to kill this process first if memory runs out.
    """
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    with contextlib.suppress(OSError):
        _OOM_SCORE.write_text(_GOES_FIRST)


def _answer(connection: Connection, learners: Connection) -> NoReturn:
    compiler = _Compiler()
    while True:
        request = json.loads(connection.recv_bytes())
        if request["ask"] == LEARN:
            _fork_learner(compiler, LearnerTerms(**request["terms"]), connection, learners)
            continue
        report, data = compiler.answer(request)
        if report is not None:
            connection.send_bytes(json.dumps(report).encode())
            connection.send_bytes(data)


def _fork_learner(
    compiler: _Compiler, terms: LearnerTerms, connection: Connection, learners: Connection
) -> None:
    """Fork the learner, which takes over the connection `learners`."""
    with contextlib.suppress(OSError):  # without a learner the match continues
        if not os.fork():
            connection.close()
            _learn(compiler, terms, learners)
    learners.close()


def _learn(compiler: _Compiler, terms: LearnerTerms, learners: Connection) -> NoReturn:
    """Learn the game, then end this process."""
    try:
        from ggp.training.live.learner import learn

        game = compiler.game()
        if game is not None:
            learn(game, terms, learners)
    except BaseException:  # noqa: BLE001 - it is logged
        traceback.print_exc()
    finally:
        os._exit(0)


class _Compiler:
    """The compiler of one game. It also derives what a search needs to know about the game."""

    def __init__(self) -> None:
        self._compiled: gdl.Compiled | None = None

    def game(self) -> gdl.Game | None:
        """Return the compiled game on lanes, for use in this process.

        Return None if there is none.
        """
        compiled = self._compiled
        if compiled is None:
            return None
        data, extra = compiled.to_bytes(), compiled.packed_extra
        return gdl.load_compiled(compiled.rulesheet, "lanes", data, make_extra=extra)

    def answer(self, request: Request) -> tuple[Request | None, bytes]:
        """Return a report and data. The report is None if the request needs none. Never raise."""
        failure, is_fault, data = "", False, b""
        try:
            match request.pop("ask"):
                case "kernels":
                    gdl.warm_up()
                    gc.freeze()
                    gc.set_threshold(*COLLECTOR_THRESHOLDS)
                    return None, b""
                case "rules":
                    data = self._compile(**request)
                case "extra" if self._compiled is not None:
                    data = self._compiled.packed_extra(request["name"]) or b""
        except gdl.GroundingError as error:
            failure = str(error)
        except gdl.GdlError as error:
            failure, is_fault = str(error), True
        except MemoryError:
            failure = "the circuit does not fit in memory"
        # An internal error in the compiler must not cost a match that the interpreter can play.
        except Exception as error:  # noqa: BLE001
            failure, is_fault = f"the game could not be compiled: {error!r:.300}", True
        timings = dict(self._compiled.timings) if self._compiled is not None else {}
        return {"failure": failure, "is_fault": is_fault, "timings": timings}, data

    def _compile(self, **fields: Any) -> bytes:
        budget = gdl.Budget(**fields.pop("budget"))
        bound_memory(budget.memory)
        self._compiled = gdl.compile_rules(CompileOrder(**fields, budget=budget).read(), budget)
        return self._compiled.to_bytes()

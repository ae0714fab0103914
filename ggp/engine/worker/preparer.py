"""The process that compiles the rules of a match beside the engine process, which plays meanwhile.

Compiling holds Python's lock for seconds, and beside it a search would stand still. So it is done
by a process that is forked from the engine process before that has threads:

    preparer = Preparer.fork()
    game = preparer.load(order, rules)     # waits without the lock

What a search asks of the game later, such as who wins at once, is made there as well. It gives
back bytes, which are read as numbers and names. It ends with the engine process, and if it dies
before, the engine process plays on with what it has.

A third process, the learner (`ggp.training.live`), is forked from it if a player wants one: that
has the compiled game, and speaks with the engine process itself.
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
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Lock
from typing import Any, Final, NoReturn

import gdl
from ggp.engine.worker.memory import COLLECTOR_THRESHOLDS, bound_memory
from ggp.errors import GgpError
from ggp.processes.json_lines import end_with
from ggp.training.live.link import LearnerLink, LearnerTerms

KERNELS: Final = "kernels"
RULES: Final = "rules"
EXTRA: Final = "extra"
LEARN: Final = "learn"

_OOM_SCORE: Final = Path("/proc/self/oom_score_adj")
_GOES_FIRST: Final = "500"  # where memory ends, before the engine process

Log = Callable[[int, str], None]
Request = dict[str, Any]  # Any: what JSON can say


class NotCompiledError(GgpError):
    """The rules cannot be compiled within the budget, which is no fault: they are interpreted."""


class PreparerLostError(GgpError):
    """The process that compiles is gone."""


@dataclass(frozen=True, slots=True)
class CompileOrder:
    """Order for what is to be compiled.

    Attributes:
        text: The rules.
        notation: `kif` or `epilog`; None: as the text looks.
        engine: The reasoner that is wanted, see `gdl.load`; not the interpreter.
        budget: What compiling may cost; no more memory is given to the process.
    """

    text: str
    notation: str | None
    engine: gdl.Engine
    budget: gdl.Budget

    def read(self) -> gdl.Rulesheet:
        """The rules.

        Raises:
            gdl.GdlError: They cannot be read.
        """
        match self.notation:
            case "kif":
                return gdl.read_kif(self.text, "<rules>")
            case "epilog":
                return gdl.read_epilog(self.text, "<rules>")
            case _:
                return gdl.read_rules(self.text, "<rules>")


class Preparer:
    """The process, as the engine process sees it. Any thread may ask it; one waits for the other.

    Attributes:
        pid: Its process id.
        log: Called with a level and what went wrong, where nobody waits for an error.
    """

    def __init__(self, pid: int, connection: Connection, of_learner: Connection) -> None:
        self.pid = pid
        self.log: Log = logging.getLogger(__name__).log
        self._connection = connection
        self._of_learner = of_learner
        self._asking = Lock()
        self._end = ""

    @classmethod
    def fork(cls) -> Preparer | None:
        """Fork it from this process, which has no threads; None if the system refuses."""
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
        """End it: it is not needed, or no more."""
        self._connection.close()

    def load_kernels(self) -> None:
        """Have it load the machine code that compiling needs; returns at once."""
        with self._asking, contextlib.suppress(OSError):
            self._connection.send_bytes(json.dumps({"ask": KERNELS}).encode())

    def load(self, order: CompileOrder, rules: gdl.Rulesheet) -> gdl.Game:
        """The game, compiled there.

        Raises:
            NotCompiledError: They cannot be compiled within the budget, and need not be.
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
        """A learner of the game, which has not begun."""
        return LearnerLink(self._of_learner, self._fork_learner, self.log)

    def _fork_learner(self, terms: LearnerTerms) -> None:
        request = {"ask": LEARN, "terms": terms._asdict()}
        with self._asking, contextlib.suppress(OSError):
            self._connection.send_bytes(json.dumps(request).encode())

    def _extra(self, name: gdl.Extra) -> bytes | None:
        try:
            report, data = self._ask({"ask": EXTRA, "name": name})
        except PreparerLostError as error:
            self.log(logging.WARNING, f"the search does without {name}: {error}")
            return None
        if report["failure"]:
            self.log(logging.WARNING, f"the search does without {name}: {report['failure']}")
        return data or None

    def _ask(self, request: Request) -> tuple[Request, bytes]:
        with self._asking:
            try:
                self._connection.send_bytes(json.dumps(request).encode())
                report: Request = json.loads(self._connection.recv_bytes())
                return report, self._connection.recv_bytes()
            except (OSError, EOFError):
                self._end = self._end or _how_it_ended(self.pid)
                raise PreparerLostError(f"the process that compiles {self._end}") from None


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
    """Answer until nobody can ask any more; it never returns into what it was forked from.

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
    except BaseException:  # noqa: BLE001 - it goes to the log
        traceback.print_exc()
    finally:
        os._exit(status)


def _leave_pipes() -> None:
    """Hold no pipe of the engine process open, and go first where memory ends."""
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
    """Fork the learner, which has its connection to the engine process alone."""
    with contextlib.suppress(OSError):  # it is done without, as if it had been killed
        if not os.fork():
            connection.close()
            _learn(compiler, terms, learners)
    learners.close()


def _learn(compiler: _Compiler, terms: LearnerTerms, learners: Connection) -> NoReturn:
    """Learn; it never returns into what it was forked from."""
    try:
        from ggp.training.live.learner import learn

        game = compiler.game()
        if game is not None:
            learn(game, terms, learners)
    except BaseException:  # noqa: BLE001 - it goes to the log
        traceback.print_exc()
    finally:
        os._exit(0)


class _Compiler:
    """Compiles one game, and makes what follows from it."""

    def __init__(self) -> None:
        self._compiled: gdl.Compiled | None = None

    def game(self) -> gdl.Game | None:
        """The compiled game, on lanes, to be played here; None if nothing was compiled."""
        compiled = self._compiled
        if compiled is None:
            return None
        data, extra = compiled.to_bytes(), compiled.packed_extra
        return gdl.load_compiled(compiled.rulesheet, "lanes", data, make_extra=extra)

    def answer(self, request: Request) -> tuple[Request | None, bytes]:
        """A report and bytes; no report where none is waited for. Nothing is raised here."""
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
        # A fault of ours in the compiler must not cost a match that the interpreter can play.
        except Exception as error:  # noqa: BLE001
            failure, is_fault = f"the game could not be compiled: {error!r:.300}", True
        timings = dict(self._compiled.timings) if self._compiled is not None else {}
        return {"failure": failure, "is_fault": is_fault, "timings": timings}, data

    def _compile(self, **fields: Any) -> bytes:
        budget = gdl.Budget(**fields.pop("budget"))
        bound_memory(budget.memory)
        self._compiled = gdl.compile_rules(CompileOrder(**fields, budget=budget).read(), budget)
        return self._compiled.to_bytes()

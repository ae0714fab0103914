"""The process that creates one report.

It reads a request as a line of JSON. It writes its progress, and finally the report. The parent
process sets its priority.
"""

from __future__ import annotations

import json
import sys
from resource import RLIMIT_AS, setrlimit
from typing import Any, Final

import gdl
from ggp.errors import GgpError
from ggp.processes.json_lines import end_with_asker, tell
from ggp.report.analysis import ReportLimits, report_on
from ggp.report.match_line import line_of
from ggp.warming import kernels as warming

MEMORY_BYTES: Final = 4 << 30


def main() -> None:
    """Read a request, and write the report or the reason why it cannot be made."""
    setrlimit(RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    order = json.loads(sys.stdin.buffer.readline())
    end_with_asker()
    tell(_report(order))


def _report(order: dict[str, Any]) -> dict[str, Any]:
    try:
        rules = gdl.read_rules(order["rules"], order["name"])
        warming.warm_up(lambda _: None)
        game = gdl.load(rules, "auto")
        line = line_of(game, order["moves"], order["errors"], order["settled"])
        _progress(0, line.num_turns + 1)
        limits = ReportLimits(seconds=order["seconds"])
        report = report_on(order["name"], game, line, limits, _progress)
    except (GgpError, gdl.GdlError) as error:
        return {"error": str(error)}
    except (MemoryError, RecursionError):
        return {"error": "the rules need more memory than is available"}
    return {"report": report.to_json()}


def _progress(done: int, total: int) -> None:
    tell({"done": done, "of": total})


if __name__ == "__main__":
    main()

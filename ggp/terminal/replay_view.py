"""Output of `ggp replay`: a few lines for one replay, or a table for a folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ggp.bench.replays import ReplayReport
from ggp.terminal.console import console, table


def show_each(reports: Iterable[ReplayReport]) -> list[ReplayReport]:
    """Print each report as soon as it is ready, and return all of them."""
    found = []
    for report in reports:
        effort = f"{report.num_states:,} states, {report.seconds:.1f} s"
        print(f"{report.name}: {report.outcome} ({effort})")
        if report.detail:
            print(f"  {report.detail}")
        found.append(report)
    return found


def show_all(reports: Iterable[ReplayReport], num_pairs: int) -> list[ReplayReport]:
    """Print a table of all reports and a summary once all are ready. Return the reports."""
    shown = console()
    found: list[ReplayReport] = []
    with shown.status(f"{num_pairs} rulesheets") as status:
        for report in reports:
            found.append(report)
            status.update(f"{len(found)} of {num_pairs} rulesheets, last {report.name}")
    found.sort(key=lambda report: report.name.casefold())
    rows = [
        (one.name, one.outcome, f"{one.num_states:,}", f"{one.seconds:.1f}", one.detail)
        for one in found
    ]
    shown.print(table(["rulesheet", "outcome", "states", "seconds", ""], rows, "states,seconds"))
    counts = Counter(report.outcome for report in found)
    total = sum(report.num_states for report in found)
    ranked = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    summary = ", ".join(f"{count} {outcome}" for outcome, count in ranked)
    print(f"{summary}; {total:,} states compared")
    return found

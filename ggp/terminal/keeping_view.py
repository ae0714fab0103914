"""Output of `ggp manager backup` and the other commands that maintain a manager's data."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ggp.plurals import counted
from ggp.terminal.console import console, table

if TYPE_CHECKING:
    from ggp.manager.backup import Manifest
    from ggp.manager.collecting import Collection
    from ggp.manager.doctor import Finding
    from ggp.manager.store.retention import Pruned

TOLD = {
    "matches": "match",
    "turns": "turn",
    "players": "player",
    "tournaments": "tournament",
    "accounts": "account",
}
"""Tables whose row counts are printed for a backup. Each value is the noun for one row."""


def print_backup(file: Path, manifest: Manifest) -> None:
    """Print what a finished backup contains, and warn if files of uploaded players are missing."""
    rows = manifest.database.rows
    parts = [counted(rows[name], word, name) for name, word in TOLD.items() if name in rows]
    if manifest.submissions:
        parts.append(counted(len(manifest.submissions), "upload"))
    print(f"{file}: {file.stat().st_size:,} bytes, {manifest.made:%Y-%m-%d %H:%M:%S} UTC")
    print(f"{manifest.database.kind}, schema {manifest.database.revision}: {', '.join(parts)}")
    if manifest.missing:
        players = counted(manifest.missing, "uploaded player")
        print(
            f"warning: {file} lacks the files of {players}; write it again with --submissions "
            "FOLDER, the manager's --submissions folder, or copy the files to it",
            file=sys.stderr,
        )


def print_collected(collected: Collection, folder: Path) -> None:
    """Print the names of the copied players' files. Print warnings on standard error."""
    from ggp.manager.collecting import LIST, OWNERS
    from ggp.submission.equal_files import equality_sentence

    for one in collected.files:
        print(f"{one.name}:{one.class_name}" if one.class_name else one.name)
    if not collected.files:
        print("no student has a player in a file")
    else:
        print(f"{folder / LIST} lists them for: ggp grade $(cat {folder / LIST})")
        print(f"{folder / OWNERS} lists their owners")
    for one in collected.files:
        if one.swap:
            print(f"{one.name}: {one.swap}", file=sys.stderr)
    for sentence in collected.left_out:
        print(f"left out: {sentence}", file=sys.stderr)
    for names in collected.equal:
        print(equality_sentence(names), file=sys.stderr)
    for name in collected.strange:
        print(
            f"{folder / name} was in the folder before and is not the file of a player; remove it "
            "before grading",
            file=sys.stderr,
        )


def print_pruned(removed: Pruned, *, is_done: bool) -> None:
    """Print what was removed, or what would be removed."""
    turns, reports = counted(removed.turns, "turn"), counted(removed.reports, "report")
    matches, keys = counted(removed.matches, "match", "matches"), counted(removed.keys, "key")
    what = f"{turns} and {reports} of {matches}, {keys} no longer valid"
    if is_done:
        print(f"removed: {what}")
    else:
        print(f"would be removed: {what}; use --yes to remove it")


def print_findings(findings: Sequence[Finding]) -> None:
    """Print a line for each check, and the numbers of faults and warnings."""
    rows = [(one.check, "" if one.level == "ok" else one.level, one.text) for one in findings]
    console().print(table(("check", "", "found"), rows))
    levels = Counter(one.level for one in findings)
    faults, warnings = counted(levels["fault"], "fault"), counted(levels["warning"], "warning")
    print(f"{faults}, {warnings}")

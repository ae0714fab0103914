"""Output of `ggp manager backup` and the other verbs that care for what a manager keeps."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ggp.terminal.console import console, counted, table

if TYPE_CHECKING:
    from ggp.manager.backup import Manifest
    from ggp.manager.collecting import Collection
    from ggp.manager.doctor import Finding
    from ggp.manager.store.retention import Pruned

TOLD = ("matches", "turns", "players", "tournaments", "accounts")
"""Tables whose numbers of rows say what a backup has."""


def print_backup(file: Path, manifest: Manifest) -> None:
    """Tell what is in a backup that is whole, and which players are not."""
    rows = manifest.database.rows
    parts = [f"{rows[name]:,} {name}" for name in TOLD if name in rows]
    if manifest.submissions:
        parts.append(f"{len(manifest.submissions):,} uploads")
    print(f"{file}: {file.stat().st_size:,} bytes, {manifest.made:%Y-%m-%d %H:%M:%S} UTC")
    print(f"{manifest.database.kind}, schema {manifest.database.revision}: {', '.join(parts)}")
    if manifest.missing:
        players = counted(manifest.missing, "uploaded player")
        print(
            f"warning: {file} lacks the files of {players}; write it with --submissions FOLDER, "
            "the folder of that option of the manager, or copy them to it",
            file=sys.stderr,
        )


def print_collected(collected: Collection, folder: Path) -> None:
    """Name the files, a line each, with the class where one was named; warn on standard error."""
    from ggp.manager.collecting import LIST, OWNERS
    from ggp.submission.equal_files import equality_sentence

    for one in collected.files:
        print(f"{one.name}:{one.class_name}" if one.class_name else one.name)
    if not collected.files:
        print("no student has a player in a file")
    else:
        print(f"{folder / LIST} names them for: ggp grade $(cat {folder / LIST})")
        print(f"{folder / OWNERS} says whose each is")
    for one in collected.files:
        if one.swap:
            print(f"{one.name}: {one.swap}", file=sys.stderr)
    for sentence in collected.left_out:
        print(f"left out: {sentence}", file=sys.stderr)
    for names in collected.equal:
        print(equality_sentence(names), file=sys.stderr)
    for name in collected.strange:
        print(
            f"{folder / name} lies there from before and is no file of a player any more; remove "
            "it before grading",
            file=sys.stderr,
        )


def print_pruned(removed: Pruned, *, is_done: bool) -> None:
    """Tell what was removed, or would be."""
    what = (
        f"{counted(removed.turns, 'turn')} and {counted(removed.reports, 'report')} of "
        f"{removed.matches:,} matches, {counted(removed.keys, 'key')} no longer valid"
    )
    if is_done:
        print(f"removed: {what}")
    else:
        print(f"would be removed: {what}; do it by --yes")


def print_findings(findings: Sequence[Finding]) -> None:
    """A line for each check, and how many found something in the end."""
    rows = [(one.check, "" if one.level == "ok" else one.level, one.text) for one in findings]
    console().print(table(("check", "", "found"), rows))
    levels = Counter(one.level for one in findings)
    faults, warnings = counted(levels["fault"], "fault"), counted(levels["warning"], "warning")
    print(f"{faults}, {warnings}")

"""Judge the language server: how soon it answers, and whether definitions and renaming are right.

    python benchmarks/language_server.py latency FILE.kif ...
    python benchmarks/language_server.py definitions FILE.kif ...
    python benchmarks/language_server.py renaming --traces FOLDER FILE.kif ...

`latency` edits each file, with the server in a process as an editor starts it. It measures the time
from a change to the findings for that version. `definitions` asks for the definition of every
symbol of each file, and compares the answers with the rules. `renaming` gives every symbol and
every variable of each file another name, and replays the file's traces with the new names.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import gdl
from ggp.clock import Deadline
from ggp.records.recording import TracedState, open_trace
from ggp.records.replay import replay as replayed

NUM_CHANGES = 100
FRESH = "zq"
"""How new names begin; no rulesheet has such."""


# --- Latency ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Typing:
    """Results of typing into a file."""

    times: list[float]
    """Milliseconds from each change to the findings of that version."""
    busy: float
    """Milliseconds of CPU time of the server for each change, on average."""


async def latencies(files: Sequence[Path], num_changes: int) -> dict[Path, Typing]:
    """Type into some files, one after the other."""
    from lsprotocol import types
    from pygls.lsp.client import LanguageClient

    client = LanguageClient("benchmark", "1")
    arrived: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()

    @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
    def _keep(found: types.PublishDiagnosticsParams) -> None:
        arrived.put_nowait(found)

    await client.start_io(sys.executable, "-m", "ggp", "lsp")
    await client.initialize_async(types.InitializeParams(types.ClientCapabilities()))
    client.initialized(types.InitializedParams())
    found: dict[Path, Typing] = {}
    for path in files:
        uri, text, rng = path.resolve().as_uri(), read(path), Random(0)
        opened = types.TextDocumentItem(uri, "gdl", 0, text)
        client.text_document_did_open(types.DidOpenTextDocumentParams(opened))
        await arrived.get()
        times: list[float] = []
        busy = _busy(client)
        for number in range(1, num_changes + 1):
            text = typed(text, rng)
            change = types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(number, uri),
                [types.TextDocumentContentChangeWholeDocument(text)],
            )
            begin = time.perf_counter()
            client.text_document_did_change(change)
            while (await arrived.get()).version != number:
                pass  # what playing an earlier version has shown
            times.append(1000 * (time.perf_counter() - begin))
        found[path] = Typing(times, (_busy(client) - busy) / num_changes)
        client.text_document_did_close(
            types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri))
        )
        await arrived.get()
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()  # type: ignore[no-untyped-call]
    return found


def _busy(client: Any) -> float:
    """Return the CPU milliseconds of the server so far; 0 if the system does not tell."""
    file = Path(f"/proc/{client._server.pid}/stat")  # noqa: SLF001  # pygls tells it nowhere else
    if not file.exists():
        return 0.0
    fields = file.read_text(encoding="utf-8").rpartition(")")[2].split()
    return 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def typed(text: str, rng: Random) -> str:
    """Return the text with one character added or deleted somewhere."""
    place = rng.randrange(len(text))
    if rng.random() < 0.3:
        return text[:place] + text[place + 1 :]
    return text[:place] + rng.choice("abcxyz?() 123") + text[place:]


def read(path: Path) -> str:
    """Return the text of a file."""
    return path.read_text(encoding="latin-1")


# --- Definitions ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Judgement:
    """The number of places asked about, and the wrong answers."""

    num_places: int
    wrong: tuple[str, ...] = ()


def judge_definitions(text: str) -> Judgement:
    """Ask for the definition of each word of a text that the prefix parser knows, and compare."""
    document = gdl.document(text)
    rules = gdl.read_kif(text)
    wrong: list[str] = []
    num_places = 0
    for place, expected in _expected(rules):
        num_places += 1
        got = {one.start for one in document.definitions(place)}
        if got != expected:
            line = text.count("\n", 0, place) + 1
            word = re.split(r"[\s()]", text[place : place + 40])[0]
            wrong.append(f"line {line}: {word}: expected {sorted(expected)}, got {sorted(got)}")
    return Judgement(num_places, tuple(wrong))


_MADE_BY = {"role": 0, "init": 0, "next": 0, "base": 0, "legal": 1, "input": 1, "sees": 1}
_ASKED = {"true": ("init", "next", "base"), "does": ("legal", "input")}


def _expected(rules: gdl.Rulesheet) -> Iterator[tuple[int, set[int]]]:
    """Return each place of a symbol or variable, with its definition according to the rules."""
    made = _made(rules)
    firsts: dict[tuple[str, int], tuple[int, int]] = {}
    uses: list[tuple[Any, bool]] = []
    for rule in rules.rules:
        variables: dict[str, int] = {}
        for form, is_atom, rank in _places(rule.form):
            word = _word(form)
            if word.is_variable:
                yield _start(form), {variables.setdefault(word.text.lower(), _start(form))}
                continue
            uses.append((form, is_atom))
            if not is_atom:
                place = rank, _start(form)
                firsts[_key(form)] = min(firsts.get(_key(form), place), place)
    heads: dict[tuple[str, int], set[int]] = {}
    for (name, arity), found in rules.definitions.items():
        heads[name.lower(), arity] = {_start(_head(rule.form)) for rule in found}
    for form, is_atom in uses:
        key = _key(form)
        if not is_atom:
            yield _start(form), made.get(key) or {firsts[key][1]}
        elif key[0] in _ASKED:
            wanted = [found for other, found in heads.items() if other[0] in _ASKED[key[0]]]
            yield _start(form), set().union(*wanted)
        else:
            yield _start(form), heads.get(key, set())


def _made(rules: gdl.Rulesheet) -> dict[tuple[str, int], set[int]]:
    """Return where facts, moves, roles and percepts are introduced, by their symbols."""
    made: dict[tuple[str, int], set[int]] = {}
    for relation, found in rules.definitions.items():
        position = _MADE_BY.get(relation.name)
        for rule in found if position is not None else ():
            form = _head(rule.form).items[1 + (position or 0)]
            if not _word(form).is_variable:
                made.setdefault(_key(form), set()).add(_start(form))
    return made


def _places(statement: Any) -> Iterator[tuple[Any, bool, int]]:
    """Return every form with a symbol or variable, in order; whether it is an atom; its priority.

    First counts what stands in a fact, then in a head, then in a condition.
    """
    is_rule = hasattr(statement, "items") and statement.head == "<="
    parts = statement.items[1:] if is_rule else (statement,)
    for number, part in enumerate(parts):
        rank = 0 if not is_rule else 1 if number == 0 else 2
        yield from _within(part, True, rank)


def _within(form: Any, is_atom: bool, rank: int) -> Iterator[tuple[Any, bool, int]]:
    args = form.items[1:] if hasattr(form, "items") else ()
    if is_atom and args and form.head in ("not", "or", "and", "distinct"):
        for arg in args:
            yield from _within(arg, form.head != "distinct", rank)
        return
    yield form, is_atom, rank
    for arg in args:
        yield from _within(arg, False, rank)


def _head(statement: Any) -> Any:
    is_rule = hasattr(statement, "items") and statement.head == "<="
    return statement.items[1] if is_rule else statement


def _word(form: Any) -> Any:
    return form.items[0] if hasattr(form, "items") else form


def _start(form: Any) -> int:
    return int(_word(form).span.start)


def _key(form: Any) -> tuple[str, int]:
    return _word(form).text.lower(), len(form.items) - 1 if hasattr(form, "items") else 0


# --- Renaming ---------------------------------------------------------------------------------

Names = dict[tuple[str, int], str]


def renamed_throughout(text: str) -> tuple[str, Names]:
    """Return a text with everything renamed that may be, and the names of its terms."""
    document = gdl.document(text)
    names: Names = {}
    edits: list[tuple[int, int, str]] = []
    for number, (symbol, places) in enumerate(document.index.by_symbol.items()):
        try:
            found = document.rename(places[0].start, f"{FRESH}{number}")
        except gdl.GdlError:
            continue  # it means something
        edits += found
        if symbol.space == "term":
            names[symbol.name, symbol.arity] = f"{FRESH}{number}"
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text, names


def renamed_term(text: str, names: Names) -> str:
    """Return a term of a trace with the new names."""
    return _renamed(gdl.read_forms(text)[0], names)


def _renamed(form: Any, names: Names) -> str:
    args = form.items[1:] if hasattr(form, "items") else ()
    name, arity = _key(form)
    word = names.get((name, arity), name)
    return f"({' '.join([word, *(_renamed(arg, names) for arg in args)])})" if args else word


def renamed_state(traced: TracedState, names: Names) -> TracedState:
    """Return a state of a trace with the new names."""

    def of(texts: Sequence[str]) -> tuple[str, ...]:
        return tuple(renamed_term(text, names) for text in texts)

    def role(name: str) -> str:
        return names.get((name, 0), name)

    return replace(
        traced,
        facts=of(traced.facts),
        legal=traced.legal and {role(key): of(found) for key, found in traced.legal.items()},
        moves=traced.moves and of(traced.moves),
        goals=traced.goals and {role(key): goal for key, goal in traced.goals.items()},
        goal_sets={role(key): goals for key, goals in traced.goal_sets.items()},
    )


def judge_renaming(text: str, trace: Path, seconds: float) -> tuple[int, str]:
    """Return how many states of a trace the renamed rules were compared in, and the differences.

    Rules that differ from their trace in the same place before anything is renamed do as they did.
    """
    found = open_trace(trace)
    new_text, names = renamed_throughout(text)
    engine = gdl.load(gdl.read_kif(new_text), "interpreter")
    states = (renamed_state(state, names) for state in found.states())
    roles = tuple(names.get((role, 0), role) for role in found.roles)
    verdict = replayed(engine, roles, states, Deadline.after(seconds))
    if verdict.difference is not None:
        old = gdl.load(gdl.read_kif(text), "interpreter")
        before = replayed(old, found.roles, found.states(), Deadline.after(seconds))
        if before.difference is not None and before.num_states == verdict.num_states:
            return verdict.num_states, ""
    return verdict.num_states, str(verdict.difference or "")


# --- The command ------------------------------------------------------------------------------


def main() -> int:
    """Judge according to the command line, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("latency", "definitions", "renaming"))
    parser.add_argument("files", nargs="+", type=Path, help="rulesheets")
    parser.add_argument("--traces", type=Path, help="folder with NAME.jsonl.gz")
    parser.add_argument("--changes", type=int, default=NUM_CHANGES, help="changes of each file")
    parser.add_argument("--seconds", type=float, default=5.0, help="seconds for each trace")
    given = parser.parse_args()
    if given.what == "latency":
        return _print_latencies(asyncio.run(latencies(given.files, given.changes)))
    if given.what == "definitions":
        return _print_definitions(given.files)
    return _print_renaming(given.files, given.traces, given.seconds)


def _print_latencies(found: dict[Path, Typing]) -> int:
    print(f"{'file':32} {'kB':>5} {'median ms':>10} {'99 % ms':>8} {'most ms':>8} {'busy ms':>8}")
    for path, typing in found.items():
        times = typing.times
        high = sorted(times)[int(0.99 * (len(times) - 1))]
        size = path.stat().st_size / 1000
        middle = statistics.median(times)
        shown = f"{middle:10.1f} {high:8.1f} {max(times):8.1f} {typing.busy:8.1f}"
        print(f"{path.stem:32} {size:5.1f} {shown}")
    every = sorted(time for typing in found.values() for time in typing.times)
    high = every[int(0.99 * (len(every) - 1))]
    print(f"all {len(every)}: median {statistics.median(every):.1f} ms, 99 % {high:.1f} ms")
    return 0


def _print_definitions(files: Sequence[Path]) -> int:
    total = num_wrong = 0
    for path in files:
        found = judge_definitions(read(path))
        total += found.num_places
        num_wrong += len(found.wrong)
        for line in found.wrong[:5]:
            print(f"{path.stem}: {line}")
    print(f"{len(files)} files, {total} places, {num_wrong} wrong")
    return int(num_wrong > 0)


def _print_renaming(files: Sequence[Path], traces: Path, seconds: float) -> int:
    total = num_wrong = num_replayed = 0
    for path in files:
        trace = traces / f"{path.stem}.jsonl.gz"
        if not trace.exists():
            continue
        try:
            num_states, difference = judge_renaming(read(path), trace, seconds)
        except gdl.GdlError as error:
            num_states, difference = 0, str(error)
        num_replayed += 1
        total += num_states
        num_wrong += bool(difference)
        if difference:
            print(f"{path.stem}: {difference}")
    print(f"{num_replayed} files, {total} states, {num_wrong} with a difference")
    return int(num_wrong > 0)


if __name__ == "__main__":
    sys.exit(main())

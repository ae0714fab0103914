"""Names of moves: each legal move has one, no two the same, and each is read back as itself."""

from __future__ import annotations

import gzip
import itertools
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import gdl
from ggp import games
from ggp.naming.move_names import MoveNames, Understood, names_of
from tests.shared import require
from tests.thorough import KINDS, all_but

Position = tuple[list[str], list[list[str]]]
"""Facts, and the legal moves of each role."""


def check_law(names: MoveNames, facts: Sequence[str], legal: Sequence[str]) -> int:
    """Names and terms are read as the moves they belong to; how many moves there are."""
    written = names.write(legal, facts)
    assert len(set(written.values())) == len(set(legal))
    for move, name in written.items():
        for text in (name, move):
            read = names.read(text, legal, facts)
            assert read == Understood(move, name), text
        hidden = names.read(name, legal, facts, is_numbered=True)
        assert isinstance(hidden, Understood)
        assert hidden.move == move
    return len(written)


def positions_of(machine: gdl.StateMachine, seed: int) -> Iterator[Position]:
    """Positions of random games, without end."""
    rng = random.Random(seed)
    state = machine.initial_state()
    while True:
        legal = [list(map(str, machine.legal_moves(state, role))) for role in machine.roles]
        yield [str(fact) for fact in machine.facts(state)], legal
        if machine.is_terminal(state):
            state = machine.initial_state()
        else:
            moves = [rng.choice(machine.legal_moves(state, role)) for role in machine.roles]
            state = machine.next_state(state, moves)


def test_a_piece_that_is_called_after_its_role_is_that_roles() -> None:
    """It is not the role that moves."""
    machine = gdl.load(gdl.read_kif(games.text("breakthrough"), "breakthrough"), "interpreter")
    names = names_of(machine, games.text("breakthrough"))
    facts = [str(fact) for fact in machine.facts(machine.initial_state())]

    written = names.write(["(move 3 2 3 3)"], facts)

    assert list(written.values()) == ["move white's piece from column 3, row 2 to column 3, row 3"]


@pytest.mark.parametrize("text", ["{}.", "{} .", "`{}`.", "{}...", "{}!", "{};"])
def test_a_move_at_the_end_of_a_sentence_is_read(text: str) -> None:
    """The full stop is no word of it, for the term and for its name."""
    machine = gdl.load(gdl.read_kif(games.text("ticTacToe")), "interpreter")
    names = names_of(machine, games.text("ticTacToe"))
    [facts, legal] = next(positions_of(machine, 0))
    [move, name] = next(iter(names.write(legal[0], facts).items()))

    found = [names.read(text.format(one), legal[0], facts) for one in (move, name)]

    assert [one.move for one in found if isinstance(one, Understood)] == [move, move]


@pytest.mark.parametrize("name", all_but(KINDS, games.names(), is_whole=True))
def test_moves_of_bundled_games_are_read_as_they_are_written(name: str) -> None:
    """Whoever reads them may see the facts, or not."""
    num = 3 if name in KINDS else 10
    text = games.text(name)
    machine = gdl.load(gdl.read_kif(text, name), "interpreter")
    names = names_of(machine, text)

    for facts, legal in itertools.islice(positions_of(machine, num), 0, 4 * num, 4):
        for moves in legal:
            check_law(names, facts, moves)
            check_law(names, (), moves)


def trace_of(file: Path, every: int) -> Iterator[Position]:
    """Positions of a recorded trace."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        next(lines)
        for line in itertools.islice(lines, 0, None, every):
            position = json.loads(line)
            yield position["state"], list(position.get("legal", {}).values())


@pytest.mark.thorough
def test_moves_of_other_rulesheets_are_read_as_they_are_written() -> None:
    """In 125 positions of 25 rulesheets of other authors."""
    rules, traces = require("corpus", "rules"), require("corpus", "traces")
    files = sorted(traces.glob("*.jsonl.gz"))
    num_positions = 0
    for file in files[:: len(files) // 25][:25]:
        positions = list(trace_of(file, 1))
        text = (rules / f"{file.name.removesuffix('.jsonl.gz')}.kif").read_text(errors="replace")
        forms = list(map(str, gdl.read_rules(text, file.name).forms))
        names = MoveNames.of_states([facts for facts, _ in positions[:60]], forms, text)
        for facts, legal in random.Random(0).choices(positions, k=5):
            num_positions += 1
            for moves in legal:
                check_law(names, facts, moves)
    assert num_positions == 125

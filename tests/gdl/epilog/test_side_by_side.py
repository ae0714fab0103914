"""Every game that is bundled in both notations is the same game."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import gdl
from tests.shared import REPOSITORY

GAMES = sorted((REPOSITORY / "games" / "epilog").glob("*.epilog"))
PLAYOUTS = 3
MAX_STEPS = 12


class _Pair:
    """One game in both notations, played move by move."""

    def __init__(self, path: Path) -> None:
        kif = REPOSITORY / "games" / f"{path.stem}.kif"
        rules = [
            gdl.read_rules(each.read_text(encoding="utf-8"), each.name) for each in (kif, path)
        ]
        self.machines = [gdl.load(each, "interpreter") for each in rules]
        self.roles = self.machines[0].roles
        self.states = [machine.initial_state() for machine in self.machines]

    def legal_moves(self, index: int, role: gdl.Role) -> dict[str, gdl.Move]:
        moves = self.machines[index].legal_moves(self.states[index], role)
        return {str(move): move for move in moves}

    def seen(self, index: int) -> tuple[object, ...]:
        """All that can be asked of the current state."""
        machine, state = self.machines[index], self.states[index]
        is_terminal = machine.is_terminal(state)
        legal = [] if is_terminal else [sorted(self.legal_moves(index, r)) for r in self.roles]
        goals = [machine.goals(state, role) for role in self.roles]
        return sorted(map(str, machine.facts(state))), is_terminal, legal, goals

    def advance(self, rng: random.Random) -> None:
        chosen = [rng.choice(sorted(self.legal_moves(0, role))) for role in self.roles]
        for index, machine in enumerate(self.machines):
            moves = [
                self.legal_moves(index, role)[text]
                for role, text in zip(self.roles, chosen, strict=True)
            ]
            self.states[index] = machine.next_state(self.states[index], moves)

    def is_over(self) -> bool:
        return self.machines[0].is_terminal(self.states[0])


def test_at_least_six_games_are_bundled_in_both_notations() -> None:
    """Without the files the tests below would say nothing."""
    assert len(GAMES) >= 6


@pytest.mark.parametrize("seed", range(PLAYOUTS))
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_both_notations_play_the_same_game(path: Path, seed: int) -> None:
    """Same roles, states, legal moves, goals and ends, along random playouts."""
    rng = random.Random(seed)
    pair = _Pair(path)

    assert pair.machines[1].roles == pair.roles
    for _ in range(MAX_STEPS):
        assert pair.seen(1) == pair.seen(0)
        if pair.is_over():
            break
        pair.advance(rng)


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_sequential_game_survives_being_written_as_gdl(path: Path) -> None:
    """What was read of an Epilog game can be written in either notation."""
    rules = gdl.read_epilog(path.read_text(encoding="utf-8"), path.name)

    again = gdl.read_epilog(gdl.write_epilog(rules))

    assert [len(rule.body) for rule in again.rules] == [len(rule.body) for rule in rules.rules]
    assert list(again.definitions) == list(rules.definitions)


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_checks_find_no_fault(path: Path) -> None:
    """The translation gives rules that are safe, stratified and complete."""
    rules = gdl.read_epilog(path.read_text(encoding="utf-8"), path.name)

    worst = [each for each in gdl.check(rules) if each.severity >= gdl.Severity.WARNING]

    assert not worst

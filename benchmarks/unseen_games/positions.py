"""Positions whose moves differ in outcome: their file format, and how to replay them.

A line is one match: the moves that were chosen from several, and the questions along it.

>>> line = Line("(mark 2 2) (mark 1 1)", [Question(1, 1, {"(mark 1 1)": 50, "(mark 1 2)": 0})])
>>> line.questions[0].is_kept_by("(mark 1 1)")
True
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import gdl
from unseen_games.rulesheets import Sheet, UnseenError, deciders

STORED = Path(__file__).with_name("positions")
"""The positions of bundled games."""
SUFFIX = ".jsonl"


@dataclass(frozen=True, slots=True)
class Question:
    """A position, and the value of each move there.

    Attributes:
        ply: Joint moves before it.
        role: Index of the role that chooses.
        worths: The goal that this role gets after each of its moves, if both play perfectly.
    """

    ply: int
    role: int
    worths: dict[str, int]

    def is_kept_by(self, move: str) -> bool:
        """Return whether a move keeps the outcome."""
        return self.worths[move] == max(self.worths.values())

    @property
    def share_at_random(self) -> float:
        """Probability that a random move keeps the outcome."""
        return sum(map(self.is_kept_by, self.worths)) / len(self.worths)


@dataclass(frozen=True, slots=True)
class Line:
    """A match, and the questions along it.

    Attributes:
        moves: The moves that were chosen from several; all others are forced.
    """

    moves: str
    questions: list[Question]


def write(file: Path, sheet: Sheet, lines: Sequence[Line]) -> None:
    """Write the positions of a game."""
    file.parent.mkdir(parents=True, exist_ok=True)
    head = {"game": sheet.name, "digest": sheet.digest}
    rows = [head, *map(asdict, lines)]
    text = "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)
    unfinished = file.with_suffix(".new")
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(file)


def read(file: Path, sheet: Sheet) -> list[Line]:
    """Return the positions of a game.

    Raises:
        UnseenError: The file is absent, or was made from other rules.
    """
    try:
        head, *rows = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    except FileNotFoundError as error:
        raise UnseenError(
            f"{sheet.name}: no positions in {file}. Make them: unseen.py make {sheet.name}"
        ) from error
    if head["digest"] != sheet.digest:
        raise UnseenError(
            f"{sheet.name}: the positions in {file} were made from other rules. "
            f"Make them again: unseen.py make {sheet.name}"
        )
    return [
        Line(row["moves"], [Question(**question) for question in row["questions"]]) for row in rows
    ]


def file_of(sheet: Sheet, cache: Path) -> Path:
    """Return where the positions of a game are: in the repository, or in the cache."""
    if sheet.is_bundled:
        return STORED / f"{sheet.name}{SUFFIX}"
    return cache / f"{Path(sheet.name).name}-{sheet.digest}{SUFFIX}"


def states_along(machine: gdl.StateMachine, moves: str) -> Iterator[gdl.State]:
    """Give the states of a match, the first one and the last one included."""
    state = machine.initial_state()
    yield state
    for joint in joint_moves(machine, moves):
        state = machine.next_state(state, joint)
        yield state


def joint_moves(machine: gdl.StateMachine, moves: str) -> Iterator[tuple[gdl.Move, ...]]:
    """Give the joint moves of a match, the forced ones filled in."""
    listed = gdl.read_term(f"(match {moves})")
    chosen = iter(listed.args if isinstance(listed, gdl.Compound) else ())
    state = machine.initial_state()
    for move in chosen:
        while not deciders(machine, state):
            joint = _joint(machine, state, None)
            state = machine.next_state(state, joint)
            yield joint
        joint = _joint(machine, state, move)
        state = machine.next_state(state, joint)
        yield joint
    while not machine.is_terminal(state) and not deciders(machine, state):
        joint = _joint(machine, state, None)
        state = machine.next_state(state, joint)
        yield joint


def _joint(
    machine: gdl.StateMachine, state: gdl.State, move: gdl.Move | None
) -> tuple[gdl.Move, ...]:
    """Return the joint move in which the role that has a choice makes `move`."""
    legal = [machine.legal_moves(state, role) for role in machine.roles]
    joint = []
    for own in legal:
        if len(own) > 1 and move not in own:
            raise UnseenError(f"expected one of {len(own)} legal moves, got {move}")
        joint.append(own[0] if len(own) == 1 or move is None else move)
    return tuple(joint)


def questions_of(
    machine: gdl.StateMachine, lines: Sequence[Line]
) -> Iterator[tuple[Line, Question, gdl.State]]:
    """Give each question with the match that it is from and its state."""
    for line in lines:
        states = list(states_along(machine, line.moves))
        for question in line.questions:
            yield line, question, states[question.ply]

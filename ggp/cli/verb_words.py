"""First words of a command line, which name a verb, or a group of verbs and one of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def words_of(root: Any, args: Sequence[str]) -> list[str]:
    """The first words of a command line, which name a verb, or a group of verbs and one of it."""
    words: list[str] = []
    command = root
    for word in args:
        if word not in getattr(command, "commands", {}):
            break
        words.append(word)
        command = command.commands[word]
    return words


def command_of(root: Any, args: Sequence[str]) -> Any:
    """Command that the first words of a command line name: a verb or a group of them."""
    command = root
    for word in words_of(root, args):
        command = command.commands[word]
    return command

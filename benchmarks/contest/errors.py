"""Errors between players that should meet."""

from __future__ import annotations


class ContestError(Exception):
    """A match cannot be played."""


class OpenSpielError(ContestError):
    """OpenSpiel is missing, or its game differs from ours."""

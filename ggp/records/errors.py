"""Errors of match records and traces."""

from __future__ import annotations

from ggp.errors import GgpError


class RecordError(GgpError):
    """A text is no match record; the message names the field."""


class TraceError(GgpError):
    """A file is no recorded trace; the message names the file and the line."""


class TraceFileError(TraceError):
    """The file of a trace is missing, cut short or no text."""

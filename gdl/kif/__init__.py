"""Prefix KIF, the notation of the GDL specification: read and printed."""

from gdl.kif.reader import Comment, read_forms, read_kif, read_term, scan

__all__ = ["Comment", "read_forms", "read_kif", "read_term", "scan"]

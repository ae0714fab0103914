"""Prefix KIF, the notation of the GDL specification: read and printed."""

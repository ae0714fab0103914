"""Epilog, the infix notation of Stanford's Gamemaster: read and printed."""

"""Measurements: playouts and searches in a second, positions searched, matches played, replays."""

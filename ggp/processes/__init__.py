"""Manage our own processes: start and end them, and exchange lines of JSON with them."""

"""Matches on the machines of a cluster: played there, written down here."""

"""Tournaments: plans, fixtures, pairings and standings. No match is played here."""

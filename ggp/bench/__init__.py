"""Bench: rates of reasoners and searches, their signatures, replays of records, served matches."""

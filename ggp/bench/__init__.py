"""Bench: speeds and signatures of reasoners and searches, replays of records, served matches."""

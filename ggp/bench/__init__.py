"""Benchmarks of reasoners and searches, replays of recordings, and matches of a served player."""

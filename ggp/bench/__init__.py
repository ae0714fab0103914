"""Benchmarks: speed and signatures of reasoners and searches, replays, and served matches."""

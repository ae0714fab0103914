"""Attacks of `benchmarks/attacks.py` on our own programs, and the judgement of their results."""

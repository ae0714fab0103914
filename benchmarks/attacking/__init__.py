"""What `benchmarks/attacks.py` does to our own programs, and how it judges what came of that."""

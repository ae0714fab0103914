"""Players against each other: what `strength.py` and `search_rates.py` are made of."""

"""Players against each other: the parts of `strength.py` and `search_rates.py`."""

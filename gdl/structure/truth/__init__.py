"""How far the formulas of a game are from being true."""

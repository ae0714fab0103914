"""Analysis of a game's circuit: what matters, which parts are independent, what never changes."""

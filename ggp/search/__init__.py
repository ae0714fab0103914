"""Search algorithms. They need only a game, a state, a deadline and a source of randomness."""

"""Training of value networks: self-play, gradient steps, checkpoints."""

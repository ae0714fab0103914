"""Structure of a game according to its circuit: what matters, what is independent, what stays."""

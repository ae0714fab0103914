"""Structure of a game, as its circuit shows it: what matters, what falls apart, what stays."""

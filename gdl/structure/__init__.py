"""Structure of a game, as its circuit shows it: what matters, what falls apart, what stays.

    found = gdl.load(rules).structure
    found.is_relevant, found.parts, found.latches

Nothing here changes how a game is played; a search may use it to look at less.
"""

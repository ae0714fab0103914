"""Any rulesheet as an OpenSpiel game, for use with OpenSpiel's algorithms.

>>> from ggp.environments import openspiel
>>> game = openspiel.load("ticTacToe")
>>> state = game.new_initial_state()
>>> state.action_to_string(state.legal_actions()[0])
'(mark 1 1)'
"""

try:
    import pyspiel as _pyspiel  # noqa: F401
except ImportError as error:
    raise ImportError(
        "ggp.environments.openspiel needs pyspiel: type  pip install 'ggp-agent[rl]'  "
        "or, in a clone,  pip install '.[rl]'",
        name="pyspiel",
    ) from error

from ggp.environments.openspiel.game import GdlGame, GdlState, load, register, register_bundled

__all__ = ["GdlGame", "GdlState", "load", "register", "register_bundled"]

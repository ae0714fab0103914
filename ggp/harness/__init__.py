r"""Harnesses for language models: ask a model for moves in a game, and count illegal answers.

>>> from ggp.harness.game import HarnessGame
>>> from ggp import games
>>> match = HarnessGame("nim", games.text("nim")).match(seed=1)
>>> turn = match.ask("first")
>>> turn.answer("I take all of the last heap.\nMOVE: (take d 8)")
False
>>> print(turn.messages[-1]["content"].splitlines()[0])
Your move was read as: (take d 8)
>>> turn.answer("MOVE: (take d 7)"), turn.move
(True, '(take d 7)')
"""

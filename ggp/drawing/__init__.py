"""SVG pictures of positions of any game: boards if the facts look like boards, else cards.

    renderer = PositionRenderer("connectFour", states)
    renderer.svg(states[3], states[2])

The SVG needs no style sheet and loads nothing, so the same text works in a page, a file and the
docs.
"""

from ggp.drawing.position_renderer import PositionRenderer

__all__ = ["PositionRenderer"]

"""Pictures of positions of any game in SVG: boards if facts have the shape of one, else cards.

    renderer = PositionRenderer("connectFour", states)
    renderer.svg(states[3], states[2])

The SVG needs no style sheet and loads nothing: the same text serves a page, a file and the docs.
"""

from ggp.drawing.position_renderer import PositionRenderer

__all__ = ["PositionRenderer"]

"""Pictures of positions in SVG, of any game: boards where facts have the shape of one, else cards.

    renderer = PositionRenderer("connectFour", states)
    renderer.svg(states[3], states[2])

No style sheet is needed, and nothing is loaded: the same text serves a page, a file and the docs.
"""

from ggp.drawing.position_renderer import PositionRenderer

__all__ = ["PositionRenderer"]

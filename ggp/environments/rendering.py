"""Renderings of states as text, SVG, or pixels."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

import gdl
from ggp import games
from ggp.boards.plain_names import names_of_game
from ggp.boards.state_view import StateView
from ggp.drawing import PositionRenderer
from ggp.environments.sample import MAX_INTERPRETED, sample_of

RenderMode = Literal["ansi", "svg", "rgb_array"]
Rendering = str | NDArray[np.uint8]

RENDER_MODES: Final[tuple[RenderMode, ...]] = get_args(RenderMode)


def available_modes() -> list[str]:
    """Return the render modes whose requirements are installed."""
    try:
        _check_converter()
    except ImportError:
        return [mode for mode in RENDER_MODES if mode != "rgb_array"]
    return list(RENDER_MODES)


class Renderer:
    """A renderer of a game's states. It determines the layout when it renders the first state.

    Attributes:
        mode: `ansi` for lines of text, `svg` for an SVG document, `rgb_array` for pixels.
    """

    def __init__(self, game: gdl.Game, mode: RenderMode) -> None:
        if mode not in RENDER_MODES:
            raise ValueError(f"render_mode: expected one of {', '.join(RENDER_MODES)}, got {mode}")
        if mode == "rgb_array":
            _check_converter()
        self.mode: RenderMode = mode
        self._game = game
        self._states: list[Sequence[str]] = []
        self._text: StateView | None = None
        self._picture: PositionRenderer | None = None

    def render(self, state: gdl.State, moves: Sequence[object] | None = None) -> Rendering:
        """Return a rendering of a state.

        The rendering is text for `ansi` and `svg`, and `[height, width, 3]` uint8 for `rgb_array`.
        With `ansi`, the text also shows `moves`, the joint move that led to the state.
        """
        facts = [str(fact) for fact in self._game.facts(state)]
        if not self._states:
            self._states = list(sample_of(self._game, MAX_INTERPRETED).states)
        if self.mode == "ansi":
            return self._as_text(facts, moves)
        svg = self._as_svg(facts)
        return svg if self.mode == "svg" else _pixels(svg)

    def _as_text(self, facts: Sequence[str], moves: Sequence[object] | None) -> str:
        if self._text is None:
            self._text = StateView(self._states, names=names_of_game(self._game))
        lines = self._text.lines(facts, None)
        if moves is not None:
            made = zip(self._game.roles, moves, strict=True)
            lines = [", ".join(f"{role}: {move}" for role, move in made), *lines]
        return "\n".join(lines) + "\n"

    def _as_svg(self, facts: Sequence[str]) -> str:
        if self._picture is None or not self._picture.knows(facts):
            self._states.append(facts)
            self._picture = PositionRenderer(
                _bundled(self._game.rulesheet),
                self._states,
                [str(role) for role in self._game.roles],
                names_of_game(self._game),
            )
        return self._picture.svg(facts)


def _bundled(rulesheet: gdl.Rulesheet | None) -> str:
    path = Path(rulesheet.name) if rulesheet else Path()
    return path.stem if path.parent == games.folder() else ""


def _check_converter() -> None:
    try:
        import cairosvg  # noqa: F401
    except (ImportError, OSError) as error:  # OSError if the library cairo is missing
        raise ImportError(
            f'render_mode="rgb_array" needs CairoSVG and the library cairo ({error}); '
            'install them with pip install cairosvg, or use render_mode="svg", which '
            "needs neither"
        ) from error


def _pixels(svg: str) -> NDArray[np.uint8]:
    import cairosvg
    from PIL import Image  # installed with CairoSVG

    png = cairosvg.svg2png(bytestring=svg.encode(), background_color="white")
    with Image.open(io.BytesIO(png)) as image:
        return np.array(image.convert("RGB"))

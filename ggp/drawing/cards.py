"""What is on no board, as cards: one for each fact, those of a relation together."""

from __future__ import annotations

from collections.abc import Collection

from ggp.drawing.svg import label, tag

CARD_HEIGHT, GAP, LETTER = 22.0, 6.0, 6.6
MAX_CARDS, MAX_LETTERS = 60, 48
OLD, NEW, LINE, INK = "#e9ecf1", "#f5d76e", "#9aa3b0", "#1a1d21"


def draw_cards(
    facts: Collection[str], changed: Collection[str], top: float, width: float
) -> tuple[list[str], float]:
    """The parts of the cards' picture, and its lower edge."""
    parts: list[str] = []
    x, y = 0.0, top
    shown = sorted(facts)
    more = len(shown) - MAX_CARDS
    texts = [(fact, _short(fact)) for fact in shown[:MAX_CARDS]]
    if more > 0:
        texts.append(("", f"and {more} more"))
    for fact, text in texts:
        wide = LETTER * len(text) + 14
        if x > 0 and x + wide > width:
            x, y = 0.0, y + CARD_HEIGHT + GAP
        fill = NEW if fact in changed else OLD
        parts += [
            tag(
                "rect",
                x=x + 0.5,
                y=y + 0.5,
                width=wide,
                height=CARD_HEIGHT,
                rx=4,
                fill=fill,
                stroke=LINE,
            ),
            label(text, x + wide / 2, y + CARD_HEIGHT / 2, 11, INK),
        ]
        x += wide + GAP
    return parts, y + CARD_HEIGHT + 1 if texts else top


def _short(fact: str) -> str:
    text = fact[1:-1] if fact.startswith("(") else fact
    return text if len(text) <= MAX_LETTERS else text[: MAX_LETTERS - 1] + "…"

"""What is on no board, as cards: one for each fact, those of a relation together."""

from __future__ import annotations

from collections.abc import Collection

from ggp.drawing.svg import label, tag

CARD_HEIGHT, GAP, LETTER = 22.0, 6.0, 6.6
MAX_LETTERS = 48
OLD, NEW, LINE, INK = "#e9ecf1", "#f5d76e", "#9aa3b0", "#1a1d21"


def draw_cards(
    facts: Collection[str], changed: Collection[str], width: float, most: int
) -> tuple[list[str], float]:
    """The parts of the cards' picture, and its height; of too many, those that changed come first.

    Args:
        facts: To be shown.
        changed: Those to be marked.
        width: Of the picture.
        most: Cards that there is room for.
    """
    parts: list[str] = []
    x, y = 0.0, 0.0
    texts = [(fact, _short(fact)) for fact in _shown(facts, changed, most)]
    if len(facts) > most:
        texts.append(("", f"and {len(facts) - most} more"))
    for fact, text in texts:
        wide = min(width - 1, LETTER * len(text) + 14)
        if x > 0 and x + wide > width:
            x, y = 0.0, y + CARD_HEIGHT + GAP
        fill = NEW if fact in changed else OLD
        box = {"x": x + 0.5, "y": y + 0.5, "width": wide, "height": CARD_HEIGHT, "rx": 4}
        size = min(11.0, 11 * (wide - 8) / (LETTER * max(1, len(text))))
        parts += [
            tag("rect", **box, fill=fill, stroke=LINE),
            label(text, x + wide / 2, y + CARD_HEIGHT / 2, size, INK),
        ]
        x += wide + GAP
    return parts, y + CARD_HEIGHT + 1 if texts else 0.0


def _shown(facts: Collection[str], changed: Collection[str], most: int) -> list[str]:
    """As many as there is room for, in the order of their words."""
    first = sorted(facts, key=lambda fact: (fact not in changed, fact))[:most]
    return sorted(first)


def _short(fact: str) -> str:
    text = fact[1:-1] if fact.startswith("(") else fact
    return text if len(text) <= MAX_LETTERS else text[: MAX_LETTERS - 1] + "…"

"""Cards for facts that are on no board: one row for each relation, one card for each fact."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from ggp.boards.board import Words
from ggp.boards.grids import natural
from ggp.drawing.svg import clipped, label, tag, title
from ggp.term_text import words_of

_NUMBER = re.compile(r"[a-z]{0,2}(\d{1,9})", re.ASCII | re.IGNORECASE)


class Ranges:
    """The range of the number that is the last word, for facts that differ only in this number."""

    def __init__(self, states: Iterable[Collection[str]]) -> None:
        """Collect the ranges from the facts of positions."""
        seen: dict[Words, set[int]] = {}
        several: set[Words] = set()
        for facts in states:
            here: set[Words] = set()
            for fact in facts:
                words = words_of(fact)
                if (number := _number(words)) is not None:
                    head = words[:-1]
                    seen.setdefault(head, set()).add(number)
                    (several if head in here else here).add(head)
        # If two facts of a state differ only in the number, the number is not an amount.
        self._bounds = {
            head: (min(0, *numbers), max(numbers))
            for head, numbers in seen.items()
            if head not in several and len(numbers) > 1
        }

    def part(self, words: Words) -> float | None:
        """Return where a fact's number is in its range, from 0 to 1, or None if it has no range."""
        number, bounds = _number(words), self._bounds.get(words[:-1])
        if number is None or bounds is None:
            return None
        least, largest = bounds
        return min(1.0, max(0.0, (number - least) / max(1, largest - least)))


def _number(words: Words) -> int | None:
    found = _NUMBER.fullmatch(words[-1]) if len(words) > 1 else None
    return int(found[1]) if found else None


CARD_HEIGHT, GAP, ROW_GAP, SIZE = 22.0, 5.0, 6.0, 11.0
LETTER, CAPITAL = 6.5, 8.0
PADDING, SPOT, SMALLEST = 8.0, 5.0, 26.0
MAX_LETTERS, MAX_NAME, MAX_SPOTS = 48, 16, 3
MAX_NAMED = 0.42
"""Maximum share of the picture's width that the name of a row may take."""
MAX_SHARED = 6
"""Maximum number of first arguments of a relation for which each may get a row of its own."""
OLD, NEW, LINE, INK, NAME, BAR = "#e9ecf1", "#f5d76e", "#9aa3b0", "#1a1d21", "#6b7480", "#2f6fd0"
FAINTNESS, DASHED = 0.55, "#6b7480"


@dataclass(frozen=True, slots=True)
class CardRow:
    """Row of cards, one for each fact that starts with the same words.

    Attributes:
        name: The words that all facts of the row start with.
        cards: Each fact, with the words after those in `name`.
    """

    name: Words
    cards: list[tuple[str, Words]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Style:
    """The style of the cards for facts that are on no board.

    Attributes:
        most: Maximum number of cards to draw. If there are more facts, changed ones come first.
        colours: Colours of the roles, by their names in lower case.
        ranges: Ranges of the numbers in facts.
        num_left: Number of facts that the caller has already left out.
        is_running: Whether to put rows next to each other if they fit, as below a board.
        likely: Probability of each uncertain fact.
    """

    most: int
    colours: Mapping[str, str]
    ranges: Ranges
    num_left: int = 0
    is_running: bool = False
    likely: Mapping[str, float] = field(default_factory=dict)


def draw_cards(
    facts: Collection[str], changed: Collection[str], width: float, style: Style
) -> tuple[list[str], float, float]:
    """Draw cards. Return the parts of the picture, its width and its height.

    Args:
        changed: Facts to mark.
    """
    shown = _shown(facts, changed, style.most)
    rows = _rows(shown, style.likely)
    longest = max((_wide(_text(row.name)) + 2 * GAP for row in rows), default=0.0)
    parts: list[str] = []
    x, y, widest = 0.0, 0.0, 0.0
    for row in rows:
        name = _wide(_text(row.name)) + 2 * GAP if style.is_running else longest
        name = min(MAX_NAMED * width, name) if row.name else 0.0
        wides = [min(width - 1 - name, _width(words, style.colours)) for _, words in row.cards]
        if x > 0 and (not style.is_running or x + name + sum(wides) + GAP * len(wides) > width):
            x, y = 0.0, y + CARD_HEIGHT + ROW_GAP
        parts += _name(row, x, y, name)
        start = x = x + name
        for (fact, words), wide in zip(row.cards, wides, strict=True):
            if x > start and x + wide > width:
                x, y = start, y + CARD_HEIGHT + GAP
            fill = NEW if fact in changed else OLD
            parts.append(_card(fact, words, (x + 0.5, y + 0.5, wide), fill, style))
            x += wide + GAP
            widest = max(widest, x - GAP)
        x += ROW_GAP
    low = y + CARD_HEIGHT if rows else 0.0
    num_left = max(0, len(facts) - style.most) + style.num_left
    if num_left:
        more = f"and {num_left:,} more"
        said = label(more, 0.0, low + CARD_HEIGHT / 2, SIZE, NAME, anchor="start")
        others = islice((fact for fact in facts if fact not in shown), style.most)
        parts.append(tag("g", title(" ".join(others)), said))
        low += CARD_HEIGHT
    return parts, widest, low + 1 if parts else 0.0


def good_width(facts: Collection[str], style: Style) -> float:
    """Return the width with which the picture of the cards is slightly wider than high."""
    shown = list(facts)[: style.most]
    split = [words_of(fact)[1:] or (fact,) for fact in shown]
    area = sum(_width(words, style.colours) for words in split) * (CARD_HEIGHT + ROW_GAP)
    return 1.4 * float(area**0.5)


def _shown(facts: Collection[str], changed: Collection[str], most: int) -> list[str]:
    first = sorted(facts, key=lambda fact: (fact not in changed, natural(fact)))[:most]
    return sorted(first, key=natural)


def _rows(facts: Sequence[str], likely: Mapping[str, float]) -> list[CardRow]:
    """Return the rows, sorted by name. Facts of a single word are in the first row."""
    split = [(fact, words_of(fact)) for fact in facts]
    relations: dict[str, list[Words]] = {}
    for _, words in split:
        if words:
            relations.setdefault(words[0], []).append(words)
    shared = {name for name, mine in relations.items() if _is_shared(mine)}
    rows: dict[Words, CardRow] = {}
    for fact, words in split:
        head = words[:2] if words and words[0] in shared else words[:1]
        rest = words[len(head) :] if words else (fact,)
        rest = (*rest, f"· {likely[fact]:.0%}") if fact in likely else rest
        rows.setdefault(head, CardRow(head)).cards.append((fact, rest))
    return sorted(rows.values(), key=lambda row: natural(_text(row.name)))


def _is_shared(facts: Sequence[Words]) -> bool:
    """Return whether few first arguments occur in many facts, such as the owners of two hands."""
    if min(map(len, facts)) < 3:
        return False
    names = {words[1] for words in facts}
    return len(names) <= MAX_SHARED and len(facts) >= 2 * len(names)


def _wide(text: str) -> float:
    return sum(CAPITAL if letter.isupper() else LETTER for letter in text)


def _text(words: Words) -> str:
    return clipped(" ".join(words), MAX_NAME if len(words) < 2 else 2 * MAX_NAME)


def _name(row: CardRow, x: float, y: float, room: float) -> list[str]:
    text = _text(row.name)
    if not text:
        return []
    size = min(SIZE, SIZE * (room - GAP) / _wide(text))
    return [label(text, x, y + CARD_HEIGHT / 2, size, NAME, anchor="start")]


def _width(words: Words, colours: Mapping[str, str]) -> float:
    spots = min(MAX_SPOTS, sum(word.lower() in colours for word in words))
    return max(
        SMALLEST, _wide(clipped(" ".join(words), MAX_LETTERS)) + 2 * PADDING + spots * 3 * SPOT
    )


def _card(
    fact: str, words: Words, place: tuple[float, float, float], fill: str, style: Style
) -> str:
    """Draw a card.

    `place` is the x, y and width of the card. Each role in the fact gets a spot in its colour. A
    number gets a bar.
    """
    x, y, wide = place
    middle = y + CARD_HEIGHT / 2
    box = {"x": x, "y": y, "width": wide, "height": CARD_HEIGHT, "rx": 4}
    is_faint = fact in style.likely
    said = f"{fact} {style.likely[fact]:.0%}" if is_faint else fact
    outline: dict[str, object] = {"fill": fill, "stroke": LINE}
    if is_faint:
        outline |= {"fill_opacity": FAINTNESS, "stroke": DASHED, "stroke_dasharray": "3 2"}
    drawn = [title(said), tag("rect", **box, **outline)]
    spots = [style.colours[word.lower()] for word in words if word.lower() in style.colours]
    for index, colour in enumerate(spots[:MAX_SPOTS]):
        at = x + PADDING + SPOT + index * 3 * SPOT
        drawn.append(tag("circle", cx=at, cy=middle, r=SPOT, fill=colour, stroke=INK))
    text = clipped(" ".join(words), MAX_LETTERS)
    shift = min(len(spots), MAX_SPOTS) * 3 * SPOT
    room = wide - 2 * PADDING - shift
    size = max(1.0, min(SIZE, SIZE * (room + PADDING) / max(LETTER, _wide(text))))
    drawn.append(label(text, x + PADDING + shift + room / 2, middle, size, INK))
    # The name of a proposition is not a number.
    part = style.ranges.part(words_of(fact))
    if part is not None:
        bar = max(0.5, part * (wide - 8))
        drawn.append(tag("rect", x=x + 4, y=y + CARD_HEIGHT - 4, width=bar, height=2.5, fill=BAR))
    return tag("g", *drawn)

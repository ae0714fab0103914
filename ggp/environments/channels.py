"""The channels of planes: one for each content of a board, and one for each fact off the boards.

A point of view gives the channels an order that depends on the observing role.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import gdl
from ggp.boards.board import EMPTY, Board, Place
from ggp.boards.finding import FoundBoards, find_all, steady_facts
from ggp.boards.grids import Order, natural
from ggp.boards.plain_names import NO_NAMES, PlaceNames
from ggp.boards.stacks import find_stacks
from ggp.boards.switches import SwitchLayout
from ggp.drawing.piece_style import role_colours, styles_of
from ggp.environments.sample import Sample
from ggp.term_text import words_of

WHOLE: Final = -1
"""The place of a fact that fills a whole plane."""
NO_GROUP: Final = ""

Kind = tuple[str, str]
"""A board or layer, and one content of its cells."""
Spots = list[tuple[int, int]]

NONE: Final = -1
"""No channel: the slot is empty from this role's point of view."""
MIN_SHARE: Final = 0.95
"""A role owns a channel if its moves cause at least this share of the channel's new facts."""

Key = tuple[bool, int, tuple[str, ...]]
"""The meaning of a slot: whether it is off the boards, the owner, counted from the observing role
(0) in role order, and what it shows."""


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel, which is one plane: a content of a board, or a fact that fills the whole plane.

    Attributes:
        name: Board and content, such as `cell x`, or a fact outside the boards.
        group: The board or layer. Empty for a fact outside the boards.
        content: The content of the cells. Empty for a fact outside the boards.
        is_blank: Whether the content means that a cell is empty.
        spots: The facts that the plane shows: for each, its number and its place in the plane.
    """

    name: str
    group: str
    content: str
    is_blank: bool
    spots: tuple[tuple[int, int], ...]

    @property
    def is_on_board(self) -> bool:
        """Whether the elements of the plane are places on a board."""
        return self.group != NO_GROUP


@dataclass(frozen=True, slots=True)
class Channels:
    """All channels, those of boards first, and the names of columns and rows from index 0."""

    all: tuple[Channel, ...]
    columns: tuple[str, ...]
    rows: tuple[str, ...]


def find_channels(
    facts: Sequence[str], sample: Sample, names: PlaceNames = NO_NAMES
) -> Channels | None:
    """Return the channels of all facts of a game, or None if it has no boards.

    If boards have several sizes, only the most clearly recognised board and the boards of its size
    have channels for their contents. The facts of other boards count as facts outside the boards.
    `names` are the names that the rules have for places on the boards.
    """
    found = _find_boards(sample.states, names)
    if not found.boards:
        return None
    seen = [_cells(board, facts) for board in found.boards]
    lines = [_lines(board, cells) for board, cells in zip(found.boards, seen, strict=True)]
    columns, rows = lines[0]
    places = {
        (column, row): y * len(columns) + x
        for y, row in enumerate(rows)
        for x, column in enumerate(columns)
    }
    spots: dict[Kind, Spots] = {}
    for board, cells, own in zip(found.boards, seen, lines, strict=True):
        if tuple(map(len, own)) == (len(columns), len(rows)):
            to_first = _renamed(own, (columns, rows))
            for number, place, content in cells:
                kind = (board.layout.name, content)
                spots.setdefault(kind, []).append((number, places[to_first[place]]))
    for layer in found.layers:
        for number, fact in enumerate(facts):
            cell = layer.cell(words_of(fact))
            if cell is not None and (cell.column, cell.row) in places:
                kind = (layer.name, cell.content)
                spots.setdefault(kind, []).append((number, places[cell.column, cell.row]))
    switches = {
        board.layout.name for board in found.boards if isinstance(board.layout, SwitchLayout)
    }
    blanks = {(board.layout.name, board.blank) for board in found.boards}
    on_boards = [
        Channel(
            content if group == content or group in switches else f"{group} {content}".strip(),
            group,
            content,
            (group, content) in blanks or content.lower() in EMPTY,
            tuple(some),
        )
        for (group, content), some in _ordered(spots)
    ]
    on_a_board = {number for some in spots.values() for number, _ in some}
    others = [
        Channel(fact, NO_GROUP, NO_GROUP, False, ((number, WHOLE),))
        for number, fact in enumerate(facts)
        if number not in on_a_board
    ]
    return Channels((*on_boards, *others), columns, rows)


def _ordered(spots: dict[Kind, Spots]) -> list[tuple[Kind, Spots]]:
    """Return the items sorted by board, in the order of their discovery, and then by content."""
    groups = list(dict.fromkeys(group for group, _ in spots))
    return sorted(spots.items(), key=lambda item: (groups.index(item[0][0]), natural(item[0][1])))


def _find_boards(states: Sequence[Sequence[str]], names: PlaceNames) -> FoundBoards:
    """Return the recognised boards, even if a bundled game has its own view."""
    stacks = find_stacks(states)
    if stacks is not None:
        states = [[one for one in facts if not stacks.is_fact(one)] for facts in states]
    return find_all(states, steady_facts(states), names)


def _cells(board: Board, facts: Sequence[str]) -> list[tuple[int, Place, str]]:
    return [
        (number, place, content)
        for number, fact in enumerate(facts)
        for place, contents in board.cells([fact]).items()
        for content in contents
    ]


def _lines(board: Board, cells: Sequence[tuple[int, Place, str]]) -> tuple[Order, Order]:
    """Return the columns and rows of a board and of `cells`, which may lie beyond the seen ones."""
    columns = {column for _, (column, _), _ in cells}
    rows = {row for _, (_, row), _ in cells}
    return _line(board.columns, columns), _line(board.rows, rows)


def _line(known: Order, names: set[str]) -> Order:
    if names <= set(known):
        return known
    return tuple(sorted(names.union(known), key=natural))


def _renamed(lines: tuple[Order, Order], to: tuple[Order, Order]) -> dict[Place, Place]:
    """Map each place to the matching place on another board of the same size."""
    columns, rows = (dict(zip(mine, its, strict=True)) for mine, its in zip(lines, to, strict=True))
    return {(column, row): (columns[column], rows[row]) for column in columns for row in rows}


@dataclass(frozen=True, slots=True)
class PointsOfView:
    """The order of the channels from the point of view of each role.

    Attributes:
        names: The meaning of each slot, that is, of each plane of an observation.
        channels: For each role, in the order of the rulesheet, the channel in each slot, or NONE
            if the slot is empty.
    """

    names: tuple[str, ...]
    channels: tuple[tuple[int, ...], ...]


def find_points_of_view(
    channels: Sequence[Channel], facts: Sequence[str], roles: Sequence[gdl.Role], sample: Sample
) -> PointsOfView:
    """Return the points of view of all roles.

    A role owns the channels whose names contain its name (`(control white)`, `cell white`). It also
    owns the contents of cells that mostly its own moves cause, such as `x` or `o`. Its channels are
    matched with the channels of the other roles by the number of facts in the initial state, by the
    number of places, and by name.

    Raises:
        ValueError: The owner of a channel cannot be found, or roles own different numbers of
            channels.
    """
    players = [number for number, role in enumerate(roles) if not gdl.is_random(role)]
    names = [str(roles[number]).lower() for number in players]
    by_name = {name: index for index, name in enumerate(names)}
    templates = [_words(channel) for channel in channels]
    is_named = [any(word in by_name for word in words) for words in templates]
    owners = _owners(channels, is_named, players, names, _news(channels, facts, sample))
    first = {number for number, fact in enumerate(facts) if fact in sample.first}
    owned = _ranked(channels, owners, names, first)
    if len(players) > 1 and not owned and not any(is_named):
        raise ValueError(
            'view="mover": no fact of this game clearly belongs to one role, so the '
            'roles cannot be told apart; use view="fixed"'
        )

    def key(index: int, viewer: int) -> Key:
        is_off = not channels[index].is_on_board
        if index in owned:
            owner, rank = owned[index]
            whose = (owner - viewer) % len(players)
            return is_off, whose, (channels[index].group, f"#{rank}")
        mentioned = [by_name[word] for word in templates[index] if word in by_name]
        whose = (mentioned[0] - viewer) % len(players) if mentioned else len(players)
        words = tuple(
            f"#{(by_name[word] - viewer) % len(players)}" if word in by_name else word
            for word in templates[index]
        )
        return is_off, whose, words

    seen = [
        {key(index, viewer): index for index in range(len(channels))}
        for viewer in range(len(players))
    ]
    order: dict[Key, int] = {}
    for keys in seen:
        for one in keys:
            order.setdefault(one, len(order))
    slots = sorted(order, key=lambda one: (one[:2], order[one]))
    per_player = [tuple(keys.get(slot, NONE) for slot in slots) for keys in seen]
    return PointsOfView(
        tuple(_name(slot, [keys.get(slot) for keys in seen], channels) for slot in slots),
        tuple(per_player[players.index(r) if r in players else 0] for r in range(len(roles))),
    )


def _words(channel: Channel) -> tuple[str, ...]:
    return tuple(gdl.tokens.WORD.findall(channel.name.lower()))


def _name(slot: Key, indices: Sequence[int | None], channels: Sequence[Channel]) -> str:
    found = list(dict.fromkeys(channels[one].name for one in indices if one is not None))
    whose = slot[1]
    if whose == len(indices):
        return " or ".join(found)
    of_others = "other's" if len(indices) == 2 else f"role +{whose}'s"
    return f"{'own' if whose == 0 else of_others}: {' or '.join(found)}"


def _owners(
    channels: Sequence[Channel],
    is_named: Sequence[bool],
    players: Sequence[int],
    names: Sequence[str],
    news: Sequence[Counter[int | None]],
) -> dict[int, int]:
    """Return the owners of contents of cells that are not named after a role.

    Keys are indices of channels, and values are indices of `players`. Channels without an owner are
    left out.
    """
    if len(players) < 2:
        return {}
    open_ones = [
        index
        for index, channel in enumerate(channels)
        if channel.is_on_board and not channel.is_blank and not is_named[index]
    ]
    colours = {colour: index for index, colour in enumerate(role_colours(names).values())}
    styles = styles_of({channels[index].content for index in open_ones}, names)
    found = {}
    for index in open_ones:
        counts = news[index]
        guess = colours.get(styles[channels[index].content].fill)
        [(mover, count)] = counts.most_common(1) or [(None, 0)]
        is_unclear = counts[None] > (1 - MIN_SHARE) * counts.total()
        if mover is not None and count >= MIN_SHARE * counts.total():
            found[index] = players.index(mover)
        elif guess is not None and (is_unclear or not counts):
            found[index] = guess
        elif is_unclear:
            raise ValueError(
                f'view="mover": it is not clear which role {channels[index].name!r} '
                'belongs to, because several roles move at once; use view="fixed"'
            )
    return found


def _news(
    channels: Sequence[Channel], facts: Sequence[str], sample: Sample
) -> list[Counter[int | None]]:
    """Count each channel's new facts by the role whose choice caused them.

    The key None counts the facts that appeared when several roles had a choice.
    """
    channel_of = {
        facts[fact]: index for index, channel in enumerate(channels) for fact, _ in channel.spots
    }
    counts: list[Counter[int | None]] = [Counter() for _ in channels]
    for step in sample.steps:
        chooser = step.choosers[0] if len(step.choosers) == 1 else None
        for fact in step.new if step.choosers else ():
            if fact in channel_of:
                counts[channel_of[fact]][chooser] += 1
    return counts


def _ranked(
    channels: Sequence[Channel],
    owners: Mapping[int, int],
    names: Sequence[str],
    first: Collection[int],
) -> dict[int, tuple[int, int]]:
    found = {}
    for group in dict.fromkeys(channels[index].group for index in owners):
        of_roles: list[list[int]] = [[] for _ in names]
        for index, owner in owners.items():
            if channels[index].group == group:
                of_roles[owner].append(index)
        if len(set(map(len, of_roles))) > 1:
            things = "; ".join(
                f"{name}: {', '.join(channels[one].name for one in mine) or 'nothing'}"
                for name, mine in zip(names, of_roles, strict=True)
            )
            raise ValueError(
                'view="mover": the roles do not own equally many kinds of facts '
                f'({things}); use view="fixed"'
            )
        for owner, mine in enumerate(of_roles):
            mine.sort(key=lambda index: _likeness(channels[index], first))
            found.update({index: (owner, rank) for rank, index in enumerate(mine)})
    return found


def _likeness(channel: Channel, first: Collection[int]) -> tuple[int, int, object]:
    """Return the key by which channels are sorted, to pair those of different roles.

    It consists of the number of facts in the initial state, the number of places, and the content.
    """
    num_first = sum(fact in first for fact, _ in channel.spots)
    return num_first, len(channel.spots), natural(channel.content)

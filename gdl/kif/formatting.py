"""Format prefix KIF in a regular layout that keeps the comments.

>>> print(format_kif("(role  X) ; a role (init(cell 1 b))"), end="")
(role X)  ; a role (init(cell 1 b))
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

from gdl.errors import Source
from gdl.kif.reader import Comment, read_forms, scan
from gdl.syntax import Form, Group, Word

LINE_LENGTH = 100
INDENT = 4


def format_kif(text: str, name: str = "<text>") -> str:
    """Return the statements of `text` in a regular layout.

    A statement goes on one line if it fits into `LINE_LENGTH` columns, contains no comment, and has
    no line break after the head of a rule. Otherwise each of its conditions goes on a line of its
    own. Facts that share a line stay together, in columns if the author aligned them. Comments, the
    case of symbols and (single) blank lines between statements are kept. Formatting is idempotent.
    Raises GdlSyntaxError as `read_forms` does.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    forms = read_forms(text, name)
    tokens = scan(Source(name, text))
    page = _Page([token for token in tokens if isinstance(token, Comment)])
    for table in _tables(forms):
        widths = _widths(table)
        for row in table:
            page.write_row(row, widths)
    page.write_comments(len(text), indent=0)
    return "".join(f"{line}\n" for line in page.lines)


Row = list[Form]


def _tables(forms: Iterable[Form]) -> list[list[Row]]:
    """Group forms into tables.

    The facts of one kind on one line are a row. Rows on consecutive lines are a table if they have
    the same number of facts, of the same kind.
    """
    rows: list[Row] = []
    for form in forms:
        if rows and _is_beside(rows[-1], form):
            rows[-1].append(form)
        else:
            rows.append([form])
    tables: list[list[Row]] = []
    for row in rows:
        above = tables[-1][-1] if tables else []
        is_like = len(above) == len(row) > 1 and _head(above[0]) == _head(row[0])
        if is_like and _lines(above[-1])[1] + 1 == _lines(row[0])[0]:
            tables[-1].append(row)
        else:
            tables.append([row])
    return tables


def _head(form: Form) -> str:
    return form.head if isinstance(form, Group) else ""


def _lines(form: Form) -> tuple[int, int]:
    position = form.span.source.position
    return position(form.span.start)[0], position(max(form.span.end - 1, 0))[0]


def _is_beside(row: Row, form: Form) -> bool:
    """Return whether `form` follows a fact of the same kind on the same line.

    Return False if the line is longer than `LINE_LENGTH` or if no blank separates the facts. Such a
    line was written by a program.
    """
    before = row[-1]
    is_like = isinstance(form, Group) and form.head == _head(before) and form.head != "<="
    is_on_line = _lines(before)[1] == _lines(form)[0] == _lines(form)[1]
    has_gap = before.span.end < form.span.start
    return is_like and is_on_line and has_gap and _fits_line(form)


def _fits_line(form: Form) -> bool:
    text = form.span.source.text
    end = text.find("\n", form.span.start)
    line = text[text.rfind("\n", 0, form.span.start) + 1 : end if end >= 0 else len(text)]
    return len(line.partition(";")[0].rstrip()) <= LINE_LENGTH


def _widths(table: list[Row]) -> list[int]:
    """Return the column widths of a table, or zeros if the table is not aligned or too wide."""
    columns = list(zip(*table, strict=True))
    is_aligned = all(len({form.span.column for form in column}) == 1 for column in columns)
    widths = [max(len(str(form)) for form in column) for column in columns]
    fits = sum(widths) + len(widths) - 1 <= LINE_LENGTH
    return widths if is_aligned and fits else [0] * len(widths)


class _Page:
    """The lines written so far, and the comments that are still to be written."""

    def __init__(self, comments: list[Comment]) -> None:
        self.lines: list[str] = []
        self._comments = deque(comments)
        self._source_line = 0  # source line on which the last written item ended; 0 at first
        self._is_closed = True  # whether the next word must begin a new line

    def write_statement(self, form: Form) -> None:
        self.write_comments(form.span.start, indent=0)
        self._keep_blank_line(form)
        self._is_closed = True
        self._write(form, indent=0, closing=0)
        self._is_closed = True

    def write_row(self, row: Row, widths: Sequence[int]) -> None:
        """Write a row of statements in columns of the given widths. Wrap a row that is too long."""
        self.write_statement(row[0])
        for before, width, form in zip(row, widths, row[1:], strict=False):
            gap = " " * max(1, width - len(str(before)) + 1)
            line = f"{self.lines[-1]}{gap}{form}"
            if len(line) > LINE_LENGTH:
                self.write_statement(form)
            else:
                self.lines[-1] = line

    def write_comments(self, end: int, indent: int) -> None:
        """Write the comments that start before the offset `end`.

        A comment that follows other text on its line stays on that line and ends it.
        """
        while self._comments and self._comments[0].span.start < end:
            comment = self._comments.popleft()
            if comment.span.line == self._source_line:
                self.lines[-1] += f"  {comment.text.rstrip()}"
            else:
                if indent == 0:
                    self._keep_blank_line(comment)
                self.lines.append(" " * indent + comment.text.rstrip())
            self._source_line = comment.span.line
            self._is_closed = True

    def _keep_blank_line(self, item: Form | Comment) -> None:
        if self._source_line and item.span.line > self._source_line + 1:
            self.lines.append("")

    def _write(self, form: Form, indent: int, closing: int) -> None:
        if isinstance(form, Word) or self._fits(form, indent, closing):
            self._put(str(form), indent)
        else:
            self._put("(", indent)
            self._source_line = form.span.line
            self._write_items(form, indent + INDENT, closing + 1)
            self._put(")", indent, blank=False)
        self._source_line = form.span.source.position(max(form.span.end - 1, 0))[0]

    def _write_items(self, group: Group, indent: int, closing: int) -> None:
        beside = 2 if group.head == "<=" else 1  # how many items stay on the first line
        last = len(group.items) - 1
        for index, item in enumerate(group.items):
            self.write_comments(item.span.start, indent)
            if index >= beside:
                self._is_closed = True
            self._write(item, indent, closing if index == last else 0)
        self.write_comments(group.span.end, indent)

    def _fits(self, form: Group, indent: int, closing: int) -> bool:
        if self._comments and self._comments[0].span.start < form.span.end:
            return False
        if _has_open_layout(form):
            return False
        column = indent if self._is_closed else len(self.lines[-1]) + 1
        return column + len(str(form)) + closing <= LINE_LENGTH

    def _put(self, text: str, indent: int, *, blank: bool = True) -> None:
        if self._is_closed:
            self.lines.append(" " * indent + text)
        else:
            is_first = not blank or self.lines[-1].endswith("(")
            self.lines[-1] += text if is_first else f" {text}"
        self._is_closed = False


def _has_open_layout(form: Group) -> bool:
    if form.head != "<=" or len(form.items) < 3:
        return False
    head, condition = form.items[1:3]
    position = form.span.source.position
    return position(head.span.end)[0] < position(condition.span.start)[0]

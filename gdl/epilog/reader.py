"""Parser for Epilog. It builds the forms of prefix KIF.

    >>> [str(form) for form in read_forms("p(a) r(X) :- p(X) & ~q(X,_)")]
    ['(p a)', '(<= (r ?x) (p ?x) (not (q ?x ?_1)))']

Operators are kept on an explicit stack until their operands have been read (Dijkstra's shunting
yard algorithm). So parsing takes linear time, and excessive nesting is an error. An operation
`a :: c ==> e & ~f` becomes `(:: a c e (not f))`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from gdl.epilog.tokens import Renaming, Token, TokenKind, kif_variable, scan
from gdl.errors import GdlSyntaxError, Source, Span
from gdl.syntax import MAX_DEPTH, Form, Group, Word

MAX_ERRORS = 20  # in one text, because further errors are usually consequences of earlier ones
OPERATION = "::"
CONS = "cons"
NIL = "nil"

_STRENGTH = {":-": 0, "::": 0, "==>": 1, "|": 2, "&": 3, "~": 4, "!": 5}
_KEYWORDS = {":-": "<=", "::": "::", "==>": "==>", "|": "or", "&": "and", "~": "not", "!": CONS}
_SENTENCE_MARKS = (":-", "::", "==>")
_CLOSING = {"(": ")", "[": "]"}


def read_forms(text: str, name: str = "<text>") -> tuple[Form, ...]:
    """Parse the sentences of an Epilog text into forms of prefix KIF, with their spans in the text.

    Variables are spelled `?x` for `X`, and each `_` is a separate variable. Lists are built of
    `(cons head tail)` and `nil`. The parser also accepts two things that are not Epilog: sentences
    that end with a full stop, as in Prolog, and a list of all sentences, as in a message.

    Raises:
        GdlSyntaxError: The text is not Epilog, or nests deeper than `MAX_DEPTH`.
    """
    forms, errors = read_faulty_forms(text, name, max_errors=1)
    if errors:
        raise errors[0]
    return forms


def read_faulty_forms(
    text: str, name: str = "<text>", max_errors: int = MAX_ERRORS
) -> tuple[tuple[Form, ...], tuple[GdlSyntaxError, ...]]:
    """Return the readable sentences of an Epilog text and its first `max_errors` syntax errors.

    After an error, parsing continues with the next sentence that begins in column 1.
    """
    tokens, errors = scan(Source(name, text))
    if errors:  # parsing the sentences around them would report false errors
        return (), tuple(errors[:max_errors])
    separators = [".", ","] if _is_listed(tokens) else ["."]
    forms: list[Form] = []
    position = 0
    while tokens[position].kind is not TokenKind.END and len(errors) < max_errors:
        if tokens[position].kind is TokenKind.MARK and tokens[position].text in separators:
            position += 1
            continue
        sentence = _Sentence(tokens, position, separators)
        try:
            forms.append(sentence.read())
            position = sentence.position
        except GdlSyntaxError as error:
            errors.append(error)
            position = _next_sentence(tokens, position, error)
    return tuple(forms), tuple(errors)


def _next_sentence(tokens: list[Token], start: int, error: GdlSyntaxError) -> int:
    assert error.span is not None
    for index in range(start + 1, len(tokens)):
        token = tokens[index]
        is_first = token.is_name and token.span.column == 1
        if token.kind is TokenKind.END or (is_first and token.span.start >= error.span.start):
            return index
    return len(tokens) - 1


def _is_listed(tokens: list[Token]) -> bool:
    is_listed = len(tokens) > 2 and tokens[0].text == "[" and tokens[-2].text == "]"
    if is_listed:
        del tokens[-2], tokens[0]
    return is_listed


@dataclass(slots=True, eq=False)
class _Operand:
    form: Form
    depth: int


@dataclass(slots=True, eq=False)
class _Operator:
    """Operator on the stack, or open bracket."""

    token: Token
    first_operand: int  # index of the first operand inside an open bracket
    function: Token | None = None  # the symbol in front of a parenthesis with arguments

    @property
    def is_open(self) -> bool:
        return self.token.text in _CLOSING

    @property
    def strength(self) -> int:
        return -1 if self.is_open else _STRENGTH[self.token.text]


@dataclass(slots=True, eq=False)
class _Sentence:
    """Parser for the one sentence that starts at `position`."""

    tokens: list[Token]
    position: int
    separators: list[str]
    operands: list[_Operand] = field(default_factory=list)
    operators: list[_Operator] = field(default_factory=list)
    num_open: int = 0
    num_nested: int = 0  # open brackets and pending `~`
    variables: Renaming = field(default_factory=lambda: Renaming(kif_variable))
    num_unnamed: int = 0

    def read(self) -> Form:
        self._read_operand()
        while not self._is_at_end():
            if self._read_operator():
                self._read_operand()
        self._reduce(0)
        return self.operands[0].form

    def _is_at_end(self) -> bool:
        token = self.tokens[self.position]
        if self.num_open:
            if token.kind is TokenKind.END:
                opened = next(entry for entry in reversed(self.operators) if entry.is_open)
                raise GdlSyntaxError(f"this {opened.token} is never closed", opened.token.span)
            return False
        if token.kind is TokenKind.MARK:
            if token.text in (")", "]"):
                raise GdlSyntaxError(f"this {token} closes nothing; remove it", token.span)
            return token.text == "~" or token.text in self.separators
        return True

    def _read_operand(self) -> None:
        while True:
            token = self.tokens[self.position]
            if token.kind is TokenKind.MARK:
                if not self._read_opening(token):
                    return
            elif token.kind is TokenKind.END:
                raise GdlSyntaxError(f"expected a term, got {token}", token.span)
            elif not self._read_word(token):
                return

    def _read_opening(self, token: Token) -> bool:
        """Read `~`, `(` or `[`, or empty conditions before `==>`.

        Return whether an operand must follow.
        """
        if token.text == "==>" and self.operators and self.operators[-1].token.text == OPERATION:
            nothing = Span(token.span.source, token.span.start, token.span.start)
            self._push(Group((Word("and", nothing),), nothing), 1)
            return False
        if token.text not in ("~", "(", "["):
            raise GdlSyntaxError(f"expected a term, got {token}", token.span)
        self.position += 1
        if token.text == "[" and self.tokens[self.position].text == "]":
            self.position += 1
            self._push(Word(NIL, token.span), 0)
            return False
        self._open(_Operator(token, len(self.operands)))
        return True

    def _open(self, operator: _Operator) -> None:
        self.num_open += operator.is_open
        self.num_nested += 1
        if self.num_nested > MAX_DEPTH:
            raise _too_deep(operator.token.span)
        self.operators.append(operator)

    def _read_word(self, token: Token) -> bool:
        self.position += 1
        bracket = self.tokens[self.position]
        is_call = token.is_name and bracket.kind is TokenKind.MARK and bracket.text == "("
        if not is_call:
            self._push(Word(self._spelled(token), token.span), 0)
            return False
        self.position += 1
        closing = self.tokens[self.position]
        if closing.kind is TokenKind.MARK and closing.text == ")":
            self.position += 1
            self._push(Group((Word(token.text, token.span),), _cover(token.span, closing.span)), 1)
            return False
        self._open(_Operator(bracket, len(self.operands), token))
        return True

    def _spelled(self, token: Token) -> str:
        if token.kind is not TokenKind.VARIABLE:
            return token.text
        if token.text == "_":
            self.num_unnamed += 1
            return f"?_{self.num_unnamed}"
        return self.variables.of(token.text)

    def _read_operator(self) -> bool:
        token = self.tokens[self.position]
        if token.kind is not TokenKind.MARK or token.text in ("~", "(", "[", "."):
            raise GdlSyntaxError(f"expected {self._expected()}, got {token}", token.span)
        self.position += 1
        if token.text in (")", "]"):
            self._close(token)
            return False
        if token.text == ",":
            self._reduce(0)
            if not self._is_in_list():
                raise GdlSyntaxError(f"expected {self._expected()}, got {token}", token.span)
            return True
        if token.text in _SENTENCE_MARKS:
            self._check_sentence_mark(token)
        self._reduce(_STRENGTH[token.text] + 1)
        self.operators.append(_Operator(token, len(self.operands)))
        return True

    def _is_in_list(self) -> bool:
        if not self.operators:
            return False
        top = self.operators[-1]
        return top.function is not None or top.token.text == "["

    def _expected(self) -> str:
        opened = next((entry for entry in reversed(self.operators) if entry.is_open), None)
        if opened is None:
            return "'&', '|' or the next sentence"
        closing = _CLOSING[opened.token.text]
        is_list = opened.function is not None or opened.token.text == "["
        return f"',' or '{closing}'" if is_list else f"'&', '|' or '{closing}'"

    def _check_sentence_mark(self, token: Token) -> None:
        waiting = [entry.token.text for entry in self.operators]
        if self.num_open:
            raise GdlSyntaxError(f"{token} cannot stand inside parentheses", token.span)
        if token.text == "==>":
            if OPERATION not in waiting or "==>" in waiting:
                message = "expected an operation 'action :: conditions ==> effects' around '==>'"
                raise GdlSyntaxError(message, token.span)
        elif waiting:
            raise GdlSyntaxError(
                f"expected a single atom before {token}, without other operators", token.span
            )

    def _close(self, token: Token) -> None:
        self._reduce(0)
        opened = self.operators.pop()
        if _CLOSING[opened.token.text] != token.text:
            expected = _CLOSING[opened.token.text]
            message = f"expected '{expected}' for the '{opened.token.text}' at"
            raise GdlSyntaxError(f"{message} {opened.token.span}, got {token}", token.span)
        self.num_open -= 1
        self.num_nested -= 1
        parts = self.operands[opened.first_operand :]
        del self.operands[opened.first_operand :]
        if opened.function is not None:
            word = Word(opened.function.text, opened.function.span)
            self._build(
                (word, *(part.form for part in parts)), parts, _cover(word.span, token.span)
            )
        elif opened.token.text == "[":
            end = Word(NIL, token.span)
            self._build_list([*parts, _Operand(end, 0)])
        else:
            self.operands.append(parts[0])

    def _reduce(self, strength: int) -> None:
        while self.operators and self.operators[-1].strength >= strength:
            mark = self.operators.pop().token
            if mark.text == "~":
                self._build_negation(mark)
                continue
            count = 2  # `a & b & c` is one conjunction, so combine equal marks
            while self.operators and self.operators[-1].token.text == mark.text:
                self.operators.pop()
                count += 1
            parts = self.operands[-count:]
            del self.operands[-count:]
            self._build_infix(mark, parts)

    def _build_negation(self, mark: Token) -> None:
        self.num_nested -= 1
        part = self.operands.pop()
        span = _cover(mark.span, part.form.span)
        self._build((Word("not", mark.span), part.form), [part], span)

    def _build_infix(self, mark: Token, parts: list[_Operand]) -> None:
        if mark.text == "!":
            self._build_list(parts)
            return
        forms = [part.form for part in parts]
        span = _cover(forms[0].span, forms[-1].span)
        word = Word(_KEYWORDS[mark.text], mark.span)
        if mark.text == ":-":
            forms[1:] = conjuncts(forms[1])
        elif mark.text == "::":
            forms[1:] = _conditions_and_effects(forms[1])
        self._build((word, *forms), parts, span)

    def _build_list(self, parts: list[_Operand]) -> None:
        tail = parts.pop()
        while parts:
            head = parts.pop()
            span = _cover(head.form.span, tail.form.span)
            form = Group((Word(CONS, head.form.span), head.form, tail.form), span)
            tail = _Operand(form, 1 + max(head.depth, tail.depth))
        self._push(tail.form, tail.depth)

    def _build(self, items: tuple[Form, ...], parts: list[_Operand], span: Span) -> None:
        self._push(Group(items, span), 1 + max(part.depth for part in parts))

    def _push(self, form: Form, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise _too_deep(form.span)
        self.operands.append(_Operand(form, depth))


def conjuncts(form: Form) -> tuple[Form, ...]:
    """Return the parts of a conjunction. Any other form is a conjunction of one part."""
    if isinstance(form, Group) and form.head == "and":
        return form.items[1:]
    return (form,)


def _conditions_and_effects(form: Form) -> tuple[Form, ...]:
    if isinstance(form, Group) and form.head == "==>":
        return (form.items[1], *conjuncts(form.items[2]))
    nothing = Span(form.span.source, form.span.start, form.span.start)
    return (Group((Word("and", nothing),), nothing), *conjuncts(form))


def _cover(first: Span, last: Span) -> Span:
    return Span(first.source, first.start, last.end)


def _too_deep(span: Span) -> GdlSyntaxError:
    return GdlSyntaxError(f"terms nest deeper than {MAX_DEPTH}", span)

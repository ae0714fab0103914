"""Answers in one sentence: what was asked, and the underlying cause."""

from __future__ import annotations

from collections.abc import Sequence

from gdl.kif import read_forms
from gdl.syntax import Form, Group
from gdl.why.reason import Kind, Reason, moment

_MAX_STEPS = 8  # number of levels of conditions to follow
_MAX_NAMED = 3  # number of conditions of a rule to name
_MAX_NEAR = 2


def sentence_of(question: str, turn: int, reasons: Sequence[Reason], *, holds: bool) -> str:
    """Return the answer as a sentence.

    Args:
        question: The question as prefix KIF.
        turn: The number of joint moves before the state.
        reasons: The reasons of the answer.
        holds: Whether the question is true.
    """
    because = _holding(reasons[0]) if reasons[0].holds else _missing(reasons[0], turn)
    more = f" ({len(reasons)} instances hold)" if len(reasons) > 1 else ""
    cause = f", because {because}" if because else ""
    is_open = holds and "?" in question  # then show the values of the variables
    asked = reasons[0].fact if is_open else question
    return f"{_said(asked, holds=holds)} {moment(turn)}{cause}{more}."


def _said(question: str, *, holds: bool) -> str:
    [form] = read_forms(question)
    if isinstance(form, Group) and form.head == "legal" and len(form.items) == 3:
        return f"{form.items[2]} is {'' if holds else 'not '}legal for {form.items[1]}"
    if str(form) == "terminal":
        return f"the game is {'' if holds else 'not '}over"
    return f"{question} {'holds' if holds else 'does not hold'}"


def _holding(reason: Reason) -> str:
    if reason.kind is Kind.RULE and reason.conditions:
        texts = [_plain(condition.text) for condition in reason.conditions]
        more = len(texts) - _MAX_NAMED
        named = [*texts[:_MAX_NAMED], *([f"{more} more"] if more > 0 else [])]
        listed = ", ".join(named[:-1]) + (" and " if len(named) > 1 else "") + named[-1]
        return f"{listed} {'holds' if len(named) == 1 else 'hold'}"
    if reason.kind is Kind.STATE:
        return "it is in the state"
    if reason.kind is Kind.FACT:
        return "the rules have it as a fact"
    return "" if reason.kind in (Kind.RULE, Kind.CHOICE) else f"it is {reason.kind}"


def _missing(reason: Reason, turn: int) -> str:
    """Return a text with the first condition that fails, and the last cause of this that was found.

    Parts of the text about an earlier state are in the past tense and name that state.
    """
    causes: list[str] = []
    for _ in range(_MAX_STEPS):
        below = _below(reason, turn)
        if below is None:
            cause = _end(reason, turn)
            if cause and causes[-1:] == [f"{_plain(reason.fact)} does not hold"]:
                causes.pop()  # the last cause says the same in more detail
            if cause and cause not in causes:
                causes.append(cause)
            break
        text, following = below
        if following is None:
            causes.append(text)
            break
        if following.holds:  # a fact that must not hold does
            causes.append(_dated(_plain(following.fact), "holds", "held", following.turn, turn))
            break
        if following.kind is Kind.ABSENT:
            causes.append(_end(following, turn))
        elif text:
            causes.append(text)
        reason = following
        if len(reason.attempts) > 1:  # several rules failed, and it is unknown which was intended
            break
    return ", as ".join([*causes[:1], *causes[-1:]] if len(causes) > 1 else causes)


def _dated(fact: str, now: str, then: str, turn: int, asked: int) -> str:
    """Return a phrase about a fact: `now` if it is about the state in question, else `then`."""
    return f"{fact} {now}" if turn == asked else f"{fact} {then} {moment(turn)}"


def _below(reason: Reason, turn: int) -> tuple[str, Reason | None] | None:
    """Return a phrase about the failing condition, and its reason. Return None if there is none."""
    if reason.kind is Kind.FAILED and reason.attempts:
        failed = reason.attempts[0].failed
        text = _plain(failed.text)
        said = _dated(text, "does not hold", "did not hold", reason.turn, turn)
        return said, failed.reason
    before = reason.before
    if _is_lost(reason):
        return None
    # "No rule makes it" adds nothing to the statement that a fact is absent.
    if reason.kind is Kind.ABSENT and before is not None and before.kind is Kind.FAILED:
        return "", before
    return None


def _is_lost(reason: Reason) -> bool:
    """Return whether a fact is gone because no rule kept it.

    Either nothing similar replaced it, or all rules that make it need a move that no role made.
    """
    if reason.last is None or reason.before is None:
        return False
    causes = [attempt.failed.reason for attempt in reason.before.attempts]
    return not reason.near or all(it is not None and it.kind is Kind.NOT_MADE for it in causes)


def _gone(reason: Reason, turn: int) -> str:
    fact = _plain(reason.fact)
    if _is_lost(reason) and reason.last is not None:
        return f"{fact} was there {moment(reason.last)}, but no rule kept it"
    said = _dated(fact, "is not in the state", "was not there", reason.turn, turn)
    if not reason.near:
        return said
    there = "there is" if reason.turn == turn else "there was"
    return f"{said} ({there} {', '.join(reason.near[:_MAX_NEAR])})"


def _end(reason: Reason, turn: int) -> str:
    fact = _plain(reason.fact)
    if reason.kind is Kind.ABSENT:
        return _gone(reason, turn)
    if reason.kind is Kind.NO_RULE:
        return "" if reason.fact.startswith("(init ") else f"there is no {fact}"
    if reason.kind is Kind.NOT_MADE:
        return f"no role {'makes' if reason.turn == turn else 'made'} the move {fact}"
    if reason.turn != turn and reason.kind in (Kind.FAILED, Kind.DEEP):
        return f"{fact} did not hold {moment(reason.turn)}"
    return f"{fact} {reason.kind}"


def _plain(text: str) -> str:
    """Return a condition without the keyword `true`."""
    [form] = read_forms(text)
    return _without_true(form)


def _without_true(form: Form) -> str:
    if not isinstance(form, Group) or len(form.items) != 2:
        return str(form)
    if form.head == "true":
        return str(form.items[1])
    return f"(not {_without_true(form.items[1])})" if form.head == "not" else str(form)

"""Matches with a language model, through the real referee and real HTTP, whatever it says."""

from __future__ import annotations

import dataclasses
import itertools
import json

import pytest
from aiohttp import web

import gdl
from ggp.rulesheets import NamedGame, find_game
from ggp.seating.contestant import SeatReports, contestants_named
from ggp.seating.series import SeriesMatch, Terms, play_series
from tests.fakes.chat import Asked, Chat, Endless, Late, Reply, Speak, chatting, completion
from tests.fakes.clock import FakeClock, fake_clock
from tests.ggp.manager.hosting.test_foreign import SECRET

__all__ = ["fake_clock"]

pytestmark = pytest.mark.usefixtures("fake_clock")

KEY = "sk-not-for-anybody"


@dataclasses.dataclass
class Played:
    """A match, the requests of its endpoint, and what was said besides."""

    sitting: SeriesMatch
    chat: Chat
    notes: list[str]
    warnings: list[str]

    @property
    def errors(self) -> list[str]:
        """What went wrong with the model's answers, one a turn."""
        return [row[0] for row in self.sitting.record.errors[1:]]  # after START

    @property
    def printed(self) -> str:
        """The transcript of the model."""
        return "\n".join(row[0] for row in self.sitting.record.printed)


async def _played(
    speak: Speak, game: NamedGame | None = None, options: str = "", move_limit: int | None = None
) -> Played:
    game = game or find_game("ticTacToe")
    chat, notes, warnings = Chat(speak), list[str](), list[str]()
    async with chatting(chat) as spec:
        contestants = await contestants_named([spec + options, "legal"], "ggp-base", notes.append)
        terms = Terms(startclock=1, playclock=1, seed=1, move_limit=move_limit)
        reports = SeatReports(notes.append, warnings.append, notes.append)
        series = play_series(game, contestants, terms, lambda _, __: None, reports)
        [sitting] = [one async for one in series]
    return Played(sitting, chat, notes, warnings)


def _well(asked: Asked) -> Reply:
    return f"The last one looks good.\nMOVE: {asked.legal[-1]}"


async def test_a_model_that_answers_well_plays_the_moves_it_names() -> None:
    """One request a turn in which there is a choice; tokens and the transcript are kept."""
    played = await _played(_well)

    assert played.sitting.record.is_completed
    assert not any(played.errors)
    num_asked = len(played.chat.asked)
    own = [row[0] for row in played.sitting.record.moves if row[0] != "noop"]
    assert own == [asked.legal[-1] for asked in played.chat.asked]
    assert "> Facts of the state:" in played.printed
    assert "< The last one looks good." in played.printed
    [summary] = [note for note in played.notes if "turns asked:" in note]
    assert f"turns asked: {num_asked}, requests: {num_asked}," in summary
    assert f"tokens in: {100 * num_asked}, out: {10 * num_asked};" in summary


async def test_a_model_is_told_the_rules_the_role_the_history_and_the_state() -> None:
    """The rules as the system's message, the rest in the question of the turn."""
    played = await _played(_well)

    system, question = played.chat.asked[1].body["messages"]
    assert system["role"] == "system"
    assert "(role xplayer)" in system["content"]
    assert "You are the role xplayer" in system["content"]
    first = played.sitting.record.moves[0]
    assert f"1. xplayer: {first[0]}, oplayer: {first[1]}" in question["content"]
    assert "(control xplayer)" in question["content"]


async def test_an_illegal_move_is_explained_and_may_be_mended() -> None:
    """The second answer counts; the record has no error, the summary has both counts."""

    def speak(asked: Asked) -> Reply:
        return "MOVE: (mark 9 9)" if len(asked.body["messages"]) == 2 else _well(asked)

    played = await _played(speak)

    assert not any(played.errors)
    again = played.chat.asked[1]
    assert "read as: (mark 9 9)" in again.last
    assert "(mark 3 3)" in again.last
    num_turns = len(played.chat.asked) // 2
    [summary] = [note for note in played.notes if "turns asked:" in note]
    assert f"illegal answers: {num_turns} (turns mended by a rethink: {num_turns})" in summary


async def test_a_model_that_is_never_legal_has_random_moves_made_for_it() -> None:
    """After three rethinks; the error is recorded as of any player."""
    played = await _played(lambda _: "MOVE: (mark 9 9)", move_limit=1)

    assert len(played.chat.asked) == 4
    assert played.errors == ["IL ( mark 9 9 )"]
    assert played.sitting.record.moves[0][0].startswith("(mark ")


async def test_rethinks_are_an_option() -> None:
    """With none, the first answer counts."""
    played = await _played(lambda _: "no idea", options=",rethinks=0", move_limit=1)

    assert len(played.chat.asked) == 1
    assert played.errors == ["IL null"]


async def test_a_late_answer_is_cut_off_before_the_playclock_ends(fake_clock: FakeClock) -> None:
    """It is `TO` and not illegal, and the transcript of the turn is kept."""
    played = await _played(lambda _: Late(30.0), move_limit=1)

    assert fake_clock.elapsed < 10
    assert played.errors == ["TO"]
    assert played.sitting.seconds[0][0] < 1.0
    assert "late: the clock has run out" in played.printed
    assert any("late: 1" in note for note in played.notes)


@pytest.mark.parametrize(
    "prose",
    [
        "I like **{}**, so that is it.",
        "MOVE: {} since the corner is strong.",
        "move: `{}`.",
        "**MOVE:** ({})",
    ],
)
async def test_a_move_with_words_around_it_is_found(prose: str) -> None:
    """No request is lost on the form of an answer."""
    played = await _played(lambda asked: prose.format(asked.legal[0].upper()), move_limit=1)

    assert not any(played.errors)
    assert [row[0] for row in played.sitting.record.moves] == [played.chat.asked[0].legal[0]]


PASSING = {
    "not JSON": lambda: web.Response(text="<html>busy</html>"),
    "a list": lambda: web.Response(text="[1]"),
    "no choice": lambda: web.Response(text='{"choices": []}'),
    "deep": lambda: web.Response(text="[" * 200_000),
    "an error of the server": lambda: web.Response(status=500, text="oops"),
    "too many requests": lambda: web.Response(status=429, headers={"Retry-After": "0.1"}),
}


@pytest.mark.parametrize("name", PASSING)
async def test_what_may_pass_is_asked_again(name: str) -> None:
    """Within the clock: the answer that comes then counts."""
    tries = itertools.count()
    played = await _played(
        lambda asked: PASSING[name]() if next(tries) == 0 else _well(asked), move_limit=1
    )

    assert len(played.chat.asked) == 2
    assert not any(played.errors)
    assert not played.warnings


async def test_an_endpoint_that_only_says_nonsense_leaves_the_match_to_go_on() -> None:
    """To its end; the answers are missing, neither late nor illegal, and one warning says why."""
    played = await _played(lambda _: web.Response(text="<html>"))

    assert played.sitting.record.is_completed
    assert {"CE", "TO"} & set(played.errors)  # late only on a busy machine
    assert len(played.warnings) == 1
    assert "expected JSON, got: <html>" in played.warnings[0]


async def test_an_endless_response_is_cut_off() -> None:
    """At a megabyte; it is not asked for again."""
    played = await _played(lambda _: Endless(), move_limit=1)

    assert len(played.chat.asked) == 1
    assert played.errors == ["CE"]
    assert "at most 1,000,000 bytes" in played.warnings[0]


async def test_an_answer_without_text_is_one_without_a_move() -> None:
    """A model that thinks until its tokens are used up has no content; half a character is none."""
    bodies = iter(['{"content": null}', '{"content": "\\ud800"}'])

    def speak(asked: Asked) -> Reply:
        message = next(bodies, None)
        if message is None:
            return _well(asked)
        return web.Response(text=f'{{"choices": [{{"message": {message}}}]}}')

    played = await _played(speak, move_limit=1)

    assert len(played.chat.asked) == 3
    assert "Your answer names no move" in played.chat.asked[1].last
    assert not any(played.errors)
    played.printed.encode()


async def test_a_refusal_is_not_asked_again_and_its_reason_is_said() -> None:
    """Such as a wrong key."""
    body = json.dumps({"error": {"message": "no such model"}})
    played = await _played(lambda _: web.Response(status=404, text=body), move_limit=1)

    assert len(played.chat.asked) == 1
    assert played.errors == ["CE"]
    assert "HTTP 404: no such model" in played.warnings[0]


async def test_the_key_is_a_bearer_token_and_is_nowhere_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Not even where the endpoint repeats it, in an answer or in an error."""
    monkeypatch.setenv("GGP_LLM_KEY", KEY)
    tries = itertools.count()

    def speak(asked: Asked) -> Reply:
        if next(tries) % 2:
            return completion(f"{asked.authorization}\nMOVE: {KEY}")
        # Spelt so that it is the key only once the JSON is read.
        spelt = f"wrong key {asked.authorization}".replace("-", "\\u002d")
        return web.Response(status=401, text=f'{{"error": {{"message": "{spelt}"}}}}')

    played = await _played(speak)

    assert {asked.authorization for asked in played.chat.asked} == {f"Bearer {KEY}"}
    said = [json.dumps(played.sitting.record.to_json()), *played.notes, *played.warnings]
    assert not any(KEY in text for text in said)
    assert "[key]" in said[0]
    assert not any(KEY in json.dumps(asked.body["messages"]) for asked in played.chat.asked)


async def test_options_go_out_with_each_request() -> None:
    """And only those that were given."""
    played = await _played(_well, options=",model=small,temperature=0.5", move_limit=1)

    body = played.chat.asked[0].body
    assert (body["model"], body["temperature"]) == ("small", 0.5)
    assert "max_tokens" not in body


async def test_in_a_hidden_game_a_model_is_told_its_percepts_and_own_moves_only() -> None:
    """Neither the others' moves nor the state."""
    rulesheet = gdl.read_kif(SECRET)
    game = NamedGame("secret", rulesheet, gdl.load(rulesheet, "interpreter"))
    played = await _played(_well, game)

    assert played.sitting.record.moves[0] == ("noop", "(hide 1)")
    [asked] = played.chat.asked
    question = asked.last
    assert "1. you: noop; you saw: hidden" in question
    assert "hide" not in question.replace("hidden", "")
    assert "Facts of the state" not in question
    assert not any(fact in question for fact in played.sitting.record.states[1])

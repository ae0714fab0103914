"""Tools for matches, independent of the protocol. Each answer consists of data and a short text."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any, Final

from ggp.mcp_server.beliefs import Beliefs
from ggp.mcp_server.bounds import MAX_FACTS, ServerBounds
from ggp.mcp_server.known_rules import RulesStore
from ggp.mcp_server.matches import HeldMatch
from ggp.mcp_server.refusals import Code, RefusalError
from ggp.mcp_server.rules_tools import Answer, RulesTools
from ggp.mcp_server.search_tools import SearchTools
from ggp.mcp_server.searches import Searches
from ggp.mcp_server.seats import CALL_STATE, GivenMoves, MatchHandle, MatchStore
from ggp.naming.reading import Ambiguous, Understood
from ggp.processes.children import OwnsProcesses
from ggp.processes.tasks import cancel
from ggp.sandbox import SandboxError, SandboxPool, SandboxQuestionError, position_questions

SWEEP_SECONDS: Final = 10.0
REASON_SECONDS: Final = 5.0
REASON_LINES: Final = 12


class MatchTools(OwnsProcesses):
    """The state that the server keeps for its clients, and the tools that work on it."""

    def __init__(self, bounds: ServerBounds) -> None:
        self._bounds = bounds
        self._sandboxes = SandboxPool(bounds.num_sandboxes, patience=bounds.patience_seconds)
        self.rules = RulesStore(self._sandboxes, bounds)
        self.rules_tools = RulesTools(self.rules, self._sandboxes)
        self.matches = MatchStore(bounds)
        self._beliefs = Beliefs(bounds)
        self._searches = Searches(bounds)
        self.search_tools = SearchTools(self.matches, self._searches, self.play)
        self._sweeper: asyncio.Task[None] | None = None

    async def __aenter__(self) -> MatchTools:
        self._sweeper = asyncio.create_task(self._sweep())
        return self

    async def close(self) -> None:
        """End all processes."""
        await cancel(self._sweeper)
        await self._searches.close()
        await self._beliefs.close()
        await self.rules.close()
        await self._sandboxes.close()

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            self.matches.forget_idle()
            await self.rules.forget_idle(self.matches.rules)
            await self._searches.rest()
            await self._beliefs.rest(self.matches.all)

    async def new_match(self, handle: str, seed: int | None) -> Answer:
        """Start a match. Return its handle and state, or a handle for each role."""
        rules = await self.rules.find(handle)
        handles = self.matches.begin(rules, seed)
        found: dict[str, Any] = {"rules": rules.handle, "roles": list(rules.roles)}
        if None in handles:
            state, text = await self.state(handles[None])
            return {**found, **state}, text
        match = self.matches.find(next(iter(handles.values()))).match
        async with match.turn_lock:
            await match.play_forced(self._bounds)
        seats = {str(role): one for role, one in handles.items()}
        text = "\n".join(f"{role}: {one}" for role, one in seats.items())
        return {**found, "seats": seats}, f"Each role has a handle of its own:\n{text}"

    async def state(self, handle: str) -> Answer:
        """Return the state of a match, as far as the handle reveals it."""
        seat = self.matches.find(handle)
        match, looks = seat.match, await seat.match.rules.looks()
        found: dict[str, Any] = {
            "match": handle,
            "turn": seat.turn,
            "to_move": list(seat.to_move),
            "is_over": match.is_over,
            "goals": match.goals if match.is_over else None,
            "picture": f"ggp://matches/{handle}/picture",
        }
        if seat.role is not None:
            seen = match.seen_by(seat.role)
            belief = await self._beliefs.likely(match, seat.role)
            found |= {
                "role": seat.role,
                "seen": [{"move": move, "percepts": list(saw)} for move, saw in seen],
                "likely": belief,
            }
            lines = looks.belief_lines(belief)
        else:
            facts = match.position.facts
            before = match.positions[-2].facts if match.moves else None
            found |= {
                "facts": list(facts[:MAX_FACTS]),
                "more_facts": max(0, len(facts) - MAX_FACTS),
                "last_move": list(match.moves[-1]) if match.moves else None,
            }
            lines = looks.lines(facts, before)
        found["board"] = "\n".join(lines)
        return found, "\n".join([*lines, _standing(seat), f"match {handle}"])

    async def legal_moves(self, handle: str, role: str | None, offset: int, limit: int) -> Answer:
        """Return a page of the legal moves of a role."""
        seat = self.matches.find(handle)
        match = seat.match
        acting = seat.acting_role(role)
        legal = seat.legal(acting)
        looks = await match.rules.looks()
        names = looks.names.write(legal, _known_facts(seat))
        page = [{"move": one, "name": names[one]} for one in legal[offset : offset + limit]]
        following = offset + limit if offset + limit < len(legal) else None
        found = {"role": acting, "total": len(legal), "moves": page, "next_offset": following}
        lines = [f"{one['move']}: {one['name']}" for one in page]
        return found, "\n".join([f"{acting} has {len(legal)} legal moves", *lines])

    async def play(
        self,
        handle: str,
        move: str | None,
        role: str | None,
        moves: GivenMoves,
        turn: int | None,
    ) -> Answer:
        """Make moves for one or several roles. Return the state after them."""
        seat = self.matches.find(handle)
        match = seat.match
        async with match.turn_lock:
            if seat.role is not None:
                await match.play_forced(
                    self._bounds
                )  # forced turns are left only if the rules failed in an earlier call
            self._require_turn(seat, turn)
            before = seat.turn
            given = seat.moves_by_role(moves)
            if move is not None:
                given[role or seat.acting_role(None)] = move
            choices, notes = await self._choices(seat, given)
            await match.play(choices, self._bounds)
            is_made = match.is_over or seat.turn > before
        state, text = await self.state(handle)
        waits = "" if is_made or seat.role else f"Waiting for {', '.join(match.waiting_for)}."
        played = {"played": choices, "is_made": is_made, "understood": notes}
        return {**state, **played}, "\n".join(filter(None, [*notes, waits, text]))

    async def _choices(
        self, seat: MatchHandle, given: Mapping[str, str]
    ) -> tuple[dict[str, str], list[str]]:
        """Return, by role, the legal move that each text refers to, and how it was understood."""
        choices, notes = dict[str, str](), list[str]()
        for name, text in given.items():
            acting = seat.acting_role(name)
            choices[acting], said = await self._read(seat, acting, text)
            notes.append(f"{acting}: {said}")
        return choices, notes

    def _require_turn(self, seat: MatchHandle, turn: int | None) -> None:
        if seat.match.is_over:
            back = "" if seat.role is not None else "Call undo to go back, or "
            raise RefusalError(Code.NOT_NOW, "the game is over", f"{back}new_match to start again.")
        if turn is not None and turn != seat.turn:
            cure = "Call state: another client has moved in this match."
            raise RefusalError(Code.NOT_NOW, f"it is turn {seat.turn}, not turn {turn}", cure)
        seat.require_choice()

    async def _read(self, seat: MatchHandle, role: str, text: str) -> tuple[str, str]:
        """Return the legal move that a text refers to, and how the text was understood."""
        match = seat.match
        legal, facts = seat.legal(role), _known_facts(seat)
        names = (await match.rules.looks()).names
        found = names.read(text, legal, facts)
        if isinstance(found, Understood):
            return found.move, found.note or found.name
        if isinstance(found, Ambiguous):
            raise RefusalError(
                Code.AMBIGUOUS, found.reason, "Name one of `nearest`.", {"nearest": found.moves}
            )
        reasons = [] if found.meant is None else await self._reasons(seat, role, found.meant)
        raise RefusalError(
            Code.ILLEGAL,
            f"{text:.200} is not a legal move of {role}: {found.reason}",
            f"Nearest legal moves: {', '.join(found.nearest) or 'none'}",
            {"nearest": found.nearest, "reasons": reasons, "meant": found.meant},
        )

    async def _reasons(self, seat: MatchHandle, role: str, move: str) -> list[str]:
        if seat.role is not None:
            return []  # a derivation may reveal information that is hidden from the role
        match = seat.match
        try:
            async with asyncio.timeout(REASON_SECONDS):
                found = await self._sandboxes.ask(
                    position_questions.why_told,
                    match.rules.text,
                    f"(legal {role} {move})",
                    match.moves,
                )
        except (TimeoutError, SandboxError):
            return []
        return [found["sentence"], *found["lines"][:REASON_LINES]]

    async def undo(self, handle: str, turns: int) -> Answer:
        """Take back `turns` joint moves. Return the state of the match."""
        seat = self.matches.find(handle)
        match = seat.match
        if seat.role is not None:
            cure = "Start another match with new_match."
            raise RefusalError(
                Code.HIDDEN, "moves that other roles do not see cannot be undone", cure
            )
        async with match.turn_lock:
            if turns > len(match.moves):
                cure = f"Take back at most {len(match.moves)} turns."
                raise RefusalError(Code.NOT_NOW, f"only {len(match.moves)} turns were played", cure)
            match.undo(turns)
        return await self.state(handle)

    async def why(self, handle: str, fact: str, moves: GivenMoves, depth: int) -> Answer:
        """Return an explanation of why a fact holds, or why it does not hold."""
        seat = self.matches.find(handle)
        seat.require_whole("a derivation")
        match, joint = seat.match, None
        if moves is not None:
            if match.is_over:
                cure = "Ask without moves, or call undo to go back."
                raise RefusalError(Code.NOT_NOW, "moves: the game is over", cure)
            choices, _ = await self._choices(seat, seat.moves_by_role(moves))
            joint = match.joint(choices)
        try:
            found = await self._sandboxes.ask(
                position_questions.why_told, match.rules.text, fact, match.moves, joint, depth=depth
            )
        except SandboxQuestionError as error:
            raise RefusalError(Code.ARGUMENT, str(error), _question_cure(match)) from error
        return found, "\n".join([found["sentence"], *found["lines"]])

    def record(self, handle: str) -> str:
        """Return a match as a record."""
        seat = self.matches.find(handle)
        seat.require_whole("the record")
        return seat.match.record().to_text()

    async def picture(self, handle: str) -> str:
        """Return the position of a match as SVG, as far as the handle reveals it."""
        seat = self.matches.find(handle)
        match, looks = seat.match, await seat.match.rules.looks()
        if seat.role is None:
            before = match.positions[-2].facts if match.moves else None
            return await looks.svg(match.position.facts, before)
        likely = await self._beliefs.likely(match, seat.role)
        certain = [fact for fact, share in likely.items() if share >= 1]
        return await looks.svg(certain, None, {f: s for f, s in likely.items() if s < 1})


def _known_facts(seat: MatchHandle) -> tuple[str, ...]:
    return seat.match.position.facts if seat.role is None else ()


def _question_cure(match: HeldMatch) -> str:
    if match.is_over:
        return "Ask for a relation of the rules, such as terminal or (true ?fact)."
    moves = {role: match.legal(role)[0] for role in match.rules.roles if match.legal(role)}
    role, move = next(iter(moves.items()), ("ROLE", "MOVE"))
    return (
        f"Ask for a relation of the rules, such as (legal {role} {move}). For facts of the next "
        f"state, give moves, such as {json.dumps(moves)}."
    )


def _standing(seat: MatchHandle) -> str:
    match = seat.match
    if match.is_over:
        goals = ", ".join(f"{role} {goal}" for role, goal in match.goals.items())
        return f"The game is over: {goals}."
    if seat.to_move:
        return f"Turn {seat.turn}: {' and '.join(seat.to_move)} to move."
    if seat.role is None:
        return f"Turn {seat.turn}: no role has a choice. Call play without a move."
    return f"{seat.role} is not to move now. Its next turn shows what it saw. {CALL_STATE}"

"""Every feature of `ggp lsp`, asked by a client over the protocol, on bundled games."""

from __future__ import annotations

import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from ggp import games
from tests.ggp.harmed_rules import HARMED, checked
from tests.ggp.lsp.texts import Text
from tests.thorough import KINDS, all_but

pytestmark = pytest.mark.asyncio(loop_scope="module")
TICTACTOE = games.text("ticTacToe")
EPILOG = sorted((games.folder() / "epilog").glob("*.epilog"))
FORMAT = types.FormattingOptions(tab_size=4, insert_spaces=True)
PATIENCE_SECONDS = 60


@pytest_lsp.fixture(
    config=ClientServerConfig(server_command=[sys.executable, "-m", "ggp", "lsp"]), scope="module"
)
async def client(lsp_client: LanguageClient) -> AsyncIterator[None]:
    """An editor with all abilities, and the server that it has started."""
    capabilities = client_capabilities("visual-studio-code")
    await lsp_client.initialize_session(types.InitializeParams(capabilities))
    yield
    await lsp_client.shutdown_session()


@pytest.fixture
def tictactoe(client: LanguageClient) -> Text:
    """Tic-tac-toe, open in the editor."""
    return Text(client, TICTACTOE)


async def test_a_slip_is_reported_while_one_types(tictactoe: Text) -> None:
    """At its place, with its code; and it is gone when it is mended."""
    assert await tictactoe.findings() == []

    tictactoe.change(TICTACTOE.replace("(opponent ", "(oponent ", 1))
    found = await tictactoe.findings()

    assert [one.code for one in found] != []
    assert found[0].source == "ggp"
    tictactoe.change(TICTACTOE + "\n  ;;@move (mark ?x ?y): to ?z\n")
    [named] = await tictactoe.findings()
    assert (named.code, named.range.start) == ("annotation", tictactoe.at("@move"))
    assert named.range.end == tictactoe.at("?z\n", "\n")
    tictactoe.change(TICTACTOE)
    assert await tictactoe.findings() == []


async def test_what_shows_only_in_play_is_reported_on_saving(client: LanguageClient) -> None:
    """A role without a move."""
    text = "(role x)\n(legal x go)\n(init a)\n(<= terminal (true b))\n(<= (next b) (true c))\n"
    text += "(<= (next a) (true a) (does x go))\n(<= (next c) (true d))\n(goal x 1)\n"
    opened = Text(client, text.replace("(legal x go)", "(<= (legal x go) (true b))"))
    await opened.findings()

    client.text_document_did_save(types.DidSaveTextDocumentParams(opened.document))
    found = await opened.findings()

    assert "play-no-move" in [one.code for one in found]


@pytest.mark.parametrize("code", HARMED)
async def test_findings_are_those_of_the_command_line(
    client: LanguageClient, tmp_path: Path, code: str
) -> None:
    """With those of random games, also where the text has errors that let it be played."""
    opened = Text(client, HARMED[code])
    shown = await opened.findings()
    expected = checked(tmp_path / "rules.kif", HARMED[code])

    if any(one["code"].startswith("play-") for one in expected):
        client.text_document_did_save(types.DidSaveTextDocumentParams(opened.document))
        shown = await opened.findings()

    told = sorted((one.range.start.line + 1, str(one.code), one.message) for one in shown)
    assert told == sorted((one["line"], one["code"], one["message"]) for one in expected)


async def test_hover(tictactoe: Text) -> None:
    """The kind of a relation, its arguments, its places, its users."""
    place = tictactoe.at("(true (cell", "cell")
    params = types.HoverParams(tictactoe.document, place)

    found = await tictactoe.client.text_document_hover_async(params)

    assert found is not None
    assert isinstance(found.contents, types.MarkupContent)
    assert found.contents.value.startswith("**cell/3**: fact of the state, 3 arguments")
    assert "`legal mark/2`" in found.contents.value
    nothing = types.HoverParams(tictactoe.document, types.Position(0, 0))
    assert await tictactoe.client.text_document_hover_async(nothing) is None


async def told_at(opened: Text, words: str, word: str) -> str:
    """What a hover says once the process that explains has begun."""
    params = types.HoverParams(opened.document, opened.at(words, word))
    end = time.monotonic() + PATIENCE_SECONDS  # a request that is cancelled would end the client
    while time.monotonic() < end:
        found = await opened.client.text_document_hover_async(params)
        assert found is not None
        assert isinstance(found.contents, types.MarkupContent)
        if "In the first state" in found.contents.value:
            return found.contents.value
    raise AssertionError(f"no hover explains {word} within {PATIENCE_SECONDS} s")


async def test_hover_derives_what_holds_in_the_first_state(tictactoe: Text) -> None:
    """Of a rule's head the instances, and why the first of them holds; of `init` its fact."""
    head = await told_at(tictactoe, "(legal ?role (mark", "legal")
    assert "`(legal xplayer (mark 1 1))`" in head
    assert "  yes (true (control xplayer))  ; in the state" in head
    assert "`(true (control xplayer))` holds" in await told_at(
        tictactoe, "(init (control", "control"
    )


async def test_hover_says_what_is_missing_by_the_last_text_that_could_be_read(
    tictactoe: Text,
) -> None:
    """Though a parenthesis is missing now."""
    await tictactoe.findings()
    tictactoe.change(TICTACTOE + "(<= (legal ?r")
    assert await tictactoe.findings() != []

    told = await told_at(tictactoe, "(<= decided", "decided")

    assert "`decided` does not hold:" in told
    assert "no  (line ?" in told


async def test_hover_shows_values_when_the_game_was_played(tictactoe: Text) -> None:
    """It was saved, so it is played at once."""
    await tictactoe.findings()
    tictactoe.client.text_document_did_save(types.DidSaveTextDocumentParams(tictactoe.document))
    await tictactoe.findings()
    params = types.HoverParams(tictactoe.document, tictactoe.at("(true (cell", "cell"))

    found = await tictactoe.client.text_document_hover_async(params)

    assert found is not None
    assert isinstance(found.contents, types.MarkupContent)
    assert "Values seen in play:\n\n1. `1` `2` `3`" in found.contents.value


async def test_definition_and_references(tictactoe: Text) -> None:
    """Of a relation: its rules, and all places."""
    place = tictactoe.at("(<= terminal", "terminal")
    client = tictactoe.client
    params = types.DefinitionParams(tictactoe.document, tictactoe.at("(line ?", "line"))
    found = await client.text_document_definition_async(params)
    all_of = types.ReferenceParams(types.ReferenceContext(True), tictactoe.document, place)
    uses = types.ReferenceParams(types.ReferenceContext(False), tictactoe.document, params.position)

    assert isinstance(found, list)
    assert tictactoe.words(found) == ["line"] * 4
    assert len(await client.text_document_references_async(all_of) or []) == 2
    assert len(await client.text_document_references_async(uses) or []) >= 2
    lit = types.DocumentHighlightParams(tictactoe.document, params.position)
    assert len(await client.text_document_document_highlight_async(lit) or []) >= 6


async def test_rename(tictactoe: Text) -> None:
    """All places of a symbol; a name that is taken is refused, with the reason."""
    client, place = tictactoe.client, tictactoe.at("(true (cell", "cell")
    asked = types.PrepareRenameParams(tictactoe.document, place)
    assert isinstance(await client.text_document_prepare_rename_async(asked), types.Range)

    params = types.RenameParams(tictactoe.document, place, "field")
    found = await client.text_document_rename_async(params)

    assert found is not None
    assert found.changes is not None
    after = tictactoe.edited(list(found.changes[tictactoe.uri]))
    assert "(field" in after
    assert "(cell ?" not in after
    taken = types.RenameParams(tictactoe.document, place, "mark")
    with pytest.raises(JsonRpcException, match="'mark' is taken"):
        await client.text_document_rename_async(taken)
    keyword = types.PrepareRenameParams(tictactoe.document, tictactoe.at("(true (cell", "true"))
    with pytest.raises(JsonRpcException, match="cannot be renamed"):
        await client.text_document_prepare_rename_async(keyword)


async def test_completion(client: LanguageClient) -> None:
    """While a statement is typed that has no end yet."""
    opened = Text(client, TICTACTOE + "(<= (next again) (true (ce")
    line = opened.text.count("\n")
    place = types.Position(line, len(opened.text.split("\n")[-1]))
    params = types.CompletionParams(opened.document, place)

    found = await client.text_document_completion_async(params)

    assert isinstance(found, types.CompletionList)
    assert found.items[0].label == "cell"
    edit = found.items[0].text_edit
    assert isinstance(edit, types.TextEdit)
    assert opened.edited([edit]).endswith("(true (cell")


async def test_symbols(tictactoe: Text) -> None:
    """The outline of a game."""
    params = types.DocumentSymbolParams(tictactoe.document)

    found = await tictactoe.client.text_document_document_symbol_async(params)

    assert found is not None
    names = [one.name for one in found]
    assert {"role xplayer", "legal mark/2", "line/1", "terminal"} <= set(names)


async def test_formatting(client: LanguageClient) -> None:
    """As `ggp format` does; what has faults is left alone, with the reason."""
    opened = Text(client, "(role   x)\n\n\n\n(legal x go) ; moves\n")
    params = types.DocumentFormattingParams(opened.document, FORMAT)
    found = await client.text_document_formatting_async(params)

    assert opened.edited(list(found or [])) == "(role x)\n\n(legal x go)  ; moves\n"
    opened.change("(role x")
    with pytest.raises(JsonRpcException, match="never closed"):
        await client.text_document_formatting_async(params)


async def test_semantic_colours(tictactoe: Text) -> None:
    """Five numbers for each word, of kinds that the server has named."""
    params = types.SemanticTokensParams(tictactoe.document)

    found = await tictactoe.client.text_document_semantic_tokens_full_async(params)

    assert found is not None
    assert len(found.data) % 5 == 0
    assert len(found.data) // 5 > 250
    assert min(found.data) >= 0
    assert max(found.data[3::5]) < 12


async def test_quick_fix(client: LanguageClient) -> None:
    """The cure that a finding names, for the place where the pointer is."""
    opened = Text(client, TICTACTOE.replace("(index ?", "(indeks ?", 1))
    findings = await opened.findings()
    [wrong] = [one for one in findings if one.code == "undefined"]
    params = types.CodeActionParams(opened.document, wrong.range, types.CodeActionContext(findings))

    found = await client.text_document_code_action_async(params)

    assert found is not None
    [action] = [one for one in found if one.title == "Write 'index'"]
    assert isinstance(action, types.CodeAction)
    assert action.edit is not None
    assert action.edit.changes is not None
    assert opened.edited(list(action.edit.changes[opened.uri])) == TICTACTOE


async def test_code_lenses(tictactoe: Text) -> None:
    """Play and draw; the editor runs what the server names."""
    client = tictactoe.client
    params = types.CodeLensParams(tictactoe.document)
    found = await client.text_document_code_lens_async(params)
    assert found is not None
    commands = {one.command.title: one.command for one in found if one.command}
    assert list(commands) == ["play as xplayer", "play as oplayer", "play from here", "draw"]

    play = commands["play as oplayer"]
    line: Any = await client.workspace_execute_command_async(
        types.ExecuteCommandParams(play.command, play.arguments)
    )

    assert line["command"][1:4] == ["-m", "ggp", "play"]
    assert line["command"][5:] == ["--as", "oplayer"]
    assert Path(line["command"][4]).read_text(encoding="utf-8") == TICTACTOE


async def test_why_after_moves(tictactoe: Text) -> None:
    """As a text; what cannot be asked is an error that says what would be right."""
    client, uri = tictactoe.client, tictactoe.uri
    moves = "((mark 2 2) noop)"
    asked = types.ExecuteCommandParams("ggp.why", [uri, "(true (cell 2 2 ?what))", moves])

    found: Any = await client.workspace_execute_command_async(asked)

    assert found["text"].startswith("(true (cell 2 2 ?what)) holds after 1 joint move.\n\n")
    assert "(true (cell 2 2 x))  ; in the state" in found["text"]
    for fact, made, message in (
        ("(lega ?r ?m)", "", "did you mean 'legal'"),
        ("terminal", "(mark 2 2)", "expected"),
        ("terminal", "((mark 9 9) noop)", "no legal move"),
        ("terminal", "go", "expected joint moves"),
    ):
        wrong = types.ExecuteCommandParams("ggp.why", [uri, fact, made])
        with pytest.raises(JsonRpcException, match=message):
            await client.workspace_execute_command_async(wrong)


@pytest.mark.thorough
async def test_draw(tictactoe: Text) -> None:
    """The first state, as a picture in a file; or why there is none."""
    draw = types.ExecuteCommandParams("ggp.draw", [tictactoe.uri])

    found: Any = await tictactoe.client.workspace_execute_command_async(draw)

    assert Path(found["file"]).read_text(encoding="utf-8").startswith("<svg")
    tictactoe.change("(role x")
    with pytest.raises(JsonRpcException, match="closed"):
        await tictactoe.client.workspace_execute_command_async(draw)


async def test_columns_count_as_the_client_counts(client: LanguageClient) -> None:
    """A letter outside the basic plane has two columns in UTF-16."""
    opened = Text(client, "; \U0001f3b2\n(role \U0001f3b2x) (legal \U0001f3b2x go)\n")
    params = types.DefinitionParams(opened.document, types.Position(1, 19))

    found = await client.text_document_definition_async(params)

    assert isinstance(found, list)
    assert found[0].range == types.Range(types.Position(1, 6), types.Position(1, 9))


@pytest.mark.parametrize("name", all_but(KINDS, games.names()))
async def test_every_bundled_game_is_without_findings(client: LanguageClient, name: str) -> None:
    """And has symbols, colours and lenses."""
    opened = Text(client, games.text(name), f"{name}.kif")

    assert await opened.findings() == []
    symbols = types.DocumentSymbolParams(opened.document)
    assert await client.text_document_document_symbol_async(symbols)
    colours = types.SemanticTokensParams(opened.document)
    found = await client.text_document_semantic_tokens_full_async(colours)
    assert found is not None
    assert found.data
    lenses = types.CodeLensParams(opened.document)
    assert await client.text_document_code_lens_async(lenses)
    client.text_document_did_close(types.DidCloseTextDocumentParams(opened.document))


@pytest.mark.parametrize("name", all_but(("ticTacToe", "chomp"), [path.stem for path in EPILOG]))
async def test_games_in_epilog_have_the_services(client: LanguageClient, name: str) -> None:
    """Symbols, colours and definitions of the text as it is written."""
    opened = Text(client, games.text(name, "epilog"), f"{name}.epilog")
    await opened.findings()
    symbols = types.DocumentSymbolParams(opened.document)
    assert await client.text_document_document_symbol_async(symbols)
    place = types.DefinitionParams(opened.document, opened.at("terminal", "terminal"))

    found = await client.text_document_definition_async(place)

    assert set(opened.words(found)) == {"terminal"}  # type: ignore[arg-type]


async def test_hover_does_not_wait_for_an_explanation_that_takes_long(
    client: LanguageClient,
) -> None:
    """It says at once what the text says; 2^26 values are counted elsewhere.

    It comes last: what counts goes on for ten seconds, or until the server ends.
    """
    names = [f"?x{number}" for number in range(26)]
    text = "(role x) (legal x go) (init a) (terminal) (goal x 1) (bit 0) (bit 1)\n"
    text += f"(<= (heavy {' '.join(names)}) {' '.join(f'(bit {name})' for name in names)})"
    opened = Text(client, text)
    await opened.findings()
    params = types.HoverParams(opened.document, opened.at("(heavy", "heavy"))

    begin = time.monotonic()
    found = await client.text_document_hover_async(params)

    assert found is not None
    assert "heavy/26" in str(found.contents)
    assert time.monotonic() - begin < 8.0  # the explanation is given up after ten

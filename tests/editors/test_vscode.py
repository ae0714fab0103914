"""The client for VS Code: its files belong together, and it does what the server asks of it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.shared import REPOSITORY

FOLDER = REPOSITORY / "editors" / "vscode"
PACKAGE: dict[str, Any] = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))

STUBS = {
    "vscode.js": """
        const done = [];
        module.exports = {
          done,
          ViewColumn: { Beside: 2 },
          workspace: {
            openTextDocument: async (document) => document,
            getConfiguration: () => ({ get: (key) =>
              ({ command: ["ggp", "lsp"], play: false })[key] }),
          },
          window: {
            activeTextEditor: { document: { languageId: "gdl", uri: "file:///a.kif" } },
            createTerminal: (name) => ({ show() {}, sendText: (text) => done.push([name, text]) }),
            createWebviewPanel: () =>
              ({ webview: { set html(text) { done.push(["html", text]); } } }),
            showErrorMessage: (text) => done.push(["error", text]),
            showInputBox: async ({ value }) => value,
            showTextDocument: async (document) => done.push(["text", document.content]),
          },
          commands: {
            registerCommand: (name, run) => done.push(["command", name]) && run,
            executeCommand: (...given) => {
              done.push(["run", ...given]);
              return { text: "terminal does not hold" };
            },
          },
        };
    """,
    "vscode-languageclient/node.js": """
        exports.LanguageClient = class {
          constructor(id, name, server, options) { exports.made = { server, options }; }
          async start() { if (exports.fails) throw new Error("no such file"); }
          async stop() {}
        };
    """,
    "run.js": """
        const vscode = require("vscode");
        const languages = require("vscode-languageclient/node");
        const [file, picture] = process.argv.slice(2);
        const extension = require(file);
        (async () => {
          const context = { subscriptions: [] };
          await extension.activate(context);
          const { server, options } = languages.made;
          const { executeCommand } = options.middleware;
          const command = ["/bin/py thon", "-m", "ggp", "play", "it's.kif"];
          await executeCommand("ggp.play", [], async () => ({ command, title: "play" }));
          await executeCommand("ggp.draw", [], async () => ({ file: picture }));
          await executeCommand("ggp.draw", [], async () => null);
          await context.subscriptions[0]();
          await context.subscriptions[2]();
          await extension.deactivate();
          languages.fails = true;
          await extension.activate({ subscriptions: [] });
          console.log(JSON.stringify({ server, done: vscode.done }));
        })();
    """,
}


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the extension does in an editor that only writes down what is asked of it."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs Node")
    folder = tmp_path_factory.mktemp("vscode")
    for name, text in STUBS.items():
        file = folder / "node_modules" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    shutil.copy(FOLDER / "extension.js", folder)
    (folder / "a.svg").write_text("<svg></svg>", encoding="utf-8")
    arguments = [
        node,
        *(str(folder / name) for name in ("node_modules/run.js", "extension.js", "a.svg")),
    ]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_server_is_started_as_the_settings_say(outcome: dict[str, Any]) -> None:
    """With its command, and without play if nobody wants that."""
    assert outcome["server"] == {"command": "ggp", "args": ["lsp", "--no-play"]}


def test_commands_open_a_terminal_and_a_picture(outcome: dict[str, Any]) -> None:
    """Words with blanks and quotes are quoted; the picture stands in a page that runs nothing."""
    done = outcome["done"]

    assert ["play", "'/bin/py thon' -m ggp play 'it'\\''s.kif'"] in done
    [page] = [text for what, text, *_ in done if what == "html"]
    assert "<svg></svg>" in page
    assert "default-src 'none'" in page
    assert ["run", "ggp.play", "file:///a.kif", ""] in done


def test_a_fact_that_is_asked_for_is_explained_beside(outcome: dict[str, Any]) -> None:
    """After the moves that are named, here none."""
    assert ["run", "ggp.why", "file:///a.kif", "terminal", ""] in outcome["done"]
    assert ["text", "terminal does not hold"] in outcome["done"]


def test_a_server_that_is_not_there_is_told_with_what_to_do(outcome: dict[str, Any]) -> None:
    """The message names the extra and the setting."""
    [text] = [text for what, text, *_ in outcome["done"] if what == "error"]

    assert "pip install 'ggp-agent[lsp]'" in text
    assert "gdl.command" in text


def test_all_commands_are_registered(outcome: dict[str, Any]) -> None:
    """Those of the palette are those of the extension."""
    registered = {name for what, name, *_ in outcome["done"] if what == "command"}

    assert registered == {one["command"] for one in PACKAGE["contributes"]["commands"]}


def test_all_files_that_are_named_are_there() -> None:
    """And those with JSON are JSON."""
    contributed = PACKAGE["contributes"]
    named = [one["configuration"] for one in contributed["languages"]]
    named += [one["path"] for one in contributed["grammars"]]

    for name in named:
        assert json.loads((FOLDER / name).read_text(encoding="utf-8"))
    assert (FOLDER / PACKAGE["main"]).is_file()


def test_patterns_of_the_grammars_are_regular_expressions() -> None:
    """And colour what they should."""
    grammar = json.loads((FOLDER / "syntaxes/gdl.tmLanguage.json").read_text(encoding="utf-8"))
    by_name = {one["name"]: one["match"] for one in grammar["patterns"]}
    line = "(<= (goal ?x 100) (TRUE (cell ?x 1)) (not a?b)) ; (true ?y)"

    def found(name: str) -> list[str]:
        return re.findall(by_name[f"{name}.gdl"], line.partition(";")[0])

    assert found("variable.other") == ["?x", "?x"]
    assert found("keyword.control") == ["<=", "not"]
    assert found("support.function") == ["goal", "TRUE"]
    assert found("constant.numeric") == ["100", "1"]


def test_settings_are_documented() -> None:
    """With their defaults."""
    text = Path(FOLDER / "README.md").read_text(encoding="utf-8")

    for name, setting in PACKAGE["contributes"]["configuration"]["properties"].items():
        assert f"| `{name}` | `{json.dumps(setting['default'])}` |" in text

// Starts `ggp lsp` and does what only an editor can: open a terminal, show a picture, and ask.

"use strict";

const fs = require("fs");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const LANGUAGES = ["gdl", "epilog"];
let client;

/** A word as a shell takes it. */
function quoted(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`;
}

/** Play in a terminal, with the command line that the server has named. */
function play(found) {
  const terminal = vscode.window.createTerminal(found.title);
  terminal.show();
  terminal.sendText(found.command.map(quoted).join(" "));
}

/** Show the picture that the server has drawn, beside the rules; nothing in it is run. */
function show(found) {
  const column = vscode.ViewColumn.Beside;
  const panel = vscode.window.createWebviewPanel("gdl.picture", "The first state", column, {});
  const picture = fs.readFileSync(found.file, "utf8");
  const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";
  panel.webview.html = `<!DOCTYPE html><html><head><meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${policy}"></head>
    <body style="background: white">${picture}</body></html>`;
}

/** What follows when the server has carried out a command. */
async function executeCommand(name, given, next) {
  const found = await next(name, given);
  if (found && name === "ggp.play") {
    play(found);
  } else if (found && name === "ggp.draw") {
    show(found);
  }
  return found;
}

function makeClient() {
  const settings = vscode.workspace.getConfiguration("gdl");
  const [command, ...args] = settings.get("command");
  if (!settings.get("play")) {
    args.push("--no-play");
  }
  return new LanguageClient("gdl", "GDL", { command, args }, {
    documentSelector: LANGUAGES.map((language) => ({ language })),
    middleware: {
      executeCommand,
      // The picture is shown by the command that has drawn it.
      window: { showDocument: async () => ({ success: true }) },
    },
  });
}

async function start() {
  client = makeClient();
  try {
    await client.start();
  } catch (error) {
    const hint = "pip install 'ggp-agent[lsp]', and name the command in the setting gdl.command";
    vscode.window.showErrorMessage(`The language server for GDL did not start: ${error.message}; ${hint}`);
  }
}

async function stop() {
  const ended = client;
  client = undefined;
  if (ended) {
    await ended.stop().catch(() => {}); // it never ran
  }
}

/** Let the server carry out a command for the rules that are being edited. */
function run(name, ...more) {
  const editor = vscode.window.activeTextEditor;
  if (editor && LANGUAGES.includes(editor.document.languageId)) {
    return vscode.commands.executeCommand(name, editor.document.uri.toString(), ...more);
  }
  return vscode.window.showInformationMessage("Open a file of rules first.");
}

/** Ask for a fact and for moves, and show beside the rules why the fact holds then, or why not. */
async function why() {
  const fact = await vscode.window.showInputBox({
    title: "Why does it hold, or why not?", value: "terminal", prompt: "A fact, such as (legal white noop)",
  });
  const moves = fact && await vscode.window.showInputBox({
    title: "After which moves?", value: "", prompt: "None for the first state; or such as ((mark 1 1) noop) (noop (mark 2 2))",
  });
  if (moves === undefined || !fact) {
    return;
  }
  try {
    const found = await run("ggp.why", fact, moves);
    if (found && found.text) {
      const document = await vscode.workspace.openTextDocument({ content: found.text });
      await vscode.window.showTextDocument(document, vscode.ViewColumn.Beside, true);
    }
  } catch (error) {
    vscode.window.showErrorMessage(error.message);
  }
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("gdl.play", () => run("ggp.play", "")),
    vscode.commands.registerCommand("gdl.draw", () => run("ggp.draw")),
    vscode.commands.registerCommand("gdl.why", why),
    vscode.commands.registerCommand("gdl.restart", async () => {
      await stop();
      await start();
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };

// The rules editor: line numbers, coloured words, and findings while the user types.

import { ask, attempt, element, tell } from "./api.js";
import { letComplete } from "./completion.js";
import { colour } from "./gdl.js";
import { letWalk } from "./position.js";
import { statisticsList } from "./statistics.js";
import { placeOf, watch } from "./symbol.js";
import { letAsk, suggest } from "./why.js";

const get = (id) => document.getElementById(id);
const rules = get("rules");
const PAUSE = 500;
let waiting = 0;
let asked = 0;
let games = new AbortController(); // stops the random games in progress
let sound = null; // the last text without errors; positions are explained by it
const kept = new Set(); // names under which this page has saved rules
let unchanged = rules.value; // the saved text: if the editor has it, leaving loses nothing

function draw(findings = []) {
  const lines = rules.value.split("\n");
  const worst = new Map();
  for (const finding of findings) {
    if (worst.get(finding.line) !== "error") {
      worst.set(finding.line, finding.severity);
    }
  }
  get("colours").style.setProperty("--digits", String(lines.length).length);
  get("colours").replaceChildren(...lines.map((line, index) => {
    const made = element("div", { class: worst.get(index + 1) ?? "", "data-number": index + 1 });
    made.append(...colour(line));
    return made;
  }));
}

/** Show the findings in the text, and then those of random games. */
async function check() {
  const turn = ++asked;
  const text = rules.value || " ";
  games = new AbortController();
  try {
    const findings = await ask("POST", "/rules/check", { text, play: false });
    if (turn === asked) {
      list(findings, "playing random games…");
      take(text, findings);
      await checkByPlay(turn, text, findings);
    }
  } catch (error) {
    if (turn === asked) {
      get("verdict").textContent = `Not checked: ${error.message}`;
    }
  }
}

/** From now on, use a text to explain positions, if it has no errors. */
function take(text, findings) {
  const isSound = !findings.some((finding) => finding.severity === "error");
  get("outdated").hidden = isSound || sound === null;
  if (isSound && sound !== text) {
    sound = text;
    reasons.clear();
    walk.look();
  }
}

async function checkByPlay(turn, text, findings) {
  try {
    const found = await ask("POST", "/rules/check", { text }, games.signal);
    if (turn === asked) {
      list(found);
    }
  } catch (error) {
    if (turn === asked) {
      list(findings, `no random games: ${error.message}`);
    }
  }
}

/** Show findings. `rest` says what is missing from them. */
function list(findings, rest = "") {
  draw(findings);
  const errors = findings.filter((finding) => finding.severity === "error").length;
  const found = findings.length > 0
    ? `${counted(errors, "error")}, ${counted(findings.length - errors, "remark")}`
    : `Nothing is wrong${rest && " in the text"}`;
  get("verdict").textContent = rest ? `${found}; ${rest}` : `${found}.`;
  get("findings").replaceChildren(...findings.map((finding) => {
    const item = element("li", { class: finding.severity, "data-line": finding.line });
    const button = element("button", {
      type: "button", class: "plain", text: `${finding.line}:${finding.column} ${finding.message}`,
    });
    button.addEventListener("click", () => goTo(finding));
    item.append(button, ...finding.cures.map(cureButton));
    return item;
  }));
}

/** Create a button that applies the fix for a finding. */
function cureButton(cure) {
  const button = element("button", { type: "button", class: "cure", text: cure.title });
  button.addEventListener("click", () => {
    const edits = cure.edits.map((edit) => ({ ...edit, start: offset(edit) }));
    for (const edit of edits.sort((one, other) => other.start - one.start)) {
      rules.setRangeText(edit.text, edit.start, edit.start + edit.length, "end");
    }
    rules.focus();
    later();
  });
  return button;
}

function counted(number, word) {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}

/** Return the offset in the text at which a place begins. */
function offset(place) {
  const lines = rules.value.split("\n");
  const before = lines.slice(0, place.line - 1).join("\n").length + (place.line > 1 ? 1 : 0);
  return before + place.column - 1;
}

function goTo(place) {
  const start = offset(place);
  rules.focus();
  rules.setSelectionRange(start, start + place.length);
  get("colours").children[place.line - 1]?.scrollIntoView({ block: "nearest" });
}

function later() {
  draw();
  asked += 1; // answers that are pending are about an older text
  games.abort();
  get("verdict").textContent = "…";
  clearTimeout(waiting);
  waiting = setTimeout(check, PAUSE);
}

/** Return whether a name may be used: it is free, this page saved its game, or the user agrees. */
async function mayKeep(name) {
  const games = kept.has(name) ? [] : await ask("GET", "/games");
  const isTaken = games.some((game) => game.name === name && !game.bundled);
  return !isTaken || window.confirm(`A game named ${name} exists already. Replace it with these rules?`);
}

/** Save the rules. If they have errors, ask the user first. */
async function keepAs(name) {
  const text = rules.value || " ";
  try {
    return await ask("POST", "/games", { name, text });
  } catch (error) {
    const [, wrong] = error.message.match(/^with_errors: (.*);/s) ?? [];
    if (!wrong || !window.confirm(`${wrong}. Save the rules with these errors?`)) {
      throw error;
    }
    return ask("POST", "/games", { name, text, with_errors: true });
  }
}

async function keep() {
  const name = get("name").value.trim();
  if (!await attempt(() => mayKeep(name))) {
    return;
  }
  const done = await attempt(() => keepAs(name));
  if (done) {
    kept.add(name);
    unchanged = rules.value;
    tell(`${name} is saved.`);
    get("play").href = `/play?game=${encodeURIComponent(name)}`;
    get("play").hidden = false;
  }
}

async function tryOut() {
  const place = get("statistics");
  place.replaceChildren(element("p", { class: "quiet", text: "Playing random games…" }));
  try {
    place.replaceChildren(statisticsList(await ask("POST", "/rules/try", { text: rules.value || " " })));
  } catch (error) {
    place.replaceChildren(element("p", { class: "bad", text: error.message }));
  }
}

rules.addEventListener("input", later);
window.addEventListener("beforeunload", (event) => {
  if (rules.value !== unchanged) {
    event.preventDefault(); // the browser asks whether to leave
  }
});
rules.addEventListener("keydown", (event) => {
  if (event.key === "Tab" && !event.shiftKey && !event.ctrlKey && event.target.value) {
    event.preventDefault();
    rules.setRangeText("  ", rules.selectionStart, rules.selectionEnd, "end");
    later();
  }
});
get("keep")?.addEventListener("click", keep);
get("try").addEventListener("click", tryOut);
get("format").addEventListener("click", async () => {
  const laid = await attempt(() => ask("POST", "/rules/format", { text: rules.value }));
  if (laid) {
    rules.value = laid.text;
    later();
  }
});
const walk = letWalk(get("position"), () => sound ?? rules.value, (position) => {
  reasons.clear();
  if (position) {
    suggest(get("facts"), { ...position, roles: Object.keys(position.legal) });
  }
});
const reasons = letAsk(get("why"), get("answer"), (fact) => ask("POST", "/rules/why", {
  text: sound ?? rules.value, fact, moves: walk.moves(), next: walk.next(),
}), goTo);
letComplete(rules, get("completions"), () => placeOf(rules), (edit) => {
  const start = offset(edit);
  rules.setRangeText(edit.text, start, start + edit.length, "end");
  later();
});
watch(rules, get("symbol"), goTo, () => sound);
draw();
check();

// Rules in the making: numbered lines, coloured words, and what is wrong, while one types.

import { ask, attempt, element, tell } from "./api.js";
import { colour } from "./gdl.js";
import { statisticsList } from "./statistics.js";
import { watch } from "./symbol.js";

const get = (id) => document.getElementById(id);
const rules = get("rules");
const PAUSE = 500;
let waiting = 0;
let asked = 0;
const kept = new Set(); // names under which this page has kept rules

function draw(findings = []) {
  const lines = rules.value.split("\n");
  const worst = new Map();
  for (const finding of findings) {
    if (worst.get(finding.line) !== "error") {
      worst.set(finding.line, finding.severity);
    }
  }
  get("numbers").replaceChildren(...lines.map((_, index) => {
    const number = element("span", { text: `${index + 1}\n` });
    number.className = worst.get(index + 1) ?? "";
    return number;
  }));
  get("colours").replaceChildren(...colour(rules.value));
  rules.style.height = "auto";
  rules.style.height = `${rules.scrollHeight}px`;
}

async function check() {
  const turn = ++asked;
  const findings = await attempt(() => ask("POST", "/rules/check", { text: rules.value || " " }));
  if (findings && turn === asked) {
    draw(findings);
    list(findings);
  }
}

function list(findings) {
  const errors = findings.filter((finding) => finding.severity === "error").length;
  const rest = findings.length - errors;
  get("verdict").textContent = findings.length === 0 ? "Nothing is wrong." : `${counted(errors, "error")}, ${counted(rest, "remark")}`;
  get("findings").replaceChildren(...findings.map((finding) => {
    const item = element("li", { class: finding.severity, "data-line": finding.line });
    const button = element("button", {
      type: "button", class: "plain", text: `${finding.line}:${finding.column} ${finding.message}`,
    });
    button.addEventListener("click", () => goTo(finding));
    item.append(button);
    return item;
  }));
}

function counted(number, word) {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}

function goTo(finding) {
  const lines = rules.value.split("\n");
  const before = lines.slice(0, finding.line - 1).join("\n").length + (finding.line > 1 ? 1 : 0);
  const start = before + finding.column - 1;
  rules.focus();
  rules.setSelectionRange(start, start + finding.length);
}

function later() {
  draw();
  clearTimeout(waiting);
  waiting = setTimeout(check, PAUSE);
}

/** Whether a name may be used: it is free, or its game was kept here, or somebody says so. */
async function mayKeep(name) {
  const games = kept.has(name) ? [] : await ask("GET", "/games");
  const isTaken = games.some((game) => game.name === name && !game.bundled);
  return !isTaken || window.confirm(`There is a game ${name} already. Shall these rules replace it?`);
}

async function keep() {
  const name = get("name").value.trim();
  if (!await attempt(() => mayKeep(name))) {
    return;
  }
  const done = await attempt(() => ask("POST", "/games", { name, text: rules.value || " " }));
  if (done) {
    kept.add(name);
    tell(`${name} is kept.`);
    get("play").href = `/play?game=${encodeURIComponent(name)}`;
    get("play").hidden = false;
  }
}

async function tryOut() {
  const place = get("statistics");
  place.replaceChildren(element("p", { class: "quiet", text: "Playing at random…" }));
  try {
    place.replaceChildren(statisticsList(await ask("POST", "/rules/try", { text: rules.value || " " })));
  } catch (error) {
    place.replaceChildren(element("p", { class: "bad", text: error.message }));
    if (get("findings").childElementCount === 0) {
      get("verdict").textContent = "The text shows nothing wrong, but a random game failed.";
    }
  }
}

rules.addEventListener("input", later);
rules.addEventListener("keydown", (event) => {
  if (event.key === "Tab" && !event.shiftKey && !event.ctrlKey && event.target.value) {
    event.preventDefault();
    rules.setRangeText("  ", rules.selectionStart, rules.selectionEnd, "end");
    later();
  }
});
get("keep").addEventListener("click", keep);
get("try").addEventListener("click", tryOut);
get("format").addEventListener("click", async () => {
  const laid = await attempt(() => ask("POST", "/rules/format", { text: rules.value }));
  if (laid) {
    rules.value = laid.text;
    later();
  }
});
watch(rules, get("symbol"), goTo);
draw();
check();

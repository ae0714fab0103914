// The page of one match: live turns, steps back and forth, search details, and the moves of a person.

import { analyze, forget } from "./analysis.js";
import { ask, attempt, element, tell, withName } from "./api.js";
import { closeBoard, letPoint, showPicture } from "./board.js";
import { branchOff } from "./branch.js";
import { drawChart } from "./chart.js";
import { copy, offerHtml } from "./embed.js";
import { People } from "./people.js";
import { Playback } from "./playback.js";
import { Positions } from "./positions.js";
import { letShowSeats } from "./seats.js";
import { showThoughts } from "./thoughts.js";
import { TurnList } from "./turns.js";
import { letAsk, suggest } from "./why.js";

const page = document.getElementById("match");
const number = page.dataset.number;
const roles = JSON.parse(page.dataset.roles);
const mine = JSON.parse(page.dataset.mine); // the roles that this browser plays
const colours = JSON.parse(page.dataset.colours); // of the roles, as on the board
const persons = JSON.parse(page.dataset.persons); // the roles that people play, in any browser
const MAX_BUTTONS = 200;
const QUIET = 30; // show the latest turn after this many milliseconds without a new one,
const QUIET_BEFORE = 500; // or after this many while turns from before the page was opened are missing,
const MAX_WAIT = 1000; // but after this many at the latest
const FAILED_STARTS = { TO: "late at START", CE: "no answer to START" };
const get = (id) => document.getElementById(id);

const turns = [];
let shown = -1;
let follows = true;
let redrawing; // the timer while new turns are not shown yet
let waitsSince = 0;
let wanted = Number(location.hash.match(/^#turn-(\d+)$/)?.[1] ?? -1); // the turn to go to when it arrives
let sight = page.dataset.sight; // the role whose view is shown, "nothing", or "" for everything
let hasThoughts = page.dataset.thoughts === "told"; // hidden in rated matches of people
let isOver = ["completed", "aborted", "interrupted"].includes(page.dataset.status);
let position; // the position that is shown; undefined until it has arrived
let drawn; // the position whose picture is on the board
const positions = new Positions(number, showPosition);
const list = new TurnList(get("turns"), { number, roles, hides: page.dataset.hides, choose: step });
const playback = new Playback(get("play"), get("pace"), showNext);
const people = persons.length === 0 ? null : new People(number, {
  mine, people: persons, names: JSON.parse(page.dataset.names), clock: JSON.parse(page.dataset.clock),
});

function keep(turn) {
  turns.length = Math.min(turns.length, turn.number);
  turns[turn.number] = turn;
  if (turn.number === 0) {
    showStart(turn.errors);
  }
}

/** Mark the players that were not ready in time, as far as the viewer may see it. */
function showStart(errors) {
  for (const place of get("seats").querySelectorAll("[data-start]")) {
    const error = errors[roles.indexOf(place.dataset.start)];
    place.textContent = error ? FAILED_STARTS[error.slice(0, 2)] ?? `START: ${error}` : "";
  }
}

/** Go to a turn that the user chose. */
function step(place) {
  playback.stop();
  show(place);
}

/** Show the next turn, or the first one if playback starts at the end. Return whether there are more. */
function showNext(isFirst) {
  if (isFirst || position) { // else the position has not arrived yet
    show(isFirst && isOver && follows ? 0 : shown + 1);
  }
  return !follows;
}

function show(place) {
  shown = Math.max(0, Math.min(place, turns.length - 1));
  follows = shown === turns.length - 1;
  const turn = turns[shown];
  if (!turn) {
    return;
  }
  reasons.clear();
  get("picture").href = `/api/v1/matches/${number}/positions/${shown}/picture`;
  get("link").href = `#turn-${shown}`;
  embed();
  get("place").textContent = `Turn ${shown} of ${turns.length - 1}`;
  if (!sight) {
    get("facts").textContent = turn.facts.join("\n");
  }
  list.mark(shown);
  if (hasThoughts) {
    showThoughts(get("thoughts"), turn, roles);
  }
  get("values").hidden = !drawChart(get("chart"), turns, roles, shown, colours);
  positions.want(turn);
}

function showPosition(found) {
  position = found;
  if (!position) {
    return;
  }
  if (position !== drawn || get("board").querySelector(".open")) {
    drawn = position;
    showPicture(get("board"), position.svg);
    showBelief(position.belief);
    get("why-ended").hidden = !position.terminal;
    suggest(get("suggested"), { legal: position.legal, facts: turns[shown]?.facts ?? [], roles });
  }
  letMove();
}

/** Let the user move if the match is waiting for a role of this browser. */
function letMove() {
  const isLatest = position && follows && !isOver && !position.terminal;
  const role = isLatest ? people?.asked(turns.length) : undefined;
  const isAsked = role !== undefined && position.legal[role]?.length > 0;
  get("choice").hidden = !isAsked;
  if (isAsked) {
    offer(role, position.legal[role]);
  } else if (get("board").querySelector(".open")) {
    closeBoard(get("board"));
  }
}

/** Update the HTML of the position that is shown if its part of the page is open. */
function embed() {
  if (get("embed").open) {
    offerHtml(get("html"), number, shown, page.dataset.game);
  }
}

/** Show in words what a role knows about a position. */
function showBelief(belief) {
  get("worlds").textContent = "";
  if (!belief) {
    return;
  }
  const percent = (share) => (share < 1 ? `${(100 * share).toFixed(1)} %` : "certain");
  const facts = Object.entries(belief.likely).sort((one, other) => other[1] - one[1]);
  get("facts").textContent = facts.map(([fact, share]) => `${fact}  ${percent(share)}`).join("\n");
  const number = belief.worlds.toLocaleString("en");
  let text = belief.worlds === 1 ? "You know the position." : `${number} positions are possible.`;
  if (!belief.consistent) {
    text = "What you saw contradicts the rules, so this position is made up.";
  } else if (!belief.complete) {
    text = `Found ${number} possible positions; there may be more.`;
  }
  get("worlds").textContent = text;
}

function offer(role, legal) {
  get("choice").dataset.role = role;
  const names = new Map(legal.map((move, index) => [move, withName(move, position.readable[role][index])]));
  get("legal").replaceChildren(...legal.map((move) => element("option", { value: move, label: names.get(move) })));
  letPoint(get("board"), legal, (left) => listMoves(left, names), play);
  get("move").value = "";
  follow();
}

/** Start or remove the analysis, as the checkbox says. */
function follow() {
  if (get("analysis").checked) {
    analyze(get("table"), number, get("choice").dataset.role);
  } else {
    forget(get("table"));
  }
}

function listMoves(legal, names) {
  get("moves").replaceChildren(...legal.slice(0, MAX_BUTTONS).map((move) => {
    const button = element("button", { type: "button", class: "plain", text: names.get(move) });
    button.addEventListener("click", () => play(move));
    return button;
  }));
}

async function play(move) {
  const body = { role: get("choice").dataset.role, move, turn: turns.length };
  forget(get("table"));
  if (!await attempt(() => ask("POST", `/matches/${number}/moves`, body))) {
    follow();
  }
}

async function hint() {
  tell("Searching…");
  const role = get("choice").dataset.role;
  const turn = turns.length;
  const found = await attempt(() => ask("POST", `/matches/${number}/hint`, { role, seconds: 2 }));
  if (isOver || turn !== turns.length) {
    tell(""); // the hint came too late
  } else if (found) {
    get("move").value = found.move;
    const name = withName(found.move, position?.readable[role]?.[position.legal[role].indexOf(found.move)]);
    tell(found.value === null ? name : `${name} (expected goal ${Math.round(found.value)})`);
  }
}

function listTurns() {
  showAbort();
  list.list(turns, sight);
}

/** Return whether all turns from before the page was opened have arrived. */
function isComplete() {
  return turns.length > Number(page.dataset.turns);
}

/** Show new turns when no more arrive for a moment. When the page opens, all turns arrive together. */
function redrawSoon() {
  waitsSince = redrawing ? waitsSince : Date.now();
  position = follows ? undefined : position;
  clearTimeout(redrawing);
  const left = waitsSince + MAX_WAIT - Date.now();
  redrawing = setTimeout(redraw, Math.max(0, Math.min(isComplete() ? QUIET : QUIET_BEFORE, left)));
}

function redraw() {
  clearTimeout(redrawing);
  redrawing = undefined;
  listTurns();
  if (turns[wanted]) {
    goToWanted();
  } else if (wanted < 0 || shown >= 0 || isComplete()) {
    show(follows ? turns.length - 1 : shown);
  }
}

/** Fetch what was hidden until the match was over. */
async function uncover() {
  const told = await attempt(() => ask("GET", `/matches/${number}/turns`));
  if (told) {
    sight = "";
    hasThoughts = true;
    turns.length = 0;
    told.forEach(keep);
    get("sight")?.remove();
    for (const part of ["records", "facts-part", "why-part", "embed", "thoughts-part", "turns-part"]) {
      get(part).hidden = false;
    }
    listTurns();
  }
}

/** Show the turn that the address names. */
function goToWanted() {
  if (turns[wanted]) {
    step(wanted);
    follows = false; // more turns may still arrive
    wanted = -1;
  }
}

function showStatus(status) {
  isOver = ["completed", "aborted", "interrupted"].includes(status);
  get("status").textContent = status;
  get("status").className = `status ${status}`;
  showAbort();
  get("resume").hidden = status !== "interrupted" || !page.dataset.own;
  get("report").hidden = !["completed", "aborted"].includes(status) || turns.length < 2 || Boolean(sight);
  get("branch")?.toggleAttribute("hidden", !["completed", "aborted"].includes(status));
}

/** Show the button that aborts the match. In a rated match, players may use it until all have chosen a move. */
function showAbort() {
  const hasChosen = (role) => turns.some((turn) => turn.replies[roles.indexOf(role)]?.legal > 1);
  if (page.dataset.staked && persons.every(hasChosen)) {
    page.dataset.staked = "late"; // even if moves are taken back
  }
  get("abort").hidden = isOver || !page.dataset.own || page.dataset.staked === "late";
}

function showEnd(end) {
  if (!isOver && end.status === "completed") {
    tellAbsent();
  }
  showStatus(end.status);
  tell(""); // remove a hint
  forget(get("table"));
  get("reason").textContent = end.reason;
  get("choice").hidden = true;
  get("again").hidden = mine.length === 0;
  people?.end(end.status, Object.fromEntries(roles.map((role, index) => [role, end.goals[index]])));
  for (const [index, role] of roles.entries()) {
    const cell = [...document.querySelectorAll("td[data-role]")].find((one) => one.dataset.role === role);
    if (cell && end.goals[index] !== undefined) {
      cell.textContent = end.goals[index];
    }
  }
}

/** Reload the page if a player did not play, because the page then says so. */
async function tellAbsent() {
  const match = await attempt(() => ask("GET", `/matches/${number}`));
  if (match?.seats.some((seat) => seat.absent)) {
    location.reload();
  }
}

function watch() {
  const events = new EventSource(`/api/v1/matches/${number}/events`);
  events.addEventListener("status", (event) => {
    const { status } = JSON.parse(event.data);
    showStatus(status);
    if (status !== "waiting") {
      get("reason").textContent = "";
    }
  });
  events.addEventListener("turn", (event) => {
    forget(get("table"));
    keep(JSON.parse(event.data));
    redrawSoon();
  });
  events.addEventListener("people", (event) => {
    const asked = people?.asked(turns.length);
    people?.show(JSON.parse(event.data));
    if (people?.asked(turns.length) !== asked) {
      letMove();
    }
  });
  events.addEventListener("taken-back", (event) => {
    turns.length = JSON.parse(event.data).number + 1;
    forget(get("table"));
    listTurns();
    show(turns.length - 1);
  });
  events.addEventListener("error", () => {
    if (events.readyState === EventSource.CLOSED) {
      tell("You are logged out. Reload this page.");
    }
  });
  events.addEventListener("ended", async (event) => {
    const end = JSON.parse(event.data);
    redraw();
    showEnd(end);
    events.close();
    if (sight ? end.status === "completed" : !hasThoughts && end.status !== "interrupted") {
      await uncover();
    }
    wanted = -1; // that turn will never arrive
    show(shown < 0 ? turns.length - 1 : shown);
  });
}

const reasons = letAsk(get("why"), get("answer"), (fact) => (
  ask("GET", `/matches/${number}/positions/${shown}/why?${new URLSearchParams({ fact })}`)));
get("why-ended").addEventListener("click", () => reasons.ask("terminal"));
get("embed").addEventListener("toggle", embed);
get("copy").addEventListener("click", () => copy(get("html")));
get("first").addEventListener("click", () => step(0));
get("back").addEventListener("click", () => step(shown - 1));
get("forward").addEventListener("click", () => step(shown + 1));
get("last").addEventListener("click", () => step(turns.length - 1));
get("abort").addEventListener("click", () => attempt(() => ask("POST", `/matches/${number}/abort`)));
get("resume").addEventListener("click", async () => {
  await attempt(() => ask("POST", `/matches/${number}/resume`));
  location.reload();
});
get("unrated")?.addEventListener("click", async () => {
  await attempt(() => ask("POST", `/matches/${number}/unrated`));
  location.reload();
});
get("move-form").addEventListener("submit", (event) => {
  event.preventDefault();
  play(get("move").value.trim());
});
get("branch")?.querySelector("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const { role, players } = event.target.elements;
  branchOff(number, shown, JSON.parse(event.target.dataset.roles), role.value, players.value.trim(), event.target);
});
window.addEventListener("hashchange", () => {
  wanted = Number(location.hash.match(/^#turn-(\d+)$/)?.[1] ?? -1);
  goToWanted();
});
get("hint").addEventListener("click", hint);
get("analysis").addEventListener("change", follow);
get("board").addEventListener("click", () => {
  if (people && get("choice").hidden) {
    tell(follows ? people.reason() : "This is an earlier position. Go to the latest position to move.");
  }
});
if (get("links-part")) {
  letShowSeats(get("links-part"), get("seat-links"), number);
}
document.addEventListener("keydown", (event) => {
  const steps = { ArrowLeft: shown - 1, ArrowRight: shown + 1, Home: 0, End: turns.length - 1 };
  if (event.key in steps && !event.target.closest("input, select, textarea")) {
    event.preventDefault();
    step(steps[event.key]);
  }
});

/** Show how many seconds of the playclock the players have used. */
function showClock() {
  const last = turns.at(-1);
  const isRunning = !isOver && last && page.dataset.timed;
  const seconds = isRunning ? Math.max(0, (Date.now() - last.time) / 1000) : 0;
  get("clock").textContent = isRunning ? `Thinking for ${seconds.toFixed(0)} of ${page.dataset.playclock} s` : "";
}

setInterval(showClock, 500);
watch();

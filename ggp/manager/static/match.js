// The page of one match: live turns, steps back and forth, what players thought, a person's moves.

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
const mine = JSON.parse(page.dataset.mine); // the roles that are played here
const colours = JSON.parse(page.dataset.colours); // of the roles, as the board shows them
const persons = JSON.parse(page.dataset.persons); // the roles that people play, here or elsewhere
const MOST_BUTTONS = 200;
const QUIET = 30; // milliseconds without a further turn, after which the latest is shown,
const QUIET_BEFORE = 500; // or this long as long as turns of before the page was opened are to come,
const MOST_WAIT = 1000; // but after this long at the latest
const FAILED_STARTS = { TO: "late at START", CE: "no answer to START" };
const get = (id) => document.getElementById(id);

const turns = [];
let shown = -1;
let follows = true;
let redrawing; // the timer, while turns have come that are not shown
let waitsSince = 0;
let wanted = Number(location.hash.match(/^#turn-(\d+)$/)?.[1] ?? -1); // a turn to go to, when it is there
let sight = page.dataset.sight; // the role whose part of the match is seen; "nothing", or "" for all
let hasThoughts = page.dataset.thoughts === "told"; // those of players are kept back in rated matches of people
let isOver = ["completed", "aborted", "interrupted"].includes(page.dataset.status);
let position; // the one that is shown; undefined until it has come
let drawn; // the one whose picture is on the board
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

/** Says beside the players which of them were not ready in time, as far as that is seen. */
function showStart(errors) {
  for (const place of get("seats").querySelectorAll("[data-start]")) {
    const error = errors[roles.indexOf(place.dataset.start)];
    place.textContent = error ? FAILED_STARTS[error.slice(0, 2)] ?? `START: ${error}` : "";
  }
}

/** Goes to a turn that a person chose. */
function step(place) {
  playback.stop();
  show(place);
}

/** The next turn of those that are played; at the end the first one. Returns whether more are to come. */
function showNext(isFirst) {
  if (isFirst || position) { // else the one that is shown has not come yet
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

/** Lets somebody move who is waited for here, and nobody else. */
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

/** Keeps the HTML of the position that is shown, where somebody looks at it. */
function embed() {
  if (get("embed").open) {
    offerHtml(get("html"), number, shown, page.dataset.game);
  }
}

/** What a role knows of a position, in words. */
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
    text = "What you saw contradicts the rules; a position was made up.";
  } else if (!belief.complete) {
    text = `${number} positions that are possible were found; there may be more.`;
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

/** Keeps the table of moves up to date, or takes it away. */
function follow() {
  if (get("analysis").checked) {
    analyze(get("table"), number, get("choice").dataset.role);
  } else {
    forget(get("table"));
  }
}

function listMoves(legal, names) {
  get("moves").replaceChildren(...legal.slice(0, MOST_BUTTONS).map((move) => {
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
  tell("Looking…");
  const role = get("choice").dataset.role;
  const turn = turns.length;
  const found = await attempt(() => ask("POST", `/matches/${number}/hint`, { role, seconds: 2 }));
  if (isOver || turn !== turns.length) {
    tell(""); // it comes too late
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

/** Whether all turns have come that were over when the page was opened. */
function isComplete() {
  return turns.length > Number(page.dataset.turns);
}

/** Shows turns that have come, once no more come at the moment: when the page opens they all do. */
function redrawSoon() {
  waitsSince = redrawing ? waitsSince : Date.now();
  position = follows ? undefined : position;
  clearTimeout(redrawing);
  const left = waitsSince + MOST_WAIT - Date.now();
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

/** Fetches what was not to be seen before the match was over. */
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

/** Shows the turn that the address names. */
function goToWanted() {
  if (turns[wanted]) {
    step(wanted);
    follows = false; // others may still come
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

/** Who plays for a rating may break the match off until all have chosen a move. */
function showAbort() {
  const hasChosen = (role) => turns.some((turn) => turn.replies[roles.indexOf(role)]?.legal > 1);
  if (page.dataset.staked && persons.every(hasChosen)) {
    page.dataset.staked = "late"; // also when moves are taken back
  }
  get("abort").hidden = isOver || !page.dataset.own || page.dataset.staked === "late";
}

function showEnd(end) {
  if (!isOver && end.status === "completed") {
    tellAbsent();
  }
  showStatus(end.status);
  tell(""); // a hint that is still shown
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

/** Loads the page again if somebody did not play, which it says then. */
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
      tell("You are not logged in any more; load this page again.");
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
    wanted = -1; // it will not come
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
    tell(follows ? people.reason() : "This is an earlier position; the last button leads to the latest.");
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

/** How long the players have been thinking, in seconds of the clock. */
function showClock() {
  const last = turns.at(-1);
  const isRunning = !isOver && last && page.dataset.timed;
  const seconds = isRunning ? Math.max(0, (Date.now() - last.time) / 1000) : 0;
  get("clock").textContent = isRunning ? `${seconds.toFixed(0)} s thinking, of ${page.dataset.playclock} s` : "";
}

setInterval(showClock, 500);
watch();

// The people of a match: whose turn it is, their clocks, their presence and their offers.

import { ask, attempt, element } from "./api.js";

const TICK = 250;
const PAUSE = 2000;
const OFFERS = {
  draw: "a draw",
  "take-back": "to take moves back",
  rematch: "a rematch",
  reveal: "to show everything to everyone",
};
const get = (id) => document.getElementById(id);

/** Return a length of time as a clock shows it. */
function clockFace(milliseconds) {
  const tenths = Math.max(0, Math.floor(milliseconds / 100));
  const seconds = Math.floor(tenths / 10);
  if (seconds < 10) {
    return `0:0${seconds}.${tenths % 10}`;
  }
  const [hours, rest] = [Math.floor(seconds / 3600), seconds % 3600];
  const minutes = Math.floor(rest / 60);
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest % 60)}` : `${minutes}:${two(rest % 60)}`;
}

/**
 * The part of a match's page that is about its people.
 *
 * `mine` are the roles that this browser plays, `people` are all roles that people play, and `names` are the names of
 * the players by role.
 */
export class People {
  constructor(number, { mine, names, people, clock }) {
    Object.assign(this, { number, mine, names, people, clock });
    this.state = null;
    this.offset = 0; // server clock minus browser clock, in milliseconds
    this.isOver = false;
    this.hasBegun = false;
    this.hadRematch = get("rematch").dataset.agreed !== undefined;
    this.offered = "";
    this.title = document.title;
    for (const kind of ["draw", "take-back", "rematch", "reveal"]) {
      get(kind).addEventListener("click", () => this.offer(kind));
    }
    get("resign").addEventListener("click", () => this.resign());
    setInterval(() => this.tick(), TICK);
  }

  get isWatching() {
    return this.mine.length === 0;
  }

  /** Return the role of this browser that is to move in a turn, or undefined. */
  asked(turn) {
    const isNow = !this.isOver && this.state?.turn === turn;
    return isNow ? this.mine.find((role) => this.state.waiting.some((one) => one.role === role)) : undefined;
  }

  /** Return why the user cannot move now. */
  reason() {
    if (this.isOver) {
      return "The match is over.";
    }
    const others = this.waitedFor();
    if (this.isWatching) {
      return `You are watching. ${others}`;
    }
    return others || (this.hasBegun ? "Another player is to move." : "The match has not begun yet.");
  }

  waitedFor() {
    const waiting = this.state?.waiting ?? [];
    const named = waiting.map(({ role }) => `${this.names[role]} (${role})`);
    return named.length === 0 ? "" : `${named.join(" and ")} ${named.length > 1 ? "are" : "is"} to move.`;
  }

  /** Show the state of the people that the server sent. */
  show(state) {
    this.state = state;
    this.offset = state.time - Date.now();
    this.hasBegun ||= state.turn > 0;
    for (const item of get("people").children) {
      this.showPresence(item.querySelector(".presence"), state.presence[item.dataset.role]);
    }
    if (state.turn > 0 || !this.hasBegun) { // between two turns nothing changes
      this.showTurn();
    }
    this.showOffers();
    this.tick();
  }

  showPresence(place, presence) {
    place.hidden = !presence;
    if (presence) {
      place.textContent = presence.status;
      place.className = `presence ${presence.status}`;
      place.title = `since ${new Date(presence.since).toLocaleTimeString()}`;
    }
  }

  showTurn() {
    for (const item of get("people").children) {
      item.toggleAttribute("data-waited", this.state.waiting.some((one) => one.role === item.dataset.role));
    }
    const own = this.asked(this.state.turn);
    const isHotSeat = this.mine.length > 1;
    const text = own ? `Your move${isHotSeat ? ` as ${own}` : ""}.` : this.reason();
    if (get("whose").textContent !== text) { // screen readers would read the same text again
      get("whose").textContent = text;
    }
    document.title = own ? `Your move · ${this.title}` : this.title;
    const others = this.people.filter((role) => !this.mine.includes(role));
    const plays = !this.isWatching;
    const isPlayed = plays && !this.isOver && this.hasBegun;
    get("resign").hidden = !isPlayed;
    get("draw").hidden = !isPlayed || others.length === 0 || this.people.length < Object.keys(this.names).length;
    get("take-back").hidden = !isPlayed || this.state.turn < 2 || get("take-back").dataset.never !== undefined;
  }

  /** Update the clocks, and how long the match has been waiting for a move. */
  tick() {
    if (!this.state || this.isOver) {
      return;
    }
    const now = Date.now() + this.offset;
    for (const item of get("people").children) {
      const { role } = item.dataset;
      const waiting = this.state.waiting.find((one) => one.role === role);
      const left = this.left(this.state.clocks?.[role], waiting, now);
      const face = item.querySelector(".clock");
      face.textContent = left === undefined || !this.people.includes(role) ? "" : clockFace(left);
      face.classList.toggle("short", left < 10_000);
    }
    const waited = now - Math.min(...this.state.waiting.map((one) => one.since));
    get("since").textContent = waited >= 10_000 && waited < Infinity ? `For ${clockFace(waited)}.` : "";
  }

  /** Return the milliseconds that a role has left, or undefined if there is no clock. */
  left(clock, waiting, now) {
    if (clock) {
      return clock.runs && waiting ? clock.left - (now - waiting.since) : clock.left;
    }
    return this.clock && waiting?.until ? waiting.until - now : undefined;
  }

  showOffers() {
    const fits = ({ kind }) => !this.isOver || kind === "rematch" || kind === "reveal";
    const offers = (this.state?.offers ?? []).filter(fits);
    const declined = (this.state?.declined ?? []).filter((one) => fits(one) && this.mine.includes(one.role));
    const told = JSON.stringify([offers, declined]);
    if (told !== this.offered) { // do not replace buttons that the user is about to press
      this.offered = told;
      const lines = declined.map(({ kind }) => element("p", { text: `You offered ${OFFERS[kind]}. It was declined.` }));
      get("offers").replaceChildren(...offers.map((offer) => this.offerRow(offer)), ...lines);
    }
  }

  offerRow({ kind, role, turns }) {
    const isOwn = this.mine.includes(role);
    const what = OFFERS[kind] + (kind === "take-back" && turns !== null ? `, to turn ${turns}` : "");
    const row = element("p", { class: "fields", "data-offer": kind });
    row.append(element("span", { text: `${isOwn ? "You offer" : `${this.names[role]} offers`} ${what}.` }));
    if (!this.isWatching) {
      const buttons = isOwn ? [["Withdraw", () => this.decline(kind)]]
        : [["Accept", () => this.offer(kind)], ["Decline", () => this.decline(kind)]];
      for (const [name, act] of buttons) {
        const button = element("button", { type: "button", class: "plain", text: name });
        button.addEventListener("click", act);
        row.append(button);
      }
    }
    return row;
  }

  /** Make an offer, or accept that of the others. */
  async offer(kind) {
    let agreed;
    for (const role of this.mine) { // several roles only if the user plays against themselves
      agreed = await attempt(() => ask("POST", `/matches/${this.number}/offers`, { role, kind }));
      if (!agreed || agreed.agreed) {
        break;
      }
    }
    if (agreed?.number) {
      location.assign(`/matches/${agreed.number}${agreed.key ? `?seat=${encodeURIComponent(agreed.key)}` : ""}`);
    } else if (agreed?.agreed && kind === "reveal") {
      location.reload();
    } else if (this.isOver) {
      this.look();
    }
  }

  async decline(kind) {
    for (const role of this.mine) {
      await attempt(() => ask("POST", `/matches/${this.number}/declines`, { role, kind }));
    }
    if (this.isOver) {
      this.look();
    }
  }

  async resign() {
    const role = this.asked(this.state?.turn) ?? this.mine[0];
    const as = this.mine.length > 1 ? ` as ${role}` : "";
    if (window.confirm(`Resign${as}? You will lose the match.`)) {
      await attempt(() => ask("POST", `/matches/${this.number}/resign`, { role }));
    }
  }

  /** Return in words who has won. `goals` are by role; roles may be missing. */
  outcome(goals) {
    const played = Object.keys(this.names).filter((role) => goals[role] !== undefined);
    const best = Math.max(...played.map((role) => goals[role]));
    const winners = played.filter((role) => goals[role] === best);
    if (played.length < 2) {
      return "";
    }
    return winners.length === played.length ? "Nobody won."
      : `${winners.map((role) => `${this.names[role]} (${role})`).join(" and ")} won.`;
  }

  /** Show that the match is over. Then poll for what its people can still agree on. */
  end(status, goals) {
    this.isOver = true;
    document.title = this.title;
    for (const item of get("people").children) {
      item.removeAttribute("data-waited");
      item.querySelector(".presence").hidden = true;
    }
    get("whose").textContent = status === "completed" ? this.outcome(goals) : `The match is ${status}.`;
    get("since").textContent = "";
    for (const id of ["resign", "draw", "take-back"]) {
      get(id).hidden = true;
    }
    get("rematch").hidden = this.isWatching || status === "interrupted";
    get("reveal").hidden = this.isWatching || status !== "aborted" || get("reveal").dataset.wanted === undefined;
    this.showOffers();
    if (!this.isWatching) {
      this.look();
    }
  }

  async look() {
    clearTimeout(this.timer);
    const match = await ask("GET", `/matches/${this.number}`).catch(() => undefined); // try again later
    if (["waiting", "running"].includes(match?.status)) {
      location.reload(); // another user has resumed the match
      return;
    }
    if (match?.rematch && !this.hadRematch) {
      this.offer("rematch"); // the rematch was just agreed: the answer contains the seat in it
      return;
    }
    if (match?.revealed && !get("reveal").hidden) {
      location.reload();
      return;
    }
    if (match?.people) {
      this.state = match.people;
      this.showOffers();
    }
    if (!match || match.people || match.status === "interrupted") {
      this.timer = setTimeout(() => this.look(), PAUSE);
    }
  }
}

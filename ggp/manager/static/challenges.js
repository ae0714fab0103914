// Challenges: their keys, which this browser keeps, and what a page says of one.

import { ask, attempt } from "./api.js";

const PREFIX = "ggp_challenge_";
const NAME = "ggp_name";

/** What this browser keeps under a name; null if it keeps nothing. */
function kept(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null; // nothing may be kept here
  }
}

function keep(name, text) {
  try {
    localStorage.setItem(name, text);
  } catch {
    // it is asked for again
  }
}

/** Keeps the key of a challenge, or of a seat in its match, and the links to its other seats. */
export function remember(number, key, links = {}) {
  keep(PREFIX + number, JSON.stringify({ key, links }));
}

/** Forgets a challenge that is over. */
export function forget(number) {
  try {
    localStorage.removeItem(PREFIX + number);
  } catch {
    // nothing is kept here
  }
}

/** The numbers of the challenges of which keys are kept, the newest first. */
export function remembered() {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
    return names.map((name) => Number(name.slice(PREFIX.length))).sort((one, other) => other - one);
  } catch {
    return [];
  }
}

/** What is known of a challenge of one's own, or one that was accepted here. */
export function known(number) {
  return { key: "", links: {}, ...JSON.parse(kept(PREFIX + number) ?? "{}") };
}

/** A field for one's name says again what it said last; it is not there where accounts have names. */
export function recallName(input) {
  if (input && !input.value) {
    input.value = kept(NAME) ?? "";
  }
}

/** What a field says of one's name, as the API wants it. */
export function nameIn(input) {
  const name = input?.value.trim();
  if (name) {
    keep(NAME, name);
  }
  return name ? { name } : {};
}

/** Where a challenge is looked at, with a key if there is one. */
export function pathOf(number, key) {
  return `/challenges/${number}${key ? `?${new URLSearchParams({ challenge: key })}` : ""}`;
}

/** Goes to one's seat in a match. */
export function sit(match, key) {
  location.assign(`/matches/${match}${key ? `?seat=${encodeURIComponent(key)}` : ""}`);
}

/** Takes a seat of a challenge, and goes to the match, or to where its others are waited for. */
export async function accept(number, body, form) {
  const found = await attempt(() => ask("POST", `/challenges/${number}/accept`, body), form);
  if (found?.match) {
    sit(found.match, found.key);
  } else if (found) {
    remember(number, found.key);
    location.assign(`/challenges/${number}`);
  }
  return found;
}

/** A length of time, in words. */
function duration(seconds) {
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  return [minutes ? `${minutes} min` : "", rest || !minutes ? `${rest} s` : ""].filter(Boolean).join(" ");
}

/** The clock of a challenge, and whether it is not rated, in words. */
export function termsText(challenge) {
  return clockText(challenge.clock) + (challenge.rated ? "" : ", not rated");
}

function clockText(clock) {
  if (!clock) {
    return "no clock";
  }
  if (clock.kind === "move") {
    return `${duration(clock.seconds)} a move`;
  }
  return duration(clock.seconds) + (clock.increment ? ` + ${clock.increment} s a move` : "");
}

/** The roles that somebody may still take, in words. */
export function openRoles(challenge) {
  if (challenge.sides === "random") {
    return "by lot";
  }
  return challenge.seats.filter((seat) => seat.open).map((seat) => seat.role).join(", ");
}

// Challenges: their keys, which this browser stores, and their description on pages.

import { ask, attempt } from "./api.js";

const PREFIX = "ggp_challenge_";
const NAME = "ggp_name";

/** Return what this browser stores under a name, or null. */
function kept(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null; // storage is not allowed
  }
}

function keep(name, text) {
  try {
    localStorage.setItem(name, text);
  } catch {
    // storage is not allowed: the user is asked again
  }
}

/** Store the key of a challenge, or of a seat in its match, and the links to its other seats. */
export function remember(number, key, links = {}) {
  keep(PREFIX + number, JSON.stringify({ key, links }));
}

/** Delete what is stored about a challenge. */
export function forget(number) {
  try {
    localStorage.removeItem(PREFIX + number);
  } catch {
    // storage is not allowed
  }
}

/** Return the numbers of the challenges with stored keys, the newest first. */
export function remembered() {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
    return names.map((name) => Number(name.slice(PREFIX.length))).sort((one, other) => other - one);
  } catch {
    return [];
  }
}

/** Return the stored key and links of a challenge that was made or accepted in this browser. */
export function known(number) {
  return { key: "", links: {}, ...JSON.parse(kept(PREFIX + number) ?? "{}") };
}

/** Fill in the name that the user entered last. With accounts there is no such field. */
export function recallName(input) {
  if (input && !input.value) {
    input.value = kept(NAME) ?? "";
  }
}

/** Return the name in a field as the API expects it, and store it. */
export function nameIn(input) {
  const name = input?.value.trim();
  if (name) {
    keep(NAME, name);
  }
  return name ? { name } : {};
}

/** Return the API path of a challenge, with the key if there is one. */
export function pathOf(number, key) {
  return `/challenges/${number}${key ? `?${new URLSearchParams({ challenge: key })}` : ""}`;
}

/** Open the page of a match with the seat of this key. */
export function sit(match, key) {
  location.assign(`/matches/${match}${key ? `?seat=${encodeURIComponent(key)}` : ""}`);
}

/** Take a seat of a challenge. Open the match, or the challenge if other seats are still open. */
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

/** Return a length of time in words. */
function duration(seconds) {
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  return [minutes ? `${minutes} min` : "", rest || !minutes ? `${rest} s` : ""].filter(Boolean).join(" ");
}

/** Return the clock of a challenge in words, and whether the match is not rated. */
export function termsText(challenge) {
  return clockText(challenge.clock) + (challenge.rated ? "" : ", not rated");
}

function clockText(clock) {
  if (!clock) {
    return "no clock";
  }
  if (clock.kind === "move") {
    return `${duration(clock.seconds)} per move`;
  }
  return duration(clock.seconds) + (clock.increment ? ` + ${clock.increment} s per move` : "");
}

/** Return the open roles in words. */
export function openRoles(challenge) {
  if (challenge.sides === "random") {
    return "random";
  }
  return challenge.seats.filter((seat) => seat.open).map((seat) => seat.role).join(", ");
}

// Links to seats: handed out, copied, and made anew.

import { ask, attempt, element } from "./api.js";
import { copy } from "./embed.js";

/** A link in a field, with a button that copies it, and others: pairs of a name and what it does. */
export function copiedLink(label, path, buttons = []) {
  const place = element("p", { class: "fields" });
  const named = element("label", { text: label });
  const input = element("input", { value: new URL(path, location.href).href, readonly: "", size: "44" });
  named.append(input);
  place.append(named, ...[["Copy", () => copy(input)], ...buttons].map(([text, act]) => {
    const button = element("button", { type: "button", class: "plain", text });
    button.addEventListener("click", act);
    return button;
  }));
  return place;
}

/** The path to a seat in a match. */
function pathTo(number, key) {
  return `/matches/${number}?${new URLSearchParams({ seat: key })}`;
}

/** Gives a seat a new key, and goes on with that; the old one ends. */
async function renew(number, role, then) {
  const made = await attempt(() => ask("POST", `/matches/${number}/seats/${encodeURIComponent(role)}/key`));
  if (made) {
    then(pathTo(number, made.key));
  }
}

/** Shows the links to seats as soon as somebody opens the part of the page that has them. */
export function letShowSeats(part, place, number) {
  const look = () => part.open && showSeats(place, number);
  part.addEventListener("toggle", look);
  look(); // it may have been opened before this was loaded
}

/** Shows the links by which one's seats are reached from another browser; a host makes those of others anew. */
async function showSeats(place, number) {
  const seat = await attempt(() => ask("GET", `/matches/${number}/seat`));
  const own = Object.entries(seat?.keys ?? {}).map(([role, key]) => (
    copiedLink(`Link for ${role}`, pathTo(number, key), [
      ["New link; this one ends", () => renew(number, role, (path) => location.assign(path))]])));
  const others = JSON.parse(place.dataset.others).map((role) => {
    const button = element("button", { type: "button", class: "plain", text: `New link for ${role}; the old one ends` });
    button.addEventListener("click", () => (
      renew(number, role, (path) => button.replaceWith(copiedLink(`Link for ${role}`, path)))));
    return button;
  });
  place.replaceChildren(...own, ...others);
}

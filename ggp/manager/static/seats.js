// Links to seats: show, copy and replace them.

import { ask, attempt, element } from "./api.js";
import { copy } from "./embed.js";

/** Create a field with a link, a button that copies it, and more `buttons`: pairs of a label and an action. */
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

/** Return the path to a seat in a match. */
function pathTo(number, key) {
  return `/matches/${number}?${new URLSearchParams({ seat: key })}`;
}

/** Give a seat a new key and call `then` with its path. The old key ends. */
async function renew(number, role, then) {
  const made = await attempt(() => ask("POST", `/matches/${number}/seats/${encodeURIComponent(role)}/key`));
  if (made) {
    then(pathTo(number, made.key));
  }
}

/** Show the links to seats when the user opens their part of the page. */
export function letShowSeats(part, place, number) {
  const look = () => part.open && showSeats(place, number);
  part.addEventListener("toggle", look);
  look(); // the part may have been opened before this script was loaded
}

/** Show the links to the user's seats. A host can also replace the links to the seats of others. */
async function showSeats(place, number) {
  const seat = await attempt(() => ask("GET", `/matches/${number}/seat`));
  const own = Object.entries(seat?.keys ?? {}).map(([role, key]) => (
    copiedLink(`Link for ${role}`, pathTo(number, key), [
      ["Replace link", () => renew(number, role, (path) => location.assign(path))]])));
  const others = JSON.parse(place.dataset.others).map((role) => {
    const button = element("button", { type: "button", class: "plain", text: `Replace link for ${role}` });
    button.addEventListener("click", () => (
      renew(number, role, (path) => button.replaceWith(copiedLink(`Link for ${role}`, path)))));
    return button;
  });
  place.replaceChildren(...own, ...others);
}

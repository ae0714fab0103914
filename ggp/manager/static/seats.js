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

/** Shows the links by which one's seats in a match are reached from another browser. */
export async function showSeats(place, number) {
  const seat = await attempt(() => ask("GET", `/matches/${number}/seat`));
  place.replaceChildren(...Object.entries(seat?.keys ?? {}).map(([role, key]) => {
    const renew = async () => {
      const made = await attempt(() => ask("POST", `/matches/${number}/seats/${encodeURIComponent(role)}/key`));
      if (made) {
        location.assign(`/matches/${number}?${new URLSearchParams({ seat: made.key })}`);
      }
    };
    const path = `/matches/${number}?${new URLSearchParams({ seat: key })}`;
    return copiedLink(`Link for ${role}`, path, [["New link; this one ends", renew]]);
  }));
}

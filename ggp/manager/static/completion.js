// Completion in the editor: the words that are possible at the cursor.

import { ask, attempt, element } from "./api.js";

const MOST = 12;

/** Offer words on Ctrl+Space. `placeOf` returns the place of the cursor, `replace` applies an edit. */
export function letComplete(area, place, placeOf, replace) {
  const close = () => place.replaceChildren();
  area.addEventListener("input", close);
  area.addEventListener("keydown", async (event) => {
    if (event.key === "Escape") {
      close();
    }
    if (event.key !== " " || !event.ctrlKey) {
      return;
    }
    event.preventDefault();
    const found = await attempt(() => ask("POST", "/rules/complete", { text: area.value || " ", ...placeOf() }));
    const words = (found?.words ?? []).slice(0, MOST);
    place.replaceChildren(...words.map(({ word, detail, kind }) => {
      const button = element("button", { type: "button", class: "plain", text: word, title: `${word}${detail}: ${kind}` });
      button.addEventListener("click", () => {
        close();
        replace({ ...found.begun, text: word });
        area.focus();
      });
      return button;
    }));
    if (words.length === 0) {
      place.replaceChildren(element("p", { class: "quiet", text: "No words are possible here." }));
    } else {
      place.firstElementChild.focus();
    }
  });
}

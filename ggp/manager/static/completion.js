// Words that may stand at the cursor of an editor, when somebody asks for them.

import { ask, attempt, element } from "./api.js";

const MOST = 12;

/** Offers words by Ctrl+Space; `placeOf` is the cursor's, `replace` puts a text at a place. */
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
      place.replaceChildren(element("p", { class: "quiet", text: "No word may stand there." }));
    } else {
      place.firstElementChild.focus();
    }
  });
}

// A position of rules in the making, walked to by moves.

import { ask, element, tell } from "./api.js";

/** A walk through a game; `rules` gives its text, and `moved` hears of each position. */
export function letWalk(part, rules, moved) {
  const [form, list, title] = [part.querySelector("form"), part.querySelector("ol"), part.querySelector("summary")];
  const made = [];
  let position;

  function show() {
    const count = made.length;
    title.textContent = count === 0 ? "In the first state" : `After ${count} turn${count === 1 ? "" : "s"}`;
    list.replaceChildren(...made.map((joint) => element("li", { text: joint.join("  ") })));
    const choices = Object.entries(position?.legal ?? {}).map(([role, moves]) => {
      const label = element("label", { text: role });
      const select = element("select", { name: role });
      select.append(...moves.map((move) => element("option", { text: move })));
      label.append(select);
      return label;
    });
    const isOver = position?.terminal ?? false;
    form.querySelector(".choices").replaceChildren(...(isOver ? [element("p", { text: "The game is over." })] : choices));
    form.querySelector("[type=submit]").disabled = isOver || choices.length === 0;
    form.querySelector("[name=back]").disabled = count === 0;
    moved(position);
  }

  async function look() {
    try {
      position = await ask("POST", "/rules/position", { text: rules(), moves: made });
    } catch (error) {
      position = undefined;
      tell(error.message);
      if (made.length > 0) {
        made.length = 0; // the rules have changed, and do not allow it any more
        await look();
        return;
      }
    }
    show();
  }

  /** What is chosen for each role; null where it is not known who may do what. */
  function chosen() {
    const selects = [...form.querySelectorAll("select")];
    return selects.length > 0 && selects.every((one) => one.value) ? selects.map((one) => one.value) : null;
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const joint = chosen();
    if (joint) {
      made.push(joint);
      await look();
    }
  });
  form.querySelector("[name=back]").addEventListener("click", async () => {
    made.pop();
    await look();
  });
  part.addEventListener("toggle", () => part.open && look());
  return { moves: () => made, next: () => (part.open ? chosen() : null), look: () => part.open && look() };
}

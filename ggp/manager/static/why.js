// Why a fact holds or does not hold: the form, and the answer as a tree.

import { element } from "./api.js";

const WORDS = new Map([[true, "yes"], [false, "no"], [null, "open"]]);

/** Create a line of an answer. With `goTo`, a button leads to its place in the rules. */
function row(line, goTo) {
  const item = element("li", { class: line.kind });
  if (line.kind === "condition") {
    const word = WORDS.get(line.holds);
    item.append(element("span", { class: `mark ${word}`, text: word }), " ");
  }
  item.append(element(["fact", "condition"].includes(line.kind) ? "code" : "span", { text: line.text }));
  const place = line.place ? `line ${line.place.line}` : "";
  const said = [line.said, goTo ? "" : place].filter(Boolean).join(", ");
  if (said) {
    item.append(" ", element("span", { class: "quiet", text: said }));
  }
  if (place && goTo) {
    const way = element("button", { type: "button", class: "plain", text: place });
    way.addEventListener("click", () => goTo(line.place));
    item.append(" ", way);
  }
  return item;
}

/** Return the lines as nested lists. */
function tree(lines, goTo) {
  const lists = [element("ul", { class: "why" })];
  for (const line of lines) {
    while (lists.length > line.level + 1) {
      lists.pop();
    }
    while (lists.length < line.level + 1) {
      const list = element("ul");
      lists.at(-1).lastElementChild.append(list);
      lists.push(list);
    }
    lists.at(-1).append(row(line, goTo));
  }
  return lists[0];
}

/** Return an answer as nodes. */
function told(answer, goTo) {
  const where = answer.turn === 0 ? "in the first state" : `after ${answer.turn} turn${answer.turn === 1 ? "" : "s"}`;
  const verdict = element("p");
  verdict.append(element("code", { text: answer.question }), ` ${answer.holds ? "holds" : "does not hold"} ${where}.`);
  const nodes = [verdict, tree(answer.lines, goTo)];
  if (answer.more > 0 || !answer.complete) {
    const rest = answer.more > 0 ? `More facts that fit: ${answer.more}.` : "The full answer is too long to show.";
    nodes.push(element("p", { class: "quiet", text: rest }));
  }
  return nodes;
}

/** Let a form ask about facts. `find(fact)` returns the answer. The result can clear the answer or ask itself. */
export function letAsk(form, place, find, goTo) {
  let asked = 0;
  const clear = () => {
    asked += 1;
    place.replaceChildren();
  };
  const look = async (fact) => {
    const turn = ++asked;
    let nodes;
    try {
      nodes = told(await find(fact), goTo);
    } catch (error) {
      nodes = [element("p", { class: "bad", text: error.message })];
    }
    if (turn === asked) {
      place.replaceChildren(...nodes);
    }
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    look(form.elements.fact.value.trim());
  });
  return {
    clear,
    ask(fact) {
      form.elements.fact.value = fact;
      return look(fact);
    },
  };
}

/** Fill a list of options with facts that are worth asking about in a position. */
export function suggest(list, { legal, facts, roles }) {
  const texts = ["terminal"];
  for (const role of roles) {
    texts.push(`(goal ${role} ?goal)`, `(legal ${role} ?move)`);
    texts.push(...(legal[role] ?? []).slice(0, 50).map((move) => `(legal ${role} ${move})`));
  }
  texts.push(...facts.slice(0, 200).map((fact) => `(true ${fact})`));
  list.replaceChildren(...texts.map((value) => element("option", { value })));
}

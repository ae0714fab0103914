// The analysis of a person's moves: a table that is refreshed by longer and longer searches.

import { ask, element } from "./api.js";

const SECONDS = [1, 2, 4];
const MORE = [8, 8, 8, 8]; // on a machine so busy that shorter searches find nothing
let current; // the AbortController of the analysis in progress, if any

/** Remove the table. An answer that arrives later is not shown. */
export function forget(place) {
  current?.abort();
  current = undefined;
  place.replaceChildren();
}

/** Show the moves of a role in the latest position. Do nothing if an analysis is in progress. */
export async function analyze(place, number, role) {
  if (current) {
    return;
  }
  current = new AbortController();
  const { signal } = current;
  place.replaceChildren(element("p", { class: "quiet", text: "Searching…" }));
  let isFound = false;
  for (const seconds of [...SECONDS, ...MORE]) {
    if (isFound && MORE.includes(seconds)) {
      return;
    }
    let shown;
    try {
      const found = await ask("POST", `/matches/${number}/analysis`, { role, seconds }, signal);
      shown = describe(found, seconds);
      isFound = true;
    } catch (error) {
      shown = [element("p", { class: "bad", text: error.message })];
    }
    if (signal.aborted) {
      return;
    }
    place.replaceChildren(...shown);
  }
}

function describe(found, seconds) {
  const worth = found.proven || `expects ${found.value === null ? "no value" : found.value.toFixed(1)}`;
  const parts = [element("p", { text: `${found.move}, ${worth}, after ${seconds} s` })];
  if (found.moves.length > 0) {
    parts.push(table(found.moves));
  }
  if (found.line.length > 0) {
    const line = found.line.map((moves) => moves.join(" ")).join(" → ");
    parts.push(element("p", { class: "quiet", text: `Expected line: ${line}` }));
  }
  return parts;
}

function table(moves) {
  const made = element("table", { class: "bars" });
  const head = element("tr");
  head.append(
    element("th", { text: "Move" }), element("th", { class: "number", text: "Visits" }),
    element("th", { class: "number", text: "Value" }), element("th", { text: "Proven" }),
  );
  const body = element("tbody");
  for (const move of moves) {
    const row = element("tr");
    row.append(
      element("td", { text: move.move }),
      element("td", { class: "number", text: move.visits.toLocaleString("en") }),
      element("td", { class: "number", text: move.value === null ? "-" : move.value.toFixed(1) }),
      element("td", { text: move.proven }),
    );
    body.append(row);
  }
  const top = element("thead");
  top.append(head);
  made.append(top, body);
  return made;
}

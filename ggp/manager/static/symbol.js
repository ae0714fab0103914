// Information about the word at the cursor of the editor.

import { ask, element } from "./api.js";

const PAUSE = 300;
const MARKS = /\*\*(?<strong>(?:\\.|[^*\\])+)\*\*|`` (?<code2>.+?) ``|`(?<code>[^`]+)`|\*(?<em>(?:\\.|[^*\\])+)\*|\\(?<plain>.)/g;

/** Create an element with text. Code has no escapes. */
function marked(name, inner) {
  const isCode = name.startsWith("code");
  return element(isCode ? "code" : name, { text: isCode ? inner : inner.replace(/\\(.)/g, "$1") });
}

/** Return a line of Markdown as nodes, with strong, emphasised and code parts. */
function inline(text) {
  const nodes = [];
  let last = 0;
  for (const match of text.matchAll(MARKS)) {
    const [name, inner] = Object.entries(match.groups).find(([, found]) => found !== undefined);
    nodes.push(text.slice(last, match.index), name === "plain" ? inner : marked(name, inner));
    last = match.index + match[0].length;
  }
  return [...nodes, text.slice(last)];
}

/** Return Markdown as nodes: paragraphs, numbered lists and code blocks. The API sends nothing else. */
function blocks(text) {
  return text.split("\n\n").map((part) => {
    const code = part.match(/^(?<fence>`{3,})\n(?<text>.*)\n\k<fence>$/s);
    if (code) {
      return element("pre", { text: code.groups.text, tabindex: "0" });
    }
    const items = part.split("\n");
    const isList = items.every((line) => /^\d+\. /.test(line));
    const made = element(isList ? "ol" : "p");
    for (const line of isList ? items : [part]) {
      const holder = isList ? element("li") : made;
      holder.append(...inline(isList ? line.replace(/^\d+\. /, "") : line));
      if (isList) {
        made.append(holder);
      }
    }
    return made;
  });
}

/** Create a button that goes to a place in the text. */
function way(title, place, goTo) {
  const button = element("button", { type: "button", class: "plain", text: `${title}: line ${place.line}` });
  button.addEventListener("click", () => goTo(place));
  return button;
}

/** Return the line and column of the cursor of a text area, from 1. */
export function placeOf(area) {
  const before = area.value.slice(0, area.selectionStart).split("\n");
  return { line: before.length, column: before.at(-1).length + 1 };
}

/** Describe the word at which the cursor of a text area rests. `sound()` returns the last text without errors. */
export function watch(area, place, goTo, sound) {
  let waiting = 0;
  let asked = "";
  const look = async () => {
    const { line, column } = placeOf(area);
    const key = `${line}:${column}:${area.value}`;
    if (key === asked || !area.value) {
      return;
    }
    asked = key;
    try {
      const found = await ask("POST", "/rules/symbol", { text: area.value, line, column, sound: sound() });
      if (key === asked && found.text) {
        const others = found.definitions.filter((one) => one.line !== line);
        const ways = others.slice(0, 1).map((one) => way("Definition", one, goTo));
        place.replaceChildren(...blocks(found.text), ...ways);
      }
    } catch {
      asked = ""; // ask again when the cursor moves next
    }
  };
  document.addEventListener("selectionchange", () => {
    if (document.activeElement === area) {
      clearTimeout(waiting);
      waiting = setTimeout(look, PAUSE);
    }
  });
}

// A position for other pages: an image that contains its picture, so that those pages load nothing from the manager.

import { tell } from "./api.js";

const escaped = (text) => text.replace(/[&<>"]/g, (one) => `&#${one.codePointAt(0)};`);

/** Return the HTML of a position of a match. */
async function html(number, turn, game) {
  const response = await fetch(`/api/v1/matches/${number}/positions/${turn}/picture`);
  if (!response.ok) {
    throw new Error((await response.json()).error);
  }
  const bytes = new TextEncoder().encode(await response.text());
  const packed = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const alt = escaped(`${game}, position after turn ${turn}`);
  return `<img width="400" alt="${alt}" src="data:image/svg+xml;base64,${packed}">`;
}

/** Show the HTML of a position in a text area, ready to copy. */
export async function offerHtml(area, number, turn, game) {
  try {
    area.value = await html(number, turn, game);
  } catch (error) {
    area.value = "";
    tell(error.message);
  }
}

/** Copy the content of a text area. If the browser does not allow that, only select it. */
export async function copy(area) {
  area.select();
  try {
    await navigator.clipboard.writeText(area.value);
    tell("Copied.");
  } catch {
    tell("Press Ctrl+C to copy.");
  }
}

// Requests to the API, and notices for the user.

const PREFIX = "/api/v1";
/** Largest size of an uploaded file. */
const MAX_BYTES = 262144;

/** Return the text of a file. If it is too long, throw an Error that names the field. */
export async function textOf(file) {
  if (file.size > MAX_BYTES) {
    throw new Error(`text: expected at most ${MAX_BYTES} bytes, got ${file.size}`);
  }
  return file.text();
}

/** Return the JSON answer of an operation. Throw an Error whose message can be shown to the user. */
export async function ask(method, path, body, signal) {
  const options = { method, headers: {}, signal };
  if (body !== undefined) {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  const response = await fetch(PREFIX + path, options);
  const answer = await response.json();
  if (!response.ok) {
    throw Object.assign(new Error(answer.error ?? response.statusText), { status: response.status });
  }
  return answer;
}

/** Return the address at which a role plays a new match. By default, use the first role with a key. */
export function addressOf({ number, keys }, role = Object.keys(keys)[0]) {
  const key = keys[role];
  return `/matches/${number}${key ? `?seat=${encodeURIComponent(key)}` : ""}`;
}

/** Show a notice in the corner of the page for 8 seconds. */
export function tell(text) {
  const notice = document.getElementById("notice");
  notice.textContent = text;
  if (text) {
    setTimeout(() => { if (notice.textContent === text) { notice.textContent = ""; } }, 8000);
  }
}

/**
 * Run an action that may fail, and show the error: in the form if it has an alert, else as a notice.
 * The message names a field of the form by its label.
 */
export async function attempt(action, form) {
  const place = form?.querySelector("[role=alert]");
  const tellIt = place ? (text) => { place.textContent = text; } : tell;
  if (place) {
    tellIt("");
  }
  try {
    return await action();
  } catch (error) {
    tellIt(form ? labelled(error.message, form) : error.message);
    return undefined;
  }
}

/** Replace the API's name of a field at the start of a message by the field's label. */
function labelled(message, form) {
  const [, path = "", rest] = message.match(/^(\w+(?:\.\w+)*): (.*)$/s) ?? [];
  const find = (field) => form.querySelector(`[name="${field}"], [data-field="${field}"]`);
  const input = path && (find(path) ?? find(path.split(".")[0]));
  const label = input?.labels?.[0]?.firstChild.textContent.trim();
  if (!label) {
    return message;
  }
  input.focus();
  return `${label}: ${rest}`;
}

/** Create an element with text and attributes. */
export function element(name, { text, ...attributes } = {}) {
  const made = document.createElement(name);
  if (text !== undefined) {
    made.textContent = text;
  }
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  return made;
}

/** Return a move and its readable name, or only the move if the name says no more. */
export function withName(move, name) {
  return name && name !== move.replace(/^\(|\)$/g, "") ? `${move}: ${name}` : move;
}

// Speaking to the API, and telling people what came of it.

const PREFIX = "/api/v1";

/** The JSON that an operation answers; throws an Error whose message is fit to be shown. */
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

/** Where a match that was set up is played by a role, or by the only person there is. */
export function addressOf({ number, keys }, role = Object.keys(keys)[0]) {
  const key = keys[role];
  return `/matches/${number}${key ? `?seat=${encodeURIComponent(key)}` : ""}`;
}

/** Shows a line at the edge of the page. */
export function tell(text) {
  const notice = document.getElementById("notice");
  notice.textContent = text;
  if (text) {
    setTimeout(() => { if (notice.textContent === text) { notice.textContent = ""; } }, 8000);
  }
}

/**
 * Runs what may fail, and tells why it did: in the form, where that has a place for it, until it is tried again. Fields of
 * a form are called what it calls them.
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

/** A message that begins with the API's name of a field, with the field's label instead. */
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

/** A new element with text, classes and attributes. */
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

/** A move with its name beside it, where that says more than the move itself. */
export function withName(move, name) {
  return name && name !== move.replace(/^\(|\)$/g, "") ? `${move}: ${name}` : move;
}

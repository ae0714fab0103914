// The pages about accounts: forms that show errors next to their fields, and the buttons in tables.

import { ask, attempt, tell } from "./api.js";

/** Host names that mean this machine on every machine: links with them do not work for others. */
const LOCAL = /^(localhost|127\..*|\[::1\]|0\.0\.0\.0)$/;

/** Return the values of a form's fields as the API expects them. */
function content(form) {
  const fields = [...form.elements].filter((one) => one.name && !one.disabled);
  const values = fields.map((one) => [one.name, one.type === "number" ? one.valueAsNumber : one.value]);
  const { key } = form.dataset;
  return { ...Object.fromEntries(values), ...(key ? { key } : {}) };
}

/** Show an error next to the field that it names, or next to the last field. */
function showError(form, message) {
  const [, name, rest] = message.match(/^(\w+): (.*)$/s) ?? [];
  const known = name && form.elements[name];
  const inputs = [...form.querySelectorAll("[aria-describedby]")];
  const input = known?.getAttribute?.("aria-describedby") ? known : inputs.at(-1);
  input.setAttribute("aria-invalid", "true");
  document.getElementById(`${input.id}-error`).textContent = input === known ? rest : message;
  input.focus();
}

function clearErrors(form) {
  for (const input of form.querySelectorAll("[aria-invalid]")) {
    input.removeAttribute("aria-invalid");
    document.getElementById(`${input.id}-error`).textContent = "";
  }
}

/** Show a key, or the link that contains it. */
function showKey(place, key, isLink) {
  const link = new URL(`/join?key=${encodeURIComponent(key)}`, location.href).href;
  place.querySelector("output").textContent = isLink ? link : key;
  place.querySelector(".local")?.toggleAttribute("hidden", !isLink || !LOCAL.test(location.hostname));
  place.hidden = false;
}

async function send(event) {
  event.preventDefault();
  const form = event.target;
  const { path, next, told } = form.dataset;
  clearErrors(form);
  try {
    const answer = await ask("POST", path, content(form));
    if (told) {
      showKey(form.querySelector(".told"), answer.key, told === "link");
    } else {
      location.assign(next);
    }
  } catch (error) {
    showError(form, error.message);
  }
}

async function change(row, body) {
  if (await attempt(() => ask("POST", `/accounts/${row.dataset.account}`, body))) {
    location.reload();
  }
}

for (const form of document.querySelectorAll("form.account")) {
  form.addEventListener("submit", send);
}
for (const button of document.querySelectorAll("button.act")) {
  button.addEventListener("click", async () => {
    if (await attempt(() => ask(button.dataset.method, button.dataset.path))) {
      if (button.dataset.next) { // another table on the page changes, too
        location.assign(button.dataset.next);
      } else {
        button.closest("tr").remove();
        tell("Done.");
      }
    }
  });
}
for (const row of document.querySelectorAll("tr[data-account]")) {
  const { name } = row.dataset;
  row.querySelector("button.set-role")?.addEventListener("click", () => {
    const role = row.querySelector("select.role").value;
    if (window.confirm(`Change the role of ${name} to ${role}? All sessions and tokens of the account will end.`)) {
      change(row, { role });
    }
  });
  row.querySelector("button.lock")?.addEventListener("click", (event) => {
    const isLocked = !event.target.dataset.locked;
    if (!isLocked || window.confirm(`Lock the account of ${name}?`)) {
      change(row, { is_locked: isLocked });
    }
  });
  row.querySelector("button.reset")?.addEventListener("click", async () => {
    const made = await attempt(() => ask("POST", `/accounts/${row.dataset.account}/reset`));
    if (made) {
      const place = document.getElementById("reset-link");
      place.querySelector("strong").textContent = name;
      showKey(place, made.key, true);
    }
  });
}
const mark = document.getElementById("new-mark");
mark?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const fields = mark.elements;
  const wanted = {
    name: fields.name.value.trim(),
    reference: fields.reference.value.trim(),
    games: [...fields.games.selectedOptions].map((option) => option.value),
    matches: fields.count.valueAsNumber,
    points: fields.points.valueAsNumber,
    startclock: fields.startclock.valueAsNumber,
    playclock: fields.playclock.valueAsNumber,
  };
  if (await attempt(() => ask("POST", "/pass-marks", wanted), mark)) {
    location.reload();
  }
});
const messages = document.getElementById("messages");
messages?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { webhook, mail } = messages.elements;
  const about = [...messages.querySelectorAll("[name=about]:checked")].map((one) => one.value);
  const wanted = { about, webhook: webhook?.value.trim() ?? "", mail: mail?.value.trim() ?? "" };
  if (await attempt(() => ask("POST", "/me/messages", wanted), messages)) {
    location.reload();
  }
});
document.getElementById("log-out")?.addEventListener("click", async () => {
  await attempt(() => ask("POST", "/logout"));
  location.assign("/login");
});

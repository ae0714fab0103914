// Syntax colouring for GDL.

const TOKEN = /;[^\r\n]*|\?[^\s();]+|[()]|<=|[^\s();]+|\s+/g;
const KEYWORDS = new Set([
  "role", "init", "true", "does", "next", "legal", "goal", "terminal", "base", "input", "sees",
  "distinct", "not", "or", "<=", "random",
]);

function kind(token) {
  if (token.startsWith(";")) {
    return "comment";
  }
  if (token.startsWith("?")) {
    return "variable";
  }
  return KEYWORDS.has(token.toLowerCase()) ? "keyword" : "";
}

/** Return the text as nodes. Keywords, variables and comments get an element with that class. */
export function colour(text) {
  return (text.match(TOKEN) ?? []).map((token) => {
    const found = kind(token);
    if (!found) {
      return document.createTextNode(token);
    }
    const made = document.createElement("span");
    made.className = found;
    made.textContent = token;
    return made;
  });
}

"""Rules by somebody who would like to run a script in the page of whoever looks at them."""

from __future__ import annotations

from html.parser import HTMLParser

# No blanks and no parentheses are needed to do harm: `onerror=alert`1`` is a word of KIF.
EVIL = '"><script>alert`1`</script><img/src=x/onerror=alert`1`>'
RULES = f"""
(role {EVIL})
(init (cell 1 1 {EVIL})) (init (cell 1 2 b)) (init (cell 2 1 b)) (init (cell 2 2 b))
(legal {EVIL} (go {EVIL}))
(legal {EVIL} (go back))
(<= (next (cell ?x ?y ?what)) (true (cell ?x ?y ?what)))
(<= (next (done {EVIL})) (does {EVIL} (go ?where)))
(<= terminal (true (done ?any)))
(goal {EVIL} 100)
"""
ALLOWED = {
    *("svg", "title", "g", "rect", "circle", "text", "line", "path", "defs", "use", "polygon"),
    *("style", "form", "p", "div", "ol", "li", "label", "input", "span", "script", "figure"),
    *("figcaption", "table", "caption", "thead", "tbody", "tr", "th", "td", "pre", "polyline"),
    *("h2", "h3", "code", "article", "a", "ellipse", "tspan"),
}


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.scripts: list[str] = []
        self.strange: list[str] = []
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag
        if tag not in ALLOWED:
            self.strange.append(tag)
        self.strange += [name for name, _ in attrs if name.startswith("on") or name == "src"]

    def handle_data(self, data: str) -> None:
        if self._inside == "script" and data.strip():
            self.scripts.append(data)

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""


def scripts_in(html: str) -> list[str]:
    """The scripts of a page as a browser reads it, which has no other way to run one."""
    reader = _Reader()
    reader.feed(html)
    assert reader.strange == []
    return reader.scripts

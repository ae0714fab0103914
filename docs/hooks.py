"""Hook of MkDocs that puts README and other pages from outside `docs/` on the site.

Links between pages are written as paths in the repository, so that they also work on a code host.
A link to a file that is not on the site, such as a source file, becomes plain text. On a page
with `$$`, formulas between dollar signs become MathML, which browsers show without a script.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from latex2mathml.converter import convert
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

REPOSITORY = Path(__file__).resolve().parents[1]
DOCS = Path("docs")
OUTSIDE = {
    Path("README.md"): Path("index.md"),
    Path("AGENTS.md"): Path("agents.md"),
    Path("CONTRIBUTING.md"): Path("contributing.md"),
    Path("SECURITY.md"): Path("security.md"),
    Path("CHANGELOG.md"): Path("changelog.md"),
    Path("benchmarks/README.md"): Path("benchmarks/README.md"),
    Path("benchmarks/history.md"): Path("benchmarks/history.md"),
}
"""Pages outside `docs/` in the repository, and where they are on the site."""

MARKDOWN_LINK = re.compile(r"\[(?P<label>[^]]*)\]\((?P<target>[^)\s]+)\)")
HTML_LINK = re.compile(r'(?<=src=")(?P<one>[^"]+)|(?<=srcset=")(?P<several>[^"]+)')
FORMULA = re.compile(
    r"(?P<code>```.*?```|`[^`\n]+`)|(?P<sign>\$\$?)(?P<formula>[^$][^$]*?)\s*(?P=sign)", re.DOTALL
)
ELSEWHERE = re.compile(r"(https?|mailto):|#|/")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages from outside `docs/`."""
    for source, target in OUTSIDE.items():
        text = (REPOSITORY / source).read_text(encoding="utf-8")
        files.append(File.generated(config, str(target), content=adapt_links(text, source, target)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Adapt the links of a page that lies in `docs/`."""
    target = Path(page.file.src_uri)
    if target.parts[0] == "decisions" or target.name in {"history.md", "changelog.md"}:
        page.meta["search"] = {"exclude": True}  # or they come before the pages that explain
    if target in OUTSIDE.values():
        return markdown
    text = adapt_links(markdown, DOCS / target, target)
    return FORMULA.sub(_as_mathml, text) if "$$" in text else text


def adapt_links(text: str, source: Path, target: Path) -> str:
    """Return `text` with each link to a file of the repository changed to its place on the site.

    Args:
        text: A page in Markdown.
        source: The page's path in the repository.
        target: The page's path on the site.
    """

    def as_markdown(found: re.Match[str]) -> str:
        if ELSEWHERE.match(found["target"]):
            return found[0]
        place = _place(found["target"], source, target)
        return f"[{found['label']}]({place})" if place else found["label"]

    def as_html(found: re.Match[str]) -> str:
        return found[0] if ELSEWHERE.match(found[0]) else _place(found[0], source, target) or ""

    return HTML_LINK.sub(as_html, MARKDOWN_LINK.sub(as_markdown, text))


def _place(link: str, source: Path, target: Path) -> str | None:
    """Return where a link of the page `target` leads on the site, or None if it leads elsewhere."""
    path, _, anchor = link.partition("#")
    linked = Path(os.path.normpath(source.parent / path))
    if (REPOSITORY / linked).is_dir():
        linked /= "README.md"
    if linked in OUTSIDE:
        place = OUTSIDE[linked]
    elif linked.is_relative_to(DOCS) and (REPOSITORY / linked).exists():
        place = linked.relative_to(DOCS)
    else:
        return None
    relative = os.path.relpath(place, target.parent)
    return f"{relative}#{anchor}" if anchor else relative


def _as_mathml(found: re.Match[str]) -> str:
    if found["code"]:
        return found[0]
    is_block = found["sign"] == "$$"
    return str(convert(found["formula"], display="block" if is_block else "inline"))

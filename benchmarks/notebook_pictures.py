"""Take pictures of notebook output, light and dark, and count the letters of matches there.

    pip install -e '.[browser]'
    python benchmarks/notebook_pictures.py docs/pictures [--games othello,breakthrough]

The page stands for a notebook: the same HTML as in Jupyter, without Jupyter. For each of the games,
the script writes a match of random moves. It prints the number of turns, the letters of its
pictures one by one, and those of the slider.
"""

from __future__ import annotations

import argparse
import base64
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright
from screenshots import CHROMIUM, FLAGS, SCHEMES, WEBP

from ggp import notebook

WIDTH = 760
MOVES = ["(drop 4)", "(drop 4)", "(drop 3)", "(drop 7)"]
PAGE = """<!doctype html><meta charset="utf-8"><style>
:root {{ color-scheme: light dark; }}
body {{ font: 14px/1.45 system-ui, sans-serif; margin: 1rem; }}
.cell {{ background: #8882; font: 13px monospace; margin: .8rem 0 .4rem; padding: .4rem .6rem; }}
</style>{cells}"""


def page() -> str:
    """Return cells of a notebook with their output."""
    position = notebook.game("connectFour").after(MOVES)
    match = notebook.match("connectFour", "mcts", "greedy", seed=1)
    shown: dict[str, Any] = {
        "position": position,
        "position.search(seconds=1)": position.search(seconds=1, seed=1),
        'position.why("(legal yellow noop)")': position.why("(legal yellow noop)"),
        'notebook.match("connectFour", "mcts", "greedy")': match,
        "match.report()": match.report(),
    }
    cells = (f'<div class="cell">{cell}</div>{one._repr_html_()}' for cell, one in shown.items())
    return PAGE.format(cells="".join(cells))


def look(browser: Browser, html: str, folder: Path) -> None:
    """Take the pictures."""
    for scheme in SCHEMES:
        seen = browser.new_page(viewport={"width": WIDTH, "height": 600}, color_scheme=scheme)
        seen.set_content(html)
        height = seen.evaluate("document.documentElement.scrollHeight")
        seen.set_viewport_size({"width": WIDTH, "height": height})
        session = seen.context.new_cdp_session(seen)
        data = session.send("Page.captureScreenshot", WEBP)["data"]
        (folder / f"notebook-{scheme}.webp").write_bytes(base64.b64decode(data))
        seen.close()


def size(name: str) -> str:
    """Return the size of a match of random moves."""
    match = notebook.match(name, *["random"] * len(notebook.game(name).loaded.played), seed=1)
    alone = sum(len(position._repr_svg_()) for position in match.positions)
    html = len(match._repr_html_())
    return f"{name:<22}{len(match) - 1:4} turns {alone:>10,} letters alone {html:>8,} in the slider"


def main() -> None:
    """Parse the command line and take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", default="connectFour,othello,breakthrough,pentago,hex")
    chosen = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        look(browser, page(), chosen.folder)
        browser.close()
    for name in chosen.games.split(","):
        print(size(name), flush=True)


if __name__ == "__main__":
    main()

"""A match as HTML that needs no server: pictures of its positions, and a list of moves.

The list is a group of radio buttons, so the arrow keys select a move even without a script. A style
sheet shows the picture of the selected move. If scripts are allowed, a script adds a slider and
buttons. A form keeps the radio groups of several matches on a page apart.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final, TypeVar

from ggp.notebook.table import html_text

T = TypeVar("T")
MAX_LETTERS: Final = 900_000
"""Maximum length of a match as HTML. In a longer match, only every second, fourth, ... position is
shown.
"""
MAX_PICTURES: Final = 400
MAX_MOVE: Final = 60
MIN_SHARED_LETTERS: Final = 60
"""Minimum length of an element that is shared. A reference to an element is half as long."""
# In the output of `ggp.drawing.svg`, `<` and `>` occur only around tags, not in attributes.
_TAG: Final = re.compile(r"<(?P<end>/)?(?P<name>[A-Za-z]+)[^<>]*?(?P<empty>/)?>")
WIDTH, HEIGHT = 22.0, 26.0
"""Maximum size of a picture, in rem."""
_KEYS: Final = "data-lm-suppress-shortcuts"
"""Attribute of elements that receive all keys. Otherwise JupyterLab handles the arrow keys."""
_VIEW_BOX: Final = re.compile(r'viewBox="\S+ \S+ (\S+) (\S+)"')
STYLE: Final = """<style>
.ggp-match{--line:#8886;margin:.3rem 0;max-width:100%;position:relative}
.ggp-match .title{font-weight:600;margin:0 0 .4rem}
.ggp-match .stage{display:flex;gap:1rem;position:relative}
.ggp-match .room{flex:none;height:var(--h);width:var(--w)}
.ggp-match ol{flex:0 1 16rem;height:var(--h);list-style:none;margin:0;min-width:8rem;
 overflow-y:auto;padding:0}
.ggp-match li{margin:0;padding:0}
.ggp-match label{cursor:pointer;display:flex;margin:0}
.ggp-match label input{appearance:none;border:0;height:0;margin:0;outline:0;padding:0;width:0}
.ggp-match label span.move{border-radius:.25rem;flex:1;overflow-wrap:anywhere;
 padding:.1rem .5rem}
.ggp-match label:hover span.move{background:#8882}
.ggp-match input:checked+span.move{background:#3b82f640;font-weight:600}
.ggp-match input:focus-visible+span.move{outline:2px solid #3b82f6;outline-offset:-2px}
.ggp-match .frame{height:var(--h);left:0;position:absolute;top:0;visibility:hidden;width:var(--w)}
.ggp-match input:checked~.frame{visibility:visible}
.ggp-match .frame svg{height:100%;width:100%}
.ggp-match .controls{align-items:center;display:flex;gap:.3rem;margin-top:.5rem;
 width:var(--w)}
.ggp-match .controls input{flex:1;min-width:3rem}
.ggp-match .notes{color:#808892;font-size:.85em;margin:.4rem 0 0}
.ggp-match button{background:none;border:1px solid var(--line);border-radius:.25rem;color:inherit;
 cursor:pointer;font:inherit;line-height:1.6;min-width:2rem;padding:0 .4rem}
</style>"""
# The script contains no data of the match, so the text of a rulesheet can never be executed.
SCRIPT: Final = """<script>
for (const form of document.querySelectorAll('form.ggp-match:not([data-ready])')) {
  form.dataset.ready = '';
  const radios = [...form.querySelectorAll('input[type=radio]')];
  const last = radios.length - 1, list = form.querySelector('ol');
  const controls = form.querySelector('.controls');
  const slider = document.createElement('input');
  Object.assign(slider, {type: 'range', min: 0, max: last, value: last});
  slider.setAttribute('aria-label', 'position');
  slider.setAttribute('data-lm-suppress-shortcuts', '');
  const now = () => radios.findIndex(radio => radio.checked);
  const told = () => { slider.value = now(); };
  const show = number => {
    const radio = radios[Math.max(0, Math.min(last, number))], row = radio.closest('li');
    radio.checked = true; told();
    const above = row.offsetTop - list.offsetTop;
    if (above < list.scrollTop || above + row.offsetHeight > list.scrollTop + list.clientHeight)
      list.scrollTop = above - list.clientHeight / 2;
  };
  let clock = 0;
  const button = (text, label, act) => {
    const made = document.createElement('button');
    Object.assign(made, {type: 'button', textContent: text, title: label});
    made.setAttribute('aria-label', label);
    made.setAttribute('data-lm-suppress-shortcuts', '');
    made.addEventListener('click', act);
    return made;
  };
  const stop = () => { clearInterval(clock); clock = 0; play.textContent = '\\u25b6'; };
  const play = button('\\u25b6', 'play', () => {
    if (clock) return stop();
    if (now() === last) show(0);
    play.textContent = '\\u2016';
    clock = setInterval(() => {
      if (now() === last || !form.isConnected) return stop();
      show(now() + 1);
    }, 700);
  });
  const to = find => () => { stop(); show(find()); };
  controls.append(button('\\u00ab', 'first position', to(() => 0)),
    button('\\u2039', 'one back', to(() => now() - 1)), slider,
    button('\\u203a', 'one forward', to(() => now() + 1)),
    button('\\u00bb', 'last position', to(() => last)), play);
  slider.addEventListener('input', () => { stop(); show(+slider.value); });
  form.addEventListener('change', event => { if (event.target !== slider) { stop(); told(); } });
  form.addEventListener('keydown', event => {
    const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (!step || event.target.tagName !== 'BUTTON') return;
    event.preventDefault(); stop(); show(now() + step);
  });
  show(now());
}
</script>"""


@dataclass(frozen=True, slots=True)
class Frame:
    """A position of a match: its SVG picture, and the move that led to it in words."""

    move: str
    svg: str


def slider(title: str, frames: Sequence[Frame], step: int = 1, notices: Sequence[str] = ()) -> str:
    """Return the match as HTML that initially shows the last position.

    Args:
        frames: The positions, from the first to the last. There must be at least one. If they do
            not all fit on a page, some of them are left out.
        step: Number of turns between two frames.
    """
    while True:
        html = _html(title, frames, step, notices)
        if len(html) <= MAX_LETTERS or len(frames) <= 2:
            return html
        frames, step = thinned(frames, 2), step * 2


def step_for(num_frames: int) -> int:
    """Return the number of turns between two drawn positions: 1, 2, 4, ..."""
    step = 1
    while num_frames > step * MAX_PICTURES:
        step *= 2
    return step


def thinned(frames: Sequence[T], step: int) -> Sequence[T]:
    """Return every `step`-th frame, plus the last one."""
    return [*frames[: len(frames) - 1 : step], frames[-1]]


def _html(title: str, frames: Sequence[Frame], step: int, notices: Sequence[str]) -> str:
    # If the same match is shown twice, the ids are equal, but so is the content that they refer to.
    content = "\0".join([title, *(frame.svg for frame in frames)])
    key = f"ggp{sha256(content.encode(errors='replace')).hexdigest()[:10]}-"
    shared, pictures = share([frame.svg for frame in frames], key)
    rows = [
        f'<li><label><input type="radio" name="{key}" {_KEYS}'
        f' aria-label="{html_text(frame.move, MAX_MOVE)}"'
        f"{' checked' if number == len(frames) - 1 else ''}>"
        f'<span class="move">{html_text(frame.move, MAX_MOVE)}</span>'
        f'<span class="frame">{picture}</span></label></li>'
        for number, (frame, picture) in enumerate(zip(frames, pictures, strict=True))
    ]
    thin = [f"The match is long: one position of {step} is shown."] if step > 1 else []
    notes = "".join(f'<p class="notes">{html_text(text)}</p>' for text in [*thin, *notices])
    # With the method `dialog`, the browser does not submit the form.
    return (
        f'{STYLE}{shared}<form class="ggp-match" method="dialog" style="{_size(frames)}">'
        f'<p class="title">{html_text(title)}</p>'
        f'<div class="stage"><div class="room"></div><ol>{"".join(rows)}</ol></div>'
        f'<div class="controls"></div>{notes}</form>{SCRIPT}'
    )


def _size(frames: Sequence[Frame]) -> str:
    boxes = [_VIEW_BOX.search(frame.svg) for frame in frames]
    sizes = [(float(box[1]), float(box[2])) for box in boxes if box]
    width = max((width for width, _ in sizes), default=1.0)
    height = max((height for _, height in sizes), default=1.0)
    most = min(WIDTH, HEIGHT * width / height)
    shown = f"min({most:.4g}rem,56vw)"
    return f"--w:{shown};--h:calc({shown}*{height / width:.4g})"


@dataclass(slots=True)
class _Element:
    opening: str
    name: str
    parts: list[_Element | str] = field(default_factory=list)
    text: str = ""


def share(pictures: Sequence[str], prefix: str) -> tuple[str, list[str]]:
    """Move shared parts of pictures to the `<defs>` of an invisible picture.

    Return the invisible picture, and the given pictures with references to the shared parts.

    Args:
        pictures: SVG in the form of `ggp.drawing`.
        prefix: Prefix of the ids. No other picture on the page may use it.
    """
    roots = [_read(picture) for picture in pictures]
    counts: Counter[str] = Counter()
    for root in roots:
        for part in root.parts:
            _count(part, counts)
    ids: dict[str, str] = {}

    def written(part: _Element | str) -> str:
        if isinstance(part, str):
            return part
        if counts[part.text] > 1 and len(part.text) >= MIN_SHARED_LETTERS:
            name = ids.setdefault(part.text, f"{prefix}{len(ids):x}")
            return f'<use href="#{name}"/>'
        return _closed(part, "".join(map(written, part.parts)))

    left = [_closed(root, "".join(map(written, root.parts))) for root in roots]
    # Put the id on a group around each part, because the part may already have an id.
    defs = "".join(f'<g id="{name}">{text}</g>' for text, name in ids.items())
    hidden = 'width="0" height="0" style="position:absolute" aria-hidden="true"'
    shared = f'<svg xmlns="http://www.w3.org/2000/svg" {hidden}><defs>{defs}</defs></svg>'
    return shared if ids else "", left


def _count(part: _Element | str, counts: Counter[str]) -> None:
    """Count elements. Do not descend into a repeated element, because it is shared as a whole."""
    if isinstance(part, str):
        return
    counts[part.text] += 1
    if counts[part.text] == 1:
        for inner in part.parts:
            _count(inner, counts)


def _read(picture: str) -> _Element:
    top = _Element("", "")
    stack, place = [top], 0
    for match in _TAG.finditer(picture):
        stack[-1].parts.append(picture[place : match.start()])
        place = match.end()
        if match["end"]:
            done = stack.pop()
            done.text = _closed(done, "".join(map(_text, done.parts)))
            continue
        element = _Element(match[0], match["name"])
        stack[-1].parts.append(element)
        if match["empty"]:
            element.text = match[0]
        else:
            stack.append(element)
    [root] = [part for part in top.parts if isinstance(part, _Element)]
    return root


def _text(part: _Element | str) -> str:
    return part if isinstance(part, str) else part.text


def _closed(element: _Element, inside: str) -> str:
    if element.opening.endswith("/>"):
        return element.opening
    return f"{element.opening}{inside}</{element.name}>"

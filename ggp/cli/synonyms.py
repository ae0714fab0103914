"""Synonyms of verbs and options: for a word that the command line does not know, ours."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

# Words for nearly the same; each may stand for each other one that a verb has.
_OPTIONS = (
    "time seconds duration think t timeout playclock clock movetime move-time turn-time",
    "startclock start-clock preparation prepare",
    "n num count matches rounds repeat number games playouts iterations runs",
    "j jobs threads workers cores cpus processes parallel",
    "o out output outfile save record file to write",
    "p player players agent opponent opponents against vs ai bot adviser",
    "role as side color colour",
    "seed random-seed rng",
    "moves position history after state",
    "lines top most",
    "bind address interface ip listen host hostname",
    "db database dsn sqlite url",
    "token password secret key auth",
    "memory mem ram max-memory",
    "engine reasoner backend machine",
    "option options set param config",
    "picture image svg draw png html curve",
    "limit move-limit max-moves max-turns max-steps steps turns plies",
    "depth plies max-depth lookahead",
    "margin buffer safety reserve",
    "swap switch alternate rotate",
    "q quiet silent",
    "v verbose thoughts explain log-level debug loglevel",
    "i w in-place inplace write fix",
    "notation epilog kif infix format",
    "source rules show print cat",
    "dialect protocol manager server",
    "rate learning-rate alpha lr",
    "V version",
    "help h ? man usage",
)
_VERBS = (
    "serve start run server listen daemon agent",
    "match run simulate versus vs fight game",
    "play human interactive tui",
    "manager host web gui ui server pages",
    "tournament league cup championship",
    "analyze analyse search think solve eval evaluate best",
    "learn train fit",
    "ping info status",
    "games list ls rules show",
    "players agents bots list options strategies",
    "lecture lectures teach examples course",
    "replay verify trace history",
    "check lint validate verify test",
    "format fmt pretty print",
    "bench benchmark speed perf perft measure profile",
    "book books opening openings solve",
    "--version version",
    "--help help man usage ?",
)

# What a surplus word looks like, and which options take such a word; the first that a verb has.
_TAKERS: tuple[tuple[Callable[[str], bool], tuple[str, ...]], ...] = (
    (
        lambda word: word.replace(".", "", 1).isdecimal(),
        ("--seconds", "--port", "--playclock", "--depth"),
    ),
    (lambda word: word.endswith((".svg", ".html")), ("--picture", "--svg", "--curve")),
    (lambda word: word.endswith((".json", ".book")), ("--record", "--save", "--out")),
    (lambda word: word.endswith((".db", ".sqlite")), ("--db",)),
    (lambda word: "=" in word and ":" not in word, ("--option",)),
    (lambda word: True, ("--against", "--player")),
)


def options_like(word: str, known: Iterable[str]) -> list[str]:
    """The options that mean nearly what an unknown one says."""
    return _like(word.lstrip("-"), known, _OPTIONS)


def verbs_like(word: str, known: Iterable[str]) -> list[str]:
    """The verbs, or options of `ggp`, that mean nearly what an unknown verb says."""
    return _like(word, known, _VERBS)


def option_taking(word: str, known: Sequence[str], players: Iterable[str]) -> str:
    """The option that a surplus word may belong to; empty if there is none."""
    if f"--{word}" in known:
        return f"--{word}"
    for looks_so, options in _TAKERS:
        if looks_so(word):
            is_for_players = "--player" in options
            if is_for_players and not _is_player(word, players):
                return ""
            return next((f"{one} {word}" for one in options if one in known), "")
    return ""


def _like(word: str, known: Iterable[str], families: Iterable[str]) -> list[str]:
    alike = {other for family in families if word in (of := family.split()) for other in of}
    return [name for name in known if name in alike or name.lstrip("-") in alike]


def _is_player(word: str, players: Iterable[str]) -> bool:
    return ":" in word or word in players

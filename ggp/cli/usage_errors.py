"""Messages about errors in a command line: what was given, and what was expected.

They replace the messages of the parsing library, which differ from version to version.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from enum import Enum
from typing import Any

from ggp.cli.options import BUILT_IN

# Groups of words with similar meaning. Each word may suggest any option or verb of its group.
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
    "scramble obfuscate rename shuffle anonymize",
    "bench benchmark speed perf perft measure profile",
    "book books opening openings solve",
    "--version version",
    "--help help man usage ?",
)

# Tests of a surplus word, each with the options that may take the word. If a test succeeds, the
# first of its options that the verb has is suggested.
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
    """Return the known options that mean nearly the same as an unknown option."""
    return _like(word.lstrip("-"), known, _OPTIONS)


def verbs_like(word: str, known: Iterable[str]) -> list[str]:
    """Return the known verbs, or options of `ggp`, that mean nearly the same as an unknown verb."""
    return _like(word, known, _VERBS)


def option_taking(word: str, known: Sequence[str], players: Iterable[str]) -> str:
    """Return the option that the user may have meant by a surplus word, or "" if there is none.

    For example, `5` may mean `--seconds 5`, and `json` may mean `--json`.
    """
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


MAX_HINTS = 3
_EXTRA = re.compile(r"\((?P<words>[^()]*)\)\.?$")


def describe(error: Any, command: Any, args: Sequence[str], verbs: Iterable[str] = ()) -> str:
    """Return a one-line message for a usage error, without the name of the command.

    Args:
        error: The error that the library or a verb raised.
        command: The verb, or group of verbs.
        args: The words of the command line after the command.
        verbs: The verbs that may follow the name of a group.
    """
    match type(error).__name__:
        case "MissingParameter":
            return f"{_name(error.param)} is missing"
        case "NoSuchOption":
            known = _options(command)
            hint = _nearest(error.option_name, known, options_like(error.option_name, known))
            return f"there is no option {error.option_name}{hint}"
        case "BadOptionUsage":
            return _half_an_option(error.option_name, command)
        case "BadParameter":
            return _bad_value(error, args)
        case _:
            return _bad_words(error, command, args, verbs)


def _bad_words(error: Any, command: Any, args: Sequence[str], verbs: Iterable[str]) -> str:
    if args and hasattr(command, "commands") and not args[0].startswith("-"):
        meant = verbs_like(args[0], [*command.commands, *_options(command)])
        return f"there is no verb {args[0]!r}{_nearest(args[0], command.commands, meant)}"
    extra = _EXTRA.search(error.message)
    if extra is not None:
        words = extra["words"].split()
        taking = option_taking(words[0], _options(command), BUILT_IN) if words else ""
        hint = f"; did you mean {taking}?" if taking else _nearest(words[0], verbs, ())
        return f"expected no more arguments, got also: {extra['words']}{hint}"
    return " ".join(error.message.split())


def _bad_value(error: Any, args: Sequence[str]) -> str:
    message = " ".join(error.message.split())
    if error.param is None:
        return f"{error.param_hint}: {message}" if error.param_hint else message
    given = _given(error.param.opts, args)
    got = "" if given is None else f", got {given!r}"
    return f"{_name(error.param)}: expected {_expected(error.param)}{got}"


def _half_an_option(name: str, command: Any) -> str:
    [param] = [one for one in command.params if name in one.opts] or [None]
    if param is None or param.is_flag:
        return f"{name} takes no value"
    return f"{name}: expected {param.metavar or 'a value'} after it, got nothing"


def _expected(param: Any) -> str:
    """Return a description of the values that an option accepts.

    Only options with a number or with fixed choices are described. All others accept any text.
    """
    default = param.default
    if isinstance(default, Enum):
        return f"one of {', '.join(str(one.value) for one in type(default))}"
    kind = "a number" if param.type.name.startswith("float") else "a whole number"
    low, high = getattr(param.type, "min", None), getattr(param.type, "max", None)
    if low is not None and high is not None:
        return f"{kind} from {_figure(low)} to {_figure(high)}"
    return kind if low is None else f"{kind} of at least {_figure(low)}"


def _figure(bound: float) -> str:
    """Return the bound without an exponent: 1000000, where `:g` would write 1e+06."""
    return str(int(bound)) if bound == int(bound) else f"{bound:g}"


def _given(names: Sequence[str], args: Sequence[str]) -> str | None:
    found = None
    for word, following in zip(args, [*args[1:], ""], strict=True):
        option, equals, value = word.partition("=")
        if option in names:
            found = value if equals else following
    return found


def _name(param: Any) -> str:
    is_option = param.opts[0].startswith("-")
    return str(param.opts[0] if is_option else param.metavar or param.name.upper())


def _options(command: Any) -> list[str]:
    names = [name for param in command.params for name in param.opts if name.startswith("-")]
    return [*names, "--help"]


def _nearest(word: str, known: Iterable[str], meant: Sequence[str]) -> str:
    # Compare names without dashes, because the dashes would make all options look similar.
    by_name = {name.lstrip("-"): name for name in known}
    near = [by_name[name] for name in get_close_matches(word.lstrip("-"), by_name)]
    found = list(dict.fromkeys([*near, *meant]))[:MAX_HINTS]
    return f"; did you mean {' or '.join(found)}?" if found else ""

"""Specs of language models, such as `llm:http://127.0.0.1:8080/v1,model=small`, and their key."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from ggp.errors import WrongUseError
from ggp.players.options import (
    Option,
    OptionKind,
    PlayerSpecError,
    check_options,
    one_of,
    or_word,
    share,
    whole,
)
from ggp.protocol.addresses import check_address

FORM: Final = "llm:http://HOST:PORT/v1,model=NAME"
KEY_VARIABLE: Final = "GGP_LLM_KEY"
MAX_RETHINKS: Final = 3
DEFAULT: Final = "default"

MODEL: Final = Option("model", OptionKind("a name", str), "", "name of the model")
MAX_TOKENS: Final = Option(
    "max_tokens", whole(0), 0, "most tokens of an answer; 0: as many as the endpoint allows"
)
TEMPERATURE: Final[Option[float | str]] = Option(
    "temperature", or_word(share(2), DEFAULT), DEFAULT, "0: the likeliest answer each time"
)
RETHINKS: Final = Option(
    "rethinks", whole(0, MAX_RETHINKS), MAX_RETHINKS, "further tries after an illegal answer"
)
PROSE: Final = "prose"
RULES: Final = Option(
    "rules", one_of(("gdl", PROSE)), "gdl", "form of the rules: as they are, or in sentences"
)
OPTIONS: Final = (MODEL, MAX_TOKENS, TEMPERATURE, RETHINKS, RULES)

# This must not match `llm:Mine`, which is the player class `Mine` in a module `llm`.
_MODEL = re.compile(r"llm:(https?:.*|[^\s/:=,]+:\d+([/,].*)?)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A language model, as specified by a user.

    Attributes:
        base: Address of the endpoint, without a slash at the end.
        model: The model's name at the endpoint. Empty if the endpoint has only one model.
        max_tokens: Maximum number of tokens of an answer. 0 means the endpoint's own limit.
        temperature: Sampling temperature, or None for the endpoint's default.
        rethinks: Number of retries after an illegal answer.
        is_prose: Whether the model gets the rules in sentences instead of GDL.
    """

    base: str
    model: str
    max_tokens: int
    temperature: float | None
    rethinks: int
    is_prose: bool = False


def is_model(text: str) -> bool:
    """Return whether a text names a language model rather than another player."""
    return _MODEL.fullmatch(text) is not None


def read_spec(text: str) -> ModelSpec:
    """Parse the spec of a language model.

    Raises:
        WrongUseError: The text is not a valid spec. The message explains why.
    """
    base, *parts = text.partition(":")[2].split(",")
    _check_base(text, base)
    options = {}
    for part in parts:
        name, sign, value = part.partition("=")
        if not sign or not value:
            raise WrongUseError(f"{text!r}: expected an option NAME=VALUE, got {part!r}")
        if name in options:
            raise WrongUseError(f"{text!r}: option {name} is given twice")
        options[name] = value
    try:
        check_options(options, OPTIONS)
    except PlayerSpecError as error:
        raise WrongUseError(f"{text!r}: {error}") from error
    temperature = TEMPERATURE.read(options)
    return ModelSpec(
        base.rstrip("/"),
        MODEL.read(options),
        MAX_TOKENS.read(options),
        None if isinstance(temperature, str) else temperature,
        RETHINKS.read(options),
        RULES.read(options) == PROSE,
    )


def key_of_environment() -> str:
    """Return the endpoint's key from the environment, or "" if there is none.

    Raises:
        WrongUseError: The key cannot be sent in a header. The message does not reveal it.
    """
    key = os.environ.get(KEY_VARIABLE, "").strip()
    if not all("!" <= char <= "~" for char in key):
        raise WrongUseError(f"{KEY_VARIABLE}: expected a key of ASCII characters without blanks")
    return key


def _check_base(text: str, base: str) -> None:
    if not base.lower().startswith(("http://", "https://")):
        raise WrongUseError(f"{text!r}: expected {FORM}, but there is no http:// before {base}")
    check_address(base)
    parts = urlsplit(base)
    if "@" in parts.netloc:
        # Do not quote the URL, because it may contain a password.
        raise WrongUseError(f"llm: expected {FORM}; a key goes in {KEY_VARIABLE}, not in the URL")
    if parts.query or parts.fragment:
        raise WrongUseError(f"{text!r}: expected {FORM}, got a query; write options after a comma")

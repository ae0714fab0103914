"""Specs of language models are read, and wrong ones refused by name."""

from __future__ import annotations

import pytest

from ggp.errors import WrongUseError
from ggp.language_models.spec import ModelSpec, is_model, key_of_environment, read_spec


def test_a_spec_has_an_address_and_options() -> None:
    """Those that are missing are the endpoint's own."""
    spec = read_spec("llm:http://127.0.0.1:8080/v1/,model=org/small:7b,temperature=0")
    assert spec == ModelSpec("http://127.0.0.1:8080/v1", "org/small:7b", 0, 0.0, 3)


@pytest.mark.parametrize("text", ["llm:Mine", "llm:Mine:c=1", "llm", "mcts:c=1", "http://a:1"])
def test_other_players_are_no_models(text: str) -> None:
    """A module of the name `llm` neither."""
    assert not is_model(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("llm:localhost:8080/v1", "but there is no http://"),
        ("llm:http://localhost:0/v1", "port 0"),
        ("llm:http://localhost:1/v1?model=a", "write options after a comma"),
        ("llm:http://localhost:1/v1,modell=a", "did you mean model"),
        ("llm:http://localhost:1/v1,model", "expected an option NAME=VALUE"),
        ("llm:http://localhost:1/v1,model=", "expected an option NAME=VALUE"),
        ("llm:http://localhost:1/v1,model=a,model=b", "given twice"),
        ("llm:http://localhost:1/v1,temperature=3", "from 0 to 2"),
        ("llm:http://localhost:1/v1,rethinks=4", "from 0 to 3"),
    ],
)
def test_a_wrong_spec_is_refused(text: str, reason: str) -> None:
    """The message names what is wrong."""
    assert is_model(text)
    with pytest.raises(WrongUseError, match=reason):
        read_spec(text)


def test_a_key_in_the_url_is_refused_and_not_repeated() -> None:
    """It belongs in the environment."""
    with pytest.raises(WrongUseError, match="GGP_LLM_KEY") as caught:
        read_spec("llm:http://me:secret@localhost:1/v1")
    assert "secret" not in str(caught.value)


def test_a_key_that_is_no_header_is_refused_and_not_repeated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Blanks around it do not count."""
    monkeypatch.setenv("GGP_LLM_KEY", " good\n")
    assert key_of_environment() == "good"
    monkeypatch.setenv("GGP_LLM_KEY", "two\nsecret")
    with pytest.raises(WrongUseError, match="GGP_LLM_KEY") as caught:
        key_of_environment()
    assert "secret" not in str(caught.value)

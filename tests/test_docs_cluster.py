"""The files of docs/cluster: what they call exists, and their versions are pinned."""

from __future__ import annotations

import re
from importlib.util import find_spec
from typing import Any

import pytest

from tests.shared import REPOSITORY

FOLDER = REPOSITORY / "docs" / "cluster"
RAY = "ray==2.60.0"
pytestmark = pytest.mark.skipif(find_spec("ray") is None, reason="needs the extra cluster")


def read(name: str) -> Any:
    """What a file says."""
    yaml = pytest.importorskip("yaml")  # Ray needs it as well
    return yaml.safe_load((FOLDER / name).read_text(encoding="utf-8"))


def ray_options(verb: str) -> set[str]:
    """The options of a command of Ray's."""
    from ray.scripts.scripts import cli

    return {name for param in cli.commands[verb].params for name in param.opts}


@pytest.mark.parametrize("name", ["compose.yaml", "ray.yaml"])
def test_options_that_ray_is_given_exist(name: str) -> None:
    """In the version that is installed for the tests."""
    text = (FOLDER / name).read_text(encoding="utf-8")
    text = re.sub(r"^ *#.*", "", text, flags=re.MULTILINE).partition("&& exec ggp")[0]
    given = set(re.findall(r"--[a-z][a-z-]+", text.replace("manager:", "")))
    given -= {"--quiet", "--host", "--cluster", "--db", "--username", "--dbname"}

    assert given
    assert given <= ray_options("start") | ray_options("health-check")


def test_services_are_built_from_this_tree_or_pinned() -> None:
    """Whoever starts them next year gets the same."""
    services = read("compose.yaml")["services"]

    assert services.keys() == {"head", "worker", "manager", "postgres"}
    assert re.fullmatch(r"postgres:\d+\.\d+", services["postgres"]["image"])
    for name in ("head", "worker", "manager"):
        args = services[name]["build"]["args"]
        assert args == {"EXTRAS": "cluster,postgresql", "PACKAGES": RAY}
    assert RAY.replace("ray", "ray[default]") in str(read("ray.yaml")["setup_commands"])


def test_nothing_of_ray_is_published() -> None:
    """Only the manager's page, and that on this host."""
    found = read("compose.yaml")
    services = found["services"]

    published = {name: one["ports"] for name, one in services.items() if "ports" in one}

    assert published == {"manager": ["127.0.0.1:8080:8080"]}
    assert found["networks"]["cluster"]["internal"]
    assert all("cluster" in one["networks"] for one in services.values())


def test_launcher_takes_the_file() -> None:
    """By Ray's own judgement."""
    from ray.autoscaler._private.util import prepare_config, validate_config

    config = prepare_config(read("ray.yaml"))

    validate_config(config)
    assert config["max_workers"] == 2


def test_image_takes_extras_and_packages() -> None:
    """The arguments that compose gives are those that the Dockerfile has."""
    text = (REPOSITORY / "Dockerfile").read_text(encoding="utf-8")

    for name in read("compose.yaml")["x-ggp"]["build"]["args"]:
        assert re.search(rf"^ARG {name}=", text, re.MULTILINE)
        assert f"${{{name}}}" in text

"""The files of docs/operations ask for metrics, labels and values that there are."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from ggp.engine import EnginePool
from ggp.listener.connection import BoundedServer, Handler
from ggp.manager.web.metrics import ManagerMetrics
from ggp.metrics.port import Exposition
from ggp.server.agent import Agent
from ggp.server.config import ServerConfig
from ggp.server.metrics import ServerMetrics
from tests.ggp.manager.desk import desk
from tests.shared import REPOSITORY

FOLDER = REPOSITORY / "docs" / "operations"
PAGE = (REPOSITORY / "docs" / "operations.md").read_text(encoding="utf-8")
ADDED = frozenset({"job", "instance"})
"""The labels that Prometheus adds."""
SELECTOR = re.compile(r"\b((?:ggp|process)_[a-z_]+|up)\b(?:\{([^}]*)\})?")
MATCHER = re.compile(r'(\w+)\s*(=~|=|!=|!~)\s*"([^"]*)"')
GROUPING = re.compile(r"\b(?:by|without|ignoring|on) \(([^)]*)\)")

Known = dict[str, dict[str, set[str]]]
"""The values of each label of each sample."""


@pytest.fixture
async def known(tmp_path: Path) -> Known:
    """What a server and a manager tell."""

    async def handle(_request: Any) -> Any:
        raise AssertionError("nobody asks this server")

    handler: Handler = handle
    config = ServerConfig()
    listener = BoundedServer(handler, config.bounds())
    pool = EnginePool()
    of_server = ServerMetrics(Agent(config, pool), pool, listener)
    async with desk(tmp_path) as (service, _):
        of_manager = ManagerMetrics(service, listener)
        await of_server.gather()
        await of_manager.gather()
        texts = [Exposition(one.metrics()).text().decode() for one in (of_server, of_manager)]
    families = [one for text in texts for one in text_string_to_metric_families(text)]
    found: Known = defaultdict(lambda: defaultdict(set))
    for sample in (one for family in families for one in family.samples):
        labels = found[sample.name]
        for label, value in sample.labels.items():
            labels[label].add(value)
    return found


def own(names: Iterable[str]) -> set[str]:
    """Our metrics among names of samples."""
    return {re.sub("_(bucket|count|sum)$", "", name) for name in names if name.startswith("ggp_")}


def queries() -> Iterator[str]:
    """Those of the dashboard and of the alerts."""
    dashboard = json.loads((FOLDER / "dashboard.json").read_text(encoding="utf-8"))
    for panel in dashboard["panels"]:
        yield from (target["expr"] for target in panel.get("targets", ()))
    yaml = pytest.importorskip("yaml")  # Ray needs it as well
    alerts = yaml.safe_load((FOLDER / "alerts.yml").read_text(encoding="utf-8"))
    for group in alerts["groups"]:
        yield from (rule["expr"] for rule in group["rules"])


def test_queries_ask_for_what_there_is(known: Known) -> None:
    """Each name, each label and each value; and each metric of ours is asked for by one."""
    asked = set()
    for query in queries():
        selectors = SELECTOR.findall(query)
        assert selectors, query
        names = {name for name, _ in selectors}
        assert names <= known.keys() | {"up"}, query
        asked |= names
        matched = [(name, *one) for name, text in selectors for one in MATCHER.findall(text)]
        for name, label, _, values in matched:
            assert label in ADDED or {*values.split("|")} <= known[name][label], query
        labels = ADDED.union(*(known[name] for name in names))
        assert {*", ".join(GROUPING.findall(query)).split(", ")} - {""} <= labels, query

    assert own(known) <= own(asked)


def test_each_metric_is_described(known: Known) -> None:
    """In the table of the page, which names no other."""
    described = set(re.findall(r"^\| `(ggp_[a-z_]+)", PAGE, re.MULTILINE))

    assert described == own(known)


def test_prometheus_understands_the_files() -> None:
    """As its own tool says."""
    tool = shutil.which("promtool")
    if tool is None:
        pytest.skip("needs promtool, of Debian's package prometheus")
    subprocess.run([tool, "check", "config", FOLDER / "prometheus.yml"], check=True)

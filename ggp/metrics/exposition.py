"""The text format that Prometheus reads, generated from metrics by prometheus-client."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
)
from prometheus_client.metrics_core import Metric as Family
from prometheus_client.registry import Collector

from ggp.metrics.metric import Histogram, Metric, Value

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SUFFIX = "_total"


class Exposition(Collector):
    """The current values of metrics, with the standard metrics of any process."""

    def __init__(self, metrics: Sequence[Metric]) -> None:
        self._metrics = metrics
        self._registry = CollectorRegistry()
        self._registry.register(self)
        ProcessCollector(registry=self._registry)

    def text(self) -> bytes:
        """Return all metrics as text."""
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Family]:
        """Yield each metric. The registry calls this."""
        for metric in self._metrics:
            found = metric.read()
            values = found if isinstance(found, Mapping) else {"": found}
            yield _family(metric, values)


def _family(metric: Metric, values: Mapping[str, Value]) -> Family:
    labels = [metric.label] if metric.label else []
    if any(isinstance(value, Histogram) for value in values.values()):
        histogram = HistogramMetricFamily(metric.name, metric.text, labels=labels)
        for name, value in values.items():
            assert isinstance(value, Histogram)
            histogram.add_metric([name] if labels else [], value.buckets(), value.total)
        return histogram
    is_counter = metric.name.endswith(SUFFIX)
    kind = CounterMetricFamily if is_counter else GaugeMetricFamily
    family = kind(metric.name.removesuffix(SUFFIX), metric.text, labels=labels)
    for name, value in values.items():
        assert not isinstance(value, Histogram)
        family.add_metric([name] if labels else [], value)
    return family

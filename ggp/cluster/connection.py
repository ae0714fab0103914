"""The connection of this process to a Ray cluster."""

from __future__ import annotations

import logging
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from importlib.util import find_spec
from typing import Final

from ggp.errors import GgpError, reason_of

ADDRESS_VARIABLE: Final = "RAY_ADDRESS"
"""Variable with the cluster's address for this process and its children. Ray's commands read it
too.
"""
AUTO: Final = "auto"
"""Means the cluster that this machine belongs to."""
SETTINGS: Final = {
    # Ray ends our process after it has been without the head for this many seconds.
    "RAY_gcs_rpc_server_reconnect_timeout_s": "1000000",
    # Otherwise a process that asks for something after leaving a cluster would start another one.
    "RAY_ENABLE_AUTO_CONNECT": "0",
}
"""Ray's settings, as environment variables. Variables that are already set are kept."""
PROBE_SECONDS: Final = 3.0
CONNECT_SECONDS: Final = 30.0
NAMESPACE: Final = "ggp"
TRIAL: Final = "import ray, sys; ray.init(address=sys.argv[1], log_to_driver=False)"


class ClusterError(GgpError):
    """No cluster can be used. The message says what is missing."""


def require_ray() -> None:
    """Raise ClusterError if Ray is not installed. The message says how to install it."""
    if find_spec("ray") is None:
        raise ClusterError(
            "work on a cluster needs ray, which is not installed; type  pip install "
            "'ggp-agent[cluster]'  or, in a clone,  pip install '.[cluster]'"
        )


@contextmanager
def connected(address: str) -> Iterator[None]:
    """Connect to a cluster for the duration of the context. Child processes find the cluster too.

    Meanwhile standard output is redirected to standard error, because Ray prints messages about
    machines to it.

    Args:
        address: `HOST:PORT` of the cluster's head, or `auto`.

    Raises:
        ClusterError: Ray is not installed, or there is no such cluster.
    """
    before = os.environ.get(ADDRESS_VARIABLE)
    with redirect_stdout(sys.stderr):
        connect(address)
        os.environ[ADDRESS_VARIABLE] = address
        try:
            yield
        finally:
            _leave(before)


def _leave(before: str | None) -> None:
    import ray

    ray.shutdown()
    if before is None:
        del os.environ[ADDRESS_VARIABLE]
    else:
        os.environ[ADDRESS_VARIABLE] = before


def connect(address: str) -> None:
    """Connect this process to a cluster until the process ends.

    Raises:
        ClusterError: Ray is not installed, or there is no such cluster.
    """
    require_ray()
    _probe(address)
    for name, value in SETTINGS.items():
        os.environ.setdefault(name, value)
    _try_apart(address)
    # Ray waits forever for a head that has disappeared.
    failures: list[BaseException] = []
    thread = threading.Thread(target=_init, args=(address, failures), daemon=True)
    thread.start()
    thread.join(CONNECT_SECONDS)
    if thread.is_alive():
        raise ClusterError(f"{address}: no Ray cluster answered within {CONNECT_SECONDS:g} s")
    if failures:
        raise ClusterError(
            f"{address}: {_first_line(failures[0])}; to start a cluster, run `ray "
            "start --head`, and to add this machine to one, run `ray start "
            "--address=HOST:PORT`"
        ) from failures[0]


def num_cpus() -> int:
    """Return the number of CPUs in the whole cluster, busy or not."""
    import ray

    return int(ray.cluster_resources().get("CPU", 0))


def cpus_of_machines() -> list[int]:
    """Return the number of CPUs of each machine that has any."""
    import ray

    nodes = [node for node in ray.nodes() if node["Alive"]]
    return [num for node in nodes if (num := int(node["Resources"].get("CPU", 0)))]


def _probe(address: str) -> None:
    if address == AUTO:
        return
    host, colon, port = address.rpartition(":")
    if not (colon and host and port.isdecimal() and 0 < int(port) < 1 << 16):
        raise ClusterError(f"expected HOST:PORT of a Ray cluster's head, or auto, got {address!r}")
    try:
        socket.create_connection((host.strip("[]"), int(port)), PROBE_SECONDS).close()
    except TimeoutError as error:
        raise ClusterError(f"{address}: no answer within {PROBE_SECONDS:g} s") from error
    except ConnectionRefusedError as error:
        raise ClusterError(
            f"{address}: no program listens at this address; check that the head of "
            "the cluster is running"
        ) from error
    except OSError as error:
        raise ClusterError(f"{address}: {reason_of(error)}") from error


def _try_apart(address: str) -> None:
    """Check that the cluster accepts this machine. Use another process, which Ray may end."""
    command = [sys.executable, "-c", TRIAL, address]
    try:
        tried = subprocess.run(  # noqa: S603  # our own command, with an address as an argument
            command, capture_output=True, timeout=CONNECT_SECONDS, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise ClusterError(
            f"{address}: no Ray cluster answered within {CONNECT_SECONDS:g} s"
        ) from error
    if tried.returncode:
        raise ClusterError(
            f"{address}: there is no Ray cluster, or it refuses this machine; all "
            "machines need the same versions of Python and Ray and the same token "
            "(RAY_AUTH_MODE), and `ray start` must have been run on this machine"
        )


def _init(address: str, failures: list[BaseException]) -> None:
    import ray

    logging.getLogger("ray").setLevel(logging.ERROR)  # our own messages say enough
    try:
        ray.init(
            address=address,
            namespace=NAMESPACE,
            ignore_reinit_error=True,
            configure_logging=False,
            log_to_driver=False,
        )
    except Exception as error:  # noqa: BLE001  # Ray raises many kinds; the caller reports it
        failures.append(error)


def _first_line(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0].rstrip(".")

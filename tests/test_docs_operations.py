"""The files of docs/operations: units are sound, and proxies hand on what a manager needs."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import os
import re
import shlex
import shutil
import socket
import ssl
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import typer
from aiohttp import ClientSession, ClientTimeout, TCPConnector

from ggp.cli import app
from ggp.cli.verbs import command_of, words_of
from tests.ggp.manager.desk import Home, desk
from tests.shared import REPOSITORY
from tests.waiting import until

FOLDER = REPOSITORY / "docs" / "operations"
UNITS = sorted((FOLDER / "systemd").glob("*.*"))
ROOT: Any = typer.main.get_command(app)
UPLOADS = "/var/lib/ggp/uploads"
EXPOSURE = 20  # in tenths, by `systemd-analyze security`: from 0, confined, to 100
SECONDS = 20.0
NGINX = """
daemon off; {user} pid {folder}/pid; error_log {folder}/log; events {{}}
http {{
    access_log off; default_type text/plain;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/1; uwsgi_temp_path {folder}/2; scgi_temp_path {folder}/3;
    include {folder}/ggp.conf;
}}
"""
CADDY = """{{
    admin off
    default_bind 127.0.0.1
    http_port {http}
    https_port {https}
    storage file_system {folder}/storage
    servers {{
        protocols h1 h2
    }}
}}
"""


def free_port() -> int:
    """A port on which nobody listens."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def replaced(text: str, changes: dict[str, str]) -> str:
    """A text in which each of these is something else; all of them must be there."""
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    return text


def certificate(folder: Path) -> Path:
    """A certificate for this machine that it has signed itself; its key lies beside it."""
    made = (
        "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost"
    )
    files = ["-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")]
    names = ["-addext", "subjectAltName=DNS:localhost"]
    subprocess.run(["openssl", *made.split(), *names, *files], check=True, capture_output=True)
    return folder / "fullchain.pem"


def nginx_command(folder: Path, manager: int, http: int, https: int) -> list[str]:
    """Nginx with the configuration of the documentation, on ports of its own."""
    text = (FOLDER / "proxy" / "nginx.conf").read_text(encoding="utf-8")
    text = re.sub(r"^ *listen \[::\].*\n", "", text, flags=re.MULTILINE)
    changes = {
        "listen 80;": f"listen 127.0.0.1:{http};",
        "listen 443": f"listen 127.0.0.1:{https}",
        "games.example.org": "localhost",
        "/etc/ssl/ggp": str(folder),
        "127.0.0.1:8080": f"127.0.0.1:{manager}",
    }
    (folder / "ggp.conf").write_text(replaced(text, changes))
    user = "" if os.geteuid() else "user root;"  # pytest's folders are for who runs it
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder, user=user))
    return ["nginx", "-p", str(folder), "-e", f"{folder}/log", "-c", f"{folder}/nginx.conf"]


def caddy_command(folder: Path, manager: int, http: int, https: int) -> list[str]:
    """Caddy with the configuration of the documentation, on ports of its own."""
    text = (FOLDER / "proxy" / "Caddyfile").read_text(encoding="utf-8")
    own = f"localhost {{\n\ttls {folder}/fullchain.pem {folder}/privkey.pem"
    changes = {"\ngames.example.org {": f"\n{own}", "127.0.0.1:8080": f"127.0.0.1:{manager}"}
    settings = CADDY.format(folder=folder, http=http, https=https)
    (folder / "Caddyfile").write_text(settings + replaced(text, changes))
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


PROXIES = {"nginx": nginx_command, "caddy": caddy_command}


@contextlib.asynccontextmanager
async def proxy(name: str, folder: Path, manager: int) -> AsyncIterator[tuple[int, int]]:
    """A proxy before a manager; gives its ports for plain HTTP and for TLS."""
    http, https = free_port(), free_port()
    process = await asyncio.create_subprocess_exec(
        *PROXIES[name](folder, manager, http, https),
        env={**os.environ, "XDG_CONFIG_HOME": str(folder)},
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        await listening(process, https)
        yield http, https
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def listening(process: asyncio.subprocess.Process, port: int) -> None:
    """Wait until a process that has been started listens."""

    def is_so() -> bool:
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", port), 1).close()
            return True
        assert process.returncode is None
        return False

    await until(is_so)


@pytest.mark.parametrize("name", PROXIES)
async def test_a_proxy_hands_on_what_a_manager_needs(name: str, tmp_path: Path) -> None:
    """Cookies are Secure, events come at once, and pages and names of others are refused."""
    for program in (name, "openssl"):
        if shutil.which(program) is None:
            pytest.skip(f"needs {program}: `apt install {program}`")
    pytest.importorskip("argon2", reason="needs argon2-cffi, of the extra `manager`")
    trusted = ssl.create_default_context(cafile=str(certificate(tmp_path)))
    home = Home.at(tmp_path)
    async with (
        desk(home, has_accounts=True) as (service, client),
        proxy(name, tmp_path, int(client.port or 0)) as (http, https),
        ClientSession(
            f"https://localhost:{https}",
            connector=TCPConnector(ssl=trusted, family=socket.AF_INET),
            timeout=ClientTimeout(SECONDS),
        ) as browser,
    ):
        assert service.invitations is not None
        key = await service.invitations.first_host()
        own = {"Origin": f"https://localhost:{https}"}
        person = {"key": key, "name": "Ada", "password": "a long password"}
        for origin in ("https://evil.example", "null"):
            async with browser.post(
                "/api/v1/join", json=person, headers={"Origin": origin}
            ) as answer:
                assert answer.status == 403
        async with browser.post("/api/v1/join", json=person, headers=own) as answer:
            assert (answer.status, "Secure" in answer.headers["Set-Cookie"]) == (200, True)
        async with browser.get("/matches", headers={"Accept": "text/html"}) as answer:
            assert (answer.status, "Matches" in await answer.text()) == (200, True)
            assert "max-age" in answer.headers["Strict-Transport-Security"]
        async with browser.get("/matches", headers={"Host": "evil.example"}) as answer:
            assert "Matches" not in await answer.text()
        large, kind = io.BytesIO(bytes(5 << 20)), {"Content-Type": "application/json"}
        async with browser.post("/api/v1/matches", data=large, headers=own | kind) as answer:
            assert answer.status == 413
        async with browser.get(f"http://localhost:{http}/play", allow_redirects=False) as answer:
            assert answer.status in {301, 308}
            assert answer.headers["Location"].startswith("https://localhost")

        asked = {"game": "ticTacToe", "players": ["person", "legal"]}
        async with browser.post("/api/v1/matches", json=asked, headers=own) as answer:
            number = (await answer.json())["number"]
        async with browser.get(f"/api/v1/matches/{number}/events") as answer:
            await answer.content.readuntil(b'"number":0,')  # the match waits for the person now
            assert not answer.content.at_eof()


def test_units_are_sound_and_confined(tmp_path: Path) -> None:
    """By systemd's own judgement."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("needs systemd-analyze: `apt install systemd`")
    for unit in UNITS:
        text = unit.read_text(encoding="utf-8")
        (tmp_path / unit.name).write_text(text.replace("/opt/ggp/bin/ggp", "/bin/true"))
    names = [str(tmp_path / unit.name) for unit in UNITS]

    done = subprocess.run(
        ["systemd-analyze", "verify", *names], check=False, capture_output=True, text=True
    )

    assert (done.returncode, done.stderr) == (0, "")
    for name in names:
        if name.endswith(".service"):
            command = ["systemd-analyze", "security", "--offline=true", f"--threshold={EXPOSURE}"]
            done = subprocess.run([*command, name], check=False, capture_output=True, text=True)
            assert done.returncode == 0, done.stdout


def commands() -> list[str]:
    """What the files have `ggp` do."""
    files = [*UNITS, FOLDER / "compose.yaml", FOLDER / "deployment.md"]
    lines = "\n".join(file.read_text(encoding="utf-8") for file in files)
    found = re.findall(
        r"^[^#\n]*?(?:/opt/ggp/bin/|exec |^)ggp ((?:manager|serve)\b[^\n;']*)", lines, re.M
    )
    return [re.sub(r"\$+", "", line).rstrip("`]'") for line in found]


@pytest.mark.parametrize("line", commands())
def test_commands_are_well_formed(line: str, tmp_path: Path) -> None:
    """Each has options and values that its verb takes."""
    args = shlex.split(line.partition(" #")[0].replace(UPLOADS, str(tmp_path)))
    words = words_of(ROOT, args)

    command_of(ROOT, args).make_context(words[-1], args[len(words) :])


def test_containers_publish_the_proxy_alone() -> None:
    """Images are pinned or built from this tree, by arguments that the Dockerfile has."""
    yaml = pytest.importorskip("yaml")
    services = yaml.safe_load((FOLDER / "compose.yaml").read_text(encoding="utf-8"))["services"]
    dockerfile = (REPOSITORY / "Dockerfile").read_text(encoding="utf-8")

    assert [name for name, one in services.items() if "ports" in one] == ["proxy"]
    for name in services["manager"]["build"]["args"]:
        assert re.search(rf"^ARG {name}=", dockerfile, re.MULTILINE)
    for name in ("postgres", "proxy"):
        assert re.fullmatch(r"\w+:\d+(\.\d+)+", services[name]["image"])
    assert "ggp manager --accounts" in json.dumps(services["manager"]["command"])

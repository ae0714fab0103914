"""/players and /ratings over HTTP."""

from __future__ import annotations

import re

import pytest

from ggp.errors import GgpError
from tests.fakes.foreign import Foreign, running, says
from tests.ggp.manager.desk import Home, ask, desk, over, two


async def test_a_player_is_registered_asked_and_retired(home: Home) -> None:
    """Its name can then stand for it in matches."""
    async with desk(home) as (service, client):
        status, _ = await ask(client, "POST", "/players", {"name": "lucky", "source": "random"})
        again = await ask(client, "POST", "/players", {"name": "lucky", "source": "legal"})
        shown, player = await ask(client, "GET", "/players/lucky")
        _, asked = await ask(client, "GET", "/players/lucky/status")
        page = await (await client.get("/players")).text()
        match = await over(service, await service.host.set_up(two(players=("lucky", "legal"))))
        await ask(client, "DELETE", "/players/lucky")
        _, listed = await ask(client, "GET", "/players")
        gone, _ = await ask(client, "GET", "/players/lucky/status")

    assert (status, again[0], gone) == (201, 400, 404)
    assert "there is already a player 'lucky'" in again[1]["error"]
    assert (shown, player["source"], asked["status"]) == (200, "random", "available")
    assert re.search(
        r"Registered \(UTC\).*<td>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d</td>", page, re.DOTALL
    )
    assert [seat.player_name for seat in match.seats] == ["lucky", "legal"]
    assert listed == []


@pytest.mark.parametrize("name", ["mcts", "mcts:c=0.5", "person", "http://127.0.0.1:1"])
async def test_a_name_that_means_somebody_else_is_refused(home: Home, name: str) -> None:
    """In forms it would be taken for the one or the other."""
    async with desk(home) as (service, _):
        with pytest.raises(GgpError, match=f"^name: {name} .*; choose another name"):
            await service.players.register(name, "random", "ggp-base")


async def test_a_player_elsewhere_has_one_seat_at_an_address(home: Home) -> None:
    """Under whatever names; with a path for each it has as many as it likes."""
    async with desk(home) as (_, client):
        for name, source in (("a", ":9"), ("b", ":9/"), ("white", ":9/white")):
            body = {"name": name, "source": f"http://127.0.0.1{source}"}
            assert (await ask(client, "POST", "/players", body))[0] == 201
        refused = []
        for players in (["a", "a"], ["a", "b"]):
            match = {"game": "connectFour", "players": players}
            refused.append(await ask(client, "POST", "/matches", match))
        match = {"game": "connectFour", "players": ["a", "white"]}
        allowed, _ = await ask(client, "POST", "/matches", match)
        entrants = [{"name": name, "player": name} for name in ("a", "b")]
        cup = {"name": "cup", "games": ["connectFour"], "players": entrants}
        refused.append(await ask(client, "POST", "/tournaments", cup))
        alone = {**cup, "games": ["towersOfHanoi"]}
        held, _ = await ask(client, "POST", "/tournaments", alone)

    assert [status for status, _ in refused] == [400] * 3
    assert refused[0][1]["error"].startswith("players: a has two seats at one address")
    assert refused[1][1]["error"].startswith("players: a and b at one address")
    assert all("http://127.0.0.1:9/white and" in answer["error"] for _, answer in refused)
    assert (allowed, held) == (201, 201)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("http://192.0.2.1:9147", "--allow-host 192.0.2.1"),
        ("http://localhost.evil.example:80", "--allow-host localhost.evil.example"),
        ("http://me@127.0.0.1:80", "expected http://HOST:PORT"),
        ("https://127.0.0.1:80", "expected http://HOST:PORT"),
        ("http://127.0.0.1", "expected http://HOST:PORT"),
        ("127.0.0.1:9147", "expected http://HOST:PORT"),
        ("http://127.0.0.1:9/\rX-Other: 1", "expected http://HOST:PORT"),
        ("http://127.0.0.1:9/a b", "expected http://HOST:PORT"),
        ("http://127.0.0.1:9/\u2028", "expected http://HOST:PORT"),
        ("mtcs:iterations=9", "got 'mtcs:iterations=9'; did you mean mcts?"),
        ("os:system", "source: expected a registered player, http://HOST:PORT or one of"),
    ],
)
async def test_players_run_only_where_they_may(home: Home, source: str, message: str) -> None:
    """On this machine, and where the manager was told."""
    async with desk(home) as (_, client):
        status, answer = await ask(client, "POST", "/players", {"name": "p", "source": source})

    assert status == 400
    assert message in answer["error"]


async def test_a_host_that_was_allowed_may_have_players(home: Home) -> None:
    """However its name is spelled."""
    async with desk(home, allowed_hosts=frozenset({"far.example"})) as (_, client):
        body = {"name": "p", "source": "http://FAR.example:9147"}
        status, _ = await ask(client, "POST", "/players", body)

    assert status == 201


@pytest.mark.parametrize(
    ("source", "option"),
    [
        ("mcts:book=/etc/passwd", "book"),
        ("alphabeta:depth=2,weights=w.json", "weights"),
        ("minimax:weights=w.json,book=b", "weights"),
    ],
)
async def test_nobody_has_files_of_this_machine_read(home: Home, source: str, option: str) -> None:
    """As players, in matches, in tournaments; not from this machine either, as a page might."""
    match = {"game": "ticTacToe", "players": [source, "legal"]}
    entrants = [{"name": "a", "player": source}, {"name": "b", "player": "legal"}]
    tournament = {"name": "t", "games": ["ticTacToe"], "players": entrants}
    async with desk(home) as (_, client):
        refused = [
            await ask(client, "POST", path, body)
            for path, body in (
                ("/players", {"name": "p", "source": source}),
                ("/matches", match),
                ("/tournaments", tournament),
            )
        ]
    assert [status for status, _ in refused] == [400, 400, 400]
    for _, answer in refused:
        assert f"option {option}: this manager's players may not read files" in answer["error"]
        assert "--player-files FOLDER" in answer["error"]


@pytest.mark.parametrize(
    ("file", "status"),
    [
        ("{}/good.book", 201),
        ("{}/below/../good.book", 201),
        ("{}/../secret", 400),
        ("{}/link", 400),
        ("{}-beside/good.book", 400),
        ("good.book", 400),
        ("~nobody-of-this-name/good.book", 400),
        ("{}/\x01", 201),
    ],
)
async def test_players_have_files_of_one_folder(home: Home, file: str, status: int) -> None:
    """However the way to a file is written, and whatever links to it."""
    folder = home.folder / "files"
    folder.mkdir()
    (folder / "link").symlink_to("/etc/passwd")
    source = f"mcts:book={file.format(folder)}"
    async with desk(home, player_files=folder) as (_, client):
        found, answer = await ask(client, "POST", "/players", {"name": "p", "source": source})

    assert found == status
    if status == 400:
        expected = f"expected a file in the folder of --player-files, such as {folder}/"
        assert answer["error"].startswith(f"source: option book: {expected}")


async def test_a_player_registered_here_with_a_file_is_not_seated_for_others(
    home: Home,
) -> None:
    """The manager may be started without the folder the next time."""
    body = {"name": "p", "source": f"mcts:book={home.folder}/secret.book"}
    async with desk(home, player_files=home.folder) as (_, client):
        await ask(client, "POST", "/players", body)
    async with desk(home) as (_, client):
        match = {"game": "ticTacToe", "players": ["p", "legal"]}
        status, answer = await ask(client, "POST", "/matches", match)

    assert (status, answer["error"][:20]) == (400, "players: option book")


@pytest.mark.parametrize("source", ["os:system", "tests.fakes.foreign:Foreign"])
@pytest.mark.parametrize("host", ["127.0.0.1", "192.0.2.1"])
async def test_no_code_is_run_that_a_request_names(home: Home, host: str, source: str) -> None:
    """Not even for who sits at this machine: a page could ask as well."""
    async with desk(home, host=host) as (_, client):
        status, answer = await ask(client, "POST", "/players", {"name": "p", "source": source})

    assert status == 400
    assert "source: expected a registered player" in answer["error"]


async def test_a_player_is_asked_in_its_dialect(home: Home) -> None:
    """Dresden has no message for it; Gamemaster has one of its own."""
    player = Foreign({"INFO": says("[[name,master],[status,available]]")})
    async with running(player) as address, desk(home) as (_, client):
        for dialect in ("dresden", "gamemaster"):
            body = {"name": dialect, "source": address, "dialect": dialect}
            await ask(client, "POST", "/players", body)
        listed = await (await client.get("/players")).text()
        shown = await (await client.get("/players/dresden")).text()
        _, silent = await ask(client, "GET", "/players/dresden/status")
        _, asked = await ask(client, "GET", "/players/gamemaster/status")

    assert "<td>dresden</td>" in listed
    assert "dialect dresden" in shown
    assert silent["problem"] == "its dialect has no message that asks for its status"
    assert (asked["name"], asked["status"]) == ("master", "available")
    assert player.bodies == ["info()"]


async def test_a_dialect_that_is_none_is_refused(home: Home) -> None:
    """For players, matches and entrants."""
    async with desk(home) as (_, client):
        body = {"name": "p", "source": "http://127.0.0.1:9", "dialect": "klingon"}
        player = await ask(client, "POST", "/players", body)
        match = {"game": "ticTacToe", "players": ["legal", "legal"], "dialect": "klingon"}
        asked = await ask(client, "POST", "/matches", match)

    assert player[0] == asked[0] == 400
    assert "dialect" in player[1]["error"]
    assert "dialect" in asked[1]["error"]


async def test_what_a_player_says_of_itself_is_cut(home: Home) -> None:
    """Its name and its status are for one line of a page."""
    player = Foreign({"INFO": says(f"((name {'n' * 400_000}) (status {'s' * 500_000}))")})
    async with running(player) as address, desk(home) as (_, client):
        await ask(client, "POST", "/players", {"name": "p", "source": address})
        _, asked = await ask(client, "GET", "/players/p/status")

    assert asked["status"].startswith("sss")
    assert len(asked["status"]) <= 100
    assert len(asked["name"]) <= 100


async def test_a_player_that_does_not_answer_has_a_problem(home: Home) -> None:
    """It is told, not an error of ours."""
    async with desk(home) as (_, client):
        await ask(client, "POST", "/players", {"name": "p", "source": "http://127.0.0.1:1"})
        status, answer = await ask(client, "GET", "/players/p/status")

    assert status == 200
    assert answer["problem"]


async def test_a_record_counts_games_and_opponents(home: Home) -> None:
    """The record has the outcomes of the matches, for players that were never registered too."""
    async with desk(home) as (service, client):
        for seed in range(3):
            await over(
                service, await service.host.set_up(two(players=("random", "legal"), seed=seed))
            )
        await over(service, await service.host.set_up(two("towersOfHanoi", players=("random",))))
        status, record = await ask(client, "GET", "/players/random/record")
        missing, problem = await ask(client, "GET", "/players/nobody/record")
        page = await (await client.get("/players/random")).text()
        listed = await (await client.get("/players")).text()

    games = {one["name"]: one for one in record["games"]}
    results = [one for one in record["results"] if one["game"] == "ticTacToe"]
    wins = sum(one["seats"][0]["goal"] > one["seats"][1]["goal"] for one in results)
    assert (status, missing) == (200, 404)
    assert "nobody" in problem["error"]
    assert (games["ticTacToe"]["matches"], games["ticTacToe"]["wins"]) == (3, wins)
    assert games["towersOfHanoi"]["points_percent"] is None
    assert [(one["name"], one["matches"]) for one in record["opponents"]] == [("legal", 3)]
    assert record["rating"]["meetings"] == 3
    assert [one["number"] for one in record["results"]] == [4, 3, 2, 1]
    assert "By opponent" in page
    assert 'href="/players/legal"' in listed


async def test_ratings_follow_the_matches(home: Home) -> None:
    """The player that wins more stands higher; a match that ends later counts as well."""
    async with desk(home) as (service, client):
        _, before = await ask(client, "GET", "/ratings")
        for seed in range(4):
            await over(
                service, await service.host.set_up(two(players=("random", "legal"), seed=seed))
            )
        _, ratings = await ask(client, "GET", "/ratings")
        _, same = await ask(client, "GET", "/ratings")
        await over(service, await service.host.set_up(two(players=("random", "legal"))))
        _, after = await ask(client, "GET", "/ratings")

    assert before == []
    assert {one["name"] for one in ratings} == {"random", "legal"}
    assert ratings[0]["low"] < ratings[0]["elo"] < ratings[0]["high"]
    assert ratings == same
    assert ([one["meetings"] for one in ratings], after[0]["meetings"]) == ([4, 4], 5)


async def test_a_page_has_the_dialect_of_players_elsewhere_only(home: Home) -> None:
    """One that runs here is spoken to in none."""
    async with desk(home) as (service, client):
        await service.players.register("here", "random", "ggp-base")
        await service.players.register("elsewhere", "http://127.0.0.1:9147", "dresden")
        rows = (await (await client.get("/players")).text()).split("<tr")
        [here] = [row for row in rows if "/players/here" in row]
        [elsewhere] = [row for row in rows if "/players/elsewhere" in row]

    assert "<td>ggp-base</td>" not in here
    assert "<td>dresden</td>" in elsewhere

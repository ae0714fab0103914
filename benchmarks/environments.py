"""Measure how many steps a second environments make: ours, Pgx's and PettingZoo's.

    python benchmarks/environments.py [--python VENV/bin/python] [--seconds 2] [--core 0]
                                      [--num 4096] [--markdown | --json]

All play random games to their end and start again. They draw legal actions with equal probability,
and write observations and masks.

* Ours: `game.batch`, which draws its own actions, and `environments.vector`, for which a numba
  function draws them.
* Pgx: `vmap` and `jit` on the CPU, its own `auto_reset`, a hundred steps in one compiled loop.
* PettingZoo: its classic environments, one at a time.

For the first two, the best of three batch sizes counts. Everything runs on one core, except the
lines with two threads.

Pgx and PettingZoo can have their own environment. Create it and pass its Python:

    python -m venv VENV && VENV/bin/pip install pgx 'jax[cpu]' 'pettingzoo[classic]'
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

SHARED = Path(os.environ.get("GGP_SHARED", Path(__file__).resolve().parents[2] / "shared"))
WIDE = SHARED / "corpus" / "rules" / "connectFour.kif"
PAIRS = {
    "ticTacToe": ("tic_tac_toe", "tictactoe_v3"),
    "connectFour": ("connect_four", "connect_four_v3"),
}
BATCH_SIZES = (1024, 4096, 16384)
STRETCHES = 3


def rate(step: Callable[[], int], seconds: float) -> float:
    """Return the best steps a second of several runs of a function that returns its steps."""
    step()
    best = 0.0
    for _ in range(STRETCHES):
        made, start = 0, time.perf_counter()
        while (spent := time.perf_counter() - start) < seconds / STRETCHES:
            made += step()
        best = max(best, made / spent)
    return best


# --- Ours -----------------------------------------------------------------------------------------


def bare_rate(
    rules: str | Path, num: int, threads: int, seconds: float, draws: bool = True
) -> float:
    """Return the steps a second of the batch interface; without `draws`, of the steps alone."""
    import numpy as np

    from ggp.environments.task import load_game

    batch = load_game(rules).batch(num, "next_step", threads)
    rng, waited = np.random.default_rng(1), 0.0

    def step() -> int:
        nonlocal waited
        start = time.perf_counter()
        actions = batch.draw(rng)
        waited += time.perf_counter() - start
        batch.step(actions)
        return num

    step()
    best = 0.0
    for _ in range(STRETCHES):
        made, waited, start = 0, 0.0, time.perf_counter()
        while (spent := time.perf_counter() - start) < seconds / STRETCHES:
            made += step()
        best = max(best, made / (spent if draws else spent - waited))
    batch.close()
    return best


def vector_rate(rules: str | Path, num: int, seconds: float, **options: Any) -> float:
    """Return the steps a second of the vector environment, with actions drawn outside."""
    import numba
    import numpy as np

    from ggp import environments

    env = environments.vector(rules, num, **options)
    _, infos = env.reset(seed=1)
    actions = np.zeros(num, np.int64)

    @numba.njit
    def draw(mask: Any, actions: Any) -> None:
        for row in range(len(mask)):
            rank = np.random.randint(mask[row].sum())
            action = -1
            while rank >= 0:
                action += 1
                rank -= mask[row, action]
            actions[row] = action

    def step() -> int:
        nonlocal infos
        draw(infos["action_mask"], actions)
        infos = env.step(actions)[-1]
        return num

    return rate(step, seconds)


# --- Theirs, run by the other Python --------------------------------------------------------------


def pgx_rate(name: str, seconds: float) -> float:
    """Return the steps a second of an environment of Pgx."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    init, step_one = jax.vmap(env.init), jax.vmap(auto_reset(env.step, env.init))

    def one(carry: Any, _: Any) -> Any:
        state, key = carry
        key, own, other = jax.random.split(key, 3)
        logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        actions = jax.random.categorical(own, logits, axis=-1)
        keys = jax.random.split(other, len(actions))
        state = step_one(state, actions, keys)
        return (state, key), (state.observation.sum(), state.legal_action_mask.sum())

    many = jax.jit(lambda carry: jax.lax.scan(one, carry, None, length=100))

    def of_size(num: int) -> float:
        key = jax.random.PRNGKey(0)
        carry = jax.jit(init)(jax.random.split(key, num)), key

        def step() -> int:
            nonlocal carry
            carry, seen = many(carry)
            jax.block_until_ready(seen)
            return 100 * num

        return rate(step, seconds)

    return max(map(of_size, BATCH_SIZES))


def pettingzoo_rate(name: str, seconds: float) -> float:
    """Return the steps a second of a classic environment of PettingZoo."""
    import importlib

    import numpy as np

    env = importlib.import_module(f"pettingzoo.classic.{name}").env()
    rng = np.random.default_rng(1)

    def step() -> int:
        env.reset()
        made = 0
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            over = terminated or truncated
            legal = np.flatnonzero(observation["action_mask"])
            env.step(None if over else int(rng.choice(legal)))
            made += not over
        return made

    return rate(step, seconds)


def theirs(python: str, what: str, name: str, seconds: float) -> float:
    """Return a rate of Pgx or PettingZoo from another process; NaN if it is not installed."""
    command = [python, __file__, "--measure", what, name, "--seconds", str(seconds)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or ["no reason given"]
        print(f"{what} {name}: {lines[-1]}", file=sys.stderr)
        return float("nan")
    return float(done.stdout)


# --- The table ------------------------------------------------------------------------------------


def measure(options: argparse.Namespace, core: int) -> list[dict[str, Any]]:
    """Measure all lines of the table."""
    seconds, num = options.seconds, options.num
    lines: list[dict[str, Any]] = []

    def add(game: str, what: str, steps: float, against: float | None = None) -> float:
        times = round(steps / against, 2) if against else None
        lines.append({"game": game, "what": what, "steps_per_second": steps, "times": times})
        print(f"{game}: {what}: {steps / 1e6:.3f} M/s", file=sys.stderr)
        return steps

    for game, (pgx, classic) in PAIRS.items():
        ours = max(bare_rate(game, size, 1, seconds) for size in BATCH_SIZES)
        add(game, "game.batch", ours)
        add(
            game,
            "vector",
            max(vector_rate(game, n, seconds, opponents="self") for n in BATCH_SIZES),
        )
        add(game, "Pgx", theirs(options.python, "pgx", pgx, seconds), None)
        lines[-1]["times"] = round(ours / lines[-1]["steps_per_second"], 1)
        add(game, "PettingZoo", theirs(options.python, "pettingzoo", classic, seconds))
        lines[-1]["times"] = round(ours / lines[-1]["steps_per_second"], 1)
    wide: str | Path = WIDE if WIDE.exists() else "connectFour"
    name = "connectFour 8x6" if WIDE.exists() else "connectFour"
    add(name, f"game.batch({num:,})", bare_rate(wide, num, 1, seconds))
    add(name, f"game.batch({num:,}), steps alone", bare_rate(wide, num, 1, seconds, draws=False))
    add(name, f"vector({num:,})", vector_rate(wide, num, seconds, opponents="self"))
    add(name, f"vector({num:,}) against random", vector_rate(wide, num, seconds))
    many = 16 * num
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    one = add(name, f"game.batch({many:,}), one thread", bare_rate(wide, many, 1, seconds))
    add(name, f"game.batch({many:,}), two threads", bare_rate(wide, many, 2, seconds), one)
    os.sched_setaffinity(0, {core})
    return lines


def show(lines: list[dict[str, Any]], is_markdown: bool) -> None:
    """Print the table."""
    if is_markdown:
        print("| game | environments | M steps/s | ours is faster by, or threads gain |")
        print("|---|---|---:|---:|")
    for line in lines:
        row = [
            line["game"],
            line["what"],
            f"{line['steps_per_second'] / 1e6:,.3f}",
            f"{line['times']:,}" if line["times"] else "",
        ]
        print("| " + " | ".join(row) + " |" if is_markdown else "  ".join(f"{x:<32}" for x in row))


def main() -> None:
    """Parse the command line, measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--python", default=sys.executable, help="a Python that has Pgx and PettingZoo"
    )
    parser.add_argument("--seconds", type=float, default=2.0, help="seconds for each line")
    parser.add_argument(
        "--core", type=int, default=0, help="core for everything except two threads"
    )
    parser.add_argument("--num", type=int, default=4096, help="games at the same time")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--measure", nargs=2, metavar=("WHAT", "NAME"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        what, name = options.measure
        print({"pgx": pgx_rate, "pettingzoo": pettingzoo_rate}[what](name, options.seconds))
        return
    os.sched_setaffinity(0, {options.core})
    lines = measure(options, options.core)
    if options.json:
        print(json.dumps(lines, indent=2))
    else:
        show(lines, options.markdown)


if __name__ == "__main__":
    main()

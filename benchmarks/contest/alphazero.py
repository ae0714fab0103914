"""OpenSpiel's AlphaZero in Python, run by a Python that has it: see `benchmarks/alphazero.py`.

python alphazero.py FOLDER UNITS SIMULATIONS STEPS STATES
"""

from __future__ import annotations

import sys

from open_spiel.python.algorithms.alpha_zero import alpha_zero

KEPT = 3  # steps whose states are learned from


def main() -> None:
    """Learn connect four with the settings of the project's example, except for the sizes."""
    units, simulations, steps, states = map(int, sys.argv[2:])
    config = alpha_zero.Config(
        game="connect_four",
        path=sys.argv[1],
        learning_rate=1e-3,
        weight_decay=1e-4,
        decouple_weight_decay=True,
        train_batch_size=256,
        replay_buffer_size=KEPT * states,
        replay_buffer_reuse=KEPT,
        max_steps=steps,
        checkpoint_freq=1000,
        actors=2,
        evaluators=0,
        evaluation_window=10,
        eval_levels=2,
        uct_c=2.0,
        max_simulations=simulations,
        policy_alpha=1.0,
        policy_epsilon=0.25,
        temperature=1.0,
        temperature_drop=10,
        nn_model="mlp",
        nn_width=units,
        nn_depth=1,
        observation_shape=None,
        output_size=None,
        verbose=False,
        quiet=True,
    )
    alpha_zero.alpha_zero(config)


if __name__ == "__main__":
    main()

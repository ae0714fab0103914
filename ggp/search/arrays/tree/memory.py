"""The memory that a tree takes."""

from __future__ import annotations

from ggp.search.arrays.tree.pool import EDGES, JOINTS, NODES, Pool


def bytes_in_use(pool: Pool) -> int:
    """Bytes of all nodes, edges and joint children, and of the hash tables, which are never small.

    What the pool has reserved, but not written to yet, takes no memory.
    """
    num_bytes = 0
    for name, array in pool._asdict().items():
        if name.startswith(("joint_", "next_joint")) and name != "joint_buckets":
            num_bytes += array.nbytes // len(array) * int(pool.used[JOINTS])
        elif len(array) == len(pool.states):
            num_bytes += array.nbytes // len(array) * int(pool.used[NODES])
        elif len(array) == len(pool.inputs):
            num_bytes += array.nbytes // len(array) * int(pool.used[EDGES])
        else:
            num_bytes += array.nbytes
    return num_bytes

"""Machine code: LLVM modules become object code, which can be kept, and object code can be run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llvmlite import binding, ir


class Compiler:
    """Compiles modules for the processor that this process runs on."""

    def __init__(self) -> None:
        self._target = _target()

    def compile(self, module: ir.Module) -> bytes:
        """The object code of a module."""
        code: bytes = self._target.emit_object(binding.parse_assembly(str(module)))
        return code


class LinkedCode:
    """Object code in memory, ready to be run for as long as this exists."""

    def __init__(self, objects: Sequence[bytes]) -> None:
        """Objects may call functions of each other; together they need nothing else."""
        self._engine: Any = binding.create_mcjit_compiler(binding.parse_assembly(""), _target())
        for data in objects:
            self._engine.add_object_file(binding.ObjectFileRef.from_data(data))
        self._engine.finalize_object()

    def address(self, name: str) -> int:
        """The address of a function; 0 if there is none of this name."""
        return int(self._engine.get_function_address(name))


def _target() -> Any:
    return binding.Target.from_default_triple().create_target_machine(
        cpu=binding.get_host_cpu_name(),
        features=binding.get_host_cpu_features().flatten(),
        opt=1,
    )

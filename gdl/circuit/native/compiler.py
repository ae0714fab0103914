"""numba's compiler, without the work that our kernels do not need.

Parts: numba makes machine code of every function that it compiles. No caller ever runs the machine
code of a function that is a part of other kernels: they optimise it together with the code around
it, and make machine code of the whole. Leaving that out halves the time that all kernels take to
compile.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from numba.core import (
    codegen,
    compiler,
    compiler_machinery,
    registry,
    targetconfig,
    typed_passes,
    typing,
)

# Untyped in numba.
_Library: Any = codegen.JITCodeLibrary
_Compiler: Any = compiler.Compiler
_NumbaFlags: Any = compiler.Flags
_NumbaTyping: Any = typing.context.Context
_config_stack: Any = targetconfig.ConfigStack
_Lowering: Any = typed_passes.NativeLowering
_Dispatcher: Any = registry.CPUDispatcher
_passes: Any = compiler_machinery


def part_of_kernels(
    function: Callable[..., object], options: dict[str, Any], *, is_optimised: bool
) -> Any:
    """A function that kernels can call, but Python cannot.

    Args:
        options: Those of `numba.njit`.
        is_optimised: Whether to optimise it before it becomes part of a kernel, too. That takes
            longer, but LLVM's effort for a function is bounded, and it sees more in small ones.
    """
    compiler_class = _OptimisingCompiler if is_optimised else _PartCompiler
    return _PartDispatcher(
        function, targetoptions=options | _WITHOUT_WRAPPERS, pipeline_class=compiler_class
    )


_WITHOUT_WRAPPERS = {"nopython": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


class _OptimisedLibrary(_Library):  # type: ignore[misc]
    """Code that is linked to that of callers, once it is optimised."""

    def _finalize_final_module(self) -> None:
        self._finalized = True


class _PartLibrary(_OptimisedLibrary):
    """Code that is linked to that of callers as it is."""

    def _optimize_final_module(self) -> None:
        """Whoever calls it does that."""


@_passes.register_pass(mutates_CFG=True, analysis_only=False)
class _PartLowering(_Lowering):  # type: ignore[misc]
    """The last step of numba's compiler, without machine code."""

    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        state.flags.no_compile = True
        super().run_pass(state)
        key = _Entry()
        state.targetctx.insert_user_function(key, state.cr.fndesc, [state.library])
        state.cr = state.cr._replace(cfunc=key)
        return True


class _Entry:
    """Stands for the machine code that a part has not; by it numba finds what callers link."""


class _Flags(_NumbaFlags):  # type: ignore[misc]
    """numba's settings for one function, compared by those that are set.

    numba looks up each operation by the types of its operands and by these settings. Its own class
    gives all settings the same hash, and reads 60 of them, twice, for each comparison. That took a
    fifth of the time in which all kernels are compiled.
    """

    def __hash__(self) -> int:
        return hash(frozenset(self._values))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Flags) and bool(self._values == other._values)


class _Typing(_NumbaTyping):  # type: ignore[misc]
    """numba's search for the type of an operation, which remembers what it found.

    numba tries the overloads of an operator one after the other, a dozen for each `+`, and does so
    again for each operation of a function, each time that it goes through it.
    """

    def __init__(self, typing: Any) -> None:
        self.__dict__ = typing.__dict__  # what numba registers there later is found here, too

    def resolve_function_type(self, function: Any, arguments: Any, named: Any) -> Any:
        """Return the signature of a call, or None."""
        meant = getattr(function, "typing_key", None)
        if named or getattr(meant, "__module__", None) not in _REMEMBERED:
            return super().resolve_function_type(function, arguments, named)
        key = function, tuple(arguments), _config_stack.top_or_none()
        if key not in _signatures:
            found = super().resolve_function_type(function, arguments, named)
            if found is None:
                return None
            _signatures[key] = found
        return _signatures[key]

    def resolve_setitem(self, target: Any, index: Any, value: Any) -> Any:
        """Return the signature of `target[index] = value`."""
        function = self.resolve_value_type(operator.setitem)
        return self.resolve_function_type(function, (target, index, value), {})


_REMEMBERED = ("_operator", "builtins")
_signatures: dict[Any, Any] = {}


class KernelCompiler(_Compiler):  # type: ignore[misc]
    """numba's compiler, for kernels that Python calls."""

    def compile_extra(self, function: Callable[..., object]) -> Any:
        """Compile a function."""
        self.state.flags = _Flags(self.state.flags)
        self.state.typingctx = _Typing(self.state.typingctx)
        return super().compile_extra(function)


class _PartCompiler(KernelCompiler):
    """numba's compiler, for parts."""

    _library_class: type[_OptimisedLibrary] = _PartLibrary

    def compile_extra(self, function: Callable[..., object]) -> Any:
        target = self.state.targetctx.codegen()
        self.state.library = self._library_class(target, function.__qualname__)
        return super().compile_extra(function)

    def define_pipelines(self) -> list[Any]:
        pipelines: list[Any] = super().define_pipelines()
        for pipeline in pipelines:
            pipeline.passes = [
                (_PartLowering if stage is _Lowering else stage, text)
                for stage, text in pipeline.passes
            ]
            pipeline.finalize()
        return pipelines


class _OptimisingCompiler(_PartCompiler):
    """numba's compiler, for parts that are optimised before."""

    _library_class = _OptimisedLibrary


class _PartDispatcher(_Dispatcher):  # type: ignore[misc]
    """The types that a part was compiled for."""

    def add_overload(self, result: Any) -> None:
        self.overloads[tuple(result.signature.args)] = result

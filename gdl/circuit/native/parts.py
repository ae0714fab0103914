"""Parts: functions that only kernels call, compiled as far as kernels need it and no further.

numba makes machine code of every function that it compiles. Of one that other kernels take in as
a part, nobody runs it: they optimise it together with what is around it, and make machine code of
the whole. Leaving that out halves the time that all kernels take to compile.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core import codegen, compiler, compiler_machinery, registry, typed_passes

# Untyped in numba.
_Library: Any = codegen.JITCodeLibrary
_Compiler: Any = compiler.Compiler
_Lowering: Any = typed_passes.NativeLowering
_Dispatcher: Any = registry.CPUDispatcher
_passes: Any = compiler_machinery


def part_of_kernels(
    function: Callable[..., object], options: dict[str, Any], *, is_optimised: bool
) -> Any:
    """A function that kernels can call, but Python cannot.

    Args:
        function: What it does.
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


class _PartCompiler(_Compiler):  # type: ignore[misc]
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
    """The same, for those that are optimised before."""

    _library_class = _OptimisedLibrary


class _PartDispatcher(_Dispatcher):  # type: ignore[misc]
    """The types that a part was compiled for."""

    def add_overload(self, result: Any) -> None:
        self.overloads[tuple(result.signature.args)] = result

"""numba's compiler, without the work that our kernels do not need.

A part is a function that is compiled into other kernels. numba generates machine code for every
function that it compiles. But no caller ever runs the machine code of a part: the kernels that call
it optimise it together with the code around it, and generate machine code for the whole. Without
machine code for parts, all kernels together compile in half the time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from llvmlite import binding
from numba.core import (
    codegen,
    compiler,
    compiler_machinery,
    registry,
    targetconfig,
    typed_passes,
    untyped_passes,
)

# Untyped in numba.
_config: Any = numba.config
_Library: Any = codegen.JITCodeLibrary
_Compiler: Any = compiler.Compiler
_NumbaFlags: Any = compiler.Flags
_config_stack: Any = targetconfig.ConfigStack
_Lowering: Any = typed_passes.NativeLowering
_Dispatcher: Any = registry.CPUDispatcher
_passes: Any = compiler_machinery


def part_of_kernels(
    function: Callable[..., object], options: dict[str, Any], *, is_optimised: bool
) -> Any:
    """Compile a function that kernels can call, but Python cannot.

    Args:
        options: The options of `numba.njit`.
        is_optimised: Whether to optimise the function also before it becomes part of a kernel. That
            takes longer. But LLVM limits its effort per function, and finds more in small ones.
    """
    compiler_class = _OptimisingCompiler if is_optimised else _PartCompiler
    return _PartDispatcher(
        function, targetoptions=options | _WITHOUT_WRAPPERS, pipeline_class=compiler_class
    )


_WITHOUT_WRAPPERS = {"nopython": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


class _RolledLibrary(_Library):  # type: ignore[misc]
    """Code in which no loop is unrolled.

    Unrolled loops take LLVM twice as long to optimise and to turn into machine code.
    """

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout  # noqa: SLF001 - as numba does it
        builder = self._pass_builder()
        passes = builder.getFunctionPassManager()
        for function in module.functions:
            if not function.is_declaration:
                passes.run(function, builder)

    def _optimize_final_module(self) -> None:
        passes, builder = self._codegen._module_pass_manager(  # noqa: SLF001 - as numba does it
            cost="cheap", opt=0, loop_vectorize=False, slp_vectorize=False
        )
        passes.run(self._final_module, builder)  # inline the functions that must be inlined
        builder = self._pass_builder()
        passes = builder.getModulePassManager()
        passes.add_refprune_pass()
        passes.run(self._final_module, builder)

    def _pass_builder(self) -> Any:
        options = binding.create_pipeline_tuning_options()
        options.speed_level = _config.OPT
        options.loop_vectorization = _config.LOOP_VECTORIZE
        options.slp_vectorization = _config.SLP_VECTORIZE
        options.loop_unrolling = False
        return binding.create_pass_builder(self._codegen._tm, options)  # noqa: SLF001


class _OptimisedLibrary(_Library):  # type: ignore[misc]
    """Code that is optimised and then linked into the code of callers."""

    def _finalize_final_module(self) -> None:
        self._finalized = True


class _PartLibrary(_OptimisedLibrary):
    """Code that is linked into the code of callers without being optimised first."""

    def _optimize_final_module(self) -> None:
        """Do nothing, because the callers optimise the code."""


@_passes.register_pass(mutates_CFG=True, analysis_only=False)
class _PartLowering(_Lowering):  # type: ignore[misc]
    """The last step of numba's compiler, without generating machine code."""

    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        state.flags.no_compile = True
        super().run_pass(state)
        key = _Entry()
        state.targetctx.insert_user_function(key, state.cr.fndesc, [state.library])
        state.cr = state.cr._replace(cfunc=key)
        return True


class _Entry:
    """A substitute for a part's machine code. numba uses it as a key to find the code to link."""


class _Flags(_NumbaFlags):  # type: ignore[misc]
    """numba's settings for one function. Comparisons use only the settings that are set.

    numba looks up each operation by the types of its operands and by these settings. numba's own
    class gives all settings the same hash, and each comparison reads 60 settings twice. That took a
    fifth of the time to compile all kernels.
    """

    def __hash__(self) -> int:
        return hash(frozenset(self._values))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Flags) and bool(self._values == other._values)


class _RememberedTypes:
    """A cache for numba's search for the type of an operation.

    numba tries the overloads of an operator one after the other, a dozen for each `+`. It does so
    for each operation of a function, each time that it passes over the function.
    """

    MODULES = ("_operator", "builtins")  # modules of the operators

    def __init__(self, search: Callable[..., Any]) -> None:
        self._search = search
        self._signatures: dict[Any, Any] = {}

    def __call__(self, function: Any, arguments: Any, named: Any) -> Any:
        """Return the signature of a call, or None if there is none."""
        meant = getattr(function, "typing_key", None)
        if named or getattr(meant, "__module__", None) not in self.MODULES:
            return self._search(function, arguments, named)
        key = function, tuple(arguments), _config_stack.top_or_none()
        if key in self._signatures:
            return self._signatures[key]
        found = self._search(function, arguments, named)
        if found is not None:
            self._signatures[key] = found
        return found

    @classmethod
    def install(cls, typing: Any) -> None:
        """Replace numba's search by an instance of this class, unless that was already done."""
        if not isinstance(typing.resolve_function_type, cls):
            typing.resolve_function_type = cls(typing.resolve_function_type)


# Passes for closures, `with`, exceptions with arguments, literal types, array expressions, and
# functions that numba itself has to inline. After each of them, numba analyses the lifetimes of
# variables again, so skipping these passes saves a tenth of the time.
_SUPERFLUOUS = {
    untyped_passes.WithLifting,
    untyped_passes.InlineClosureLikes,
    untyped_passes.RewriteSemanticConstants,
    untyped_passes.DeadBranchPrune,
    untyped_passes.RewriteDynamicRaises,
    untyped_passes.MakeFunctionToJitFunction,
    untyped_passes.InlineInlinables,
    untyped_passes.FindLiterallyCalls,
    untyped_passes.LiteralUnroll,
    untyped_passes.LiteralPropagationSubPipelinePass,
    typed_passes.InlineOverloads,
    typed_passes.NopythonRewrites,
}


class KernelCompiler(_Compiler):  # type: ignore[misc]
    """numba's compiler, for kernels that Python calls."""

    def compile_extra(self, function: Callable[..., object]) -> Any:
        """Compile a function with faster settings and a faster search for types."""
        self.state.flags = _Flags(self.state.flags)
        _RememberedTypes.install(self.state.typingctx)
        return super().compile_extra(function)

    def define_pipelines(self) -> list[Any]:
        """Return numba's passes, except those that change none of our kernels."""
        pipelines: list[Any] = super().define_pipelines()
        for pipeline in pipelines:
            pipeline.passes = [entry for entry in pipeline.passes if entry[0] not in _SUPERFLUOUS]
            pipeline.finalize()
        return pipelines


class RolledKernelCompiler(KernelCompiler):
    """numba's compiler, for kernels whose loops are not unrolled."""

    def compile_extra(self, function: Callable[..., object]) -> Any:
        """Compile a function without unrolling its loops."""
        self.state.library = _RolledLibrary(self.state.targetctx.codegen(), function.__qualname__)
        self.state.library.enable_object_caching()  # so that it can be cached on disk
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
    """numba's compiler, for parts that are optimised before they are linked."""

    _library_class = _OptimisedLibrary


class _PartDispatcher(_Dispatcher):  # type: ignore[misc]
    """A function for kernels, with the types for which it was compiled."""

    def add_overload(self, result: Any) -> None:
        self.overloads[tuple(result.signature.args)] = result

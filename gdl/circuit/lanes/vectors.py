"""Lane vectors: one proposition in many states at once, with one bit for each state.

A *lane* is one of `64 * W` states. A lane vector has W words of 64 bits and becomes one vector of
LLVM. Arrays of lane vectors have a dtype that contains W, so W is part of every type that numba
sees. numba's cache on disk distinguishes types, but not constants. So the cache never returns a
kernel of another width.

    values = lane_array(num_vectors=10, width=8)
    store(values, 2, load(values, 0) & ~load(values, 1))        # inside a kernel

The operators `& | ^ ~ + << >>` work on lane vectors word by word. Each operation has a plain twin
in numpy, which is used if numba is switched off (`NUMBA_DISABLE_JIT=1`).
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Protocol, TypeVar, cast

import numpy as np
from llvmlite import ir
from numba import core, extending, types
from numba.extending import intrinsic, models, register_model, type_callable
from numpy.typing import NDArray

WORD_BITS = 64
_CACHE_LINE_BYTES = 64

LaneArray = NDArray[np.void]  # an array of lane vectors
_Plain = NDArray[np.uint64]  # [W] stands for a lane vector if numba is switched off
_Word = ir.IntType(64)
# Untyped in numba.
_core: Any = core
_lower: Any = extending.lower_builtin
_Operation = TypeVar("_Operation", bound=Callable[..., object])


def lane_dtype(width: int) -> np.dtype[np.void]:
    """Return the dtype of arrays of lane vectors with `width` words."""
    return np.dtype([("words", np.uint64, (width,))])


def lane_array(num_vectors: int, width: int) -> LaneArray:
    """Return `num_vectors` lane vectors that are all false, aligned for vector instructions."""
    num_bytes = num_vectors * width * 8
    room = np.zeros(num_bytes + _CACHE_LINE_BYTES, np.uint8)
    start = -room.ctypes.data % _CACHE_LINE_BYTES
    return cast(LaneArray, room[start : start + num_bytes].view(lane_dtype(width)))


class LaneVector(Protocol):
    """A lane vector, with the operations that kernels may use on it."""

    def __and__(self, other: LaneVector, /) -> LaneVector: ...
    def __or__(self, other: LaneVector, /) -> LaneVector: ...
    def __xor__(self, other: LaneVector, /) -> LaneVector: ...
    def __add__(self, other: LaneVector, /) -> LaneVector: ...
    def __lshift__(self, distance: int, /) -> LaneVector: ...
    def __rshift__(self, distance: int, /) -> LaneVector: ...
    def __invert__(self) -> LaneVector: ...


class LaneType(types.Type):
    """numba's type of lane vectors. Each width has its own type."""

    def __init__(self, width: int) -> None:
        self.width = width
        super().__init__(name=f"LaneVector({width})")


@register_model(LaneType)
class _LaneModel(models.PrimitiveModel):
    """Data model for numba: a lane vector is one LLVM vector of 64-bit words."""

    def __init__(self, manager: object, lane_type: LaneType) -> None:
        llvm_type = vector_type(lane_type.width)
        # numba's constructors are untyped.
        super().__init__(manager, lane_type, llvm_type)  # type: ignore[no-untyped-call]


def vector_type(width: int) -> ir.VectorType:
    """Return the LLVM type of a lane vector."""
    return ir.VectorType(_Word, width)


def width_of(array_type: Any) -> int:
    """Return the number of words in the lane vectors of an array, given its numba type."""
    return int(array_type.dtype.fields["words"].type.shape[0])


def element_pointer(generator: Any, array_index: int) -> ir.Value:
    """Return the LLVM pointer to the first element of an array that an intrinsic gets.

    Args:
        generator: The arguments (context, builder, signature, arguments) of a code generator.
        array_index: The index of the array among the intrinsic's arguments.
    """
    context, builder, sig, args = generator
    return context.make_array(sig.args[array_index])(context, builder, args[array_index]).data


def signature(result: types.Type, *arguments: types.Type) -> Any:
    """Return numba's signature of an intrinsic, given the types of its result and arguments."""
    return _core.typing.templates.Signature(result, arguments, None)


def vector_alignment(width: int) -> int:
    """Return the number of bytes to which every vector of a lane array is aligned."""
    return min(_CACHE_LINE_BYTES, width * 8)


def operation(twin: _Operation) -> Callable[[Callable[..., object]], _Operation]:
    """Turn a code generator into an intrinsic, or into `twin` if numba is switched off."""

    def choose(generator: Callable[..., object]) -> _Operation:
        return twin if _core.config.DISABLE_JIT else cast(_Operation, intrinsic(generator))

    return choose


# --- Operators --------------------------------------------------------------------------------


def _splat(builder: ir.IRBuilder, word: ir.Value, width: int) -> ir.Value:
    undefined = ir.Constant(vector_type(width), ir.Undefined)
    first = builder.insert_element(undefined, word, ir.Constant(ir.IntType(32), 0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), width), [0] * width)
    return builder.shuffle_vector(first, undefined, zeros)


def _ones(width: int) -> ir.Constant:
    return ir.Constant(vector_type(width), [-1] * width)


def _define_binary(function: Callable[..., object], instruction: str) -> None:
    @type_callable(function)
    def type_binary(context: object) -> Any:
        def typer(left: types.Type, right: types.Type) -> types.Type | None:
            return left if isinstance(left, LaneType) and left == right else None

        return typer

    def lower_binary(context: object, builder: Any, sig: object, args: Any) -> ir.Value:
        return getattr(builder, instruction)(*args)

    _lower(function, LaneType, LaneType)(lower_binary)


def _define_shift(function: Callable[..., object], instruction: str) -> None:
    @type_callable(function)
    def type_shift(context: object) -> Any:
        def typer(left: types.Type, right: types.Type) -> types.Type | None:
            is_shift = isinstance(left, LaneType) and isinstance(right, types.Integer)
            return left if is_shift else None

        return typer

    def lower_shift(context: object, builder: Any, sig: Any, args: Any) -> ir.Value:
        distance = builder.zext(args[1], _Word) if sig.args[1].bitwidth < 64 else args[1]
        return getattr(builder, instruction)(args[0], _splat(builder, distance, sig.args[0].width))

    _lower(function, LaneType, types.Integer)(lower_shift)


for _function, _instruction in (
    (operator.and_, "and_"),
    (operator.or_, "or_"),
    (operator.xor, "xor"),
    (operator.add, "add"),
):
    _define_binary(_function, _instruction)
_define_shift(operator.lshift, "shl")
_define_shift(operator.rshift, "lshr")


@type_callable(operator.invert)
def _type_invert(context: object) -> Any:
    def typer(vector: types.Type) -> types.Type | None:
        return vector if isinstance(vector, LaneType) else None

    return typer


def _lower_invert(context: object, builder: Any, sig: Any, args: Any) -> ir.Value:
    return builder.xor(args[0], _ones(sig.args[0].width))


_lower(operator.invert, LaneType)(_lower_invert)


# --- Between arrays and vectors ---------------------------------------------------------------


def _vector_pointer(generator: Any, index: ir.Value) -> ir.Value:
    """Return a pointer to the vector at `index` of the lane array that is the first argument."""
    _, builder, sig, _ = generator
    pointer_type = vector_type(width_of(sig.args[0])).as_pointer()
    return builder.gep(builder.bitcast(element_pointer(generator, 0), pointer_type), [index])


def _load_plain(values: LaneArray, index: int) -> LaneVector:
    return cast(LaneVector, values["words"][index].copy())


@operation(_load_plain)
def load(typing: object, values: types.Array, index: types.Integer) -> Any:
    """`load(values, index)`: return the vector at an index, which must not be negative."""

    def generate(*generator: Any) -> ir.Value:
        _, builder, sig, args = generator
        pointer = _vector_pointer(generator, args[1])
        return builder.load(pointer, align=vector_alignment(width_of(sig.args[0])))

    return signature(LaneType(width_of(values)), values, types.int64), generate


def _store_plain(values: LaneArray, index: int, vector: LaneVector) -> None:
    values["words"][index] = cast(_Plain, vector)


@operation(_store_plain)
def store(typing: object, values: types.Array, index: types.Integer, vector: LaneType) -> Any:
    """`store(values, index, vector)`: store a vector at an index, which must not be negative."""

    def generate(*generator: Any) -> ir.Value:
        context, builder, sig, args = generator
        pointer = _vector_pointer(generator, args[1])
        builder.store(args[2], pointer, align=vector_alignment(width_of(sig.args[0])))
        return context.get_dummy_value()

    return signature(types.void, values, types.int64, vector), generate


def _load_literal_plain(values: LaneArray, literal: int) -> LaneVector:
    vector = _load_plain(values, literal >> 1)
    return ~vector if literal & 1 else vector


@operation(_load_literal_plain)
def load_literal(typing: object, values: types.Array, literal: types.Integer) -> Any:
    """`load_literal(values, literal)`: return the vector of a node, or its complement.

    The vector is at index `literal >> 1`. It is complemented if `literal` is odd.
    """

    def generate(*generator: Any) -> ir.Value:
        _, builder, sig, args = generator
        width = width_of(sig.args[0])
        one = ir.Constant(_Word, 1)
        pointer = _vector_pointer(generator, builder.lshr(args[1], one))
        vector = builder.load(pointer, align=vector_alignment(width))
        return builder.xor(vector, _splat(builder, builder.neg(builder.and_(args[1], one)), width))

    return signature(LaneType(width_of(values)), values, types.int64), generate


def _zero_plain(values: LaneArray) -> LaneVector:
    return cast(LaneVector, np.zeros(values.dtype["words"].shape, np.uint64))


@operation(_zero_plain)
def zero(typing: object, values: types.Array) -> Any:
    """`zero(values)`: return a vector as wide as those of `values`, false in all lanes."""

    def generate(context: object, builder: object, sig: Any, args: object) -> ir.Value:
        width = width_of(sig.args[0])
        return ir.Constant(vector_type(width), [0] * width)

    return signature(LaneType(width_of(values)), values), generate


def _splat_plain(values: LaneArray, bits: int) -> LaneVector:
    word = bits & 0xFFFF_FFFF_FFFF_FFFF
    return cast(LaneVector, np.full(values.dtype["words"].shape, word, np.uint64))


@operation(_splat_plain)
def splat(typing: object, values: types.Array, bits: types.Integer) -> Any:
    """`splat(values, bits)`: return a vector as wide as those of `values`, all words `bits`."""

    def generate(context: object, builder: Any, sig: Any, args: Any) -> ir.Value:
        return _splat(builder, args[1], width_of(sig.args[0]))

    return signature(LaneType(width_of(values)), values, types.int64), generate


def _at_plain(table: NDArray[np.integer], index: int) -> int:
    return int(table.reshape(-1)[index])


@operation(_at_plain)
def at(typing: object, table: types.Array, index: types.Integer) -> Any:
    """`at(table, index)`: return a number from a table, without numba's check for index < 0."""

    def generate(*generator: Any) -> ir.Value:
        _, builder, sig, args = generator
        number = builder.load(builder.gep(element_pointer(generator, 0), [args[1]]))
        return builder.sext(number, _Word) if sig.args[0].dtype.bitwidth < 64 else number

    return signature(types.int64, table, types.int64), generate


def _put_plain(table: NDArray[np.integer], index: int, number: int | np.integer) -> None:
    table.reshape(-1)[index] = number


@operation(_put_plain)
def put(typing: object, table: types.Array, index: types.Integer, number: types.Integer) -> Any:
    """`put(table, index, number)`: set a number in a table, without numba's check for index < 0."""

    def generate(*generator: Any) -> ir.Value:
        context, builder, sig, args = generator
        element = ir.IntType(sig.args[0].dtype.bitwidth)
        fits = element.width == WORD_BITS
        stored = args[2] if fits else builder.trunc(args[2], element)
        builder.store(stored, builder.gep(element_pointer(generator, 0), [args[1]]))
        return context.get_dummy_value()

    return signature(types.void, table, types.int64, types.int64), generate


def _word_plain(values: LaneArray, index: int, word: int) -> np.uint64:
    return cast(np.uint64, values["words"][index, word])


@operation(_word_plain)
def word(typing: object, values: types.Array, index: types.Integer, which: types.Integer) -> Any:
    """`word(values, index, word)`: return 64 lanes of the vector at an index, as a number."""

    def generate(*generator: Any) -> ir.Value:
        _, builder, _, args = generator
        pointer = builder.bitcast(_vector_pointer(generator, args[1]), _Word.as_pointer())
        return builder.load(builder.gep(pointer, [args[2]]))

    return signature(types.uint64, values, types.int64, types.int64), generate


def _set_word_plain(values: LaneArray, index: int, word: int, bits: np.uint64) -> None:
    values["words"][index, word] = bits


@operation(_set_word_plain)
def set_word(
    typing: object, values: types.Array, index: types.Integer, which: types.Integer, bits: Any
) -> Any:
    """`set_word(values, index, word, bits)`: set 64 lanes of the vector at an index."""

    def generate(*generator: Any) -> ir.Value:
        context, builder, _, args = generator
        pointer = builder.bitcast(_vector_pointer(generator, args[1]), _Word.as_pointer())
        builder.store(args[3], builder.gep(pointer, [args[2]]))
        return context.get_dummy_value()

    return signature(types.void, values, types.int64, types.int64, types.uint64), generate


# --- From vectors to numbers ------------------------------------------------------------------


def _count_plain(vector: LaneVector) -> int:
    return int(np.bitwise_count(cast(_Plain, vector)).sum())


@operation(_count_plain)
def count(typing: object, vector: LaneType) -> Any:
    """`count(vector)`: return the number of lanes in which the vector is true."""

    def generate(context: object, builder: Any, sig: Any, args: Any) -> ir.Value:
        width = sig.args[0].width
        llvm_type = ir.FunctionType(vector_type(width), [vector_type(width)])
        name = f"llvm.ctpop.v{width}i64"
        counter = _core.cgutils.get_or_insert_function(builder.module, llvm_type, name)
        words = builder.call(counter, [args[0]])
        total = ir.Constant(_Word, 0)
        for index in range(width):
            word = builder.extract_element(words, ir.Constant(ir.IntType(32), index))
            total = builder.add(total, word)
        return total

    return signature(types.int64, vector), generate


def _any_lane_plain(vector: LaneVector) -> bool:
    return bool(cast(_Plain, vector).any())


@operation(_any_lane_plain)
def any_lane(typing: object, vector: LaneType) -> Any:
    """`any_lane(vector)`: return whether the vector is true in at least one lane."""

    def generate(context: object, builder: Any, sig: Any, args: Any) -> ir.Value:
        width = sig.args[0].width
        nothing = ir.Constant(vector_type(width), [0] * width)
        words = builder.icmp_unsigned("!=", args[0], nothing)
        bits = builder.bitcast(words, ir.IntType(width))
        return builder.icmp_unsigned("!=", bits, ir.Constant(ir.IntType(width), 0))

    return signature(types.boolean, vector), generate

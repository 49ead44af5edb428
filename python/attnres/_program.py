"""Programs: how they are compiled, what they take, and how they run."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping
from typing import Any, Literal, Union

import numpy as np
import numpy.typing as npt

from . import _core

Source = Union[str, "os.PathLike[str]", Mapping[str, Any]]

# Where the vectors of kernels like memory to begin.
_ALIGNMENT = 64


def empty(shape: tuple[int, ...], dtype: npt.DTypeLike = np.float32) -> npt.NDArray[Any]:
    """A NumPy array of undefined contents that begins where kernels are
    fastest, at a multiple of 64 bytes."""
    kind = np.dtype(dtype)
    size = int(np.prod(shape, dtype=np.int64)) * kind.itemsize
    memory = np.empty(size + _ALIGNMENT, np.uint8)
    begin = -memory.ctypes.data % _ALIGNMENT
    return memory[begin : begin + size].view(kind).reshape(shape)


def widen(bits: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    """The numbers of an array of bfloat16, for which NumPy has no type: programs
    give their bits as uint16."""
    return (bits.astype(np.uint32) << 16).view(np.float32)


def _is_torch(value: Any) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def _numpy_type(tensor: _core.Tensor) -> np.dtype[Any]:
    return np.dtype("uint16" if tensor.dtype == "bfloat16" else tensor.dtype)


def _allocate(tensor: _core.Tensor, for_torch: bool) -> Any:
    if not for_torch:
        return empty(tensor.shape, _numpy_type(tensor))
    torch = sys.modules["torch"]
    return torch.empty(tensor.shape, dtype=getattr(torch, tensor.dtype))


def _readable(tensor: _core.Tensor, value: Any) -> Any:
    """What the program can read: the value itself, unless it is a number or a
    list, has gaps, or is of a narrower type."""
    if _is_torch(value):
        value = value.detach()
        if value.dtype != getattr(sys.modules["torch"], tensor.dtype):
            if tensor.dtype == "int64" and not value.dtype.is_floating_point:
                value = value.long()
        return value.contiguous()
    casting: Literal["safe", "same_kind"] = "safe"
    if not isinstance(value, np.ndarray):
        if hasattr(value, "__dlpack__"):
            return value
        casting = "same_kind"  # Python's numbers have no width
    array = np.asarray(value)
    kind = _numpy_type(tensor)
    if tensor.dtype == "bfloat16" and array.dtype != kind:
        return array  # numbers are no bits
    if array.dtype != kind and not np.can_cast(array.dtype, kind, casting):
        return array  # which is refused with both types named
    converted = np.asarray(array, kind, order="C")
    if (array.dtype != kind and array.dtype.kind in "iu" and kind.kind in "iu"
            and not np.array_equal(converted, array)):
        raise _core.ArgumentError(f"input '{tensor.name}': a number does not fit {tensor.dtype}")
    return converted


class Program:
    """Compiled code with the names and shapes of what it takes and returns.

    Made by `compile`, or `load` from a file that `save` or `attnres-run compile`
    wrote. Several threads may run programs; the runs follow each other, and the
    interpreter's lock is not held while they last.
    """

    def __init__(self, compiled: _core.CompiledProgram) -> None:
        self._compiled = compiled
        self._tensors = compiled.tensors
        self._updated = {t.updates for t in self._tensors if t.updates >= 0}

    @property
    def tensors(self) -> list[_core.Tensor]:
        """Inputs and outputs in the order of the program."""
        return list(self._tensors)

    @property
    def inputs(self) -> dict[str, _core.Tensor]:
        """What `run` takes."""
        return {t.name: t for t in self._tensors if not t.is_output}

    @property
    def outputs(self) -> dict[str, _core.Tensor]:
        """What `run` returns."""
        return {t.name: t for t in self._tensors if t.is_output}

    @property
    def parameters(self) -> dict[str, _core.Tensor]:
        """The inputs that are learned."""
        return {name: t for name, t in self.inputs.items() if t.role == "parameter"}

    @property
    def metadata(self) -> dict[str, str]:
        """What the compiler said about the program, such as its configuration."""
        return dict(self._compiled.metadata)

    @property
    def target(self) -> str:
        """What the code is for: 'cpu:avx2'."""
        return self._compiled.target

    @property
    def workspace_bytes(self) -> int:
        """Memory of intermediate results, which all programs share."""
        return self._compiled.workspace_bytes

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the program to a file, replacing one that exists."""
        self._compiled.save(os.fspath(path))

    def __bytes__(self) -> bytes:
        return self._compiled.serialize()

    def __reduce__(self) -> tuple[Any, ...]:
        return _parse, (bytes(self),)

    def __repr__(self) -> str:
        return (
            f"<attnres.Program of {len(self.inputs)} inputs and "
            f"{len(self.outputs)} outputs for {self.target}>"
        )

    def run(
        self,
        arrays: Mapping[str, Any] | None = None,
        /,
        *,
        out: Mapping[str, Any] | None = None,
        poison: bool = False,
        **named: Any,
    ) -> dict[str, Any]:
        """Computes all outputs from all inputs.

        Inputs are given by name, as keywords or, as names may have dots, in a
        dictionary. NumPy arrays, PyTorch tensors and whatever else speaks DLPack
        are read where they are if they have the type of the input and no gaps;
        numbers, lists and narrower types are converted. Outputs are new arrays,
        tensors where an input is a tensor, or those of `out`, which are written
        where they are. An input that an output updates is overwritten and is
        that output.

        bfloat16 is torch.bfloat16, or in NumPy the bits as uint16, see `widen`.

        `poison` fills all memory that results are written to with NaN first: a
        way to test a program.
        """
        given = {**(arrays or {}), **named}
        wanted = dict(out or {})
        for_torch = any(map(_is_torch, given.values()))
        values: list[Any] = []
        for index, tensor in enumerate(self._tensors):
            if not tensor.is_output:
                if tensor.name not in given:
                    raise _core.ArgumentError(f"input '{tensor.name}' is missing")
                value = given.pop(tensor.name)
                if index not in self._updated:
                    value = _readable(tensor, value)
                elif _is_torch(value):
                    value = value.detach()
            elif tensor.updates >= 0:
                value = None
            elif tensor.name in wanted:
                value = wanted.pop(tensor.name)
                if _is_torch(value):
                    value = value.detach()
            else:
                value = _allocate(tensor, for_torch)
            values.append(value)
        for name in given:
            raise _core.ArgumentError(f"the program has no input '{name}'")
        for name in wanted:
            raise _core.ArgumentError(
                f"the program has no output '{name}' with memory of its own"
            )
        self._compiled.run(values, poison)
        return {
            tensor.name: values[tensor.updates if tensor.updates >= 0 else index]
            for index, tensor in enumerate(self._tensors)
            if tensor.is_output
        }


def _parse(data: bytes) -> Program:
    return Program(_core.CompiledProgram.parse(data))


def load(path: str | os.PathLike[str]) -> Program:
    """The program in a file. It contains machine code: load only files that you
    trust."""
    return Program(_core.CompiledProgram.load(os.fspath(path)))


def _find_configuration(source: Source) -> tuple[str, str]:
    """A configuration as JSON, and what to call it."""
    if isinstance(source, Mapping):
        return json.dumps(source), "configuration"
    name = os.fspath(source)
    if os.path.exists(name):
        return _core.read_config(name), name
    if name in _core.presets():
        return _core.preset(name), name
    raise _core.ArgumentError(
        f"'{name}' is no file, no folder and no preset; presets are "
        + ", ".join(_core.presets())
    )


def configuration(
    source: Source, *, mode: str | None = None, settings: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The complete configuration of a model, as config.json has it.

    `source` is a dictionary with some of the fields, the path of a config.json
    or of a folder that has one, or a preset. `mode` is what attention residuals
    are to be instead: 'off', 'full', 'block' or 'static'; `settings` are other
    fields to replace.
    """
    text, where = _find_configuration(source)
    changes = dict(settings or {})
    if mode is not None:
        changes["attnres"] = mode
    texts = [f"{name}={json.dumps(value)}" for name, value in changes.items()]
    result: dict[str, Any] = json.loads(_core.configure(text, where, texts))
    return result


def initial_parameters(
    source: Source,
    *,
    seed: int = 0,
    mode: str | None = None,
    settings: Mapping[str, Any] | None = None,
) -> dict[str, npt.NDArray[np.float32]]:
    """The parameters that training of a configuration with `seed` begins with."""
    config = configuration(source, mode=mode, settings=settings)
    return _core.initialize(json.dumps(config), seed)


def _module_of(source: Source) -> tuple[str, str] | None:
    """A module as text, and what to call it; None for a configuration."""
    if isinstance(source, Mapping):
        return None
    name = os.fspath(source)
    if "\n" in name:
        return name, "module"
    if not name.endswith(".mlir"):
        return None
    try:
        with open(name, encoding="utf-8") as file:
            return file.read(), name
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "is no text in UTF-8"
        raise _core.FileError(f"{name}: {reason}") from None


def _patterns(names: Iterable[str]) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


def _factor(pattern: str, factor: float) -> float:
    """A factor on the learning rate, of any type that is a number."""
    value = float(factor)
    if not 0 <= value < float("inf"):
        raise _core.ArgumentError(
            f"lr_for[{pattern!r}]: expected at least 0 and finite, got {factor}"
        )
    return value


def _check_shares(dropout: float, label_smoothing: float) -> None:
    for name, share in (("dropout", dropout), ("label_smoothing", label_smoothing)):
        if not 0 <= share < 1:
            raise _core.ArgumentError(
                f"{name}: expected at least 0 and less than 1, got {share}"
            )


_OF_PURPOSES = {
    "dropout": ("forward", "loss", "logits", "gradients", "train", "pullback"),
    "label_smoothing": ("forward", "loss", "gradients", "train"),
    "lr_for": ("train",),
    "no_decay": ("train",),
}


def _check_purpose(purpose: str, **given: Any) -> None:
    """Refuses what was given and means nothing for `purpose`."""
    for name, value in given.items():
        if value and purpose not in _OF_PURPOSES[name]:
            raise _core.ArgumentError(
                f"{name}: a program for '{purpose}' has none, only one for "
                + ", ".join(f"'{of}'" for of in _OF_PURPOSES[name])
            )


def compile(
    source: Source,
    *,
    purpose: str = "forward",
    batch_size: int = 1,
    seq_len: int | None = None,
    mode: str | None = None,
    settings: Mapping[str, Any] | None = None,
    dtype: str = "float32",
    optimizer: str = "adamw",
    betas: tuple[float, float] = (0.9, 0.95),
    eps: float = 1e-8,
    weight_decay: float = 0.1,
    momentum: float = 0.95,
    clip_norm: float = 1.0,
    frozen: Iterable[str] = (),
    no_decay: Iterable[str] = (),
    lr_for: Mapping[str, float] | None = None,
    dropout: float = 0.0,
    label_smoothing: float = 0.0,
    residual_bytes: int | None = None,
    capacity: int = 0,
    record: bool = False,
    stage: str = "model",
    depth_schedule: str = "two-phase",
    attention: str = "flash",
    target: str = "cpu",
    cache: bool = True,
) -> Program:
    """Compiles a model for one shape of input.

    Args:
        source: What `configuration` takes, or a module in MLIR: the path of a
            .mlir file, or its text.
        purpose: What the program computes. 'forward': loss and logits; 'loss';
            'logits'; 'gradients': the loss, and of every parameter NAME
            'grad.NAME'; 'train': a step of the optimizer that updates parameters
            and moments in place; 'pullback': from the gradients of the results,
            'cotangent.NAME', those of the parameters; 'prefill' and 'decode':
            parts of a model that continues texts in caches of `capacity`
            positions. Of a module 'forward' is what @main returns, and
            'gradients' and 'train' are about its result 'loss'.
        batch_size, seq_len: Sequences, and tokens in each. Modules have sizes of
            their own.
        mode, settings: See `configuration`.
        dtype: What activations are kept in and products read, 'float32' or
            'bfloat16'. Parameters are float32 in any case.
        optimizer: 'adamw', 'muon', 'sgd' or 'lion', of 'train', with `betas`,
            `eps`, `weight_decay`, `momentum`, and `clip_norm` for the norm of
            all gradients together, 0 for no limit.
        frozen: Patterns of the names of parameters without gradient; * is any
            text.
        no_decay: Patterns of those that do not decay.
        lr_for: Factors on the learning rate by pattern; of several patterns the
            first counts.
        dropout: The share of the elements of the embedding and of every
            sublayer's output that are set to 0. The program takes `random`, two
            integers that say which: a seed, and the number of the run.
        label_smoothing: The share of each target that the loss spreads over all
            tokens.
        residual_bytes: What may be kept for the backward pass; the rest is
            computed again.
        record: Also return the weights of depth mixtures.
        stage: What stage a module is at, see docs/stages.md.
        depth_schedule, attention: 'naive' to compute mixtures over depth one by
            one, or attention with all its scores in memory: to compare.
        target: 'cpu' is this processor; see `attnres-run compile --help`.
        cache: Look for the program in the cache of compiled programs, and keep it
            there.
    """
    options = _core.CompileOptions()
    options.purpose = purpose
    options.batch_size = batch_size
    options.dtype = dtype
    options.optimizer = optimizer
    options.beta1, options.beta2 = betas
    options.eps = eps
    options.weight_decay = weight_decay
    options.momentum = momentum
    options.clip_norm = clip_norm
    options.frozen = _patterns(frozen)
    options.undecayed = _patterns(no_decay)
    options.rates = [
        f"{pattern}={_factor(pattern, factor)!r}" for pattern, factor in (lr_for or {}).items()
    ]
    _check_shares(dropout, label_smoothing)
    _check_purpose(
        purpose,
        dropout=dropout,
        label_smoothing=label_smoothing,
        lr_for=lr_for,
        no_decay=no_decay,
    )
    options.dropout = dropout
    options.label_smoothing = label_smoothing
    options.residual_bytes = -1 if residual_bytes is None else residual_bytes
    options.capacity = capacity
    options.record = record
    options.depth_schedule = depth_schedule
    options.attention = attention
    options.target = target
    options.cached = cache
    module = _module_of(source)
    if module is not None:
        if mode is not None or settings:
            raise _core.ArgumentError(
                f"{module[1]}: mode and settings are of configurations, this is a module"
            )
        if dropout or label_smoothing:
            raise _core.ArgumentError(
                f"{module[1]}: a module says itself what it computes; dropout and "
                "label_smoothing are of configurations"
            )
        return Program(_core.compile_text(*module, stage, options))
    config = configuration(source, mode=mode, settings=settings)
    if seq_len is None:
        if purpose != "decode":
            raise _core.ArgumentError("a configuration is compiled for a seq_len")
        seq_len = 1
    options.seq_len = seq_len
    return Program(_core.compile_config(json.dumps(config), "configuration", options))

"""Compiled computations as differentiable PyTorch operations and modules.

    from attnres.torch import Model, depth_attention, flash_attention

    out = flash_attention(q, k, v, causal=True)         # [B, T, H, D]
    mixed = depth_attention(query, sources, norm_weight)

    model = Model("toy", mode="block")
    optimizer = torch.optim.AdamW(model.parameters())
    model(tokens, targets).backward()
    optimizer.step()

Everything runs on the processor, in float32 or bfloat16. Code is compiled for each
shape when it is first seen, and kept, on disk too. Tensors are read and written
where they are. There are no second derivatives.
"""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import torch
from torch.autograd.function import once_differentiable

from . import _core
from ._program import Program, Source, _check_shares, compile, configuration

__all__ = ["Function", "Model", "Operation", "depth_attention", "flash_attention"]

_TYPES = {torch.float32: "f32", torch.bfloat16: "bf16"}

Tensors = Sequence[torch.Tensor]


class Computation(Protocol):
    """What `Function` makes an operation of."""

    def forward(self, tensors: Tensors, differentiates: bool) -> tuple[Tensors, Tensors]:
        """The results, and what backward() needs."""

    def backward(
        self, kept: Tensors, grads: Sequence[torch.Tensor | None], needed: Sequence[bool]
    ) -> Sequence[torch.Tensor | None]:
        """The gradients of the tensors of forward(), from those of its results."""


class Function(torch.autograd.Function):
    """A compiled computation as an operation that autograd knows:
    `Function.apply(computation, *tensors)` returns a tuple of tensors."""

    @staticmethod
    def forward(ctx: Any, computation: Computation, *tensors: torch.Tensor) -> Any:
        results, kept = computation.forward(tensors, True)
        ctx.computation = computation
        ctx.save_for_backward(*kept)
        ctx.set_materialize_grads(False)
        return tuple(results)

    @staticmethod
    @once_differentiable  # type: ignore[misc, untyped-decorator, unused-ignore]
    def backward(ctx: Any, *grads: torch.Tensor | None) -> Any:
        needed = ctx.needs_input_grad[1:]
        given = ctx.computation.backward(ctx.saved_tensors, grads, needed)
        return (None, *given)


def _apply(computation: Computation, *tensors: torch.Tensor) -> Tensors:
    """The results, and nothing kept where nobody will ask for gradients."""
    if torch.is_grad_enabled() and any(tensor.requires_grad for tensor in tensors):
        results: Tensors = Function.apply(computation, *tensors)
        return results
    return computation.forward(tensors, False)[0]


def _check(name: str, tensor: torch.Tensor, rank: int | None = None) -> None:
    if tensor.device.type != "cpu":
        raise _core.ArgumentError(f"{name}: expected a tensor on the cpu, got {tensor.device}")
    if tensor.dtype not in _TYPES:
        raise _core.ArgumentError(
            f"{name}: expected torch.float32 or torch.bfloat16, got {tensor.dtype}"
        )
    if rank is not None and tensor.dim() != rank:
        raise _core.ArgumentError(
            f"{name}: expected {rank} dimensions, got {list(tensor.shape)}"
        )


# ------------------------------------------------------- operations as modules


def _type(shape: Sequence[int], element: str) -> str:
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def _real(value: float) -> str:
    return f"{value:.17e} : f64"


def _module(arguments: Mapping[str, str], results: Sequence[str], operation: str) -> str:
    """A module whose @main is one operation; arguments are types by name, results
    types."""
    declared = ", ".join(
        f'%{name}: {kind} {{attnres.name = "{name}", attnres.role = #attnres.role<input>}}'
        for name, kind in arguments.items()
    )
    returned = ", ".join(f'{kind} {{attnres.name = "r{i}"}}' for i, kind in enumerate(results))
    values = ", ".join(f"%r#{i}" if len(results) > 1 else "%r" for i in range(len(results)))
    count = f":{len(results)}" if len(results) > 1 else ""
    return (
        f"func.func @main({declared}) -> ({returned}) {{\n"
        f"  %r{count} = {operation}\n"
        f"  return {values} : {', '.join(results)}\n}}\n"
    )


class _Module:
    """A compiled module of one operation, called with tensors in order."""

    def __init__(self, arguments: Mapping[str, str], results: Sequence[str], operation: str):
        self._program = compile(_module(arguments, results, operation))
        self._names = list(arguments)

    def __call__(self, tensors: Tensors) -> list[torch.Tensor]:
        return list(self._program.run(dict(zip(self._names, tensors))).values())


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"%{name}" for name in names)


# ------------------------------------------------------------------- attention


class _WithBackward:
    """Keeps the two forms of a backward pass: with gradients of the logarithms of
    sums, and without."""

    def __init__(self) -> None:
        self._backwards: dict[bool, _Module] = {}

    def _make_backward(self, with_lse: bool) -> _Module:
        raise NotImplementedError

    def _backward(self, with_lse: bool) -> _Module:
        if with_lse not in self._backwards:
            self._backwards[with_lse] = self._make_backward(with_lse)
        return self._backwards[with_lse]


class _Attention(_WithBackward):
    def __init__(
        self, shapes: Sequence[tuple[int, ...]], element: str, causal: bool, scale: float | None
    ):
        super().__init__()
        q, k, v = (_type(shape, element) for shape in shapes)
        output = _type((*shapes[0][:3], shapes[2][3]), element)
        lse = _type(shapes[0][:3], "f32")
        parts = (["causal"] if causal else []) + (
            [f"scale = {_real(scale)}"] if scale is not None else []
        )
        self._attributes = f" {{{', '.join(parts)}}}" if parts else ""
        self._inputs = {"q": q, "k": k, "v": v}
        self._results = [output, lse]
        self._forward = self._compile("attnres.attention", self._inputs, self._results)

    def _compile(self, name: str, arguments: Mapping[str, str], results: Sequence[str]) -> _Module:
        plain = [argument for argument in arguments if argument != "lse_grad"]
        grad = " lse_grad(%lse_grad)" if "lse_grad" in arguments else ""
        types = ", ".join(arguments.values())
        return _Module(
            arguments,
            results,
            f"{name} {_listed(plain)}{grad}{self._attributes} : {types}",
        )

    def _make_backward(self, with_lse: bool) -> _Module:
        output, lse = self._results
        arguments = {**self._inputs, "output": output, "lse": lse, "output_grad": output}
        if with_lse:
            arguments["lse_grad"] = lse
        return self._compile(
            "attnres.attention_backward", arguments, list(self._inputs.values())
        )

    def forward(self, tensors: Tensors, differentiates: bool) -> tuple[Tensors, Tensors]:
        results = self._forward(tensors)
        return results, [*tensors, *results]

    def backward(
        self, kept: Tensors, grads: Sequence[torch.Tensor | None], needed: Sequence[bool]
    ) -> Sequence[torch.Tensor | None]:
        grad, lse_grad = grads
        if grad is None:
            grad = torch.zeros_like(kept[3])
        given = [*kept, grad] + ([lse_grad] if lse_grad is not None else [])
        return self._backward(lse_grad is not None)(given)


_attention = functools.lru_cache(maxsize=256)(_Attention)


def flash_attention(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    causal: bool = False,
    *,
    scale: float | None = None,
    return_lse: bool = False,
) -> Any:
    """Attention without its scores in memory.

    Args:
        q: Queries [B, T, H, D].
        k: Keys [B, S, Hkv, D]; Hkv divides H, each key head serves H / Hkv query
            heads.
        v: Values [B, S, Hkv, Dv].
        causal: Query t sees the keys up to t + S - T.
        scale: Of the scores; D ** -0.5 by default.
        return_lse: Also return the logarithms of the sums of exponentials, float32
            [B, T, H].

    Returns:
        The mixtures of values [B, T, H, Dv], or these and the logarithms.
    """
    for name, tensor in (("q", q), ("k", k), ("v", v)):
        _check(name, tensor, 4)
        if tensor.dtype != q.dtype:
            raise _core.ArgumentError(f"{name}: expected {q.dtype} as q, got {tensor.dtype}")
    shapes = tuple(tuple(tensor.shape) for tensor in (q, k, v))
    operation = _attention(shapes, _TYPES[q.dtype], bool(causal), scale)
    output, lse = _apply(operation, q.contiguous(), k.contiguous(), v.contiguous())
    return (output, lse) if return_lse else output


# ------------------------------------------------------------- depth attention


class _DepthAttention(_WithBackward):
    def __init__(
        self, num_queries: int, num_sources: int, shape: tuple[int, ...], element: str, eps: float
    ):
        super().__init__()
        source, vector = _type(shape, element), _type(shape[-1:], "f32")
        lse = _type(shape[:-1], "f32")
        self._attributes = f"{{eps = {_real(eps)}}}"
        self._count = num_queries
        self._lists = {
            "queries": self._list("q", num_queries, vector),
            "gains": self._list("g", num_queries, vector),
            "sources": self._list("v", num_sources, source),
        }
        self._results = [source] * num_queries + [lse] * num_queries
        # The type of the sources says those of the rest.
        self._forward = self._compile(
            "attnres.depth_attention", self._lists, self._results, types=source
        )

    @staticmethod
    def _list(prefix: str, count: int, kind: str) -> dict[str, str]:
        return {f"{prefix}{i}": kind for i in range(count)}

    def _compile(
        self,
        name: str,
        lists: Mapping[str, Mapping[str, str]],
        results: Sequence[str],
        types: str | None = None,
    ) -> _Module:
        arguments = {key: kind for part in lists.values() for key, kind in part.items()}
        operands = " ".join(f"{key}({_listed(list(part))})" for key, part in lists.items())
        types = types or ", ".join(arguments.values())
        return _Module(arguments, results, f"{name} {operands} {self._attributes} : {types}")

    def _make_backward(self, with_lse: bool) -> _Module:
        source, lse = self._results[0], self._results[-1]
        lists = {
            **self._lists,
            "lses": self._list("l", self._count, lse),
            "output_grads": self._list("dy", self._count, source),
        }
        if with_lse:
            lists["lse_grads"] = self._list("dl", self._count, lse)
        vectors = [*self._lists["queries"].values(), *self._lists["gains"].values()]
        results = [*self._lists["sources"].values(), *vectors]
        return self._compile("attnres.depth_attention_backward", lists, results)

    def forward(self, tensors: Tensors, differentiates: bool) -> tuple[Tensors, Tensors]:
        results = self._forward(tensors)
        return results, [*tensors, *results[self._count :]]

    def backward(
        self, kept: Tensors, grads: Sequence[torch.Tensor | None], needed: Sequence[bool]
    ) -> Sequence[torch.Tensor | None]:
        source = kept[2 * self._count]
        given = [
            torch.zeros_like(source) if grad is None else grad for grad in grads[: self._count]
        ]
        lses = kept[len(kept) - self._count :]
        with_lse = any(grad is not None for grad in grads[self._count :])
        if with_lse:
            given += [
                torch.zeros_like(lse) if grad is None else grad
                for lse, grad in zip(lses, grads[self._count :])
            ]
        results = self._backward(with_lse)([*kept, *given])
        # Gradients of sources come first, sources last.
        vectors = 2 * self._count
        return results[len(results) - vectors :] + results[: len(results) - vectors]


_depth_attention = functools.lru_cache(maxsize=256)(_DepthAttention)


def depth_attention(
    query: torch.Tensor,
    sources: torch.Tensor | Sequence[torch.Tensor],
    norm_weight: torch.Tensor | None = None,
    *,
    eps: float = 1e-8,
    return_lse: bool = False,
) -> Any:
    """A softmax mixture of the outputs of earlier layers, for each token:

        h = sum_i softmax_i((query * norm_weight) . RMSNorm(v_i)) v_i

    Args:
        query: [D], or [L, D] for L mixtures of the same sources, which are then
            read once.
        sources: The v_i [..., D], as a list or stacked along the first dimension.
        norm_weight: The weight of the norm of the keys, [D], or [L, D]; ones by
            default.
        eps: Of the norm.
        return_lse: Also return the logarithms of the sums of exponentials, float32
            [...]: with them mixtures over parts of the sources can be joined.

    Returns:
        The mixture [..., D], or a list of L; with `return_lse` also the logarithms,
        in the same way.
    """
    parts = list(sources.unbind(0) if isinstance(sources, torch.Tensor) else sources)
    if not parts:
        raise _core.ArgumentError("sources: expected at least one")
    for i, part in enumerate(parts):
        _check(f"source {i}", part)
        if part.dim() == 0 or part.shape != parts[0].shape or part.dtype != parts[0].dtype:
            raise _core.ArgumentError(
                f"source {i}: expected {parts[0].dtype} {list(parts[0].shape)} [..., D] as the "
                f"first, got {part.dtype} {list(part.shape)}"
            )
    width = parts[0].shape[-1]
    if norm_weight is None:
        norm_weight = torch.ones_like(query)
    for name, vectors in (("query", query), ("norm_weight", norm_weight)):
        _check(name, vectors)
        if vectors.dim() not in (1, 2) or vectors.shape[-1] != width or vectors.shape[0] == 0:
            raise _core.ArgumentError(
                f"{name}: expected [{width}] or [L, {width}], got {list(vectors.shape)}"
            )
    if norm_weight.dim() == 2 and norm_weight.shape != query.shape:
        raise _core.ArgumentError(
            f"norm_weight: expected {list(query.shape)} as the query or [{width}], "
            f"got {list(norm_weight.shape)}"
        )
    queries = list(query.float().reshape(-1, width).unbind(0))
    gains = list(norm_weight.float().expand(query.shape).reshape(-1, width).unbind(0))
    count = len(queries)
    operation = _depth_attention(
        count, len(parts), tuple(parts[0].shape), _TYPES[parts[0].dtype], float(eps)
    )
    tensors = (part.contiguous() for part in (*queries, *gains, *parts))
    results = _apply(operation, *tensors)
    outputs, lses = list(results[:count]), list(results[count:])
    if query.dim() == 1:
        return (outputs[0], lses[0]) if return_lse else outputs[0]
    return (outputs, lses) if return_lse else outputs


# ---------------------------------------------------------------- any function


class Operation:
    """The @main of a module in MLIR as a differentiable operation.

    Called with a tensor for each of its inputs, in order or by name, it returns
    its result, or a tuple of them. Gradients reach the inputs that have the role
    of parameters: `attnres.role = #attnres.role<parameter>`.
    """

    def __init__(self, source: Source, **options: Any) -> None:
        self._compile = functools.partial(compile, source, **options)
        self._forward = self._compile()
        self._names = list(self._forward.inputs)
        self._results = list(self._forward.outputs)

    def __call__(self, *tensors: torch.Tensor, **named: torch.Tensor) -> Any:
        given = dict(zip(self._names, tensors), **named)
        if len(tensors) > len(self._names) or set(given) != set(self._names):
            raise _core.ArgumentError(
                f"expected a tensor for each of {', '.join(self._names)}, got "
                + (", ".join(given) if len(tensors) <= len(self._names) else f"{len(tensors)}")
            )
        results = _apply(self, *(given[name] for name in self._names))
        return results if len(results) > 1 else results[0]

    @functools.cached_property
    def _pull_back(self) -> Program:
        return self._compile(purpose="pullback")

    def forward(self, tensors: Tensors, differentiates: bool) -> tuple[Tensors, Tensors]:
        results = list(self._forward.run(dict(zip(self._names, tensors))).values())
        return results, tensors if differentiates else []

    def backward(
        self, kept: Tensors, grads: Sequence[torch.Tensor | None], needed: Sequence[bool]
    ) -> Sequence[torch.Tensor | None]:
        inputs = dict(zip(self._names, kept))
        for name, grad in zip(self._results, grads):
            key, wanted = f"cotangent.{name}", self._forward.outputs[name]
            if key in self._pull_back.inputs:
                inputs[key] = (
                    torch.zeros(wanted.shape, dtype=getattr(torch, wanted.dtype))
                    if grad is None
                    else grad
                )
        results = self._pull_back.run(inputs)
        return [results.get(f"grad.{name}") for name in self._names]


# ---------------------------------------------------------------- whole models


class _Loss:
    """The loss of a model: all gradients are computed with it."""

    def __init__(
        self, model: Model, batch: int, length: int, frozen: tuple[str, ...], training: bool
    ) -> None:
        self._compile = functools.partial(
            model._compile,
            batch_size=batch,
            seq_len=length,
            frozen=frozen,
            dropout=model._dropout if training else 0.0,
            label_smoothing=model._label_smoothing if training else 0.0,
        )
        self._names = ["tokens", "targets", *model._draws(training), *model._names]

    @functools.cached_property
    def _loss(self) -> Program:
        return self._compile(purpose="loss", frozen=())

    @functools.cached_property
    def _gradients(self) -> Program:
        return self._compile(purpose="gradients")

    def forward(self, tensors: Tensors, differentiates: bool) -> tuple[Tensors, Tensors]:
        program = self._gradients if differentiates else self._loss
        results = program.run(dict(zip(self._names, tensors)))
        self._differentiated = [f"grad.{name}" in results for name in self._names]
        return [results.pop("loss")], [
            results[f"grad.{name}"] for name in self._names if f"grad.{name}" in results
        ]

    def backward(
        self, kept: Tensors, grads: Sequence[torch.Tensor | None], needed: Sequence[bool]
    ) -> Sequence[torch.Tensor | None]:
        factor = grads[0]
        if factor is None:
            return [None] * len(needed)
        gradients = iter(kept if factor == 1 else [grad * factor for grad in kept])
        return [next(gradients) if is_given else None for is_given in self._differentiated]


class _Logits:
    """The logits of a model; the backward pass computes the forward pass again."""

    def __init__(
        self, model: Model, batch: int, length: int, frozen: tuple[str, ...], training: bool
    ) -> None:
        self._compile = functools.partial(
            model._compile,
            batch_size=batch,
            seq_len=length,
            dropout=model._dropout if training else 0.0,
        )
        self._frozen = frozen
        self._names = ["tokens", *model._draws(training), *model._names]

    @functools.cached_property
    def _logits(self) -> Program:
        return self._compile(purpose="logits")

    @functools.cached_property
    def _pull_back(self) -> Program:
        return self._compile(purpose="pullback", frozen=self._frozen)

    def forward(self, tensors: Tensors, differentiates: bool) -> tuple[Tensors, Tensors]:
        results = self._logits.run(dict(zip(self._names, tensors)))
        return [results["logits"]], tensors if differentiates else []

    def backward(
        self, kept: Tensors, grads: Sequence[torch.Tensor | None], needed: Sequence[bool]
    ) -> Sequence[torch.Tensor | None]:
        if grads[0] is None:
            return [None] * len(needed)
        inputs: dict[str, torch.Tensor] = dict(zip(self._names, kept))
        results = self._pull_back.run(inputs | {"cotangent.logits": grads[0]})
        return [results.get(f"grad.{name}") for name in self._names]


class Model(torch.nn.Module):
    """A language model as a module: its parameters are PyTorch's, to be trained by
    any optimizer; forward and backward pass are compiled.

    Args:
        source: What `attnres.configuration` takes: a preset, a path, a dictionary.
        mode, settings: See `attnres.configuration`.
        dtype: What activations are kept in and products read: 'float32' or
            'bfloat16'. Parameters are float32.
        seed: Of the first parameters, as `attnres-run train --seed`.
        dropout, label_smoothing: See `attnres.compile`. Only a module that is being
            trained has them, `train()` and not `eval()`; what dropout draws follows
            `torch.manual_seed`. Smoothing is of the loss that is computed here.
        residual_bytes, depth_schedule, attention: See `attnres.compile`.
    """

    def __init__(
        self,
        source: Source,
        *,
        mode: str | None = None,
        settings: Mapping[str, Any] | None = None,
        dtype: str = "float32",
        seed: int = 0,
        dropout: float = 0.0,
        label_smoothing: float = 0.0,
        residual_bytes: int | None = None,
        depth_schedule: str = "two-phase",
        attention: str = "flash",
    ) -> None:
        super().__init__()
        self.config = configuration(source, mode=mode, settings=settings)
        self._options: dict[str, Any] = {
            "dtype": dtype,
            "residual_bytes": residual_bytes,
            "depth_schedule": depth_schedule,
            "attention": attention,
        }
        _check_shares(dropout, label_smoothing)
        self._dropout, self._label_smoothing = dropout, label_smoothing
        self._computations: dict[tuple[Any, ...], Any] = {}
        initial = _core.initialize(json.dumps(self.config), seed)
        self._names = list(initial)
        for name, value in initial.items():
            self._add(name, torch.from_numpy(value))

    def _add(self, name: str, value: torch.Tensor) -> None:
        """A parameter whose name has dots lies in modules of these names."""
        *path, last = name.split(".")
        module: torch.nn.Module = self
        for part in path:
            if part not in module._modules:
                module.add_module(part, torch.nn.Module())
            module = module._modules[part]  # type: ignore[assignment]
        module.register_parameter(last, torch.nn.Parameter(value))

    def _draws(self, training: bool) -> list[str]:
        """The input that says what dropout sets to 0, if there is one."""
        return ["random"] if training and self._dropout else []

    def _compile(self, **options: Any) -> Program:
        return compile(self.config, **self._options, **options)

    def forward(
        self, tokens: torch.Tensor, targets: torch.Tensor | None = None
    ) -> torch.Tensor:
        """The mean cross entropy of the targets [B, T], of which those that are -100
        do not count, or without targets the logits [B, T, V].

        The loss is the faster way to train: its gradients come from one program.
        The logits are for losses of your own.
        """
        if tokens.dim() != 2:
            raise _core.ArgumentError(f"tokens: expected [B, T], got {list(tokens.shape)}")
        known = dict(self.named_parameters())
        frozen = tuple(name for name in self._names if not known[name].requires_grad)
        # Smoothing is of the loss alone.
        smoothing = targets is not None and self._label_smoothing
        training = self.training and bool(self._dropout or smoothing)
        key = (*tokens.shape, targets is not None, frozen, training)
        if key not in self._computations:
            batch, length = tokens.shape
            kind = _Logits if targets is None else _Loss
            self._computations[key] = kind(self, batch, length, frozen, training)
        inputs = [tokens.long()] if targets is None else [tokens.long(), targets.long()]
        inputs += [torch.randint(2**62, (2,)) for _ in self._draws(training)]
        parameters = (known[name] for name in self._names)
        return _apply(self._computations[key], *inputs, *parameters)[0]

    @classmethod
    def load(cls, folder: str | os.PathLike[str], **options: Any) -> Model:
        """The model of a folder, or of the last checkpoint of a run. Options are those
        of the class."""
        files = _core.ModelFiles(os.fspath(folder))
        model = cls(json.loads(files.config), **options)
        with torch.no_grad():
            known = dict(model.named_parameters())
            for name, value in files.parameters().items():
                known[name].copy_(torch.from_numpy(np.array(value)))
        return model

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Writes config.json and model.safetensors, which `attnres.Model.load` and all
        commands of attnres-run read."""
        known = dict(self.named_parameters())
        arrays = {name: known[name].detach().contiguous().numpy() for name in self._names}
        _core.save_model(os.fspath(folder), json.dumps(self.config), arrays)

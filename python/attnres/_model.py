"""Models in folders: what they find likely, and how they go on."""

from __future__ import annotations

import json
import math
import os
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from . import _core
from ._program import Program, compile, widen

# Of texts up to this many tokens longer, one program serves all.
_UNIT = 64
_MOST_PROGRAMS = 16
_IGNORED = -100


@dataclass(frozen=True)
class Generated:
    """How a prompt goes on."""

    text: str
    """What was added, up to the end token or a stop text; empty when the prompt
    was given in tokens."""
    tokens: list[int]
    """The same as tokens, without the end token."""
    stopped_by: str
    """'end token', 'stop text', 'new tokens' (as many as were asked for) or
    'capacity'."""


@dataclass(frozen=True)
class Score:
    """How likely a model finds a text. Natural logarithms."""

    tokens: list[int]
    log_probs: list[float | None]
    """Of each token, given all before it; None for one with nothing before it."""

    @property
    def log_prob(self) -> float:
        """Of the text."""
        return math.fsum(value for value in self.log_probs if value is not None)

    @property
    def perplexity(self) -> float:
        count = sum(value is not None for value in self.log_probs)
        return math.exp(-self.log_prob / count)


def _log_softmax(logits: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    shifted = logits.astype(np.float64)
    shifted -= shifted.max(axis=-1, keepdims=True)
    shifted -= np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return shifted


class Model:
    """A trained model: a folder that `attnres-run train`, `import` or
    `attnres.torch.Model.save` wrote.

    Programs are compiled when they are first needed and kept. They compute as
    the run of the model did: `dtype`, the schedule and the attention are its.
    """

    def __init__(self, files: _core.ModelFiles) -> None:
        self._files = files
        self._parameters = files.parameters()
        self._programs: OrderedDict[tuple[Any, ...], Program] = OrderedDict()

    @classmethod
    def load(
        cls,
        folder: str | os.PathLike[str],
        *,
        ema: bool = False,
        tokenizer: str | os.PathLike[str] | None = None,
    ) -> Model:
        """Opens a model.

        Args:
            folder: Has config.json and model.safetensors, or is that of a run,
                for its last checkpoint.
            ema: Take the moving means of the parameters, which `train --ema`
                keeps.
            tokenizer: A folder with a tokenizer, if the model's has none.
        """
        path = os.fspath(tokenizer) if tokenizer is not None else ""
        return cls(_core.ModelFiles(os.fspath(folder), ema, path))

    @property
    def folder(self) -> str:
        """Where the files are."""
        return self._files.folder

    @property
    def config(self) -> dict[str, Any]:
        """The fields of config.json."""
        result: dict[str, Any] = json.loads(self._files.config)
        return result

    @property
    def parameters(self) -> dict[str, npt.NDArray[np.float32]]:
        """The parameters, read-only, in the memory of the mapped file."""
        return dict(self._parameters)

    def encode(self, text: str) -> list[int]:
        """The tokens of a text, without an end token."""
        return self._files.encode(text)

    def decode(self, tokens: Iterable[int]) -> str:
        """The text of tokens; bytes that are no UTF-8 become U+FFFD."""
        return self._files.decode(list(tokens)).decode(errors="replace")

    @property
    def end_token(self) -> int | None:
        """The token that ends a text, if there is one."""
        return self._files.end_token

    def logits(self, tokens: npt.ArrayLike) -> npt.NDArray[np.float32]:
        """What the model says comes after each token: [B, T, V] for tokens [B, T],
        and [T, V] for [T]."""
        texts = self._texts(tokens)
        logits = self._run("logits", texts)["logits"][:, : texts.shape[1]]
        if logits.dtype == np.uint16:
            logits = widen(logits)
        return logits if np.ndim(tokens) == 2 else logits[0]

    def loss(self, tokens: npt.ArrayLike, targets: npt.ArrayLike | None = None) -> float:
        """The mean cross entropy of `targets`, of the shape of `tokens`, of which
        those that are -100 do not count. Without targets every token but the
        first of a text is one."""
        texts = self._texts(tokens)
        if targets is None:
            if texts.shape[1] < 2:
                raise _core.ArgumentError("a text of one token has none that follows another")
            texts, wanted = texts[:, :-1], texts[:, 1:]
        else:
            wanted = self._texts(targets)
            if wanted.shape != texts.shape:
                raise _core.ArgumentError(
                    f"expected targets of the shape of the tokens, {list(texts.shape)}, "
                    f"got {list(wanted.shape)}"
                )
        return float(self._run("loss", texts, wanted)["loss"])

    def score(self, text: str, prompt: str = "") -> Score:
        """How likely the model finds a text, after a prompt that is not scored
        itself."""
        before, tokens = self.encode(prompt), self.encode(text)
        if not tokens or len(before) + len(tokens) < 2:
            raise _core.ArgumentError("the text has no token that follows another")
        every = before + tokens
        first = max(len(before), 1)
        likely = _log_softmax(self.logits(every[:-1])[first - 1 :])
        values: list[float | None] = [None] * (first - len(before))
        values += likely[np.arange(len(every) - first), every[first:]].tolist()
        return Score(tokens, values)

    @overload
    def generate(self, prompt: str, **options: Any) -> str: ...
    @overload
    def generate(self, prompt: Sequence[str], **options: Any) -> list[str]: ...
    def generate(self, prompt: str | Sequence[str], **options: Any) -> str | list[str]:
        """What follows a prompt, or each of several side by side. Takes the
        options of `continue_texts`."""
        prompts = [prompt] if isinstance(prompt, str) else list(prompt)
        texts = [result.text for result in self.continue_texts(prompts, **options)]
        return texts[0] if isinstance(prompt, str) else texts

    def continue_texts(
        self,
        prompts: Sequence[str] | Sequence[Sequence[int]],
        *,
        max_new_tokens: int = 128,
        temperature: float = 0.0,
        top_k: int = 0,
        top_p: float = 1.0,
        min_p: float = 0.0,
        repetition_penalty: float = 1.0,
        seed: int = 0,
        stop: str | Sequence[str] = (),
        stop_at_end: bool = True,
        on_token: Callable[[int, int], object] | None = None,
    ) -> list[Generated]:
        """Continues prompts, texts or lists of tokens, side by side.

        Args:
            max_new_tokens: Most tokens to add to a prompt.
            temperature: Divides the logits; 0 takes the most likely token.
            top_k: Draw among the K most likely tokens; 0: among all.
            top_p: Draw among the fewest tokens that have this probability
                together.
            min_p: Draw among tokens at least this share as likely as the most
                likely one.
            repetition_penalty: What logits of tokens that are there already are
                divided by, or multiplied with where they are negative.
            seed: The same seed gives the same texts.
            stop: Texts to end before.
            stop_at_end: Whether to end at the end token. Prompts in tokens have no
                end token and no stop texts.
            on_token: Called with the number of the prompt and each of its tokens
                as it comes. It cannot run programs or models.
        """
        options = _core.GenerationOptions()
        options.max_new_tokens = max_new_tokens
        options.temperature = temperature
        options.top_k = top_k
        options.top_p = top_p
        options.min_p = min_p
        options.repetition_penalty = repetition_penalty
        options.seed = seed
        options.stops = [stop] if isinstance(stop, str) else list(stop)
        options.stop_at_end = stop_at_end
        if "" in options.stops:
            raise _core.ArgumentError("expected a stop text, got an empty one")
        if isinstance(prompts, str):
            raise _core.ArgumentError("expected a list of prompts, got a text")
        with_text = all(isinstance(prompt, str) for prompt in prompts)
        tokens = [
            self.encode(prompt) if isinstance(prompt, str) else [int(t) for t in prompt]
            for prompt in prompts
        ]
        results = self._files.generate(tokens, options, with_text, on_token)
        return [
            Generated(text.decode(errors="replace") if text is not None else "", new, reason)
            for text, new, reason in results
        ]

    def _texts(self, tokens: npt.ArrayLike) -> npt.NDArray[np.int64]:
        texts = np.asarray(tokens)
        if texts.ndim not in (1, 2) or texts.size == 0 or texts.dtype.kind not in "iu":
            raise _core.ArgumentError(
                f"expected integers [T] or [B, T], got {texts.dtype} {list(texts.shape)}"
            )
        return texts.astype(np.int64, copy=False).reshape(-1, texts.shape[-1])

    def _run(
        self,
        purpose: str,
        texts: npt.NDArray[np.int64],
        targets: npt.NDArray[np.int64] | None = None,
    ) -> dict[str, Any]:
        """Runs a program for texts of at least this length: what follows a token
        changes nothing."""
        batch, length = texts.shape
        padding = ((0, 0), (0, -length % _UNIT))
        inputs = {"tokens": np.pad(texts, padding)}
        if targets is not None:
            inputs["targets"] = np.pad(targets, padding, constant_values=_IGNORED)
        key = purpose, batch, inputs["tokens"].shape[1]
        if key not in self._programs:
            self._programs[key] = compile(
                self.config,
                purpose=purpose,
                batch_size=batch,
                seq_len=key[2],
                dtype=self._files.dtype,
                depth_schedule=self._files.depth_schedule,
                attention=self._files.attention,
            )
            if len(self._programs) > _MOST_PROGRAMS:
                self._programs.popitem(last=False)
        self._programs.move_to_end(key)
        return self._programs[key].run({**self._parameters, **inputs})

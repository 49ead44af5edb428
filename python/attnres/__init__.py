"""Compiled language models with attention residuals.

    import attnres

    program = attnres.compile("toy", seq_len=128, batch_size=8)
    results = program.run(tokens=tokens, targets=targets, **parameters)

    model = attnres.Model.load("runs/book")
    print(model.generate("It was"))

`attnres.torch` has the same as differentiable PyTorch operations and modules.
Errors are of the class `Error`, each one line that says what is wrong.
"""

from ._core import (
    ArgumentError,
    Error,
    FileError,
    Tensor,
    presets,
    set_threads,
    threads,
)
from ._core import version as __version__
from ._model import Generated, Model, Score
from ._program import (
    Program,
    compile,
    configuration,
    empty,
    initial_parameters,
    load,
    widen,
)

__all__ = [
    "ArgumentError",
    "Error",
    "FileError",
    "Generated",
    "Model",
    "Program",
    "Score",
    "Tensor",
    "__version__",
    "compile",
    "configuration",
    "empty",
    "initial_parameters",
    "load",
    "presets",
    "set_threads",
    "threads",
    "widen",
]

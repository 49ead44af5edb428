"""The golden cases, as NumPy reads them."""
import json
import os

import numpy as np

TYPES = {"F64": np.float64, "F32": np.float32, "I64": np.int64}


def read_tensors(path):
    """The tensors of a safetensors file, by name."""
    with open(path, "rb") as file:
        data = file.read()
    size = int.from_bytes(data[:8], "little")
    body = data[8 + size:]
    return {
        name: np.frombuffer(
            body[info["data_offsets"][0]:info["data_offsets"][1]], TYPES[info["dtype"]]
        ).reshape(info["shape"])
        for name, info in json.loads(data[8:8 + size]).items()
        if name != "__metadata__"
    }


class Golden:
    """A model, a batch, and what comes of it in float64."""

    def __init__(self, name):
        self.folder = os.path.join(os.environ["GOLDEN"], name)
        self.parameters = self._read("model")
        self.batch = self._read("batch")
        self.expected = self._read("expected")

    def _read(self, name):
        return read_tensors(os.path.join(self.folder, name + ".safetensors"))


def assert_close(actual, expected, tolerance=2e-5):
    """No element differs by more than `tolerance` of the largest one."""
    actual, expected = np.asarray(actual, np.float64), np.asarray(expected, np.float64)
    assert actual.shape == expected.shape, (actual.shape, expected.shape)
    most = max(np.abs(expected).max(initial=0), 1e-3)
    error = np.abs(actual - expected).max(initial=0)
    assert error <= tolerance * most, (error, most)  # NaN is no <=

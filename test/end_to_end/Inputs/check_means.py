"""The means of a run's checkpoints follow from its parameters, step by step.

usage: check_means.py CHECKPOINTS STEPS DECAY
"""

import array
import json
import struct
import sys


def load(path):
    with open(path, "rb") as file:
        size, = struct.unpack("<Q", file.read(8))
        header, data = json.loads(file.read(size)), file.read()
    tensors = {}
    for name, entry in header.items():
        if name != "__metadata__":
            begin, end = entry["data_offsets"]
            tensors[name] = array.array("f", data[begin:end])
    return tensors


folder, steps, decay = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
means, moved = None, 0
for step in range(steps + 1):
    parameters = load(f"{folder}/step-{step:08}/model.safetensors")
    stored = load(f"{folder}/step-{step:08}/ema.safetensors")
    if means is None:
        means = parameters
    share = 1 - min(decay, (1 + step) / (10 + step)) if step else 0
    assert list(stored) == list(parameters)
    for name, values in stored.items():
        means[name] = array.array("f", (m + share * (p - m) for m, p in zip(
            means[name], parameters[name])))
        for a, b, p in zip(values, means[name], parameters[name]):
            assert abs(a - b) <= 1e-6 * max(1, abs(b)), (step, name, a, b)
            moved += a != p
assert moved > 100, moved

"""The means of a run's checkpoints follow from its parameters, step by step.

usage: check_means.py CHECKPOINTS STEPS DECAY
"""

import array
import sys

from tensor_files import load, numbers


folder, steps, decay = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
means, moved = None, 0
for step in range(steps + 1):
    parameters, stored = (
        {name: numbers(tensor) for name, tensor in
         load(f"{folder}/step-{step:08}/{file}.safetensors").items()}
        for file in ("model", "ema"))
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

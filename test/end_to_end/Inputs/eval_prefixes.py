"""Evaluates beginnings of a text, for each of which every byte but the first
has to be a target once.

usage: eval_prefixes.py MODEL TEXT LENGTH...
"""

import json
import subprocess
import sys

model, text, *lengths = sys.argv[1:]
for length in map(int, lengths):
    with open(text, "rb") as source, open("prefix", "wb") as file:
        file.write(source.read(length))
    result = subprocess.run(
        ["attnres-run", "eval", "--model", model, "--data", "prefix", "--json"],
        capture_output=True, text=True, check=True)
    report = json.loads(result.stdout)
    assert report["targets"] == length - 1, (length, report)
    assert report["part"] == "all", report
    for weights in report["depth_weights"]:
        assert abs(sum(weights) - 1) < 1e-5, (length, weights)

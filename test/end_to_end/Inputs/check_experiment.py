"""The tables of an experiment agree with the records of its runs.

usage: check_experiment.py FOLDER RUNS LAST_STEP
"""

import csv
import json
import math
import sys

folder, count, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
results = json.load(open(f"{folder}/results.json"))
assert len(results["runs"]) == count
summary = {row["run"]: row for row in csv.DictReader(open(f"{folder}/summary.csv"))}
norms = list(csv.DictReader(open(f"{folder}/gradient_norms.csv")))
losses = {int(row["step"]): row
          for row in csv.DictReader(open(f"{folder}/validation_loss.csv"))}
compared = 0
for run in results["runs"]:
    name = run["name"]
    lines = [json.loads(line) for line in open(f"{folder}/runs/{name}/metrics.jsonl")]
    steps = {line["step"]: line for line in lines if line["kind"] == "step"}
    evals = [line for line in lines if line["kind"] == "eval"]
    assert evals[-1]["step"] == last == int(float(summary[name]["steps"]))
    assert float(summary[name]["loss"]) == evals[-1]["loss"]
    assert float(summary[name]["peak"]) == max(e["peak_bytes"] for e in evals) > 0
    assert run["summary"]["planned_bytes"] > 0
    before = 0
    for line, shown in zip(evals, run["evaluations"]):
        assert float(losses[line["step"]][name]) == line["loss"]
        own = {row["part"]: float(row["mean_norm"]) for row in norms
               if row["run"] == name and int(row["step"]) == line["step"]}
        assert own == line["mean_gradient_norms"] == shown["mean_gradient_norms"]
        # A mean norm is at most the root of the mean square, which for all
        # parts together is that of the whole gradient.
        squares = [steps[s]["grad_norm"] ** 2
                   for s in range(before + 1, line["step"] + 1)]
        bound = math.sqrt(sum(squares) / len(squares))
        total = math.sqrt(sum(value ** 2 for value in own.values()))
        assert 0.5 * bound < total < 1.0001 * bound, (name, line["step"])
        # That of one step alone is another number.
        compared += own != line["gradient_norms"]
        before = line["step"]
assert compared == count * len(losses), compared

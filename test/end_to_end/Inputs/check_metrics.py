"""Every line of the record of a run is JSON, and no step is missing.

usage: check_metrics.py STEPS RUN...
"""

import json
import sys

for run in sys.argv[2:]:
    lines = [json.loads(line) for line in open(run + "/metrics.jsonl")]
    steps = [line["step"] for line in lines if line["kind"] == "step"]
    assert steps == list(range(1, int(sys.argv[1]) + 1)), (run, steps)

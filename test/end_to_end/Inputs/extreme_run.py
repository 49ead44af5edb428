"""The record of a run whose numbers are as large and as small as they get.

usage: extreme_run.py RUN NEW_RUN

Takes the settings of RUN.
"""

import json
import os
import shutil
import sys

source, run = sys.argv[1:]
os.makedirs(run, exist_ok=True)
shutil.copy(source + "/run.json", run)
losses = [1.0, 1.7e308, -1.7e308, None, 5e-324, 0.0, 1e-300, 1.0]
with open(run + "/metrics.jsonl", "w") as file:
    for i, loss in enumerate(losses):
        step = {"kind": "step", "step": i + 1, "loss": loss, "grad_norm": loss,
                "learning_rate": loss, "tokens": 1e308, "tokens_per_second": loss,
                "seconds": 1e308}
        file.write(json.dumps(step) + "\n")
        file.write(json.dumps({"kind": "eval", "step": i + 1, "loss": loss,
                               "perplexity": loss, "accuracy": loss,
                               "gradient_norms": {"embedding": loss},
                               "seconds": 1e308}) + "\n")
    file.write(json.dumps(dict(step, step=2**63 - 1, loss=1.0)) + "\n")

"""Compares the arena of training steps with their largest live sets."""
import json
import subprocess
import sys

for mode in sys.argv[1:]:
    plan = json.loads(subprocess.run(
        ["attnres-run", "plan", "--preset", "toy", "--attnres", mode, "--batch-size", "8",
         "--seq-len", "256", "--train", "--json"], check=True, capture_output=True).stdout)
    arena, live = plan["workspace_bytes"], plan["live_bytes"]
    assert 0 < live <= arena <= 1.05 * live, (mode, arena, live)

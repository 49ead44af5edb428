"""Kills training runs at random moments and compares what comes out of them.

usage: kill_training.py SIGNAL TIMES RUN_DIR REFERENCE_DIR ARGUMENTS...

ARGUMENTS is a command that trains to --out REFERENCE_DIR without interruption.
Then the same run in RUN_DIR is started and resumed, each time hit by SIGNAL
(KILL or TERM) after a random delay that the reference's duration sets. At every moment the last checkpoint must
load; in the end the parameters must be those of the reference, bit for bit.
"""

import os
import random
import signal
import subprocess
import sys
import time


def checkpoints(run):
    folder = os.path.join(run, "checkpoints")
    if not os.path.isdir(folder):
        return []
    return sorted(n for n in os.listdir(folder) if n.startswith("step-"))


def main():
    name, times, run, reference, *command = sys.argv[1:]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    started = time.monotonic()
    subprocess.run(command + ["--out", reference], check=True, **quiet)
    longest = 2 * (time.monotonic() - started) / int(times)
    number = getattr(signal, "SIG" + name)
    random.seed(int(times))
    hits = 0
    for i in range(int(times)):
        arguments = command + ["--out", run]
        if checkpoints(run):
            arguments = [command[0], "train", "--resume", run]
        process = subprocess.Popen(arguments, **quiet)
        try:
            process.wait(timeout=random.uniform(0.01, longest))
        except subprocess.TimeoutExpired:
            process.send_signal(number)
            hits += 1
        code = process.wait()
        allowed = {0, -number} if name == "KILL" else {0, -number, 128 + number}
        assert code in allowed, f"exit code {code}"
        if checkpoints(run):
            newest = os.path.join(run, "checkpoints", checkpoints(run)[-1])
            subprocess.run([command[0], "eval", "--model", newest, "--data",
                            "multiplication:1", "--samples", "2"],
                           check=True, **quiet)
    # How many depends on the machine's mood; none would test nothing.
    assert hits > 0, "every run ended before it was hit"
    if checkpoints(run):
        subprocess.run([command[0], "train", "--resume", run], check=True, **quiet)
    else:
        subprocess.run(command + ["--out", run], check=True, **quiet)
    last = checkpoints(reference)[-1]
    for file in ("model.safetensors", "optimizer.safetensors"):
        a, b = (open(os.path.join(d, "checkpoints", last, file), "rb").read()
                for d in (run, reference))
        assert a == b, f"{file} differs"
    lines = open(os.path.join(run, "metrics.jsonl")).read().splitlines()
    steps = [line for line in lines if line.startswith('{"kind":"step"')]
    wanted = [line for line in open(os.path.join(reference, "metrics.jsonl"))
              if line.startswith('{"kind":"step"')]
    assert len(steps) == len(wanted), f"{len(steps)} of {len(wanted)} steps"
    print(f"{hits} runs hit, same bits")


main()

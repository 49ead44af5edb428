"""Trains, and does something else as soon as some steps are done.

usage: disturb_training.py ACTION RUN_DIR ARGUMENTS...

ARGUMENTS is a command that trains for long; --out RUN_DIR is added. ACTION is

  second TEXT   starts the command once more, and a resume: both are refused
                with a line that names the first process
  cut TEXT      empties the file TEXT, which is trained on
  change TEXT   writes over the beginning of TEXT in place
  touch TEXT    sets the time of TEXT and appends nothing: all is well
  read TEXT     evaluates TEXT, generates, inspects and forks from the folder
                again and again while checkpoints come and go

Prints what the process that trains wrote last, and its exit code.
"""

import os
import signal
import subprocess
import sys
import time


def wait_for_steps(process, run, count):
    metrics = os.path.join(run, "metrics.jsonl")
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        assert process.poll() is None, process.communicate()
        if os.path.exists(metrics):
            with open(metrics) as file:
                if sum('"kind":"step"' in line for line in file) >= count:
                    return
        time.sleep(0.01)
    raise AssertionError("no step in two minutes")


def main():
    action, text, run, *command = sys.argv[1:]
    tool = command[0]
    process = subprocess.Popen(command + ["--out", run], text=True,
                               stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE)
    wait_for_steps(process, run, 3)
    ends_alone = action in ("cut", "change")
    if action == "second":
        for second in (command + ["--out", run], [tool, "train", "--resume", run]):
            result = subprocess.run(second, capture_output=True,
                                        text=True, errors="replace")
            assert result.returncode == 1, result
            assert f"in use by process {process.pid} on " in result.stderr, result
            assert result.stderr.count("\n") == 1, result
    elif action == "cut":
        os.truncate(text, 0)
    elif action == "change":
        with open(text, "r+b") as file:
            file.write(b"\0")
    elif action == "touch":
        os.utime(text)
        wait_for_steps(process, run, 50)
    elif action == "read":
        for i in range(8):
            for arguments in (["eval", "--model", run, "--samples", "2"],
                              ["eval", "--model", run, "--data", text,
                               "--samples", "2"],
                              ["generate", "--model", run, "--prompt", "ash",
                               "--max-new-tokens", "2"],
                              ["inspect", "--model", run],
                              ["train", "--resume", run, "--steps", "1",
                               "--out", f"{run}-fork-{i}"]):
                result = subprocess.run([tool] + arguments,
                                        capture_output=True,
                                        text=True, errors="replace")
                assert result.returncode == 0, result
    if not ends_alone:
        assert process.poll() is None, process.communicate()
        process.send_signal(signal.SIGTERM)
    errors = process.communicate(timeout=120)[1]
    print(errors.strip().splitlines()[-1])
    print(f"exit code {process.returncode}")


main()

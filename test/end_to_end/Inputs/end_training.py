"""Ends training runs by signals and closed pipes: each has saved what it had.

usage: end_training.py FOLDER COMMAND...

COMMAND trains for very long and is started with --out FOLDER/NAME.
"""

import json
import os
import signal
import subprocess
import sys
import time

folder, *command = sys.argv[1:]


def last_step(run):
    steps = [json.loads(line) for line in open(run + "/metrics.jsonl")]
    return [s["step"] for s in steps if s["kind"] == "step"][-1]


def wait_for_steps(run, process):
    """Until the run has trained a few steps."""
    while True:
        assert process.poll() is None, process.returncode
        try:
            if last_step(run) > 3:
                return
        except (OSError, IndexError, ValueError):
            pass
        time.sleep(0.01)


def check(run, code, expected, errors=None):
    assert code == expected, f"{run}: exit code {code}, expected {expected}"
    saved = sorted(os.listdir(run + "/checkpoints"))
    assert saved == [f"step-{last_step(run):08}"], (run, saved)
    if errors is not None:
        assert "go on with `attnres-run train --resume" in errors, errors


def with_usual_signals():
    """What started the tests may ignore some, as nohup does."""
    for name in ("HUP", "INT", "TERM", "XCPU", "USR1", "USR2"):
        signal.signal(getattr(signal, "SIG" + name), signal.SIG_DFL)


def start(name, **streams):
    run = os.path.join(folder, name)
    return run, subprocess.Popen(command + ["--out", run],
                                 preexec_fn=with_usual_signals, **streams)


# What ends a process, also several times, as terminals and limits do it.
for name, signals in [("HUP", ["HUP"]), ("HUPS", ["HUP"] * 5), ("INT", ["INT"]),
                      ("TERM", ["TERM"]), ("XCPU", ["XCPU"] * 3),
                      ("USR1", ["USR1", "USR2"]), ("TERMHUP", ["TERM", "HUP"]),
                      ("INTPIPE", ["INT", "PIPE"])]:
    run, process = start(name, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                         text=True)
    wait_for_steps(run, process)
    for sent in signals:
        process.send_signal(getattr(signal, "SIG" + sent))
        time.sleep(0.02)
    errors = process.communicate()[1]
    first = getattr(signal, "SIG" + signals[0])
    check(run, process.returncode, 128 + first, errors)
    assert f"ended by SIG{signals[0]} at step {last_step(run)} of 100000" in errors

# A reader that stops reading: standard error and output, and only one of them.
for name, streams in [("head", "both"), ("err", "stderr")]:
    both = subprocess.STDOUT if streams == "both" else subprocess.PIPE
    run, process = start(
        name, stdout=subprocess.PIPE if streams == "both" else subprocess.DEVNULL,
        stderr=both)
    wait_for_steps(run, process)
    (process.stdout if streams == "both" else process.stderr).close()
    check(run, process.wait(), 128 + signal.SIGPIPE)

# Ctrl-C in `train 2>&1 | tee log`: the reader is gone when the run says more.
run, process = start("tee", stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
wait_for_steps(run, process)
process.stdout.close()
process.send_signal(signal.SIGINT)
code = process.wait()
assert code in (128 + signal.SIGINT, 128 + signal.SIGPIPE), code
check(run, code, code)

# A reader that waits, as a pager does, keeps nothing from ending.
reader, writer = os.pipe()
os.set_blocking(writer, False)
try:
    while True:
        os.write(writer, b"x" * 65536)
except BlockingIOError:
    pass
os.set_blocking(writer, True)
run, process = start("pager", stdout=subprocess.DEVNULL, stderr=writer)
while not os.path.exists(run + "/run.json"):
    assert process.poll() is None, process.returncode
    time.sleep(0.01)
time.sleep(1)
process.send_signal(signal.SIGTERM)
code = process.wait(timeout=60)
assert code == 128 + signal.SIGTERM, code

# What was saved goes on to where a run without an end would be.
run = os.path.join(folder, "HUP")
steps = last_step(run) + 4
for out, arguments in [("straight", command[1:] + ["--out", folder + "/straight"]),
                       ("HUP", ["train", "--resume", run])]:
    subprocess.run([command[0], *arguments, "--stop-after", str(steps)],
                   check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
files = [open(f"{folder}/{out}/checkpoints/step-{steps:08}/model.safetensors",
              "rb").read() for out in ("straight", "HUP")]
assert files[0] == files[1], "the run that went on differs"

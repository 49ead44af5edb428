"""Trains with several ranks and compares what comes out.

usage: ranks.py same|resume|stages|kill|differ|disk FOLDER ARGUMENTS...

ARGUMENTS are those of `attnres-run train`, but for --out.
"""

import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

TOOL = shutil.which("attnres-run")


def start(ranks, command, folder, name):
    launcher = ["mpirun", "-np", str(ranks)] if ranks else []
    log = open(os.path.join(folder, name + ".log"), "w+")
    process = subprocess.Popen(launcher + command, stdout=log, stderr=log)
    process.log = log
    return process


def finish(process, limit=300):
    """The exit code and what was said."""
    try:
        code = process.wait(timeout=limit)
    except subprocess.TimeoutExpired:
        process.terminate()  # mpirun ends its ranks
        process.wait(timeout=60)
        raise
    process.log.seek(0)
    return code, process.log.read()


def train(ranks, arguments, folder, name, out=None):
    out = out or os.path.join(folder, name)
    command = [TOOL, "train", *arguments]
    if "--resume" not in arguments:
        command += ["--out", out]
    code, said = finish(start(ranks, command, folder, name))
    assert code == 0, f"{name}: {code}\n{said}"
    return out


def newest(run):
    folder = os.path.join(run, "checkpoints")
    names = sorted(n for n in os.listdir(folder) if re.fullmatch(r"step-\d+", n))
    return os.path.join(folder, names[-1])


def has_checkpoint(run):
    folder = os.path.join(run, "checkpoints")
    return os.path.isdir(folder) and any(re.fullmatch(r"step-\d+", n) for n in os.listdir(folder))


def state(run):
    """All that a checkpoint holds, but for the time that it took."""
    files = {}
    for name in sorted(os.listdir(newest(run))):
        files[name] = open(os.path.join(newest(run), name), "rb").read()
    trainer = json.loads(files["trainer.json"])
    del trainer["seconds"]
    files["trainer.json"] = trainer
    return os.path.basename(newest(run)), files


def metrics(run):
    """The lines of a run, but for times and speeds."""
    lines = []
    for line in open(os.path.join(run, "metrics.jsonl")):
        fields = json.loads(line)
        for name in ("seconds", "tokens_per_second", "path", "peak_bytes"):
            fields.pop(name, None)
        if fields["kind"] in ("step", "eval"):
            lines.append(fields)
    return lines


def expect_same(one, other, what):
    assert state(one) == state(other), f"{what}: another checkpoint"
    assert metrics(one) == metrics(other), f"{what}: other metrics"


def same(folder, arguments):
    first = train(1, arguments, folder, "1")
    chosen = json.load(open(os.path.join(first, "run.json")))["settings"]["micro_batch"]
    given = [] if "--micro-batch" in arguments else ["--micro-batch", str(chosen)]
    alone = train(0, arguments + given, folder, "alone")
    expect_same(first, alone, "one rank and one process")
    for ranks in (2, 3, 4):
        expect_same(first, train(ranks, arguments, folder, str(ranks)), f"{ranks} ranks")
    print("same bits on 1, 2, 3 and 4 ranks")


def resume(folder, arguments):
    whole = train(4, arguments, folder, "whole")
    parts = train(4, arguments + ["--stop-after", "4"], folder, "parts")
    for ranks, stop in ((2, ["--stop-after", "7"]), (0, [])):
        train(ranks, ["--resume", parts, *stop], folder, f"parts{ranks}")
    expect_same(whole, parts, "a run on 4, 2 and 1 ranks")
    print("same bits on 4, then 2, then 1")


def stages(folder, arguments):
    """Pipelines of 2 and 4 stages, a run that goes on with another number of
    stages, and then with ranks that share batches."""
    alone = train(0, arguments, folder, "alone")
    for count in (2, 4):
        run = train(count, arguments + ["--pipeline-stages", str(count)], folder, f"stages{count}")
        expect_same(alone, run, f"{count} stages")
    parts = train(2, arguments + ["--pipeline-stages", "2", "--stop-after", "2"], folder, "parts")
    for ranks, more in ((4, ["--pipeline-stages", "4", "--stop-after", "3"]), (2, [])):
        train(ranks, ["--resume", parts, *more], folder, f"parts{ranks}")
    expect_same(alone, parts, "a run on 2 and 4 stages, then 2 ranks")
    print("same bits on 1, 2 and 4 stages")


def processes_of(launcher):
    """The process of every rank."""
    found = {}
    for entry in os.listdir("/proc"):
        try:
            if not entry.isdigit():
                continue
            environment = open(f"/proc/{entry}/environ", "rb").read().split(b"\0")
            status = open(f"/proc/{entry}/status").read()
        except OSError:
            continue
        parent = int(re.search(r"PPid:\s*(\d+)", status)[1])
        for variable in environment:
            name, _, value = variable.partition(b"=")
            if name == b"OMPI_COMM_WORLD_RANK" and parent == launcher:
                found[int(value)] = int(entry)
    return found


def written(run):
    """Bytes of metrics so far."""
    path = os.path.join(run, "metrics.jsonl")
    return os.path.getsize(path) if os.path.exists(path) else 0


def kill(folder, arguments):
    """Kills a rank at a random moment, several times, and goes on."""
    ranks = 3
    # A matter of each start, not of the run.
    place = arguments.index("--pipeline-stages") if "--pipeline-stages" in arguments else len(arguments)
    stages = arguments[place:place + 2]
    reference = train(ranks, arguments, folder, "reference")
    run = os.path.join(folder, "killed")
    random.seed(11)
    named = hits = 0
    for i in range(6):
        command = [TOOL, "train"] + (["--resume", run, *stages] if has_checkpoint(run) else arguments + ["--out", run])
        process = start(ranks, command, folder, "killed")
        # Ranks watch each other from before the first step on.
        before = written(run)
        while written(run) <= before and process.poll() is None:
            time.sleep(0.01)
        time.sleep(random.uniform(0, 0.5))
        victim = random.randrange(ranks)
        target = processes_of(process.pid).get(victim)
        if target is not None:
            os.kill(target, signal.SIGKILL)
            hits += 1
        begun = time.monotonic()
        code, said = finish(process, limit=30)
        if code == 0:
            break
        assert time.monotonic() - begun < 30, said
        named += f"attnres-run: rank {victim}: its process is gone" in said
    # How many depends on the machine's mood; none would test nothing.
    assert hits > 0, "every run ended before it was hit"
    assert named > 0, "no rank said which one was gone"
    train(ranks, ["--resume", run, *stages] if has_checkpoint(run) else arguments, folder, "last", run)
    expect_same(reference, run, "a run whose ranks were killed")
    print("ranks were killed, same bits")


def differ(folder, arguments):
    """Ranks with other data, other settings or another program."""
    other = os.path.join(folder, "bin", "attnres-run")
    os.makedirs(os.path.dirname(other))
    shutil.copy(TOOL, other)
    with open(other, "ab") as file:
        file.write(b"\n")
    os.symlink(os.path.join(os.path.dirname(os.path.dirname(TOOL)), "lib"),
               os.path.join(folder, "lib"))
    for name in ("a.txt", "b.txt"):
        with open(os.path.join(folder, name), "w") as file:
            file.write(f"The text of {name}. " * 400)
    for change, expected in (
            ('--data "$0/$([ $R = 1 ] && echo b || echo a).txt"', "rank 1 has another data than rank 0"),
            ('--data "$0/a.txt" $([ $R = 1 ] && echo --lr 0.1)',
             "rank 1 has another setting lr than rank 0: 0.1, not 0.003"),
            ('--data "$0/a.txt"', "rank 1 has another program file than rank 0")):
        program = f"$([ $R = 1 ] && echo {other} || echo {TOOL})" if "program" in expected else TOOL
        script = f"R=$OMPI_COMM_WORLD_RANK; exec {program} train {change} \"$@\""
        process = start(2, ["sh", "-c", script, folder, *arguments, "--out", os.path.join(folder, "run")],
                        folder, "differ")
        code, said = finish(process, limit=30)
        assert code != 0 and said.count(f"attnres-run: {expected}") == 2, said
        assert not os.path.exists(os.path.join(folder, "run", "run.json"))
    print("ranks that differ are refused")


def disk(folder, arguments):
    """Rank 0 cannot write a checkpoint: all say so, and the one before stays."""
    run = train(2, arguments + ["--stop-after", "3"], folder, "run")
    before = state(run)
    process = start(2, [TOOL, "train", "--resume", run], folder, "full")
    steps = len(metrics(run))
    while len(metrics(run)) < steps + 3 and process.poll() is None:
        time.sleep(0.05)
    ranks = processes_of(process.pid)
    # From now on files of rank 0 may have four kilobytes.
    resource.prlimit(ranks[0], resource.RLIMIT_FSIZE, (4096, 4096))
    os.kill(ranks[1], signal.SIGUSR1)
    code, said = finish(process, limit=30)
    lines = [line for line in said.splitlines() if line.startswith("attnres-run: rank 0: ")]
    assert code != 0 and len(lines) == 2, said
    assert state(run) == before, "the checkpoint before is gone"
    train(2, ["--resume", run, "--steps", "9"], folder, "again")
    print("a full disk ends all ranks, and the run goes on later")


def main():
    what, folder, *arguments = sys.argv[1:]
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    # Open MPI's words for: more ranks than processors, and in a container.
    os.environ["OMPI_MCA_rmaps_base_oversubscribe"] = "1"
    os.environ["OMPI_ALLOW_RUN_AS_ROOT"] = "1"
    os.environ["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"
    {"same": same, "resume": resume, "stages": stages, "kill": kill, "differ": differ, "disk": disk}[what](folder, arguments)


main()

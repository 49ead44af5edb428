"""Measures what several processes do, and compares it with what `plan` says.

usage: ranks.py ATTNRES_RUN [--rounds N] [--ranks N...] [--stages P...]

Needs an MPI. Prints, as medians over rounds in which everything is measured
once: the network between 2 ranks, training steps on several ranks and on
several pipeline stages beside their predictions, and the throughput of
`generate` with 1, 8 and 32 texts side by side beside one after the other.
"""
import argparse
import json
import os
import statistics
import subprocess
import tempfile

MODEL = ["--preset", "toy", "--attnres", "block"]
BATCH, MICRO_BATCH, LENGTH, STEPS = 8, 2, 256, 8


def run(tool, arguments, ranks=0):
    launcher = ["mpirun", "-np", str(ranks)] if ranks else []
    done = subprocess.run(launcher + [tool] + arguments, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout


def step_seconds(tool, folder, name, ranks, options):
    """The median of a run's steps, without the first two."""
    out = os.path.join(folder, name)
    run(tool, ["train", *MODEL, "--data", os.path.join(folder, "book.txt"), "--batch-size", str(BATCH),
               "--micro-batch", str(MICRO_BATCH), "--steps", str(STEPS), "--eval-every", "0", "--eval-samples", "1",
               "--threads", "1", "--out", out, *options], ranks)
    lines = [json.loads(line) for line in open(os.path.join(out, "metrics.jsonl"))]
    rates = [line["tokens_per_second"] for line in lines if line["kind"] == "step"][2:]
    return BATCH * LENGTH / statistics.median(rates)


def generate(tool, folder, prompts, texts):
    """New tokens a second."""
    result = json.loads(run(tool, ["generate", "--model", os.path.join(folder, "model"), "--prompt-file",
                                   os.path.join(folder, f"prompts{prompts}"), "--texts", str(texts),
                                   "--max-new-tokens", "64", "--ignore-eos", "--json"]))
    return result["new_tokens_per_second"]


def write_inputs(tool, folder):
    with open(os.path.join(folder, "book.txt"), "w") as file:
        for i in range(4000):
            file.write(f"The sum of {i} and {3 * i} is {4 * i}.\n")
    for count in (1, 8, 32):
        with open(os.path.join(folder, f"prompts{count}"), "w") as file:
            for i in range(count):
                file.write(f"Once {i} upon a time there was number {i * i * 7919}\n")
    run(tool, ["train", *MODEL, "--data", os.path.join(folder, "book.txt"), "--steps", "1", "--eval-samples", "1",
               "--out", os.path.join(folder, "model")])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--stages", type=int, nargs="*", default=[2])
    options = parser.parse_args()
    tool = options.tool
    os.environ.setdefault("OMPI_MCA_rmaps_base_oversubscribe", "1")
    measured = {}

    def add(name, value):
        measured.setdefault(name, []).append(value)

    with tempfile.TemporaryDirectory() as folder:
        write_inputs(tool, folder)
        for number in range(options.rounds):
            for size in json.loads(run(tool, ["bench", "network", "--json"], 2))["exchanges"]:
                add(("network", size["bytes"]), size)
            for ranks in options.ranks:
                add(("ranks", ranks), step_seconds(tool, folder, f"r{ranks}.{number}", ranks, []))
            for stages in options.stages:
                add(("stages", stages), step_seconds(tool, folder, f"s{stages}.{number}", stages,
                                                     ["--pipeline-stages", str(stages)]))
            for prompts, texts in ((1, 1), (8, 1), (8, 8), (32, 1), (32, 32)):
                add(("texts", prompts, texts), generate(tool, folder, prompts, texts))

    middle = {}
    for name, values in measured.items():
        if name[0] != "network":
            middle[name] = statistics.median(values)
    sizes = sorted(name[1] for name in measured if name[0] == "network")
    print("network between 2 ranks, both ways at once")
    for size in sizes:
        values = measured["network", size]
        print(f"{size:>10} bytes {statistics.median(v['microseconds'] for v in values):>10.1f} us "
              f"{statistics.median(v['gigabytes_per_second'] for v in values):>8.2f} GB/s")
    message = statistics.median(v["microseconds"] for v in measured["network", sizes[0]])
    rate = statistics.median(v["gigabytes_per_second"] for v in measured["network", sizes[-1]])
    sizes_of_run = [*MODEL, "--batch-size", str(BATCH), "--micro-batch", str(MICRO_BATCH), "--seq-len", str(LENGTH),
                    "--network", f"{rate:.3f},{message:.1f}", "--json"]
    print(f"\nsteps of {BATCH} sequences of {LENGTH} tokens; predicted with --network {rate:.2f},{message:.0f}")
    for kind, option, counts in (("ranks", "--ranks", options.ranks),
                                 ("stages", "--pipeline-stages", options.stages)):
        if not counts:
            continue
        plans = json.loads(run(tool, ["plan", *sizes_of_run, option, *map(str, counts)]))["plans"]
        for count, plan in zip(counts, plans):
            print(f"{count:>3} {kind:<7} measured {1e3 * middle[kind, count]:>8.1f} ms "
                  f"predicted {1e3 * plan['step_seconds']:>8.1f} ms")
    print("\nnew tokens a second")
    for prompts in (1, 8, 32):
        print(f"{prompts:>3} texts  one after the other {middle['texts', prompts, 1]:>8.0f}  "
              f"side by side {middle['texts', prompts, prompts]:>8.0f}")


main()

"""Feeds mutated .mlir files to attnres-opt: any answer is fine but a crash.

    mutate_ir.py ATTNRES_OPT TEST_DIR SEED RUNS WORK_FILE

Mutations replace numbers, values and types, or delete characters. The seed
fixes everything; a crash prints the command and leaves WORK_FILE behind.
"""
import glob
import os
import random
import re
import subprocess
import sys

PIPELINES = [
    [],
    ["--canonicalize"],
    ["--attnres-to-cpu"],
    ["--attnres-to-planned=gradients=true optimizer=true"],
    ["--attnres-expand-stack", "--attnres-two-phase"],
    ["--attnres-decompose"],
    ["--attnres-interpret"],
    ["--attnres-raise-attention"],
]
NUMBERS = ["0", "1", "-1", "3", "17", "99999999999", "9223372036854775807"]
TYPES = ["f32", "bf16", "i64", "index", "tensor<f32>", "tensor<0x4xf32>", "tensor<?x4xf32>",
         "!attnres.list<tensor<4xf32>>"]


def mutate(text):
    kind = random.randrange(4)
    if kind == 3:
        at = random.randrange(len(text))
        return text[:at] + text[at + random.randint(1, 8):]
    pattern, choices = [(r"\d+", NUMBERS), (r"%\w+", None), (r"f32|bf16|i64|tensor<[^>]*>", TYPES)][kind]
    matches = list(re.finditer(pattern, text))
    if not matches:
        return text
    match = random.choice(matches)
    replacement = random.choice(choices) if choices else random.choice(matches).group()
    return text[:match.start()] + replacement + text[match.end():]


def main():
    tool, directory, seed, runs, path = sys.argv[1:]
    random.seed(int(seed))
    sources = []
    for folder in ("dialect", "interpret", "passes", "models"):
        for name in sorted(glob.glob(os.path.join(directory, folder, "*.mlir"))):
            with open(name) as f:
                sources.append(f.read())
    for _ in range(int(runs)):
        text = random.choice(sources)
        for _ in range(random.randint(1, 3)):
            text = mutate(text)
        with open(path, "w") as f:
            f.write(text)
        command = [tool, path, "--split-input-file", "-o", os.devnull] + random.choice(PIPELINES)
        result = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=120)
        if result.returncode not in (0, 1):
            print("exit code", result.returncode, "of", " ".join(command))
            sys.exit(1)
    print(runs, "mutated files, no crash")


main()

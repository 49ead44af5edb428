"""Damages one file at random and reads it, again and again: the answer is a
result, or one line and exit code 1.

usage: damage_files.py FOLDER TINY_CONFIG SEED RUNS

FOLDER gets a run with its text and tokenizer, and the programs compiled for
it. What is damaged when another answer comes stays in FOLDER/damaged.
"""

import json
import os
import random
import re
import shutil
import subprocess
import sys

folder, config, seed, runs = sys.argv[1:]
random.seed(int(seed))
whole, damaged = os.path.join(folder, "whole"), os.path.join(folder, "damaged")
os.environ["ATTNRES_CACHE_DIR"] = "cache"
TOOL = shutil.which("attnres-run")

VALUES = [b"-1", b"0", b"3", b"1e999", b"99999999999999999999", b"0.5", b"null",
          b"true", b"[]", b"{}", b'""', b'"\xff"', b"[" * 5000, b"\xc3", b"\0"]

# Which files a command reads, below the folder.
READERS = [
    (r"run/.*", ["train", "--resume", "run", "--stop-after", "1"]),
    (r"run/.*", ["eval", "--model", "run", "--data", "text", "--samples", "2"]),
    (r"run/.*", ["generate", "--model", "run", "--prompt", "ash", "--max-new-tokens", "2"]),
    (r"run/.*", ["inspect", "--model", "run", "--metrics", "run"]),
    (r"run/.*", ["report", "run", "--out", "page.html"]),
    (r"cache/.*", ["generate", "--model", "run", "--prompt", "ash", "--max-new-tokens", "2"]),
    (r"model/.*", ["forward", "--model", "model", "--batch", "model/batch.safetensors", "--out", "out"]),
    (r"words/.*", ["tokenizer", "encode", "--tokenizer", "words", "--input", "text"]),
    (r"text", ["eval", "--model", "run", "--data", "text", "--samples", "2"]),
]


def run(arguments, **options):
    return subprocess.run([TOOL] + arguments, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, timeout=300, **options)


def prepare():
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(whole)
    here = os.path.dirname(os.path.abspath(__file__))
    subprocess.run([sys.executable, os.path.join(here, "make_text.py"),
                    os.path.join(whole, "text"), "200"], check=True)
    with open(config) as file:
        model = json.load(file)
    with open(os.path.join(whole, "tiny.json"), "w") as file:
        json.dump(dict(model, vocab_size=300), file)
    shutil.copytree(os.path.join(here, "../../golden/off"), os.path.join(whole, "model"),
                    ignore=shutil.ignore_patterns("expected*"))
    for arguments in (
            ["tokenizer", "train", "--input", "text", "--vocab-size", "300", "--out", "words"],
            ["train", "--config", "tiny.json", "--data", "text", "--tokenizer", "words",
             "--seq-len", "8", "--batch-size", "2", "--eval-samples", "2", "--steps", "4",
             "--stop-after", "2", "--out", "run"]):
        done = run(arguments, cwd=whole)
        assert done.returncode == 0, (arguments, done.stderr)
    for _, arguments in READERS:  # fills the cache
        copy_whole()
        done = run(arguments, cwd=damaged, env=dict(os.environ, ATTNRES_CACHE_DIR="../whole/cache"))
        assert done.returncode == 0, (arguments, done.stderr)


def copy_whole():
    shutil.rmtree(damaged, ignore_errors=True)
    shutil.copytree(whole, damaged, symlinks=True)


def damage(data):
    """`data` with one change."""
    if not data:
        return random.choice(VALUES)
    at = random.randrange(len(data))
    # The beginning of a file tells what the rest means.
    if random.random() < 0.5:
        at = random.randrange(min(len(data), 400))
    kind = random.randrange(8)
    if kind == 0:
        return data[:at]
    if kind == 1:
        return data[:at] + data[at + random.randint(1, 16):]
    if kind == 2:
        return data[:at] + data[at:at + random.randint(1, 64)] + data[at:]
    if kind == 3:
        return data[:at] + random.choice(VALUES) + data[at:]
    if kind == 4:
        return data[:at] + bytes(random.choice([0, 255, random.randrange(256)])
                                 for _ in range(random.randint(1, 8))) + data[at + 8:]
    words = list(re.finditer(rb'-?[0-9][0-9.e+-]*|"[^"]*"|[a-z_]+', data[:1 << 16]))
    if not words:
        return data[:at] + b"\xff" + data[at + 1:]
    word = random.choice(words)
    other = random.choice(VALUES) if kind < 7 else random.choice(words).group()
    return data[:word.start()] + other + data[word.end():]


def main():
    prepare()
    files = [os.path.relpath(os.path.join(directory, name), whole)
             for directory, _, names in sorted(os.walk(whole)) for name in sorted(names)]
    counts = {0: 0, 1: 0}
    for _ in range(int(runs)):
        pattern, arguments = random.choice(READERS)
        path = random.choice([name for name in files if re.fullmatch(pattern, name)])
        copy_whole()
        with open(os.path.join(whole, path), "rb") as file:
            data = file.read()
        with open(os.path.join(damaged, path), "wb") as file:
            file.write(damage(data))
        done = run(arguments, cwd=damaged)
        lines = done.stderr.decode("utf-8", "replace").splitlines()
        told = [line for line in lines if line.startswith("attnres-run: ")]
        if done.returncode not in counts or (done.returncode == 1 and
                                             (len(told) != 1 or lines[-1:] != told)):
            print("damaged", path, "in", damaged, "and then attnres-run", *arguments,
                  "has exit code", done.returncode, "and says", *lines, sep="\n")
            sys.exit(1)
        counts[done.returncode] += 1
    print(counts[0], "results,", counts[1], "errors of one line")
    assert counts[1] > int(runs) // 4


main()

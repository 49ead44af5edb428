"""Gives numbers that nothing holds to every option whose help shows a number.

The help of an option that takes a number has its type or its default value, so
that options which are added later are found.
"""

import re
import subprocess

#: "--steps N=1000", "--samples INT:POSITIVE=1000", "--epochs X".
NUMBER = re.compile(r"^ +(--[\w-]+) (INT|UINT|FLOAT|[A-Z])(?=[=: ])",
                    re.MULTILINE)
REAL = {"FLOAT", "X", "P"}
BAD = {False: ["99999999999999999999", "-99999999999999999999", "1e3", "3x"],
       True: ["1e999", "1e-999", "nan", "-inf", "3x"]}

#: Commands with what they need to get as far as their numbers.
commands = [
    ["train", "--preset", "toy", "--data", "x", "--out", "x"],
    ["eval", "--model", "x", "--data", "x"],
    ["generate", "--model", "x", "--prompt", "x"],
    ["gradients", "--model", "x", "--batch", "x", "--out", "x"],
    ["model", "--preset", "toy"],
    ["plan", "--preset", "toy"],
    ["compile", "--preset", "toy", "--out", "x"],
    ["tokenizer", "train", "--input", "x", "--out", "x"],
    ["bench", "step", "--preset", "toy"],
    ["bench", "generate", "--preset", "toy"],
    ["bench", "matmul"],
]
found = 0
for command in commands:
    shown = subprocess.run(["attnres-run", *command, "--help"],
                           capture_output=True, text=True, check=True).stdout
    options = sorted(set(NUMBER.findall(shown)))
    assert options, (command, shown)
    for option, kind in options:
        for value in BAD[kind in REAL]:
            done = subprocess.run(["attnres-run", *command, f"{option}={value}"],
                                  capture_output=True, text=True)
            assert done.returncode == 2, (command, option, value, done)
            assert done.stderr.startswith(f"attnres-run: {option}: "), done
            assert done.stderr.count("\n") == 1, done
        found += 1
assert found > 40, found

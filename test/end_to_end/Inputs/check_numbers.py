"""Gives numbers that nothing holds to every option whose help shows a number.

The help of an option that takes a number has its type or its default value, so
that options which are added later are found.
"""

import re
import subprocess

#: "--steps N=1000", "--samples INT:POSITIVE=1000", "--epochs X".
NUMBER = re.compile(r"^ +(--[\w-]+) (?:INT|UINT|FLOAT|[A-Z])(?=[=: ])",
                    re.MULTILINE)
BAD = ["99999999999999999999", "-99999999999999999999", "1e999", "inf", "nan",
       "3x", "0x10", ""]

commands = [["train"], ["eval"], ["generate"], ["forward"], ["gradients"],
            ["model"], ["plan"], ["compile"], ["tokenizer", "train"],
            ["bench", "step"], ["bench", "generate"], ["bench", "matmul"]]
found = 0
for command in commands:
    shown = subprocess.run(["attnres-run", *command, "--help"],
                           capture_output=True, text=True, check=True).stdout
    options = sorted(set(NUMBER.findall(shown)))
    assert options or command[0] in ("forward", "bench"), (command, shown)
    for option in options:
        for value in BAD:
            done = subprocess.run(["attnres-run", *command, f"{option}={value}"],
                                  capture_output=True, text=True)
            assert done.returncode == 2, (command, option, value, done)
            assert done.stderr.startswith(f"attnres-run: {option}: "), done
            assert done.stderr.count("\n") == 1, done
        found += 1
assert found > 40, found

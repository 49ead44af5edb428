"""Commands whose standard output takes nothing must fail, and say so once.

usage: fill_output.py RUN TEXT GOLDEN
"""

import subprocess
import sys

run, text, golden = sys.argv[1:]
ptx = run + ".ptx"
with open(ptx, "w") as file:
    file.write(".version 8.0\n.target sm_80\n.address_size 64\n"
               ".visible .entry k(.param .u64 p) { ret; }\n")
mlir = run + ".mlir"
with open(mlir, "w") as file:
    file.write("func.func @f() { return }\n")
tokenizer = run + ".bytes"
subprocess.run(["mkdir", "-p", tokenizer], check=True)
with open(tokenizer + "/tokenizer.json", "w") as file:
    file.write('{"kind": "bytes"}')

commands = [
    ["attnres-run", "--help"],
    ["attnres-run", "--version"],
    ["attnres-run", "train", "--help"],
    ["attnres-run", "config"],
    ["attnres-run", "config", "--preset", "toy", "--json"],
    ["attnres-run", "model", "--preset", "toy"],
    ["attnres-run", "model", "--preset", "toy", "--out", "/dev/stdout"],
    ["attnres-run", "plan", "--model", golden],
    ["attnres-run", "plan", "--model", golden, "--json"],
    ["attnres-run", "inspect", "--model", run],
    ["attnres-run", "inspect", "--model", run, "--json"],
    ["attnres-run", "report", run],
    ["attnres-run", "report", run, "--json"],
    ["attnres-run", "eval", "--model", run, "--data", text, "--seq-len", "16"],
    ["attnres-run", "eval", "--model", run, "--data", text, "--seq-len", "16",
     "--json"],
    ["attnres-run", "generate", "--model", run, "--prompt", "a",
     "--max-new-tokens", "2"],
    ["attnres-run", "generate", "--model", run, "--prompt", "a",
     "--max-new-tokens", "2", "--json"],
    ["attnres-run", "generate", "--model", run, "--prompt", "a",
     "--max-new-tokens", "2", "--no-stream"],
    ["attnres-run", "tokenizer", "encode", "--tokenizer", tokenizer, "--input",
     text],
    ["attnres-run", "train", "--resume", run, "--steps", "11"],
    ["attnres-run", "train", "--resume", run, "--steps", "12", "--json"],
    ["attnres-run", "emulate", ptx, "--args", "u32[4]=1", "--print", "0"],
    ["attnres-run", "emulate", ptx, "--list"],
    ["attnres-run", "emulate", "--help"],
    ["attnres-emulate", ptx, "--list"],
    ["attnres-opt", mlir],
    ["attnres-opt", "--help"],
    ["attnres-opt", "--version"],
    ["attnres-opt", "--show-dialects"],
]
for command in commands:
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE,
                              text=True)
    assert done.returncode == 1, (command, done.returncode, done.stderr)
    last = done.stderr.strip().splitlines()[-1]
    assert "No space left on device" in last, (command, done.stderr)
    assert done.stderr.count("No space left") == 1, (command, done.stderr)

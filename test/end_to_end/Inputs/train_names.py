"""Trains models whose parameter has an odd name, in parts and resumed, and
models whose parameter has a name that cannot be saved.

usage: train_names.py FOLDER MODEL
"""

import json
import os
import struct
import subprocess
import sys

folder, model = sys.argv[1:]
text = open(model).read()
named = "the name of argument 0, "
refused = {
    "": "expected argument 0 to have an attnres.name that is not empty",
    "__metadata__": named + "'__metadata__', is what safetensors files call "
                    "their own description; choose another attnres.name",
    "a\\0Ab": named + "'a?b', has control characters;",
    "a\\7F": named + "'a?', has control characters;",
    "a\\FFb": named + "'a?b', is not UTF-8;",
    "step": named + "'step', is that of a tensor of the training step;",
    "m.w": named + "'m.w', begins with 'm.', as tensors of the training step do;",
}
for name, reason in refused.items():
    with open(folder + "/bad.mlir", "w") as file:
        file.write(text.replace("%N%", name))
    done = subprocess.run(["attnres-run", "train", "--model", folder + "/bad.mlir",
                           "--data", folder + "/text.txt", "--seq-len", "8",
                           "--batch-size", "2", "--steps", "2", "--out",
                           folder + "/bad"], capture_output=True, text=True)
    assert done.returncode == 1, (name, done)
    assert done.stderr.startswith(
        f"attnres-run: reading the model failed: {folder}/bad.mlir:4:5: "
        f"{reason}"), (name, done)
    assert done.stderr.count("\n") == 1, (name, done)
    assert not os.path.exists(folder + "/bad"), name

names = ['with "quotes"', "back\\slash", "../../up", "a/b/c", "spaces in it",
         "\u00e9t\u00e9 \U0001f600", "<b>&amp;'", "{}%s", "x" * 300]
for i, name in enumerate(names):
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    path = f"{folder}/n{i}.mlir"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace("%N%", escaped))
    run = f"{folder}/n{i}"
    quiet = {"check": True, "stdout": subprocess.DEVNULL,
             "stderr": subprocess.DEVNULL}
    subprocess.run(["attnres-run", "train", "--model", path, "--data",
                    folder + "/text.txt", "--seq-len", "8", "--batch-size", "2",
                    "--grad-accumulation", "2", "--steps", "2",
                    "--eval-samples", "2", "--out", run], **quiet)
    subprocess.run(["attnres-run", "train", "--resume", run, "--steps", "3"],
                   **quiet)
    with open(run + "/checkpoints/step-00000003/model.safetensors", "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
    assert set(header) == {name, "other"}, header
    subprocess.run(["attnres-run", "report", run], **quiet)

"""Checks that generated tokens are what the whole forward pass predicts.

    check_greedy.py MODEL_DIR SCRATCH < output of `attnres-run generate --json`

Every token has to have the largest logit behind all tokens before it, which one
forward pass over the whole text says for all of its tokens. The alphabet is that
of multiplications.
"""
import json
import struct
import subprocess
import sys

model, scratch = sys.argv[1:]
alphabet = "0123456789*+=SAZ"
for text in json.load(sys.stdin)["texts"]:
    prompt = [4 + alphabet.index(c) for c in text["prompt"]]
    tokens = prompt + text["tokens"]
    assert text["tokens"], "nothing was generated"
    header = json.dumps({"tokens": {"dtype": "I64", "shape": [1, len(tokens)],
                                    "data_offsets": [0, 8 * len(tokens)]}}).encode()
    header += b" " * (-len(header) % 8)
    with open(scratch + ".batch", "wb") as f:
        f.write(struct.pack("<Q", len(header)) + header + struct.pack("<%dq" % len(tokens), *tokens))
    subprocess.run(["attnres-run", "forward", "--model", model, "--batch", scratch + ".batch",
                    "--out", scratch + ".logits"], check=True)
    with open(scratch + ".logits", "rb") as f:
        size, = struct.unpack("<Q", f.read(8))
        tensor = json.loads(f.read(size))["logits"]
        begin, end = tensor["data_offsets"]
        f.seek(8 + size + begin)
        logits = struct.unpack("<%df" % ((end - begin) // 4), f.read(end - begin))
    vocabulary = tensor["shape"][-1]
    for i in range(len(prompt), len(tokens)):
        row = logits[(i - 1) * vocabulary:i * vocabulary]
        # Rounding may decide between tokens that are equally likely but for it.
        assert row[tokens[i]] > max(row) - 1e-5, (text["prompt"], i, tokens[i], row)

"""Copies the folder of a model with the first N tokens of its vocabulary.

usage: cut_vocabulary.py MODEL N COPY
"""
import json
import os
import struct
import sys

model, count, copy = sys.argv[1], int(sys.argv[2]), sys.argv[3]
with open(os.path.join(model, "config.json")) as file:
    config = json.load(file)
with open(os.path.join(model, "model.safetensors"), "rb") as file:
    (length,) = struct.unpack("<Q", file.read(8))
    header = json.loads(file.read(length))
    data = file.read()
header.pop("__metadata__", None)
parts, place = [], 0
for name, tensor in header.items():
    begin, end = tensor["data_offsets"]
    if name in ("embedding.weight", "lm_head.weight"):
        end = begin + (end - begin) // config["vocab_size"] * count
        tensor["shape"][0] = count
    parts.append(data[begin:end])
    tensor["data_offsets"] = [place, place + end - begin]
    place += end - begin
os.makedirs(copy, exist_ok=True)
config["vocab_size"] = count
with open(os.path.join(copy, "config.json"), "w") as file:
    json.dump(config, file)
text = json.dumps(header).encode()
text += b" " * (-len(text) % 8)
with open(os.path.join(copy, "model.safetensors"), "wb") as file:
    file.write(struct.pack("<Q", len(text)) + text + b"".join(parts))

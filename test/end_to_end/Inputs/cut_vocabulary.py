"""Copies the folder of a model with the first N tokens of its vocabulary.

usage: cut_vocabulary.py MODEL N COPY
"""
import json
import os
import sys

from tensor_files import load, save

model, count, copy = sys.argv[1], int(sys.argv[2]), sys.argv[3]
with open(os.path.join(model, "config.json")) as file:
    config = json.load(file)
tensors = load(os.path.join(model, "model.safetensors"))
for name in "embedding.weight", "lm_head.weight":
    if name in tensors:
        _, shape, data = tensors[name]
        tensors[name][2] = data[:len(data) // config["vocab_size"] * count]
        shape[0] = count
os.makedirs(copy, exist_ok=True)
config["vocab_size"] = count
with open(os.path.join(copy, "config.json"), "w") as file:
    json.dump(config, file)
save(os.path.join(copy, "model.safetensors"), tensors)

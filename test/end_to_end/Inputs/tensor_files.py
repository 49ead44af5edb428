"""Safetensors files as dictionaries, for the scripts beside this one.

A tensor is a list of its type, its shape and its bytes: ["F32", [2, 3], b"..."].
"""
import array
import json
import struct

CODES = {"F64": "d", "F32": "f", "I64": "q"}


def load(path):
    """The tensors of a file by name, in its order."""
    with open(path, "rb") as file:
        size, = struct.unpack("<Q", file.read(8))
        header, data = json.loads(file.read(size)), file.read()
    header.pop("__metadata__", None)
    return {name: [entry["dtype"], entry["shape"], data[slice(*entry["data_offsets"])]]
            for name, entry in header.items()}


def save(path, tensors):
    header, at = {}, 0
    for name, (dtype, shape, data) in tensors.items():
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [at, at + len(data)]}
        at += len(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for _, _, data in tensors.values():
            file.write(data)


def numbers(tensor):
    """The elements as an array; those of bfloat16 in 32 bits."""
    dtype, _, data = tensor
    if dtype == "BF16":
        dtype, data = "F32", b"".join(b"\0\0" + data[i:i + 2] for i in range(0, len(data), 2))
    return array.array(CODES[dtype], data)

"""Damages a safetensors file on purpose.

    edit_safetensors.py IN OUT drop NAME
    edit_safetensors.py IN OUT copy NAME NEW_NAME
    edit_safetensors.py IN OUT shape NAME DIM...      (the number of elements stays)
    edit_safetensors.py IN OUT dtype NAME DTYPE       (the same bytes; the last DIM changes)
    edit_safetensors.py IN OUT set NAME INDEX VALUE   (element INDEX of an I64 tensor)
    edit_safetensors.py IN OUT fill NAME VALUE        (every element of an F32 tensor)
"""
import json
import struct
import sys

SIZES = {"F64": 8, "F32": 4, "BF16": 2, "I64": 8, "I32": 4}


def load(path):
    with open(path, "rb") as file:
        raw = file.read()
    size = struct.unpack("<Q", raw[:8])[0]
    header = json.loads(raw[8: 8 + size])
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        tensors[name] = [entry["dtype"], entry["shape"], raw[8 + size + begin: 8 + size + end]]
    return tensors


def save(path, tensors):
    header, at = {}, 0
    for name, (dtype, shape, data) in tensors.items():
        header[name] = dict(dtype=dtype, shape=shape, data_offsets=[at, at + len(data)])
        at += len(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(t[2] for t in tensors.values()))


source, target, action, name, *rest = sys.argv[1:]
tensors = load(source)
if action == "drop":
    del tensors[name]
elif action == "copy":
    tensors[rest[0]] = list(tensors[name])
elif action == "shape":
    tensors[name][1] = [int(dim) for dim in rest]
elif action == "dtype":
    old = SIZES[tensors[name][0]]
    tensors[name][0] = rest[0]
    tensors[name][1][-1] = tensors[name][1][-1] * old // SIZES[rest[0]]
elif action == "set":
    index, value = int(rest[0]), int(rest[1])
    data = bytearray(tensors[name][2])
    data[8 * index: 8 * index + 8] = struct.pack("<q", value)
    tensors[name][2] = bytes(data)
elif action == "fill":
    tensors[name][2] = struct.pack("<f", float(rest[0])) * (len(tensors[name][2]) // 4)
else:
    sys.exit("unknown action " + action)
save(target, tensors)

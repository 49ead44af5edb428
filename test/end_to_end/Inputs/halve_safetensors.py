"""Rounds the F32 tensors of a file to half precision.

usage: halve_safetensors.py BF16|F16 IN HALF WIDE

HALF holds the rounded values in that type, WIDE in F32.
"""

import json
import struct
import sys

kind, source, half, wide = sys.argv[1:]
raw = open(source, "rb").read()
size = struct.unpack("<Q", raw[:8])[0]
header = json.loads(raw[8: 8 + size])
header.pop("__metadata__", None)
tensors = {}
for name, entry in header.items():
    begin, end = entry["data_offsets"]
    data = raw[8 + size + begin: 8 + size + end]
    values = struct.unpack(f"<{len(data) // 4}f", data)
    if kind == "F16":
        halves = struct.pack(f"<{len(values)}e", *values)
        widened = struct.pack(f"<{len(values)}f",
                              *struct.unpack(f"<{len(values)}e", halves))
    else:  # cut off, which is a rounding too
        halves = b"".join(data[i + 2: i + 4] for i in range(0, len(data), 4))
        widened = b"".join(b"\0\0" + data[i + 2: i + 4]
                           for i in range(0, len(data), 4))
    tensors[name] = (entry["shape"], halves, widened)
for path, dtype, which in ((half, kind, 1), (wide, "F32", 2)):
    entries, at = {}, 0
    for name, tensor in tensors.items():
        entries[name] = {"dtype": dtype, "shape": tensor[0],
                         "data_offsets": [at, at + len(tensor[which])]}
        at += len(tensor[which])
    text = json.dumps(entries).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        file.write(b"".join(tensor[which] for tensor in tensors.values()))

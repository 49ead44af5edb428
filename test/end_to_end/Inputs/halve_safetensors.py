"""Rounds the F32 tensors of a file to half precision.

usage: halve_safetensors.py BF16|F16 IN HALF WIDE

HALF holds the rounded values in that type, WIDE in F32.
"""

import struct
import sys

from tensor_files import load, save

kind, source, half, wide = sys.argv[1:]
narrow, rounded = {}, {}
for name, (_, shape, data) in load(source).items():
    values = struct.unpack(f"<{len(data) // 4}f", data)
    if kind == "F16":
        halves = struct.pack(f"<{len(values)}e", *values)
        widened = struct.pack(f"<{len(values)}f",
                              *struct.unpack(f"<{len(values)}e", halves))
    else:  # cut off, which is a rounding too
        halves = b"".join(data[i + 2: i + 4] for i in range(0, len(data), 4))
        widened = b"".join(b"\0\0" + data[i + 2: i + 4]
                           for i in range(0, len(data), 4))
    narrow[name], rounded[name] = [kind, shape, halves], ["F32", shape, widened]
save(half, narrow)
save(wide, rounded)

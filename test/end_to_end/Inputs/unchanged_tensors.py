"""Prints the names of the tensors with the same bytes in two safetensors files, then those of all others after a line "changed".

    python3 unchanged_tensors.py A.safetensors B.safetensors
"""
import json
import struct
import sys


def read(path):
    with open(path, "rb") as f:
        data = f.read()
    begin = 8 + struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:begin])
    return {name: data[begin + entry["data_offsets"][0]:begin + entry["data_offsets"][1]]
            for name, entry in header.items() if name != "__metadata__"}


a, b = map(read, sys.argv[1:])
print(*sorted(name for name in a if a[name] == b[name]), "changed", *sorted(name for name in a if a[name] != b[name]),
      sep="\n")

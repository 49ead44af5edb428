"""Inputs of planned.mlir, and whether its result is what it should be.

    product_tensors.py write FILE
    product_tensors.py check FILE

a and b [5, 7] are small integers, so that a^2 b^2 is exact.
"""
import json
import struct
import sys

SHAPE, COUNT = [5, 7], 35
A = [i - 17 for i in range(COUNT)]
B = [3 - i % 5 for i in range(COUNT)]


def write(path):
    header = {name: {"dtype": "F32", "shape": SHAPE, "data_offsets": [4 * COUNT * i, 4 * COUNT * (i + 1)]}
              for i, name in enumerate(["a", "b"])}
    text = json.dumps(header).encode()
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text + struct.pack("<%df" % (2 * COUNT), *A, *B))


def check(path):
    with open(path, "rb") as f:
        data = f.read()
    size = struct.unpack_from("<Q", data)[0]
    entry = json.loads(data[8:8 + size])["product"]
    if entry["shape"] != SHAPE or entry["dtype"] != "F32":
        sys.exit("expected F32 %s, got %s" % (SHAPE, entry))
    got = struct.unpack_from("<%df" % COUNT, data, 8 + size + entry["data_offsets"][0])
    want = [a * a * b * b for a, b in zip(A, B)]
    if list(got) != want:
        sys.exit("expected %s, got %s" % (want, list(got)))


{"write": write, "check": check}[sys.argv[1]](sys.argv[2])

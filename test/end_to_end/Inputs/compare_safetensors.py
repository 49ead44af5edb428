"""compare_safetensors.py ACTUAL EXPECTED TOLERANCE [NAME...]

Every tensor of ACTUAL has to be in EXPECTED with the same shape, and differ by at most TOLERANCE times the largest
magnitude of the expected tensor. With names, ACTUAL has to hold exactly those; NAME may end in '*'.
"""
import array
import fnmatch
import json
import struct
import sys


def load(path):
    with open(path, "rb") as file:
        raw = file.read()
    size = struct.unpack("<Q", raw[:8])[0]
    header = json.loads(raw[8: 8 + size])
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        data = raw[8 + size + begin: 8 + size + end]
        if entry["dtype"] == "BF16":
            data = b"".join(b"\0\0" + data[i: i + 2] for i in range(0, len(data), 2))
        values = array.array({"F64": "d", "F32": "f", "BF16": "f"}[entry["dtype"]])
        values.frombytes(data)
        tensors[name] = (entry["shape"], values)
    return tensors


actual, expected, tolerance, *names = sys.argv[1:]
actual, expected = load(actual), load(expected)
wrong = []
for name in names:
    if not fnmatch.filter(actual, name):
        wrong.append(f"{name} is missing")
for name, (shape, values) in actual.items():
    if names and not any(fnmatch.fnmatch(name, pattern) for pattern in names):
        wrong.append(f"{name} is too much")
        continue
    if name not in expected or shape != expected[name][0]:
        wrong.append(f"{name} of shape {shape} is not expected")
        continue
    wanted = expected[name][1]
    largest = max((abs(w) for w in wanted), default=0.0)
    # Written so that NaN counts as wrong.
    good = [abs(v - w) <= float(tolerance) * largest for v, w in zip(values, wanted)]
    if not all(good):
        i = good.index(False)
        wrong.append(f"{name}: element {i} is {values[i]}, expected {wanted[i]} (largest {largest})")
print("\n".join(wrong[:20]) or f"{len(actual)} tensors agree")
sys.exit(1 if wrong else 0)

"""Compares two safetensors files without any package.

    compare.py ACTUAL EXPECTED [--tolerance 1e-5] [--only PREFIX,...] [--exact]

Every tensor of EXPECTED whose name starts with one of the prefixes must be in
ACTUAL with the same shape; the largest difference must be at most the tolerance
times the largest magnitude of the expected tensor. --exact compares bytes.
Exits with 1 and names the tensors that differ.
"""
import array
import json
import struct
import sys


def load(path):
    with open(path, "rb") as f:
        raw = f.read()
    size = struct.unpack("<Q", raw[:8])[0]
    tensors = {}
    for name, entry in json.loads(raw[8:8 + size]).items():
        if name == "__metadata__":
            continue
        begin, end = entry["data_offsets"]
        data = raw[8 + size + begin:8 + size + end]
        if entry["dtype"] == "BF16":
            halves = array.array("H", data)
            values = [struct.unpack("<f", struct.pack("<I", h << 16))[0] for h in halves]
        else:
            values = array.array({"F64": "d", "F32": "f", "I64": "q"}[entry["dtype"]], data)
        tensors[name] = (entry["shape"], values, data)
    return tensors


def main():
    arguments = sys.argv[1:]
    tolerance, only, exact, paths = 1e-5, [""], False, []
    while arguments:
        argument = arguments.pop(0)
        if argument == "--tolerance":
            tolerance = float(arguments.pop(0))
        elif argument == "--only":
            only = arguments.pop(0).split(",")
        elif argument == "--exact":
            exact = True
        else:
            paths.append(argument)
    actual, expected = load(paths[0]), load(paths[1])
    bad, worst, count = [], 0.0, 0
    for name, (shape, want, want_bytes) in expected.items():
        if not any(name.startswith(prefix) for prefix in only):
            continue
        count += 1
        if name not in actual:
            bad.append(f"{name}: missing")
            continue
        got_shape, got, got_bytes = actual[name]
        if got_shape != shape:
            bad.append(f"{name}: shape {got_shape}, expected {shape}")
            continue
        if exact:
            if got_bytes != want_bytes:
                bad.append(f"{name}: bytes differ")
            continue
        scale = max((abs(x) for x in want), default=0.0)
        # not (x <= y) so that NaN counts as different
        error = max((abs(a - b) if a == a else float("inf") for a, b in zip(got, want)), default=0.0)
        relative = error / scale if scale else error
        worst = max(worst, relative)
        if not error <= tolerance * scale and not (scale == 0 and error <= tolerance * 1e-3):
            bad.append(f"{name}: relative difference {relative:.3e}")
    for line in bad:
        print(line)
    print(f"{count} tensors, {len(bad)} differ, worst relative difference {worst:.2e}")
    sys.exit(1 if bad or not count else 0)


main()

"""compare_safetensors.py ACTUAL EXPECTED TOLERANCE [NAME...]

Every tensor of ACTUAL has to be in EXPECTED with the same shape, and differ by at most TOLERANCE times the largest
magnitude of the expected tensor. With names, ACTUAL has to hold exactly those; NAME may end in '*'.
"""
import fnmatch
import sys

from tensor_files import load, numbers

actual, expected, tolerance, *names = sys.argv[1:]
actual, expected = ({name: (tensor[1], numbers(tensor)) for name, tensor in load(path).items()}
                    for path in (actual, expected))
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

"""Fails unless two estimates of the same cases agree within 2 %.

    python3 compare_estimates.py ONE.json OTHER.json
"""
import json
import sys

one, other = (json.load(open(path)) for path in sys.argv[1:])
if not one or len(one) != len(other):
    sys.exit("different cases")
for a, b in zip(one, other):
    a, b = a["estimate"], b["estimate"]
    if not 0 < abs(a["seconds"]) or abs(a["seconds"] / b["seconds"] - 1) > 0.02:
        sys.exit("%g and %g seconds" % (a["seconds"], b["seconds"]))
    for kernel in a["kernels"]:
        if kernel["bank_conflicts"] != 0:
            sys.exit("bank conflicts in " + kernel["kernel"])

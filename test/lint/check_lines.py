"""Fails for a lit test that has CHECK lines but never runs FileCheck, or that
has no RUN line at all.

    python3 check_lines.py TEST_DIR
"""
import os
import re
import sys

SKIPPED = {"golden", "reference", "Inputs", "unit"}


def complaints(path):
    with open(path) as f:
        text = f.read()
    runs = re.findall(r"RUN:(.*(?:\\\n.*)*)", text)
    if not runs:
        yield "no RUN line"
        return
    prefixes = set()
    for run in runs:
        if "FileCheck" not in run:
            continue
        named = re.findall(r"--?check-prefix(?:es)?[= ](\S+)", run)
        prefixes.update(p for group in named for p in group.split(","))
        if not named:
            prefixes.add("CHECK")
    kinds = r"(?:-(?:NOT|NEXT|SAME|DAG|LABEL|COUNT-\d+|EMPTY))?:"
    used = set(re.findall(r"^\s*(?://|#)?\s*([A-Z][A-Z0-9_-]*?)" + kinds, text, re.M)) - {"RUN", "NOTE", "TODO", "XFAIL", "REQUIRES"}
    for prefix in sorted(prefixes - used):
        yield "FileCheck prefix %s has no lines" % prefix
    defined = re.search(r"DEFINE:.*FileCheck", text)
    if "CHECK" in used and "CHECK" not in prefixes and not defined:
        yield "CHECK lines that no RUN line checks"


failed = False
for directory, folders, files in os.walk(sys.argv[1]):
    folders[:] = [f for f in folders if f not in SKIPPED]
    for name in sorted(files):
        if name.endswith((".mlir", ".test")):
            path = os.path.join(directory, name)
            for complaint in complaints(path):
                print("%s: %s" % (path, complaint))
                failed = True
sys.exit(failed)

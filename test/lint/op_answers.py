"""Fails for an operation of the dialect that leaves a question of passes open.

    python3 op_answers.py SOURCE_ROOT

* One that reads integers says what they choose (ChoosingOpInterface).
* One that becomes a kernel says what an operand is to a row (RowOpInterface) or
  which tensors its kernel sees as lists (ListOpInterface).

Passes refuse the operation too, but only when they meet it.
"""
import glob
import os
import re
import sys

CHOOSES = ("ChoosesByIndex", "MayChooseByIndex", "ChoosesNearest", "ChoosesNothing", "ChoosingOpInterface")
LISTS = ("ByRows", "RowOpInterface", "TakesNoLists", "ListOpInterface")
# What there is besides kernels.
NO_KERNEL = ("expect_close", "kernel", "launch", "return", "stack", "yield")


def operations(root):
    """(mnemonic, traits, operands) of every operation."""
    for path in sorted(glob.glob(os.path.join(root, "dialect", "*.td"))):
        with open(path, encoding="utf-8") as f:
            text = f.read()
        for name, traits, body in re.findall(r'^def \w+ : Attnres_Op<"(\w+)"(.*?)> \{$(.*?)^\}', text, re.M | re.S):
            arguments = re.search(r"let arguments = \(ins(.*?)\);", body, re.S)
            yield name, traits, arguments.group(1) if arguments else ""


failed = False
count = 0
for name, traits, operands in operations(sys.argv[1]):
    count += 1
    words = set(re.findall(r"\w+", traits))
    complaints = []
    if re.search(r"\bIndices\b", operands) and not words & set(CHOOSES):
        complaints.append("reads integers and does not say what they choose")
    if name not in NO_KERNEL and not words & set(LISTS):
        complaints.append("does not say what its kernel sees as lists")
    for complaint in complaints:
        print("attnres.%s: %s" % (name, complaint))
        failed = True
if count == 0:
    print("no operations")
    failed = True
sys.exit(failed)

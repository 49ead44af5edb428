"""Writes lines of a few words in random order, the same for the same seed.

usage: make_text.py FILE LINES [SEED]
"""

import random
import sys

WORDS = "ash bell cup dawn elm fog gate hill ink jar".split()

path, lines, *seed = sys.argv[1:]
random.seed(int(seed[0]) if seed else 7)
with open(path, "w") as file:
    for _ in range(int(lines)):
        file.write(" ".join(random.choice(WORDS) for _ in range(9)) + ".\n")

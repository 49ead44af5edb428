"""Writes lines of a few words.

usage: write_text.py FILE LINES
"""

import random
import sys

random.seed(7)
words = ["ash", "bell", "cup", "dawn", "elm", "fog", "gate", "hill", "ink", "jar"]
with open(sys.argv[1], "w") as file:
    for _ in range(int(sys.argv[2])):
        file.write(" ".join(random.choice(words) for _ in range(9)) + ".\n")

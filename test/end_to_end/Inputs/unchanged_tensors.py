"""Prints the names of the tensors with the same bytes in two safetensors files, then those of all others after a line "changed".

    python3 unchanged_tensors.py A.safetensors B.safetensors
"""
import sys

from tensor_files import load

a, b = ({name: tensor[2] for name, tensor in load(path).items()} for path in sys.argv[1:])
print(*sorted(name for name in a if a[name] == b[name]), "changed", *sorted(name for name in a if a[name] != b[name]),
      sep="\n")

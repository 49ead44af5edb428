"""Writes the bytes of a text, each plus OFFSET, as tokens of another program.

usage: make_tokens.py u16|llmc|llmc32|npy OFFSET TEXT FILE
"""

import struct
import sys

kind, offset, text, path = sys.argv[1:]
tokens = [byte + int(offset) for byte in open(text, "rb").read()]
if kind == "npy":
    header = f"{{'descr': '<i8', 'fortran_order': False, 'shape': ({len(tokens)},), }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    head = b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header.encode()
elif kind == "u16":
    head = b""
else:
    magic = (20240520, 1) if kind == "llmc" else (20240801, 7)
    head = struct.pack("<256i", *magic, len(tokens), *[0] * 253)
code = {"u16": "H", "llmc": "H", "llmc32": "I", "npy": "q"}[kind]
open(path, "wb").write(head + struct.pack(f"<{len(tokens)}{code}", *tokens))

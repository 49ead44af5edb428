"""write_vectors.py FILE NAME=NUMBER,NUMBER...: safetensors with vectors of f32."""
import json
import struct
import sys

header, data = {}, b""
for argument in sys.argv[2:]:
    name, numbers = argument.split("=")
    values = [float(number) for number in numbers.split(",")]
    header[name] = {"dtype": "F32", "shape": [len(values)], "data_offsets": [len(data), len(data) + 4 * len(values)]}
    data += struct.pack("<%df" % len(values), *values)
text = json.dumps(header).encode()
text += b" " * (-len(text) % 8)
with open(sys.argv[1], "wb") as file:
    file.write(struct.pack("<Q", len(text)) + text + data)

"""write_vectors.py FILE NAME=NUMBER,NUMBER...: safetensors with vectors of f32."""
import struct
import sys

from tensor_files import save

tensors = {}
for argument in sys.argv[2:]:
    name, numbers = argument.split("=")
    values = [float(number) for number in numbers.split(",")]
    tensors[name] = ["F32", [len(values)], struct.pack("<%df" % len(values), *values)]
save(sys.argv[1], tensors)

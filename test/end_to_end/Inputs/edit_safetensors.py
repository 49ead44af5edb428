"""Damages a safetensors file on purpose.

    edit_safetensors.py IN OUT drop NAME
    edit_safetensors.py IN OUT copy NAME NEW_NAME
    edit_safetensors.py IN OUT shape NAME DIM...      (the number of elements stays)
    edit_safetensors.py IN OUT dtype NAME DTYPE       (the same bytes; the last DIM changes)
    edit_safetensors.py IN OUT set NAME INDEX VALUE   (element INDEX of an I64 tensor)
    edit_safetensors.py IN OUT fill NAME VALUE        (every element of an F32 tensor)
"""
import struct
import sys

from tensor_files import load, save

SIZES = {"F64": 8, "F32": 4, "BF16": 2, "I64": 8, "I32": 4}

source, target, action, name, *rest = sys.argv[1:]
tensors = load(source)
if action == "drop":
    del tensors[name]
elif action == "copy":
    tensors[rest[0]] = list(tensors[name])
elif action == "shape":
    tensors[name][1] = [int(dim) for dim in rest]
elif action == "dtype":
    old = SIZES[tensors[name][0]]
    tensors[name][0] = rest[0]
    tensors[name][1][-1] = tensors[name][1][-1] * old // SIZES[rest[0]]
elif action == "set":
    index, value = int(rest[0]), int(rest[1])
    data = bytearray(tensors[name][2])
    data[8 * index: 8 * index + 8] = struct.pack("<q", value)
    tensors[name][2] = bytes(data)
elif action == "fill":
    tensors[name][2] = struct.pack("<f", float(rest[0])) * (len(tensors[name][2]) // 4)
else:
    sys.exit("unknown action " + action)
save(target, tensors)

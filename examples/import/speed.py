"""Times the model of this folder: the compiled program, and what jax.jit makes
of model.py, in turns, on one processor core each. Prints the medians of a run.

usage: python3 examples/import/speed.py [ROUNDS]     (needs jax and a build)
"""
import ctypes
import json
import os
import statistics
import struct
import subprocess
import sys
import tempfile
import time

os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[0]})

import jax  # noqa: E402
import numpy as np  # noqa: E402

import model  # noqa: E402

ROOT = os.path.join(model.HERE, '..', '..')
BUILD = os.environ.get('ATTNRES_BUILD', os.path.join(ROOT, 'build'))


def read_safetensors(path):
    with open(os.path.join(model.HERE, path), 'rb') as file:
        raw = file.read()
    size = struct.unpack('<Q', raw[:8])[0]
    types = {'F32': np.float32, 'F64': np.float64, 'I64': np.int64}
    tensors = {}
    for name, entry in json.loads(raw[8:8 + size]).items():
        begin, end = entry['data_offsets']
        tensors[name] = np.frombuffer(
            raw[8 + size + begin:8 + size + end],
            types[entry['dtype']]).reshape(entry['shape']).copy()
    return tensors


class Program:
    """A compiled program, with the arrays of `inputs` bound by name."""

    def __init__(self, path, inputs):
        self.library = ctypes.CDLL(
            os.path.join(BUILD, 'lib', 'libattnres_runtime.so'))

        class Options(ctypes.Structure):
            _fields_ = [('size', ctypes.c_size_t), ('threads', ctypes.c_int32)]

        self.handle = ctypes.c_void_p()
        options = Options(ctypes.sizeof(Options), 1)
        self.check(self.library.attnres_program_load(
            path.encode(), ctypes.byref(options), ctypes.byref(self.handle),
            None))
        self.arrays = dict(inputs)
        self.arrays['logits'] = aligned(np.zeros(
            (model.BATCH, model.TOKENS, model.VOCABULARY), np.float32))
        self.arrays['loss'] = aligned(np.zeros((), np.float32))
        self.library.attnres_find_binding.restype = ctypes.c_int64
        for name, array in self.arrays.items():
            index = self.library.attnres_find_binding(
                self.handle, name.encode(), int(name in ('logits', 'loss')))
            self.check(self.library.attnres_bind(
                self.handle, ctypes.c_int64(index),
                ctypes.c_void_p(array.ctypes.data),
                ctypes.c_int64(array.nbytes), None))

    @staticmethod
    def check(status):
        if status:
            raise RuntimeError(f'status {status}')

    def run(self):
        self.check(self.library.attnres_run(self.handle, None))


def aligned(array):
    """A copy that begins at a multiple of 64, as programs want it."""
    raw = np.empty(array.nbytes + 64, np.uint8)
    begin = -raw.ctypes.data % 64
    copy = raw[begin:begin + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    parameters = read_safetensors('model.safetensors')
    batch = read_safetensors('batch.safetensors')
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'program')
        subprocess.run([os.path.join(BUILD, 'bin', 'attnres-run'), 'compile',
                        '--module', os.path.join(model.HERE, 'model.mlir'),
                        '--out', path], check=True)
        program = Program(path, {
            name: aligned(array)
            for name, array in {**parameters, **batch}.items()})
    tree = model.initial(jax.random.key(0))
    leaves, shape = jax.tree.flatten(tree)
    names = list(model.named(tree))
    tree = jax.tree.unflatten(shape, [parameters[name] for name in names])
    tree = jax.device_put(tree)
    jitted = jax.jit(model.forward)
    tokens, targets = batch['tokens'], batch['targets']

    def run_jax():
        jax.block_until_ready(jitted(tree, tokens, targets))

    times = {'attnres': [], 'jax.jit': []}
    for i in range(rounds + 3):
        for name, run in [('attnres', program.run), ('jax.jit', run_jax)]:
            begin = time.perf_counter()
            run()
            if i >= 3:
                times[name].append(time.perf_counter() - begin)
    for name, seconds in times.items():
        print(f'{name:8} {statistics.median(seconds) * 1e3:8.3f} ms')


if __name__ == '__main__':
    main()

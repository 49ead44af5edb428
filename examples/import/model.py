"""A small language model with attention residuals as a JAX user writes it, and
its export: model.mlir, model.safetensors, batch.safetensors and, computed in
float64, expected.safetensors and some gradients, all beside this file.

usage: python3 examples/import/model.py      (needs jax; the tests do not)
"""
import json
import math
import os
import re
import struct
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax import export

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', '..', 'tools'))
from import_stablehlo import to_linalg  # noqa: E402

jax.config.update('jax_enable_x64', True)

BATCH, TOKENS, VOCABULARY = 4, 32, 256
WIDTH, HEADS, KEY_HEADS, HIDDEN, LAYERS = 32, 4, 2, 64, 2
HEAD = WIDTH // HEADS


def initial(key):
    def normal(*shape):
        nonlocal key
        key, use = jax.random.split(key)
        return np.asarray(jax.random.normal(use, shape) / math.sqrt(shape[0]),
                          np.float32)

    ones, zeros = np.ones(WIDTH, np.float32), np.zeros(WIDTH, np.float32)
    mixture = lambda: {'query': normal(WIDTH) * 0 + zeros, 'gain': ones}
    params = {'embedding': normal(VOCABULARY, WIDTH) * 3,
              'final': {'mixture': mixture(), 'norm': ones},
              'output': normal(WIDTH, VOCABULARY)}
    for i in range(LAYERS):
        params[f'layer{i}'] = {
            'attention': {'mixture': mixture(), 'norm': ones,
                          'q': normal(WIDTH, WIDTH),
                          'k': normal(WIDTH, KEY_HEADS * HEAD),
                          'v': normal(WIDTH, KEY_HEADS * HEAD),
                          'o': normal(WIDTH, WIDTH)},
            'feed_forward': {'mixture': mixture(), 'norm': ones,
                             'gate': normal(WIDTH, HIDDEN),
                             'up': normal(WIDTH, HIDDEN),
                             'down': normal(HIDDEN, WIDTH)}}
    return params


def rms(x, gain):
    return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * gain


def mix(p, sources):
    v = jnp.stack(sources)
    scores = jnp.einsum('nbtd,d->nbt', rms(v, p['gain']), p['query'])
    return jnp.einsum('nbt,nbtd->btd', jax.nn.softmax(scores, 0), v)


def rotate(x):
    angles = np.arange(TOKENS)[:, None] * 1e4 ** (-np.arange(0, HEAD, 2) / HEAD)
    cos = jnp.asarray(np.cos(angles)[:, None], x.dtype)
    sin = jnp.asarray(np.sin(angles)[:, None], x.dtype)
    a, b = jnp.split(x, 2, -1)
    return jnp.concatenate([a * cos - b * sin, b * cos + a * sin], -1)


def attention(p, x):
    x = rms(x, p['norm'])
    q = rotate((x @ p['q']).reshape(BATCH, TOKENS, HEADS, HEAD))
    k = rotate((x @ p['k']).reshape(BATCH, TOKENS, KEY_HEADS, HEAD))
    v = (x @ p['v']).reshape(BATCH, TOKENS, KEY_HEADS, HEAD)
    k, v = (jnp.repeat(y, HEADS // KEY_HEADS, axis=2) for y in (k, v))
    scores = jnp.einsum('bqhd,bkhd->bhqk', q, k) / math.sqrt(HEAD)
    visible = jnp.tril(jnp.ones((TOKENS, TOKENS), bool))
    hidden = jnp.finfo(scores.dtype).min
    weights = jax.nn.softmax(jnp.where(visible, scores, hidden))
    out = jnp.einsum('bhqk,bkhd->bqhd', weights, v)
    return out.reshape(BATCH, TOKENS, WIDTH) @ p['o']


def feed_forward(p, x):
    x = rms(x, p['norm'])
    return (jax.nn.silu(x @ p['gate']) * (x @ p['up'])) @ p['down']


def logits(params, tokens):
    sources = [params['embedding'][tokens]]
    for i in range(LAYERS):
        for name, layer in [('attention', attention),
                            ('feed_forward', feed_forward)]:
            p = params[f'layer{i}'][name]
            sources.append(layer(p, mix(p['mixture'], sources)))
    x = rms(mix(params['final']['mixture'], sources), params['final']['norm'])
    return x @ params['output']


def forward(params, tokens, targets):
    y = logits(params, tokens)
    logp = jax.nn.log_softmax(y)
    loss = -jnp.take_along_axis(logp, targets[..., None], -1).mean()
    return y, loss


def named(tree):
    """The leaves by name, in the order of the exported arguments."""
    leaves, _ = jax.tree_util.tree_flatten_with_path(tree)
    return {'.'.join(str(step.key) for step in path): leaf
            for path, leaf in leaves}


def with_names(text, arguments, results):
    """The module with a name, and the role of parameters, at each argument and
    result of @main."""
    head = re.search(r'func\.func public @main\((.*?)\) -> \((.*)\) \{\n', text)
    types = re.findall(r'(%arg\d+: [^,{]*?)(?:,|$)', head[1].replace(', ', ',\n'),
                       re.M)
    assert len(types) == len(arguments), head[0]
    args = [f'{type.strip()} {{attnres.name = "{name}", '
            f'attnres.role = #attnres.role<{role}>}}'
            for type, (name, role) in zip(types, arguments)]
    outs = [f'{type} {{attnres.name = "{name}"}}'
            for type, name in zip(head[2].split(', '), results)]
    return (text[:head.start()] + 'func.func @main(' +
            ',\n    '.join(args) + ')\n    -> (' + ', '.join(outs) + ') {\n' +
            text[head.end():])


def write_safetensors(path, tensors):
    names = {np.dtype(np.float32): 'F32', np.dtype(np.float64): 'F64',
             np.dtype(np.int64): 'I64'}
    header, data = {}, b''
    for name, tensor in tensors.items():
        tensor = np.asarray(tensor, order='C')
        header[name] = {'dtype': names[tensor.dtype], 'shape': tensor.shape,
                        'data_offsets': [len(data), len(data) + tensor.nbytes]}
        data += tensor.tobytes()
    text = json.dumps(header).encode()
    text += b' ' * (-len(text) % 8)
    with open(os.path.join(HERE, path), 'wb') as file:
        file.write(struct.pack('<Q', len(text)) + text + data)


def main():
    params = initial(jax.random.key(0))
    # Mixtures that differ from means.
    for i, (name, leaf) in enumerate(named(params).items()):
        if name.endswith('query'):
            leaf += np.cos(np.arange(WIDTH) * (i + 1)).astype(np.float32) * 0.3
    text = 'The quick brown fox jumps over the lazy dog. ' * 8
    tokens = np.frombuffer(text.encode(), np.uint8).astype(np.int64)
    count = BATCH * TOKENS
    batch = {'tokens': tokens[:count].reshape(BATCH, TOKENS),
             'targets': tokens[1:count + 1].reshape(BATCH, TOKENS)}

    exported = export.export(jax.jit(forward))(
        params, batch['tokens'], batch['targets'])
    arguments = [(name, 'parameter') for name in named(params)]
    arguments += [('tokens', 'input'), ('targets', 'input')]
    module = with_names(to_linalg(exported.mlir_module()), arguments,
                        ['logits', 'loss'])
    with open(os.path.join(HERE, 'model.mlir'), 'w') as file:
        file.write('// Written by model.py.\n' + module)
    write_safetensors('model.safetensors', named(params))
    write_safetensors('batch.safetensors', batch)
    wide = jax.tree.map(lambda leaf: leaf.astype(np.float64), params)
    expected, loss = forward(wide, batch['tokens'], batch['targets'])
    write_safetensors('expected.safetensors', {
        'logits': np.asarray(expected, np.float64),
        'loss': np.asarray(loss, np.float64)})
    # Of what passes through rotations, attention and mixtures on its way.
    gradients = named(jax.grad(lambda p: forward(
        p, batch['tokens'], batch['targets'])[1])(wide))
    write_safetensors('gradients.safetensors', {
        'grad.' + name: np.asarray(gradients[name], np.float64)
        for name in ('layer0.attention.k', 'layer0.attention.q',
                     'layer1.attention.mixture.query')})


if __name__ == '__main__':
    main()

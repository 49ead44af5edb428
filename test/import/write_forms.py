"""Writes attention, depth mixtures and the other parts of language models as
JAX users write them, exported to StableHLO and led to linalg by jaxlib. The name
of each begins with what it should become: attention, depth, part, or wrong for
what looks like one of these and is not. There is one file for each of these, and
in it a function for each form; what several forms do alike is a private function
that they call, as jax.jit makes it.

usage: python3 write_forms.py [FOLDER]      (needs jax; the tests do not)
"""
import functools
import math
import os
import re
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax import export

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', '..', 'tools'))
from import_stablehlo import to_linalg  # noqa: E402

B, T, H, G, D, E = 2, 6, 4, 2, 8, 32
f32, bf16, i32 = jnp.float32, jnp.bfloat16, jnp.int32
FORMS = []


def form(*shapes):
    def keep(function):
        FORMS.append((function, [
            jax.ShapeDtypeStruct(*(s if isinstance(s[0], tuple) else (s, f32)))
            for s in shapes]))
        return function
    return keep


BHTD, BTHD, BTGD = (B, H, T, D), (B, T, H, D), (B, T, G, D)


@functools.partial(jax.jit, static_argnums=(0, 1))
def tril(t=T, s=T):
    return jnp.tril(jnp.ones((t, s), bool))


@jax.jit
def scores(q, k):
    return jnp.einsum('bqhd,bkhd->bhqk', q, k) / math.sqrt(D)


@jax.jit
def values(p, v):
    return jnp.einsum('bhqk,bkhd->bqhd', p, v)


@functools.partial(jax.jit, static_argnums=1)
def softmax(x, axis=-1):
    return jax.nn.softmax(x, axis)


@jax.jit
def stack(*sources):
    return jnp.stack(sources)


@jax.jit
def mixed(p, v):
    return jnp.einsum('nbt,nbtd->btd', p, v)


@form(BHTD, BHTD, BHTD)
def attention_plain(q, k, v):
    return softmax(q @ k.swapaxes(-1, -2) / math.sqrt(D), -1) @ v


@form(BTHD, BTHD, BTHD)
def attention_tokens_first(q, k, v):
    return values(softmax(scores(q, k), -1), v)


@form(BTHD, BTHD, BTHD)
def attention_causal_inf(q, k, v):
    return values(softmax(jnp.where(tril(), scores(q, k), -jnp.inf)), v)


@form(BTHD, BTHD, BTHD)
def attention_causal_1e9(q, k, v):
    return values(softmax(jnp.where(tril(), scores(q, k), -1e9)), v)


@form(BTHD, BTHD, BTHD)
def attention_causal_lowest(q, k, v):
    s = scores(q, k)
    return values(softmax(
        jnp.where(tril(), s, jnp.finfo(s.dtype).min)), v)


@form(BTHD, BTHD, BTHD)
def attention_causal_added(q, k, v):
    mask = (1 - tril().astype(f32)) * -1e9
    return values(softmax(scores(q, k) + mask), v)


@form(BTHD, BTHD, BTHD)
def attention_causal_zero_one(q, k, v):
    m = tril().astype(f32)
    return values(softmax(scores(q, k) * m - 1e10 * (1 - m)), v)


@form(BTHD, BTHD, BTHD)
def attention_causal_weights(q, k, v):
    s = scores(q, k)
    e = jnp.exp(s - s.max(-1, keepdims=True)) * tril()
    return values(e / e.sum(-1, keepdims=True), v)


@form((T, H, D), (T, H, D), (T, H, D))
def attention_no_batch(q, k, v):
    p = softmax(jnp.einsum('qhd,khd->hqk', q, k) * D**-0.5)
    return jnp.einsum('hqk,khd->qhd', p, v)


@form((T, D), (T, D), (T, D))
def attention_one_head(q, k, v):
    return softmax(q @ k.T * D**-0.5) @ v


@form(BHTD, BHTD, BHTD)
def attention_heads_in_batch(q, k, v):
    q, k, v = (x.reshape(B * H, T, D) for x in (q, k, v))
    p = softmax(jnp.matmul(q, k.transpose(0, 2, 1)) / math.sqrt(D))
    return jnp.matmul(p, v).reshape(B, H, T, D)


@form(BTHD, BTGD, BTGD)
def attention_grouped_five(q, k, v):
    q = q.reshape(B, T, G, H // G, D)
    s = jnp.einsum('btkgd,bskd->bkgts', q, k) / math.sqrt(D)
    p = softmax(jnp.where(tril(), s, -1e30))
    return jnp.einsum('bkgts,bskd->btkgd', p, v).reshape(B, T, H, D)


@form(BTHD, BTGD, BTGD)
def attention_grouped_repeat(q, k, v):
    k, v = (jnp.repeat(x, H // G, axis=2) for x in (k, v))
    return values(softmax(jnp.where(tril(), scores(q, k), -1e9)), v)


@form(BHTD, (B, G, T, D), (B, G, T, D))
def attention_grouped_broadcast(q, k, v):
    def repeat(x):
        return jnp.broadcast_to(x[:, :, None], (B, G, H // G, T, D)).reshape(
            B, H, T, D)
    p = softmax(q @ repeat(k).swapaxes(2, 3) / math.sqrt(D))
    return p @ repeat(v)


@form(BTHD, (B, T, D), (B, T, D))
def attention_one_key_head(q, k, v):
    s = jnp.einsum('bqhd,bkd->bhqk', q, k) / math.sqrt(D)
    return jnp.einsum('bhqk,bkd->bqhd', softmax(s), v)


@form((BTHD, bf16), (BTHD, bf16), (BTHD, bf16))
def attention_bf16_softmax_f32(q, k, v):
    s = scores(q, k).astype(f32)
    p = softmax(jnp.where(tril(), s, -jnp.inf)).astype(bf16)
    return values(p, v)


@form((BTHD, bf16), (BTHD, bf16), (BTHD, bf16))
def attention_bf16(q, k, v):
    return values(softmax(jnp.where(tril(), scores(q, k), -jnp.inf)), v)


@form(BTHD, BTHD, BTHD)
def attention_library(q, k, v):
    return jax.nn.dot_product_attention(q, k, v)


@form(BTHD, BTHD, BTHD)
def attention_library_causal(q, k, v):
    return jax.nn.dot_product_attention(q, k, v, is_causal=True)


@form(BTHD, BTGD, BTGD)
def attention_library_grouped(q, k, v):
    return jax.nn.dot_product_attention(q, k, v, is_causal=True)


@form((BTHD, bf16), (BTGD, bf16), (BTGD, bf16))
def attention_library_bf16(q, k, v):
    return jax.nn.dot_product_attention(q, k, v, is_causal=True)


@form(BTHD, BTHD, BTHD, (B, 1, T, T))
def attention_library_bias(q, k, v, bias):
    return jax.nn.dot_product_attention(q, k, v, bias)


@form(BTHD, BTHD, BTHD, ((B, 1, T, T), jnp.bool_))
def attention_library_mask(q, k, v, mask):
    return jax.nn.dot_product_attention(q, k, v, mask=mask)


@form(BTHD, BTHD, BTHD, (T, T))
def attention_mask_input(q, k, v, mask):
    return values(softmax(scores(q, k) + mask), v)


@form((B, T, E), (E, E), (E, E), (E, E), (E, E))
def attention_projected(x, wq, wk, wv, wo):
    split = lambda y: y.reshape(B, T, H, D).transpose(0, 2, 1, 3)
    q, k, v = split(x @ wq), split(x @ wk), split(x @ wv)
    s = jnp.matmul(q, k.swapaxes(2, 3)) / jnp.sqrt(jnp.array(D, f32))
    p = softmax(jnp.where(tril(), s, -jnp.inf))
    return jnp.matmul(p, v).transpose(0, 2, 1, 3).reshape(B, T, E) @ wo


@form((B, T, E), (E, 3 * E))
def attention_projected_together(x, w):
    q, k, v = (y.reshape(B, T, H, D) for y in jnp.split(x @ w, 3, -1))
    return values(softmax(scores(q, k)), v).reshape(B, T, E)


@form((B, T, E), (E, 3 * E))
def attention_projected_five(x, w):
    qkv = (x @ w).reshape(B, T, 3, H, D).transpose(2, 0, 3, 1, 4)
    q, k, v = qkv[0], qkv[1], qkv[2]
    return softmax(q @ k.swapaxes(2, 3) * D**-0.5) @ v


@form(BTHD, BTHD, BTHD)
def attention_vmap(q, k, v):
    one = lambda q, k, v: softmax(q @ k.T * D**-0.5) @ v
    heads = jax.vmap(one, in_axes=1, out_axes=1)
    return jax.vmap(heads)(q, k, v)


@form(BTHD, BTHD, BTHD)
def attention_no_maximum(q, k, v):
    e = jnp.exp(scores(q, k))
    return values(e / e.sum(-1, keepdims=True), v)


@form((B, 1, H, D), BTHD, BTHD)
def attention_one_query(q, k, v):
    return values(softmax(scores(q, k)), v)


@form(BTHD, (B, 9, H, D), (B, 9, H, D))
def attention_other_keys(q, k, v):
    return values(softmax(scores(q, k)), v)


@form(BTHD, BTHD, BTHD)
def attention_log_sum(q, k, v):
    s = scores(q, k)
    return values(jnp.exp(s - jax.nn.logsumexp(s, -1, keepdims=True)), v)


@form(BTHD, BTHD, BTHD)
def attention_log_softmax(q, k, v):
    return values(jnp.exp(jax.nn.log_softmax(scores(q, k))), v)


@form(BTHD, BTHD, BTHD)
def attention_keys_first(q, k, v):
    s = jnp.einsum('bkhd,bqhd->bhkq', k, q * D**-0.5)
    return jnp.einsum('bhkq,bkhd->bqhd', softmax(s, axis=2), v)


@form(BTHD, BTHD, BTHD)
def attention_divided_late(q, k, v):
    s = scores(q, k)
    e = jnp.exp(s - s.max(-1, keepdims=True))
    o = values(e, v)
    return o / e.sum(-1).transpose(0, 2, 1)[..., None]


@form(BTHD, BTHD, BTHD)
def attention_causal_positions(q, k, v):
    i, j = jnp.arange(T)[:, None], jnp.arange(T)[None]
    return values(softmax(scores(q, k) + jnp.where(
        i >= j, 0.0, jnp.finfo(f32).min)), v)


# Depth mixtures.

BTE, NBTE = (B, T, E), (3, B, T, E)


@jax.jit
def rms(x, g=None, eps=1e-6):
    y = x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + eps)
    return y if g is None else y * g


@form(BTE, BTE, BTE, (E,), (E,))
def depth_stack(a, b, c, w, g):
    v = stack(a, b, c)
    p = softmax(jnp.einsum('nbtd,d->nbt', rms(v, g), w), 0)
    return mixed(p, v)


@form(BTE, BTE, BTE, (E,))
def depth_stack_no_gain(a, b, c, w):
    v = stack(a, b, c)
    p = softmax(rms(v) @ w, 0)
    return (p[..., None] * v).sum(0)


@form(BTE, BTE, BTE, (E,), (E,))
def depth_stack_inner(a, b, c, w, g):
    v = jnp.stack([a, b, c], axis=2)
    p = softmax(rms(v, g) @ w, -1)
    return jnp.einsum('btn,btnd->btd', p, v)


@form(BTE, BTE, BTE, (E,), (E,))
def depth_concatenated(a, b, c, w, g):
    v = jnp.concatenate([a[None], b[None], c[None]], 0)
    x = v / jnp.sqrt(jnp.mean(v**2, -1, keepdims=True) + 1e-6) * g
    return (softmax((x * w).sum(-1), 0)[..., None] * v).sum(0)


@form(BTE, BTE, BTE, (E,), (E,))
def depth_list(a, b, c, w, g):
    s = jnp.stack([rms(v, g) @ w for v in (a, b, c)])
    p = softmax(s, 0)
    return sum(p[i][..., None] * v for i, v in enumerate((a, b, c)))


@form(BTE, BTE, BTE, (E,), (E,))
def depth_loop(a, b, c, w, g):
    sources = [a, b, c]
    s = [jnp.sum(rms(v, g) * w, -1, keepdims=True) for v in sources]
    m = s[0]
    for x in s[1:]:
        m = jnp.maximum(m, x)
    e = [jnp.exp(x - m) for x in s]
    total = sum(e)
    out = jnp.zeros_like(a)
    for x, v in zip(e, sources):
        out = out + x / total * v
    return out


@form(BTE, BTE, BTE, (E,), (E,))
def depth_folded(a, b, c, w, g):
    v = stack(a, b, c)
    r = jax.lax.rsqrt(jnp.mean(jnp.square(v), -1) + 1e-6)
    p = softmax((v @ (w * g)) * r, 0)
    return mixed(p, v)


@form((BTE, bf16), (BTE, bf16), (BTE, bf16), (E,), (E,))
def depth_bf16(a, b, c, w, g):
    v = stack(a, b, c)
    p = softmax(rms(v.astype(f32), g) @ w, 0)
    return jnp.einsum('nbt,nbtd->btd', p, v.astype(f32)).astype(bf16)


@form((BTE, bf16), (BTE, bf16), (BTE, bf16), ((E,), bf16), ((E,), bf16))
def depth_bf16_parameters(a, b, c, w, g):
    v = stack(a, b, c)
    k = rms(v.astype(f32)).astype(bf16) * g
    p = softmax((k @ w).astype(f32), 0).astype(bf16)
    return mixed(p, v)


@form(NBTE, (E,), (E,))
def depth_given(v, w, g):
    p = softmax(jnp.einsum('nbtd,d->nbt', rms(v, g), w), 0)
    return mixed(p, v)


@form(BTE, BTE, BTE, (4, E), (4, E))
def depth_table(a, b, c, w, g):
    v = stack(a, b, c)
    p = softmax(jnp.einsum('d,nbtd->nbt', w[2], rms(v, g[2])), 0)
    return mixed(p, v)


@form(BTE, (3, E), (3, E), (3, E, E))
def depth_layers(x, w, g, u):
    sources = [x]
    for i in range(3):
        v = stack(*sources)
        p = softmax(rms(v, g[i]) @ w[i], 0)
        h = mixed(p, v)
        sources.append(jnp.tanh(h @ u[i]))
    return sources[-1]


@form((T, E), (T, E), (E,), (E,))
def depth_two_no_batch(a, b, w, g):
    v = stack(a, b)
    p = softmax(jnp.einsum('ntd,d->nt', rms(v, g), w), 0)
    return jnp.einsum('nt,ntd->td', p, v)


@form(BTE, BTE, BTE, (E,), (E,))
def depth_last_axis(a, b, c, w, g):
    v = jnp.stack([a, b, c], axis=-1)
    r = jax.lax.rsqrt(jnp.mean(v**2, 2, keepdims=True) + 1e-6)
    p = softmax(jnp.einsum('btdn,d->btn', v * r, w * g))
    return jnp.einsum('btn,btdn->btd', p, v)


# What looks like these and is not.


@form(BTE, BTE, BTE, (E,), (E,))
def wrong_depth_normalized_values(a, b, c, w, g):
    v = rms(stack(a, b, c), g)
    return mixed(softmax(v @ w, 0), v)


@form(BTE, BTE, BTE, (E,), (E,))
def wrong_depth_other_axis(a, b, c, w, g):
    v = stack(a, b, c)
    p = softmax(rms(v, g) @ w, 2)
    return mixed(p, v)


@form(BTE, BTE, BTE, (E,))
def wrong_depth_raw_scores(a, b, c, w):
    v = stack(a, b, c)
    return mixed(softmax(v @ w, 0), v)


@form(BTE, BTE, BTE, (E,))
def wrong_depth_sum_of_squares(a, b, c, w):
    v = stack(a, b, c)
    k = v * jax.lax.rsqrt(jnp.sum(v * v, -1, keepdims=True) + 1e-6)
    return jnp.einsum('nbt,nbtd->btd', softmax(k @ w, 0), v)


@form(BTE, BTE, BTE, (E,), (E,))
def wrong_depth_shifted_sources(a, b, c, w, g):
    s = jnp.stack([rms(v, g) @ w for v in (a, b, c)])
    p = softmax(s, 0)
    return sum(p[i][..., None] * v for i, v in enumerate((b, c, a)))


@form(BTE, BTE, BTE, (3, E))
def wrong_depth_query_each(a, b, c, w):
    v = stack(a, b, c)
    p = softmax(jnp.einsum('nbtd,nd->nbt', rms(v), w), 0)
    return mixed(p, v)


@form(BTE, BTE, BTE, (E,))
def wrong_depth_one_left_out(a, b, c, w):
    p = softmax(jnp.stack([rms(v) @ w for v in (a, b, c)]), 0)
    return p[0][..., None] * a + p[1][..., None] * b


@form(BTHD, BTHD, BTHD)
def wrong_attention_query_axis(q, k, v):
    return values(softmax(scores(q, k), 2), v)


@form(BTHD, BTHD, BTHD)
def wrong_attention_mask_after(q, k, v):
    return values(softmax(scores(q, k)) * tril(), v)


@form(BTHD, BTHD, BTHD)
def wrong_attention_mask_zero(q, k, v):
    return values(softmax(jnp.where(tril(), scores(q, k), 0.0)), v)


# The other parts of a language model.


@form(BTE, (E,))
def part_rms_norm(x, g):
    return rms(x, g)


@form((BTE, bf16), ((E,), bf16))
def part_rms_norm_bf16(x, g):
    return (rms(x.astype(f32)) * g.astype(f32)).astype(bf16)


@form(BTE, (E,), (E,))
def part_layer_norm(x, g, b):
    m = x.mean(-1, keepdims=True)
    v = jnp.square(x - m).mean(-1, keepdims=True)
    return (x - m) * jax.lax.rsqrt(v + 1e-5) * g + b


@form(BTE, (E,), (E,))
def part_layer_norm_variance(x, g, b):
    return (x - x.mean(-1, keepdims=True)) / jnp.sqrt(
        x.var(-1, keepdims=True) + 1e-5) * g + b


@form(BTE, (E,), (E,))
def part_layer_norm_squares(x, g, b):
    m = x.mean(-1, keepdims=True)
    v = jnp.maximum(0, jnp.square(x).mean(-1, keepdims=True) - jnp.square(m))
    return (x - m) * (jax.lax.rsqrt(v + 1e-6) * g) + b


@form(BTE, BTE)
def part_swiglu(a, b):
    return jax.nn.silu(a) * b


@form(BTE)
def part_gelu(x):
    return jax.nn.gelu(x)


@form(BTE, (E, 2 * E), (E, 2 * E), (2 * E, E))
def part_feed_forward(x, w, u, d):
    return (jax.nn.silu(x @ w) * (x @ u)) @ d


@form(((B, T), i32), (50, E))
def part_embedding(tokens, table):
    return table[tokens]


@form(BTHD)
def part_rotation(x):
    t = jnp.arange(T)[:, None] * 1e4 ** (-jnp.arange(0, D, 2) / D)
    cos, sin = jnp.cos(t)[:, None], jnp.sin(t)[:, None]
    a, b = jnp.split(x, 2, -1)
    return jnp.concatenate([a * cos - b * sin, b * cos + a * sin], -1)


@form((BTHD, bf16))
def part_rotation_half(x):
    f = 1 / 1e4 ** (jnp.arange(0, D, 2) / D)
    t = jnp.outer(jnp.arange(T), jnp.concatenate([f, f]))
    cos, sin = jnp.cos(t)[:, None], jnp.sin(t)[:, None]
    y = x.astype(f32)
    a, b = y[..., :D // 2], y[..., D // 2:]
    return (y * cos + jnp.concatenate([-b, a], -1) * sin).astype(bf16)


@form(BHTD)
def part_rotation_heads_first(x):
    t = np.outer(np.arange(T), 5e5 ** (-np.arange(0, D, 2) / D))
    cos, sin = jnp.asarray(np.cos(t), f32), jnp.asarray(np.sin(t), f32)
    a, b = x.reshape(B, H, T, 2, D // 2).transpose(3, 0, 1, 2, 4)
    return jnp.stack([a * cos - b * sin, a * sin + b * cos], 3).reshape(BHTD)


@form((B, T, 50), ((B, T), i32))
def part_cross_entropy(logits, targets):
    logp = jax.nn.log_softmax(logits)
    return -jnp.take_along_axis(logp, targets[..., None], -1).mean()


@form(((B * T, 50), bf16), ((B, T), i32))
def part_cross_entropy_sum(logits, targets):
    logits = logits.astype(f32).reshape(B, T, 50)
    logits -= jax.lax.stop_gradient(logits.max(-1, keepdims=True))
    label = jnp.take_along_axis(logits, targets[..., None], -1)[..., 0]
    return (jnp.log(jnp.exp(logits).sum(-1)) - label).sum()


@form((B, T, 50), ((B, T), i32))
def part_cross_entropy_one_hot(logits, targets):
    logp = jax.nn.log_softmax(logits)
    return -(jax.nn.one_hot(targets, 50) * logp).sum(-1).mean()


def exported(kind, forms):
    """One module of functions; what they share is exported once."""
    def everything(*arguments):
        return [jax.jit(function)(*inputs)
                for (function, _), inputs in zip(forms, arguments)]

    arguments = [shapes for _, shapes in forms]
    module = export.export(jax.jit(everything))(*arguments).mlir_module()
    text = to_linalg(module)
    main = re.search(r'  func\.func public @main\(.*?\n  }\n', text, re.S)
    text = text[:main.start()] + text[main.end():]
    for function, _ in forms:
        old = f'func.func private @{function.__name__}('
        assert old in text, function.__name__
        text = text.replace(old, old.replace('private ', ''))
    text = without_copies(
        text.replace('module @jit_everything', f'module @{kind}', 1))
    # A body of one operation stands on the line of its loops.
    return re.sub(r'\{\n *(\^bb0\([^\n]*\):)\n(?: *([^\n]*)\n)? *'
                  r'(linalg\.yield [^\n]*)\n *\} ->',
                  lambda m: '{ ' + ' '.join(filter(None, m.groups())) + ' } ->',
                  text)


def without_copies(text):
    """Private functions that differ in nothing but their names become one."""
    while True:
        names, old = {}, text
        for whole, name, body in re.findall(
                r'(  func\.func private @(\w+)(\(.*?\n  }\n))', text, re.S):
            if body not in names:
                names[body] = name
                continue
            text = text.replace(whole, '', 1)
            text = re.sub(rf'@{name}\b', f'@{names[body]}', text)
        if text == old:
            return text


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, 'Inputs')
    kinds = {}
    for function, shapes in FORMS:
        kind = function.__name__.split('_')[0]
        kinds.setdefault(kind, []).append((function, shapes))
    for kind, forms in kinds.items():
        with open(os.path.join(folder, kind + '.mlir'), 'w') as file:
            file.write('// Written by write_forms.py.\n')
            file.write(exported(kind, forms))


if __name__ == '__main__':
    main()

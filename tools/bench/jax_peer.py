"""Times operations in JAX under jit.

Run by compare.py; see peer.py for the protocol. JAX takes as many threads as
the process has processors."""
import os
import sys

import peer


def main():
    spec = peer.read_spec()
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:spec["threads"]])
    import jax
    import jax.numpy as jnp
    idle = peer.peak_bytes()
    dtype = jnp.bfloat16 if spec["dtype"] == "bf16" else jnp.float32
    keys = iter(jax.random.split(jax.random.key(1), 64))

    def attention(q, k, v):
        return jax.nn.dot_product_attention(q, k, v, is_causal=True)

    def depth(query, gain, *sources):
        v = jnp.stack(sources)
        mean = jnp.mean(jnp.square(v.astype(jnp.float32)), axis=-1, keepdims=True)
        keys = v * jax.lax.rsqrt(mean + 1e-8).astype(v.dtype) * gain.astype(v.dtype)
        scores = jnp.einsum("d,nrd->nr", query.astype(v.dtype), keys)
        return jnp.einsum("nr,nrd->rd", jax.nn.softmax(scores, axis=0), v)

    if spec["task"] == "attention":
        function, inputs = attention, [jax.random.normal(next(keys), spec["shape"], dtype) for _ in range(3)]
    else:
        sources, rows, width = spec["shape"]
        function = depth
        inputs = [jax.random.normal(next(keys), (width,)), jnp.ones(width)]
        inputs += [jax.random.normal(next(keys), (rows, width), dtype) for _ in range(sources)]

    forward = jax.jit(function)
    d_output = jax.random.normal(next(keys), forward(*inputs).shape, dtype)

    @jax.jit
    def both(d_output, *inputs):
        output, pull = jax.vjp(function, *inputs)
        return output, pull(d_output)

    peer.serve(f"JAX {jax.__version__} jit",
               {"forward": lambda: jax.block_until_ready(forward(*inputs)),
                "forward and backward": lambda: jax.block_until_ready(both(d_output, *inputs))},
               spec["steps"], idle)


if __name__ == "__main__":
    sys.exit(main())

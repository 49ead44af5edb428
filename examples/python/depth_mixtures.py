# %% [markdown]
# Attention residuals in Python: two small models are trained on the bytes of this
# repository's documentation, one with ordinary residuals and one that mixes the
# outputs of earlier blocks, and what the second one learned is drawn.
#
#     python3 examples/python/depth_mixtures.py [--steps N] [--out plots.png]
#
# Needs the package (`pip install .`), and Matplotlib for the plots. Half a minute
# on two cores.

# %%
import argparse
import pathlib

import attnres
import numpy as np

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=150)
parser.add_argument("--out", default="depth_mixtures.png")
options = parser.parse_args()

BATCH, LENGTH = 8, 64
SETTINGS = {"vocab_size": 256, "hidden_size": 64, "intermediate_size": 128, "head_dim": 16,
            "num_hidden_layers": 6}

# %% The data: bytes are tokens.
docs = pathlib.Path(__file__).resolve().parents[2] / "docs"
text = b"\n".join(path.read_bytes() for path in sorted(docs.glob("*.md")))
data = np.frombuffer(text, np.uint8).astype(np.int64)
held_out, data = data[:20000], data[20000:]


def windows(source, generator):
    """A batch of random pieces, and for each token the one that follows it."""
    starts = generator.integers(0, len(source) - LENGTH, BATCH)
    pieces = np.stack([source[start:start + LENGTH + 1] for start in starts])
    return {"tokens": pieces[:, :-1], "targets": pieces[:, 1:]}


# %% Training: a compiled step updates parameters and moments where they are.
def train(mode):
    config = attnres.configuration("toy", mode=mode, settings=SETTINGS)
    step = attnres.compile(config, purpose="train", batch_size=BATCH, seq_len=LENGTH)
    state = attnres.initial_parameters(config, seed=1)
    for name, tensor in step.inputs.items():
        if tensor.role in ("first_moment", "second_moment"):
            state[name] = attnres.empty(tensor.shape)
            state[name].fill(0)
    generator = np.random.default_rng(1)
    losses = []
    for number in range(1, options.steps + 1):
        rate = 3e-3 * min(number / 20, 1) * (1 - 0.9 * number / options.steps)
        results = step.run(state, **windows(data, generator), step=float(number),
                           learning_rate=rate)
        losses.append(float(results["loss"]))
    parameters = {name: state[name] for name in step.parameters}
    return config, parameters, losses


runs = {mode: train(mode) for mode in ("off", "block")}
for mode, (_, _, losses) in runs.items():
    print(f"{mode:6} loss {losses[0]:.3f} -> {np.mean(losses[-10:]):.3f}")

# %% What each sublayer reads: the weights of the sources of its input.
config, parameters, _ = runs["block"]
program = attnres.compile(config, purpose="loss", batch_size=BATCH, seq_len=LENGTH, record=True)
results = program.run(parameters, **windows(held_out, np.random.default_rng(2)))
mixtures = [results[f"depth_weights.{i}"]
            for i in range(sum(name.startswith("depth_weights.") for name in results))]
weights = np.full((len(mixtures), max(len(m) for m in mixtures)), np.nan)
for row, mixture in enumerate(mixtures):
    weights[row, :len(mixture)] = mixture.reshape(len(mixture), -1).mean(axis=1)
print("weights of the last mixture: "
      + " ".join(f"{w:.3f}" for w in weights[-1] if not np.isnan(w)))

# %%
try:
    import matplotlib
except ImportError:
    print("no plots without Matplotlib")
    raise SystemExit(0) from None
matplotlib.use("Agg")
from matplotlib import pyplot as plt

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4), layout="constrained")
for mode, (_, _, losses) in runs.items():
    kernel = np.ones(10) / 10
    left.plot(np.convolve(losses, kernel, "valid"), label=f"attnres = {mode}")
left.set(xlabel="step", ylabel="loss, mean of 10 steps", title="Training")
left.legend()
image = right.imshow(weights, aspect="auto", cmap="viridis", vmin=0)
right.set(xlabel="source", ylabel="mixture", title="Mean weights over depth")
figure.colorbar(image, ax=right)
figure.savefig(options.out, dpi=120)
print(f"wrote {options.out}")

# %% [markdown]
# A run of `attnres-run train`, again in PyTorch: the same first parameters and the
# same optimizer, PyTorch's own, on compiled forward and backward passes. What
# the two say of the same batches is compared step by step.
#
#     python3 examples/python/train_with_torch.py [--steps N] [--preset NAME]
#
# Needs the package with PyTorch (`pip install .[torch]`).

# %%
import argparse

import attnres
import attnres.torch
import numpy as np
import torch

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=30)
parser.add_argument("--preset", default="toy")
options = parser.parse_args()

BATCH, LENGTH, RATE, DECAY = 4, 32, 1e-3, 0.1

# %% PyTorch: matrices decay, vectors do not, and the gradient is clipped.
model = attnres.torch.Model(options.preset, mode="block", seed=1)
matrices = [p for p in model.parameters() if p.dim() >= 2]
vectors = [p for p in model.parameters() if p.dim() < 2]
optimizer = torch.optim.AdamW(
    [{"params": matrices, "weight_decay": DECAY}, {"params": vectors, "weight_decay": 0.0}],
    lr=RATE, betas=(0.9, 0.95), eps=1e-8)

# %% The compiled step of the trainer, with the same constants.
step = attnres.compile(model.config, purpose="train", batch_size=BATCH, seq_len=LENGTH,
                       weight_decay=DECAY, clip_norm=1.0)
state = attnres.initial_parameters(model.config, seed=1)
for name, tensor in step.inputs.items():
    if tensor.role in ("first_moment", "second_moment"):
        state[name] = np.zeros(tensor.shape, np.float32)

# %%
generator = np.random.default_rng(0)
vocabulary = model.config["vocab_size"]
largest = 0.0
for number in range(1, options.steps + 1):
    # Counting upwards from anywhere can be learned at once.
    starts = generator.integers(0, vocabulary, (BATCH, 1))
    pieces = (starts + np.arange(LENGTH + 1)) % vocabulary
    batch = {"tokens": pieces[:, :-1].copy(), "targets": pieces[:, 1:].copy()}
    theirs = float(step.run(state, **batch, step=float(number), learning_rate=RATE)["loss"])

    optimizer.zero_grad()
    loss = model(*(torch.from_numpy(batch[name]) for name in ("tokens", "targets")))
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()

    largest = max(largest, abs(loss.item() - theirs))
    if number == 1 or number % 10 == 0:
        print(f"step {number:3}  PyTorch {loss.item():.6f}  trainer {theirs:.6f}")
print(f"largest difference of losses: {largest:.1e}")

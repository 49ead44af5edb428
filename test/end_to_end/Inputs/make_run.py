"""make_run.py DIR CONFIG STEPS [SEED]

Writes run.json and metrics.jsonl of a run that never happened: CONFIG is the config.json of the model, and
every curve is a formula.
"""
import json
import math
import os
import random
import sys

directory, config_path, steps = sys.argv[1], sys.argv[2], int(sys.argv[3])
seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
rng = random.Random(seed)
os.makedirs(directory, exist_ok=True)
with open(config_path) as file:
    config = json.load(file)
layers, mode = config["num_hidden_layers"], config["attnres"]


def mixture_sizes():
    if mode == "off":
        return []
    if mode == "static":
        return [i + 1 for i in range(layers)]
    final = [True] if config.get("attnres_final_aggregate", True) else []
    if mode == "full":
        return [j + 1 for j in range(2 * layers + len(final))]
    size = 2 * (config.get("attnres_block_size") or -(-layers // 8))
    sizes = [1 + j // size + (j % size > 0) for j in range(2 * layers)]
    return sizes + [1 + -(-2 * layers // size) for _ in final]


def weights(size, progress):
    raw = [math.exp(progress * rng.gauss(0, 1)) for _ in range(size)]
    return [round(w / sum(raw), 5) for w in raw]


with open(os.path.join(directory, "run.json"), "w") as file:
    json.dump({"settings": {"data": "multiplication", "steps": steps, "lr": 3e-4, "attnres": mode, "seed": seed,
                            "batch_size": 8, "dtype": "f32", "grad_clip": 1.0, "schedule": "cosine"},
               "parameters": 4743168, "tokens_per_step": 2544, "version": "test", "config": config}, file)
with open(os.path.join(directory, "metrics.jsonl"), "w") as file:
    def record(**fields):
        file.write(json.dumps(fields) + "\n")

    every = max(1, steps // 20)
    for step in range(1, steps + 1):
        progress = step / steps
        loss = 0.2 + 0.05 * seed + 2.8 * math.exp(-5 * progress) + 0.05 * rng.gauss(0, 1)
        record(kind="step", step=step, loss=round(loss, 5), grad_norm=round(math.exp(-2 * progress + 0.3 * rng.gauss(0, 1)), 5),
               learning_rate=3e-4 * (min(1, 10 * progress) * (0.55 + 0.45 * math.cos(math.pi * progress))),
               tokens=2544 * step, tokens_per_second=round(8000 + 300 * rng.gauss(0, 1), 1), seconds=round(0.31 * step, 3))
        if step % every and step != steps:
            continue
        norms = {"embedding": 0.1, "mixer": 0.01, "norm": 0.02, "lm_head": 0.3}
        for block in range(layers):
            norms[f"blocks.{block}.attn"] = 0.1 * math.exp(-progress - 0.2 * block)
            norms[f"blocks.{block}.ffn"] = 0.2 * math.exp(-progress + 0.2 * block)
        extra = {"depth_weights": [weights(size, progress) for size in mixture_sizes()]} if mode != "off" else {}
        evaluation = 0.25 + 0.05 * seed + 2.7 * math.exp(-5 * progress)
        record(kind="eval", step=step, loss=evaluation, perplexity=math.exp(evaluation), accuracy=progress ** (1 + seed),
               gradient_norms=norms, seconds=1.5, **extra)
        record(kind="sample", step=step, prompt="12*34=", text="S02*04=0008Z0408", expected="S02*04=0008Z0408", correct=True)
        record(kind="sample", step=step, prompt="12*34=", text="S02*04=0009Z<b>&\u0001 http://example.org",
               expected="S02*04=0008Z0408", correct=False)
        record(kind="save", step=step, path=f"checkpoints/step-{step:08}", seconds=0.2)

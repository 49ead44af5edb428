"""A model with any mixtures over depth in float64, from the formulas: compares
the loss, the logits, the weights over depth and the gradients of the queries and
gains (by central differences) with what the compiler computes.

usage: depth_variants.py RUN ATTNRES_RUN
"""

import array
import json
import math
import random
import subprocess
import sys

import tensor_files

run, program = sys.argv[1:3]
checkpoint = f"{run}/checkpoints/step-00000001"
config = json.load(open(f"{checkpoint}/config.json"))
D, L, eps = config["hidden_size"], config["num_hidden_layers"], config["norm_eps"]
HEADS, KV, DK = (config["num_attention_heads"], config["num_key_value_heads"],
                 config["head_dim"])


def load(path):
    return {name: (tensor[1], list(tensor_files.numbers(tensor)))
            for name, tensor in tensor_files.load(path).items()}


def save(path, tensors):
    tensor_files.save(path, {name: ["I64", shape, array.array("q", values).tobytes()]
                             for name, (shape, values) in tensors.items()})


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def times(matrix, x):
    """matrix [out * in], as a list of rows of len(x)."""
    return [dot(matrix[i:i + len(x)], x) for i in range(0, len(matrix), len(x))]


def rms(x, e):
    scale = 1 / math.sqrt(sum(v * v for v in x) / len(x) + e)
    return [v * scale for v in x]


def softmax(scores):
    top = max(scores)
    parts = [math.exp(s - top) for s in scores]
    return [p / sum(parts) for p in parts]


def rotate(x, position):
    half = len(x) // 2
    result = [0] * len(x)
    for i in range(half):
        angle = position * config["rope_theta"] ** (-2 * i / len(x))
        c, s = math.cos(angle), math.sin(angle)
        result[i] = x[i] * c - x[i + half] * s
        result[i + half] = x[i + half] * c + x[i] * s
    return result


def attention(p, i, rows):
    name = f"blocks.{i}.attn."
    split = lambda x: [x[j:j + DK] for j in range(0, len(x), DK)]
    q = [[rotate(h, t) for h in split(times(p[name + "q_proj.weight"], x))]
         for t, x in enumerate(rows)]
    k = [[rotate(h, t) for h in split(times(p[name + "k_proj.weight"], x))]
         for t, x in enumerate(rows)]
    v = [split(times(p[name + "v_proj.weight"], x)) for x in rows]
    out = []
    for t in range(len(rows)):
        joined = []
        for h in range(HEADS):
            g = h // (HEADS // KV)
            w = softmax([dot(q[t][h], k[s][g]) / math.sqrt(DK)
                         for s in range(t + 1)])
            joined += [sum(w[s] * v[s][g][d] for s in range(t + 1))
                       for d in range(DK)]
        out.append(times(p[name + "o_proj.weight"], joined))
    return out


def feed_forward(p, i, rows):
    name = f"blocks.{i}.ffn."
    out = []
    for x in rows:
        gate = times(p[name + "gate_proj.weight"], x)
        up = times(p[name + "up_proj.weight"], x)
        out.append(times(p[name + "down_proj.weight"],
                         [g / (1 + math.exp(-g)) * u for g, u in zip(gate, up)]))
    return out


def mixture(p, name, sources):
    """Of one row: the mixture of the sources, and the mean weight of each."""
    window = config["attnres_window"]
    if window is not None and len(sources) > window + 1:
        sources = sources[:1] + sources[-window:]
    if config["attnres_query"] == "scalar":
        w = softmax(p[name + ".weights"])
        return [dot(w, [s[d] for s in sources]) for d in range(D)], w
    keys = [rms(s, config["attnres_eps"]) if config["attnres_key_norm"] else s
            for s in sources]
    query = p[name + ".query"]
    if config["attnres_query"] == "input":
        query = times(query, keys[-1])
    query = [q * g for q, g in zip(query, p[name + ".norm.weight"])]
    heads = config["attnres_heads"]
    size, result, means = D // heads, [], [0] * len(sources)
    for h in range(heads):
        part = slice(h * size, (h + 1) * size)
        scores = [dot(query[part], k[part]) for k in keys]
        w = ([1 / (1 + math.exp(-s)) for s in scores]
             if config["attnres_weights"] == "sigmoid" else softmax(scores))
        result += [dot(w, [s[d] for s in sources])
                   for d in range(h * size, (h + 1) * size)]
        means = [m + x / heads for m, x in zip(means, w)]
    return result, means


def forward(p, tokens, weights=None):
    """Logits of each token of one text; appends the weights of mixtures."""
    rows = range(len(tokens))
    sources = [[p["embedding.weight"][t * D:(t + 1) * D] for t in tokens]]
    partial, per = None, 1
    if config["attnres"] == "block":
        per = 2 * (config["attnres_block_size"] or (L + 7) // 8)

    def mix(name, seen):
        mixed = [mixture(p, name, [s[t] for s in seen]) for t in rows]
        if weights is not None:
            weights.append([w for _, w in mixed])
        return [m for m, _ in mixed]

    for j in range(2 * L):
        h = mix(f"mixer.residuals.{j}",
                sources + ([partial] if partial else []))
        kind = "ffn" if j % 2 else "attn"
        gain = p[f"blocks.{j // 2}.{kind}_norm.weight"]
        x = [[v * g for v, g in zip(rms(row, eps), gain)] for row in h]
        v = (feed_forward if j % 2 else attention)(p, j // 2, x)
        partial = v if partial is None else [
            [a + b for a, b in zip(r, s)] for r, s in zip(partial, v)]
        if (j + 1) % per == 0 or j + 1 == 2 * L:
            sources.append(partial)
            partial = None
    y = (mix("mixer.final_residual", sources)
         if config["attnres_final_aggregate"] else sources[-1])
    return [times(p["lm_head.weight"],
                  [v * g for v, g in zip(rms(row, eps), p["norm.weight"])])
            for row in y]


def loss_of(p, batch):
    total, count = 0, 0
    for tokens, targets in batch:
        for row, target in zip(forward(p, tokens), targets):
            top = max(row)
            total += top + math.log(sum(math.exp(v - top) for v in row)) - row[target]
            count += 1
    return total / count


def close(what, got, want, tolerance):
    largest = max(map(abs, want))
    error = max(abs(g - w) for g, w in zip(got, want))
    assert len(got) == len(want) and error <= tolerance * largest, \
        (run, what, error, largest)


draw = random.Random(7)
B, T = 2, 5
tokens = [draw.randrange(256) for _ in range(B * T)]
targets = [draw.randrange(256) for _ in range(B * T)]
save(f"{run}/batch.safetensors", {"tokens": ([B, T], tokens),
                                  "targets": ([B, T], targets)})
p = {name: values for name, (_, values)
     in load(f"{checkpoint}/model.safetensors").items()}
texts = [(tokens[b * T:(b + 1) * T], targets[b * T:(b + 1) * T])
         for b in range(B)]

recorded = []
logits = []
for text, _ in texts:
    recorded.append([])
    for row in forward(p, text, recorded[-1]):
        logits += row
loss = loss_of(p, texts)


def compute(command, *options):
    out = f"{run}/{command}.safetensors"
    subprocess.run([program, command, "--model", checkpoint, "--batch",
                    f"{run}/batch.safetensors", "--out", out, "--poison",
                    *options], check=True, stdout=subprocess.DEVNULL)
    return open(out, "rb").read(), load(out)


def both_threads(command, *options):
    bits, tensors = compute(command, "--threads", "1", *options)
    assert bits == compute(command, "--threads", "3", *options)[0], "threads"
    return tensors


for schedule in ("naive", "two-phase"):
    result = both_threads("forward", "--depth-schedule", schedule)
    close("loss", result["loss"][1], [loss], 1e-5)
    close("logits", result["logits"][1], logits, 1e-5)
    for m in range(len(recorded[0])):
        shape, got = result[f"depth_weights.{m}"]
        n = shape[0]
        want = [recorded[b][m][t][k]
                for k in range(n) for b in range(B) for t in range(T)]
        if shape[1:] == [1, 1]:  # of logits: the same for all tokens
            want = [recorded[0][m][0][k] for k in range(n)]
        close(f"weights {m}", got, want, 1e-5)

gradients = both_threads("gradients")
checked = 0
# What adds up to little in f32 has the rounding errors of what was added.
largest = max(math.sqrt(dot(v, v)) for _, v in gradients.values())
for name in p:
    if not name.startswith("mixer.") and name != "embedding.weight":
        continue
    grad = gradients["grad." + name][1]
    direction = [draw.gauss(0, 1) for _ in grad]
    h = 1e-5
    values = p[name]
    sides = []
    for sign in (1, -1):
        p[name] = [v + sign * h * d for v, d in zip(values, direction)]
        sides.append(loss_of(p, texts))
    p[name] = values
    slope = (sides[0] - sides[1]) / (2 * h)
    size = math.sqrt(dot(grad, grad))
    assert abs(dot(grad, direction) - slope) <= 2e-4 * size + 1e-6 * largest, \
        (run, name, dot(grad, direction), slope, size)
    checked += size > 1e-7
assert checked >= len([n for n in p if n.startswith("mixer.")]) // 2, checked
print(f"{run} agrees in {checked} gradients")

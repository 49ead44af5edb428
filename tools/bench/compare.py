#!/usr/bin/env python3
"""Times a training step, or reading a prompt, against the same in PyTorch.

    compare.py --run build/bin/attnres-run [--case toy-block ...] [--dtype f32]
    compare.py --run build/bin/attnres-run --task prefill --batch-size 1 --seq-len 1024

Every contender is a process of its own on the same processors, with the same
number of threads, batch, sequence length and storage type. Rounds interleave
them: one short run of each per round, medians over the rounds. `--check`
instead compares the loss that both compute from the same weights and batch.

PyTorch is used as its documentation advises: torch.compile,
scaled_dot_product_attention, fused AdamW, clip_grad_norm_, and autocast for
bf16. This file runs itself as the PyTorch side (`--pytorch`).
"""
import argparse
import json
import os
import resource
import statistics
import struct
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))

#: Fields of config.json; absent ones have the defaults below.
TOY = dict(vocab_size=256, hidden_size=256, num_hidden_layers=4, num_attention_heads=4,
           num_key_value_heads=4, head_dim=64, intermediate_size=688)
WIDE = dict(vocab_size=256, hidden_size=768, num_hidden_layers=12, num_attention_heads=12,
            num_key_value_heads=12, head_dim=64, intermediate_size=2048)
#: 5.83 million parameters, a tied output of 4096 tokens.
TIED = dict(TOY, vocab_size=4096, num_hidden_layers=6, num_attention_heads=8,
            num_key_value_heads=8, head_dim=32, intermediate_size=696, tie_word_embeddings=True)
DEFAULTS = dict(norm_type="rmsnorm", norm_eps=1e-6, hidden_act="silu", attention_bias=False,
                mlp_bias=False, rope_theta=10000.0, tie_word_embeddings=False, attnres="off",
                attnres_block_size=None, attnres_final_aggregate=True, attnres_eps=1e-8,
                layer_types=None, num_experts=0)
CASES = {
    "toy-off": TOY,
    "toy-block": dict(TOY, attnres="block"),
    "toy-full": dict(TOY, attnres="full"),
    "l6-off": dict(TOY, num_hidden_layers=6),
    "l6-full": dict(TOY, num_hidden_layers=6, attnres="full"),
    "tied-off": TIED,
    "tied-full": dict(TIED, attnres="full"),
    "wide-off": WIDE,
    "wide-block": dict(WIDE, attnres="block"),
}


# ------------------------------------------------------------------ safetensors

def read_safetensors(path):
    """name -> (dtype, shape, bytes)"""
    with open(path, "rb") as file:
        size, = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(size))
        data = file.read()
    return {name: (entry["dtype"], entry["shape"],
                   data[entry["data_offsets"][0]:entry["data_offsets"][1]])
            for name, entry in header.items() if name != "__metadata__"}


def write_safetensors(path, tensors):
    """tensors: name -> (dtype, shape, bytes)"""
    header, offset = {}, 0
    for name, (dtype, shape, data) in tensors.items():
        header[name] = {"dtype": dtype, "shape": shape,
                        "data_offsets": [offset, offset + len(data)]}
        offset += len(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for _, _, data in tensors.values():
            file.write(data)


# ---------------------------------------------------------------- PyTorch side

class TorchStep:
    def __init__(self, config, args):
        import torch
        from pytorch_model import LanguageModel, count_parameters
        self.torch = torch
        torch.set_num_threads(args.threads)
        torch.manual_seed(1)
        self.model = LanguageModel(config, args.seq_len)
        self.parameters = count_parameters(self.model)
        shape = (args.batch_size, args.seq_len)
        self.tokens = torch.randint(config["vocab_size"], shape)
        self.targets = torch.randint(config["vocab_size"], shape)
        self.bf16 = args.dtype == "bf16"
        self.loss = torch.compile(self.model) if args.pytorch == "compile" else self.model
        decayed = [p for p in self.model.parameters() if p.ndim >= 2]
        others = [p for p in self.model.parameters() if p.ndim < 2]
        self.optimizer = torch.optim.AdamW(
            [{"params": decayed, "weight_decay": 0.1}, {"params": others, "weight_decay": 0.0}],
            lr=1e-4, betas=(0.9, 0.95), eps=1e-8, fused=True)

    def run(self):
        torch = self.torch
        self.optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cpu", torch.bfloat16, enabled=self.bf16):
            loss = self.loss(self.tokens, self.targets)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()


class TorchPrefill:
    """One prompt to the logits of its last token, without a cache."""

    def __init__(self, config, args):
        import torch
        from pytorch_model import LanguageModel, Prefill, count_parameters
        self.torch = torch
        torch.set_num_threads(args.threads)
        torch.manual_seed(1)
        model = LanguageModel(config, args.seq_len).eval()
        self.parameters = count_parameters(model)
        self.tokens = torch.randint(config["vocab_size"], (args.batch_size, args.seq_len))
        self.bf16 = args.dtype == "bf16"
        self.logits = Prefill(model)
        if args.pytorch == "compile":
            self.logits = torch.compile(self.logits)

    def run(self):
        torch = self.torch
        with torch.no_grad(), torch.autocast("cpu", torch.bfloat16, enabled=self.bf16):
            self.logits(self.tokens)


def peak_bytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def run_pytorch(args):
    """Answers every line of standard input by timing steps, as one JSON line."""
    import torch
    config = json.loads(args.config)
    idle = peak_bytes()
    step = (TorchStep if args.task == "step" else TorchPrefill)(config, args)
    for _ in range(3):
        step.run()
    print(json.dumps({"parameters": step.parameters, "version": torch.__version__}), flush=True)
    for _ in sys.stdin:
        seconds = []
        for _ in range(args.steps):
            start = time.perf_counter()
            step.run()
            seconds.append(time.perf_counter() - start)
        print(json.dumps({"seconds": statistics.median(seconds),
                          "peak_bytes": peak_bytes(), "idle_bytes": idle}), flush=True)


def check_pytorch(args):
    """Prints the loss of a model folder's weights on a batch file."""
    import torch
    from pytorch_model import LanguageModel
    config = json.loads(args.config)

    def tensors(path):
        types = {"F32": torch.float32, "I64": torch.int64}
        return {name: torch.frombuffer(bytearray(data), dtype=types[dtype]).reshape(shape)
                for name, (dtype, shape, data) in read_safetensors(path).items()}

    model = LanguageModel(config, args.seq_len)
    # A tied head is not stored a second time.
    model.load_state_dict(tensors(args.weights), strict=not config["tie_word_embeddings"])
    batch = tensors(args.batch)
    print(json.dumps({"loss": model(batch["tokens"], batch["targets"]).item()}))


# ------------------------------------------------------------------- both sides

class TorchProcess:
    """A PyTorch model that stays alive between rounds."""

    def __init__(self, python, mode, config, args):
        self.process = subprocess.Popen(
            [python, os.path.abspath(__file__), "--pytorch", mode, "--config", json.dumps(config),
             "--task", args.task, "--dtype", args.dtype, "--threads", str(args.threads), "--steps", str(args.steps),
             "--batch-size", str(args.batch_size), "--seq-len", str(args.seq_len)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.info = self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("the PyTorch process ended early")
        return json.loads(line)

    def time(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return self.answer()

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def time_ours(args, folder):
    task = {"step": ["step", "--batch-size", str(args.batch_size), "--seq-len", str(args.seq_len)],
            "prefill": ["generate", "--prompt-tokens", str(args.seq_len)]}[args.task]
    command = [args.run, "bench", *task, "--model", folder, "--json", "--dtype", args.dtype,
               "--threads", str(args.threads), "--rounds", str(args.steps)]
    result = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    if args.task == "prefill":
        prefill = result["prefill"]
        result.update(seconds=prefill["seconds"], flop_limit=prefill["flop_limit"],
                      model_flops=prefill["flops"], memory_bytes=None)
    return result


def first_line(command):
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\n")[0]
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def compare(args, name):
    """One row of the table for each contender."""
    config = dict(DEFAULTS, **CASES[name])
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "config.json"), "w") as file:
            json.dump(CASES[name], file)
        torch = {mode: TorchProcess(args.python, mode, config, args) for mode in args.modes}
        ours, theirs = [], {mode: [] for mode in torch}
        for _ in range(args.rounds):
            ours.append(time_ours(args, folder))
            for mode, process in torch.items():
                theirs[mode].append(process.time())
        for process in torch.values():
            process.close()
    for mode, process in torch.items():
        if process.info["parameters"] != ours[0]["parameters"]:
            raise SystemExit(f"{name}: {ours[0]['parameters']} parameters here, "
                             f"{process.info['parameters']} in PyTorch")
    tokens = args.batch_size * args.seq_len
    limit = statistics.median(run["flop_limit"] for run in ours)
    seconds = statistics.median(run["seconds"] for run in ours)
    flops = ours[0]["model_flops"]
    print(f"{name}, {args.dtype}: {ours[0]['parameters']} parameters, "
          f"{args.batch_size} x {args.seq_len} tokens, {args.threads} threads, "
          f"f32 limit {limit * 1e-9:.0f} GFLOP/s")

    def row(label, seconds, memory, ratios):
        print(f"  {label:<24}{seconds * 1e3:>9.1f} ms{tokens / seconds:>9.0f} tokens/s"
              f"{100 * flops / seconds / limit:>7.1f}% of limit"
              f"{f'{memory / 2**20:>8.0f} MiB' if memory else ''}{ratios}")

    memory = ours[0]["memory_bytes"]
    row("attnres-run", seconds, memory, "")
    for mode, process in torch.items():
        median = statistics.median(run["seconds"] for run in theirs[mode])
        # Of pairs in the same round: a disturbance hits both.
        speedup = statistics.median(there["seconds"] / here["seconds"]
                                    for here, there in zip(ours, theirs[mode]))
        peak = theirs[mode][-1]["peak_bytes"] - theirs[mode][-1]["idle_bytes"]
        ratio = f", with {100 * memory / peak:.0f}% of the memory" if memory else ""
        row(f"PyTorch {process.info['version'].split('+')[0]} {mode}", median,
            peak if memory else None, f"  we are {speedup:.2f} times as fast{ratio}")
    sys.stdout.flush()


def check(args, name):
    """Fails when both do not compute one loss from the same weights."""
    import random
    import math
    config = dict(DEFAULTS, **CASES[name])
    random.seed(1)
    shapes = {}
    for key, shape in json.loads(subprocess.run(
            [args.python, os.path.abspath(__file__), "--shapes", "--config", json.dumps(config),
             "--seq-len", str(args.seq_len)],
            check=True, capture_output=True, text=True).stdout).items():
        shapes[key] = shape

    def values(shape):
        # Gains near 1, everything else small and not zero.
        count, center = math.prod(shape), 1.0 if len(shape) == 1 else 0.0
        return struct.pack(f"<{count}f", *(random.gauss(center, 0.05) for _ in range(count)))

    with tempfile.TemporaryDirectory() as folder:
        weights, batch, out = (os.path.join(folder, file) for file in (
            "model.safetensors", "batch.safetensors", "out.safetensors"))
        with open(os.path.join(folder, "config.json"), "w") as file:
            json.dump(CASES[name], file)
        write_safetensors(weights, {key: ("F32", shape, values(shape))
                                    for key, shape in shapes.items()})
        size = args.batch_size * args.seq_len
        ids = lambda: struct.pack(f"<{size}q", *(random.randrange(config["vocab_size"])
                                                 for _ in range(size)))
        write_safetensors(batch, {key: ("I64", [args.batch_size, args.seq_len], ids())
                                  for key in ("tokens", "targets")})
        subprocess.run([args.run, "forward", "--model", folder, "--batch", batch, "--out", out],
                       check=True)
        _, _, data = read_safetensors(out)["loss"]
        ours, = struct.unpack("<f", data)
        theirs = json.loads(subprocess.run(
            [args.python, os.path.abspath(__file__), "--pytorch", "check",
             "--config", json.dumps(config), "--weights", weights, "--batch", batch,
             "--seq-len", str(args.seq_len)],
            check=True, capture_output=True, text=True).stdout)["loss"]
    print(f"{name}: loss {ours:.6f} here, {theirs:.6f} in PyTorch")
    if not abs(ours - theirs) <= 1e-4 * abs(theirs):
        raise SystemExit(f"{name}: the losses differ")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--run", help="attnres-run")
    parser.add_argument("--python", default=sys.executable, help="a Python with torch")
    parser.add_argument("--case", nargs="+", choices=list(CASES), default=["toy-block"])
    parser.add_argument("--task", choices=["step", "prefill"], default="step")
    parser.add_argument("--dtype", choices=["f32", "bf16"], default="f32")
    parser.add_argument("--modes", nargs="+", choices=["eager", "compile"],
                        default=["eager", "compile"])
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--steps", type=int, default=5, help="in each round")
    parser.add_argument("--batch-size", type=int, default=8)
    parser.add_argument("--seq-len", type=int, default=256)
    parser.add_argument("--check", action="store_true", help="compare losses, not speed")
    # How this file runs itself.
    for option in ("--pytorch", "--config", "--weights", "--batch"):
        parser.add_argument(option, help=argparse.SUPPRESS)
    parser.add_argument("--shapes", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.shapes:
        from pytorch_model import LanguageModel
        model = LanguageModel(json.loads(args.config), args.seq_len)
        print(json.dumps({name: list(p.shape) for name, p in model.named_parameters()}))
    elif args.pytorch == "check":
        check_pytorch(args)
    elif args.pytorch:
        run_pytorch(args)
    elif not args.run:
        parser.error("--run is required")
    elif args.task == "prefill" and args.batch_size != 1:
        parser.error("--task prefill reads one prompt: --batch-size 1")
    else:
        if not args.check:
            print(first_line(["sh", "-c", "grep -m1 'model name' /proc/cpuinfo"]).split(":")[-1].strip())
        for name in args.case:
            (check if args.check else compare)(args, name)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Times models and operations against the same in PyTorch and JAX.

    compare.py --run build/bin/attnres-run [--case toy-block ...] [--dtype f32]
    compare.py --run build/bin/attnres-run --task prefill --batch-size 1 --seq-len 1024
    compare.py --run build/bin/attnres-run --task attention --shape 1x1024x8x64 --peers eager jax
    compare.py --run build/bin/attnres-run --check --case toy-off toy-block

Every contender is a process of its own on the same processors, with the same
number of threads, batch, sequence length and storage type. Rounds interleave
them: one short run of each per round, medians over the rounds. `--check`
instead compares the loss that both compute from the same weights and batch.
"""
import argparse
import json
import math
import os
import random
import statistics
import struct
import subprocess
import sys
import tempfile

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
                layer_types=None, num_experts=0, kda_num_heads=4, kda_head_dim=64, kda_conv_size=4,
                kda_gate_lower_bound=None, num_shared_experts=1, first_k_dense_replace=1)
KDA_TOY = dict(TOY, layer_types=["kda"] * 4, kda_num_heads=4, kda_head_dim=64)
K3_TOY = dict(KDA_TOY, layer_types=["kda"] * 3 + ["mla"], hidden_act="situ", rope_theta=None,
              mla_num_heads=4, mla_kv_lora_rank=64, mla_q_lora_rank=96, mla_qk_head_dim=96,
              mla_v_head_dim=64, num_experts=8, num_experts_per_tok=2, moe_latent_size=128,
              moe_intermediate_size=256)
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
    "kda-toy": KDA_TOY,
    "k3-toy": dict(K3_TOY, attnres="block"),
}
#: Peers and how they are started.
PEERS = {"eager": ("pytorch_peer.py", "eager"), "compile": ("pytorch_peer.py", "compile"),
         "jax": ("jax_peer.py", "jit")}
OPERATIONS = {"attention": ["1x1024x8x64", "1x4096x8x64"], "depth": ["9x16384x768", "9x2048x256"],
              "kda": ["8x256x4x64", "1x4096x8x128"]}


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


# ------------------------------------------------------------------- contenders

class Peer:
    """A process that stays alive between rounds."""

    def __init__(self, args, name, subject):
        script, mode = PEERS[name]
        spec = dict(task=args.task, mode=mode, dtype=args.dtype, threads=args.threads,
                    steps=args.steps, batch_size=args.batch_size, seq_len=args.seq_len, **subject)
        self.process = subprocess.Popen([args.python, os.path.join(HERE, script), json.dumps(spec)],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        info = self.answer()
        self.version, self.parameters = info["version"], info["parameters"]

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("the process of a peer ended early")
        return json.loads(line)

    def time(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return self.answer()

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def run_bench(args, *command):
    return json.loads(subprocess.run(
        [args.run, "bench", *command, "--json", "--dtype", args.dtype, "--threads", str(args.threads),
         "--rounds", str(args.steps)], check=True, capture_output=True, text=True).stdout)


def time_model(args, folder):
    if args.task == "prefill":
        result = run_bench(args, "generate", "--prompt-tokens", str(args.seq_len), "--model", folder)
        part = result["prefill"]
        return dict(seconds={"prefill": part["seconds"]}, flops=part["flops"], limit=part["flop_limit"],
                    parameters=result["parameters"])
    result = run_bench(args, "step", "--batch-size", str(args.batch_size), "--seq-len", str(args.seq_len),
                       "--model", folder)
    return dict(seconds={"step": result["seconds"]}, flops=result["model_flops"],
                limit=result["flop_limit"], parameters=result["parameters"])


def time_operation(args, shape):
    forward, backward = run_bench(args, args.task, "--shape", shape)["cases"][:2]
    return dict(seconds={"forward": forward["seconds"],
                         "forward and backward": forward["seconds"] + backward["seconds"]})


def peak_bytes(command):
    """The largest resident memory of a process, and so what it costs a user."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed")
    return usage.ru_maxrss * 1024


def training_memory(args, folder):
    """What training takes above what the program takes to start."""
    data = os.path.join(folder, "data.bin")
    with open(data, "wb") as file:
        file.write(random.Random(1).randbytes(8 * (args.batch_size + 1) * args.seq_len))

    def train(out):
        return peak_bytes([args.run, "train", "--config", os.path.join(folder, "config.json"), "--data", data,
                           "--batch-size", str(args.batch_size), "--seq-len", str(args.seq_len),
                           "--dtype", args.dtype, "--threads", str(args.threads), "--steps", "3",
                           "--save-every", "0", "--eval-every", "0", "--out", os.path.join(folder, out)])

    train("compiles")  # leaves the program in the cache
    return train("trains") - peak_bytes([args.run, "--version"])


# ------------------------------------------------------------------- comparison

def interleave(args, subject, time_ours):
    """Our results of every round, and for each peer its own."""
    peers = [Peer(args, name, subject) for name in args.peers]
    ours, theirs = [], [[] for _ in peers]
    for _ in range(args.rounds):
        ours.append(time_ours())
        for results, peer in zip(theirs, peers):
            results.append(peer.time())
    for peer in peers:
        peer.close()
    return ours, list(zip(peers, theirs))


def medians(results, name):
    return statistics.median(result["seconds"][name] for result in results)


def speedup(ours, theirs, name):
    # Of pairs in the same round: a disturbance hits both.
    return statistics.median(there["seconds"][name] / here["seconds"][name]
                             for here, there in zip(ours, theirs))


def compare_models(args, name):
    config = dict(DEFAULTS, **CASES[name])
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "config.json"), "w") as file:
            json.dump(CASES[name], file)
        ours, peers = interleave(args, {"config": config}, lambda: time_model(args, folder))
        memory = training_memory(args, folder) if args.task == "step" else None
    parameters = ours[0]["parameters"]
    for peer, _ in peers:
        if peer.parameters != parameters:
            raise SystemExit(f"{name}: {parameters} parameters here, {peer.parameters} in {peer.version}")
    tokens, flops = args.batch_size * args.seq_len, ours[0]["flops"]
    limits = [run["limit"] for run in ours if run["limit"]]  # null where it could not be measured
    limit = statistics.median(limits) if limits else float("nan")
    print(f"{name}, {args.task}, {args.dtype}: {parameters} parameters, {args.batch_size} x {args.seq_len} tokens, "
          f"{args.threads} threads, limit {limit * 1e-9:.0f} GFLOP/s")

    def row(label, seconds, memory, ratios):
        print(f"  {label:<24}{seconds * 1e3:>9.1f} ms{tokens / seconds:>9.0f} tokens/s"
              f"{100 * flops / seconds / limit:>7.1f}% of limit"
              f"{f'{memory / 2**20:>8.0f} MiB' if memory else ''}{ratios}")

    row("attnres-run", medians(ours, args.task), memory, "")
    for peer, theirs in peers:
        peak = theirs[-1]["memory_bytes"] if memory else None
        ratio = f", with {100 * memory / peak:.0f}% of the memory" if memory else ""
        row(peer.version, medians(theirs, args.task), peak,
            f"  we are {speedup(ours, theirs, args.task):.2f} times as fast{ratio}")
    sys.stdout.flush()


def compare_operation(args, shape):
    sizes = [int(size) for size in shape.split("x")]
    ours, peers = interleave(args, {"shape": sizes}, lambda: time_operation(args, shape))
    print(f"{args.task} {shape}, {args.dtype}, {args.threads} threads")
    for name in ours[0]["seconds"]:
        print(f"  {name}: {medians(ours, name) * 1e3:.2f} ms")
        for peer, theirs in peers:
            print(f"    {peer.version:<24}{medians(theirs, name) * 1e3:>9.2f} ms  "
                  f"we are {speedup(ours, theirs, name):.2f} times as fast")
    sys.stdout.flush()


# ------------------------------------------------------------------------ check

def run_here(args, *options):
    return json.loads(subprocess.run([args.python, os.path.abspath(__file__), *options],
                                     check=True, capture_output=True, text=True).stdout)


def print_shapes(args):
    from pytorch_model import LanguageModel
    model = LanguageModel(json.loads(args.config), args.seq_len)
    print(json.dumps({name: list(p.shape) for name, p in model.named_parameters()}))


def print_loss(args):
    """The loss of a weights file on a batch file, in PyTorch."""
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
    print(json.dumps(model(batch["tokens"], batch["targets"]).item()))


def check(args, name):
    """Fails when both do not compute one loss from the same weights."""
    config = dict(DEFAULTS, **CASES[name])
    common = ["--config", json.dumps(config), "--seq-len", str(args.seq_len)]
    shapes = run_here(args, "--shapes", *common)
    random.seed(1)

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
        theirs = run_here(args, "--loss", "--weights", weights, "--batch", batch, *common)
    print(f"{name}: loss {ours:.6f} here, {theirs:.6f} in PyTorch")
    if not abs(ours - theirs) <= 1e-4 * abs(theirs):
        raise SystemExit(f"{name}: the losses differ")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--run", help="attnres-run")
    parser.add_argument("--python", default=sys.executable, help="a Python with the peers")
    parser.add_argument("--task", choices=["step", "prefill", *OPERATIONS], default="step")
    parser.add_argument("--case", nargs="+", choices=list(CASES), default=["toy-block"],
                        help="models, for step and prefill")
    parser.add_argument("--shape", nargs="+", help="as attnres-run bench takes it, for operations")
    parser.add_argument("--dtype", choices=["f32", "bf16"], default="f32")
    parser.add_argument("--peers", nargs="+", choices=list(PEERS), default=["eager", "compile"],
                        help="PyTorch eager, torch.compile, and for operations JAX")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--steps", type=int, default=5, help="in each round")
    parser.add_argument("--batch-size", type=int, default=8)
    parser.add_argument("--seq-len", type=int, default=256)
    parser.add_argument("--check", action="store_true", help="compare losses, not speed")
    # How this file runs itself with the Python that has PyTorch.
    for option in ("--config", "--weights", "--batch"):
        parser.add_argument(option, help=argparse.SUPPRESS)
    for option in ("--shapes", "--loss"):
        parser.add_argument(option, action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.shapes:
        return print_shapes(args)
    if args.loss:
        return print_loss(args)
    if not args.run:
        parser.error("--run is required")
    if args.task == "prefill" and args.batch_size != 1:
        parser.error("--task prefill reads one prompt: --batch-size 1")
    if args.task not in OPERATIONS and "jax" in args.peers:
        parser.error("JAX is a peer for operations only")
    if args.task == "kda" and (args.dtype != "f32" or "jax" in args.peers):
        parser.error("--task kda compares with PyTorch in f32")
    if args.check:
        for name in args.case:
            check(args, name)
        return
    with open("/proc/cpuinfo") as file:
        print(next((line.split(":")[1].strip() for line in file if line.startswith("model name")), "unknown"))
    if args.task in OPERATIONS:
        for shape in args.shape or OPERATIONS[args.task]:
            compare_operation(args, shape)
    else:
        for name in args.case:
            compare_models(args, name)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""How the cost of training grows, measured beside what formulas say, as tables.

    scaling.py --run build/bin/attnres-run [tokens layers sources threads]

Rounds go over all points of a table, so that a disturbance hits neighbours
alike; medians over the rounds are printed. The model is `toy` (width 256), in
f32. A formula predicts the time of a point from that of the first.
"""
import argparse
import json
import os
import subprocess
import tempfile

TOY = dict(vocab_size=256, hidden_size=256, num_hidden_layers=4, num_attention_heads=4,
           num_key_value_heads=4, head_dim=64, intermediate_size=688, attnres="block")
TOKENS = [128, 256, 512, 1024, 2048, 4096, 8192]
LAYERS = [2, 4, 8, 16, 32, 64, 96]
SOURCES = [2, 3, 5, 9, 17, 33]


class Runner:
    def __init__(self, args):
        self.args = args

    def json(self, *command):
        return json.loads(subprocess.run([self.args.run, *map(str, command), "--json"], check=True,
                                         capture_output=True, text=True).stdout)

    def with_model(self, fields, *command):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "config.json"), "w") as file:
                json.dump(dict(TOY, **fields), file)
            return self.json(*command, "--model", folder)

    def step(self, fields, batch, tokens, threads=0):
        return self.with_model(fields, "bench", "step", "--batch-size", batch, "--seq-len", tokens,
                               "--threads", threads, "--rounds", self.args.steps)

    def medians(self, points, measure):
        """For each point the result of `measure` whose time is the median."""
        results = {point: [] for point in points}
        for _ in range(self.args.rounds):
            for point in points:
                results[point].append(measure(point))
        return {point: sorted(list_, key=lambda result: result["seconds"])[len(list_) // 2]
                for point, list_ in results.items()}


def percent(share):
    """What could not be measured is null."""
    return "?" if share is None else f"{100 * share:.0f} %"


def ratio(x, y):
    return "?" if x is None or y is None else f"{x / y:.2f}"


def print_table(title, header, rows):
    print(f"\n{title}\n\n| {' | '.join(header)} |\n|{'---|' * len(header)}")
    for row in rows:
        print(f"| {' | '.join(row)} |", flush=True)


def table_of_tokens(run):
    """Time per token against flops per token: products, and attention that grows with T."""
    batches = {tokens: max(2048 // tokens, 1) for tokens in TOKENS}
    results = run.medians(TOKENS, lambda tokens: run.step({}, batches[tokens], tokens))
    rows = []
    per_token = {t: (r["seconds"] / (t * batches[t]), r["model_flops"] / (t * batches[t]))
                 for t, r in results.items()}
    first = per_token[TOKENS[0]]
    for tokens, result in results.items():
        seconds, flops = per_token[tokens]
        rows.append([f"{batches[tokens]} x {tokens}", f"{result['seconds'] * 1e3:.1f}",
                     f"{result['tokens_per_second']:.0f}", percent(result["share_of_flop_limit"]),
                     f"{seconds / first[0]:.2f}", f"{flops / first[1]:.2f}",
                     f"{result['memory_bytes'] / (tokens * batches[tokens]) / 1024:.0f}"])
    print_table("Length of a sequence", ["batch", "ms", "tokens/s", "of the limit", "time per token",
                                         "flops per token", "KiB per token"], rows)


def table_of_layers(run):
    """Cost of depth mixing; vectors moved per token and sublayer as planned and as published."""
    batch, tokens = 2, 256
    modes = ("off", "block", "full")
    points = [(layers, mode) for layers in LAYERS for mode in modes]
    fields = lambda point: dict(num_hidden_layers=point[0], attnres=point[1])
    results = run.medians(points, lambda point: run.step(fields(point), batch, tokens))
    rows = []
    for layers in LAYERS:
        off = results[layers, "off"]["seconds"]
        row = [str(layers), f"{off * 1e3:.0f}", f"{off / layers * 1e3:.1f}"]
        for mode in modes[1:]:
            plan = run.with_model(fields((layers, mode)), "plan", "--batch-size", batch, "--seq-len", tokens)
            traffic = plan["depth_vectors_per_token_and_sublayer"]
            row += [f"{100 * (results[layers, mode]['seconds'] / off - 1):.1f} %",
                    f"{traffic['counted']:.1f} ({traffic['published']:.1f})" if "published" in traffic
                    else f"{traffic['counted']:.1f}"]
        rows.append(row)
    print_table("Layers", ["L", "off, ms", "ms per layer", "block costs", "vectors (published)", "full costs",
                           "vectors (published)"], rows)


def table_of_sources(run):
    """Depth attention reads every source once and writes one output: time grows as N + 1."""
    rows_of_values = 16384

    def measure(sources):
        forward, backward = run.json("bench", "depth", "--shape", f"{sources}x{rows_of_values}x256",
                                     "--rounds", run.args.steps)["cases"]
        return dict(seconds=forward["seconds"], forward=forward, backward=backward)

    results = run.medians(SOURCES, measure)
    first = results[SOURCES[0]]
    rows = []
    for sources, result in results.items():
        row = [str(sources)]
        for name, size in (("forward", lambda n: n + 1), ("backward", lambda n: 2 * n + 1)):
            predicted = first[name]["seconds"] * size(sources) / size(SOURCES[0])
            row += [f"{result[name]['seconds'] * 1e3:.2f}", f"{predicted * 1e3:.2f}",
                    f"{100 * result[name]['share']:.0f} %"]
        rows.append(row)
    print_table(f"Sources of depth attention, {rows_of_values} x 256",
                ["N", "forward, ms", "as N + 1", "of copying", "backward, ms", "as 2 N + 1", "of copying"], rows)


def table_of_threads(run):
    counts = list(range(1, len(os.sched_getaffinity(0)) + 1))
    rows = []
    for dtype in ("f32", "bf16"):
        results = run.medians(counts, lambda count: run.with_model(
            {}, "bench", "step", "--batch-size", 8, "--seq-len", 256, "--threads", count, "--dtype", dtype,
            "--rounds", run.args.steps))
        for count, result in results.items():
            rows.append([dtype, str(count), f"{result['seconds'] * 1e3:.1f}",
                         f"{results[counts[0]]['seconds'] / result['seconds']:.2f}",
                         ratio(result["flop_limit"], results[counts[0]]["flop_limit"])])
    print_table("Threads", ["", "threads", "ms", "times as fast as one", "limit, times that of one"], rows)


TABLES = {"tokens": table_of_tokens, "layers": table_of_layers, "sources": table_of_sources,
          "threads": table_of_threads}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"of {', '.join(TABLES)}; all without any")
    parser.add_argument("--run", required=True, help="attnres-run")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=3, help="in each round")
    args = parser.parse_args()
    for name in args.tables:
        if name not in TABLES:
            parser.error(f"unknown table '{name}'; there are {', '.join(TABLES)}")
    for name in args.tables or TABLES:
        TABLES[name](Runner(args))


if __name__ == "__main__":
    main()

"""Measures the programs of a bundle; see gpu.sh.

    python3 gpu_report.py BUNDLE [--device cuda] [--out FILE] [--rounds N] [--seconds N]
"""
import argparse
import glob
import json
import os
import subprocess
import sys
import time

try:
    import torch
    import torch.nn.functional as F
    HAS_TORCH = torch.cuda.is_available()
except (ImportError, OSError):
    HAS_TORCH = False


def run(options, *arguments):
    """What attnres-exec prints, or its error line as an exception."""
    command = [os.path.join(options.bundle, "bin", "attnres-exec"), *arguments]
    # For this program alone: PyTorch has libraries of its own.
    paths = [os.path.join(options.bundle, "lib"), os.environ.get("LD_LIBRARY_PATH")]
    done = subprocess.run(command, capture_output=True, text=True,
                          env={**os.environ, "LD_LIBRARY_PATH": ":".join(filter(None, paths))})
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "failed")
    return done.stdout


def seconds_of(function, rounds):
    """The median time of a function on the GPU."""
    for _ in range(3):
        function()
    times = []
    for _ in range(rounds):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        function()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end) * 1e-3)
    return sorted(times)[len(times) // 2]


def copy_rate(rounds):
    """Bytes a second that copying memory reads and writes."""
    source = torch.empty(1 << 30, dtype=torch.uint8, device="cuda")
    target = torch.empty_like(source)
    return 2 * source.numel() / seconds_of(lambda: target.copy_(source), rounds)


def attention_peers(shape, backward, rounds):
    """Seconds of PyTorch's attention by back end."""
    from torch.nn.attention import SDPBackend, sdpa_kernel
    batch, tokens, heads, size = shape
    q, k, v = (torch.randn(batch, heads, tokens, size, device="cuda", dtype=torch.bfloat16,
                           requires_grad=backward) for _ in range(3))
    found = {}
    for name in ("FLASH_ATTENTION", "CUDNN_ATTENTION", "EFFICIENT_ATTENTION"):
        try:
            with sdpa_kernel(getattr(SDPBackend, name)):
                if not backward:
                    function = lambda: F.scaled_dot_product_attention(q, k, v, is_causal=True)
                else:
                    out = F.scaled_dot_product_attention(q, k, v, is_causal=True)
                    grad = torch.randn_like(out)
                    function = lambda: torch.autograd.grad(out, (q, k, v), grad, retain_graph=True)
                found[name.split("_")[0].lower()] = seconds_of(function, rounds)
        except (RuntimeError, AttributeError):
            pass  # this back end does not take the shape
    return found


def peers(case, rounds):
    """Seconds of others for the same operation, by name."""
    if not HAS_TORCH:
        return {}
    shape = case["shape"]
    if case["benchmark"] == "attention":
        return attention_peers(shape, case["number"] == 1, rounds)
    if case["benchmark"] == "matmul" and case["number"] == 0:
        rows, inputs, outputs = shape
        x = torch.randn(rows, inputs, device="cuda", dtype=torch.bfloat16)
        w = torch.randn(outputs, inputs, device="cuda", dtype=torch.bfloat16)
        return {"cublas": seconds_of(lambda: F.linear(x, w), rounds)}
    return {}


def check(options):
    """Whether the device computes what the processor does, for each program."""
    results = []
    for path in sorted(glob.glob(os.path.join(options.bundle, "check", "*.program"))):
        with open(path[:-len(".program")] + ".json", encoding="utf-8") as file:
            case = json.load(file)
        try:
            text = run(options, "compare", path, "--device", options.device, "--tolerance", "0.02")
            results.append({"case": case["case"], "close": True, "text": text.strip()})
        except RuntimeError as error:
            results.append({"case": case["case"], "close": False, "text": str(error)})
        print("%-8s %s: %s" % ("ok" if results[-1]["close"] else "WRONG", case["case"], results[-1]["text"]),
              flush=True)
    return results


def measure(options, path, name, estimate, others):
    """One row: a program on the device, beside its estimate and others."""
    row = {"case": name, "estimated_seconds": estimate, "peers": others}
    try:
        bench = json.loads(run(options, "bench", path, "--device", options.device, "--rounds",
                               str(options.rounds), "--json"))
    except RuntimeError as error:
        row["error"] = str(error)
        return row
    # Kernels alone: what lies between is the processor's.
    row["seconds"] = sum(kernel["seconds"] for kernel in bench["kernels"])
    row["whole_seconds"] = bench["seconds"]
    row["flops"] = sum(kernel["flops"] for kernel in bench["kernels"])
    row["bytes"] = sum(kernel["bytes"] for kernel in bench["kernels"])
    row["kernels"] = bench["kernels"]
    return row


def show(row, copy):
    if "error" in row:
        print("%-52s %s" % (row["case"], row["error"]), flush=True)
        return
    seconds = row["seconds"]
    share = "%5.1f%%" % (100 * row["bytes"] / seconds / copy) if copy else "     ?"
    others = ", ".join("%s %.1f us" % (name, 1e6 * time) for name, time in row["peers"].items())
    print("%-52s %10.1f %10.1f %8.1f %8.1f %6s  %s" % (
        row["case"], 1e6 * seconds, 1e6 * row["estimated_seconds"], row["flops"] / seconds * 1e-12,
        row["bytes"] / seconds * 1e-9, share, others), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bundle")
    parser.add_argument("--device", default="cuda", choices=("cuda", "emulator"))
    parser.add_argument("--out", help="JSON file for the results")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=330, help="begin no case after this time")
    options = parser.parse_args()
    start = time.monotonic()
    results = {"device": options.device, "date": time.strftime("%Y-%m-%d"),
               "torch": torch.__version__ if HAS_TORCH else None, "checks": check(options), "rows": []}
    copy = copy_rate(options.rounds) if HAS_TORCH and options.device == "cuda" else None
    results["copy_bytes_per_second"] = copy
    if copy:
        print("copying: %.0f GB/s" % (copy * 1e-9))
    print("%-52s %10s %10s %8s %8s %6s  peers" % ("case", "us", "estimate", "TFLOP/s", "GB/s", "copy"))
    left_out = 0
    for folder in ("time", "steps"):
        for path in sorted(glob.glob(os.path.join(options.bundle, folder, "*.program"))):
            if time.monotonic() - start > options.seconds:
                left_out += 1
                continue
            with open(path[:-len(".program")] + ".json", encoding="utf-8") as file:
                case = json.load(file)
            if folder == "time":
                row = measure(options, path, case["case"], case["estimate"]["seconds"],
                              peers(case, options.rounds) if options.device == "cuda" else {})
            else:
                name = "training step of " + os.path.basename(path)[:-len(".program")]
                row = measure(options, path, name, case["gpu_estimate"]["seconds"], {})
            results["rows"].append(row)
            show(row, copy)
    if left_out:
        print("%d cases left out after %.0f s" % (left_out, options.seconds))
    if options.out:
        with open(options.out, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)
    wrong = [one["case"] for one in results["checks"] if not one["close"]]
    failed = [row["case"] for row in results["rows"] if "error" in row]
    if wrong or failed:
        sys.exit("gpu_report.py: %d wrong, %d failed" % (len(wrong), len(failed)))


if __name__ == "__main__":
    main()

"""What the processes of other frameworks share: they answer requests to time.

A peer is started with one argument, a JSON object: task, mode, config or shape,
dtype, threads, steps, batch_size, seq_len. It prints one line when it is ready
and then, for every line of standard input, one line of medians.
"""
import json
import resource
import statistics
import sys
import time


def peak_bytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def read_spec():
    return json.loads(sys.argv[1])


def serve(version, functions, steps, idle_bytes, parameters=None):
    """`functions`: what is timed, by name; each returns when its work is done.
    `idle_bytes` is the peak before there was a model."""
    for function in functions.values():
        for _ in range(3):
            function()
    print(json.dumps({"version": version, "parameters": parameters}), flush=True)
    for _ in sys.stdin:
        seconds = {}
        for name, function in functions.items():
            times = []
            for _ in range(steps):
                start = time.perf_counter()
                function()
                times.append(time.perf_counter() - start)
            seconds[name] = statistics.median(times)
        print(json.dumps({"seconds": seconds, "memory_bytes": peak_bytes() - idle_bytes}), flush=True)

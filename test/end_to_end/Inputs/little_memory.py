"""Runs a command with less and less address space.

usage: little_memory.py COMMAND...

With enough of it the command succeeds; with less it ends with status 1 and one
line on standard error, wherever memory ran out. Where not even the libraries
can be loaded, nothing is expected.
"""

import resource
import subprocess
import sys

MIB = 1 << 20


def run(command, limit):
    return subprocess.run(
        command, capture_output=True, text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS,
                                              (limit, resource.RLIM_INFINITY)))


def main():
    command = sys.argv[1:]
    enough, little = 4096 * MIB, 64 * MIB
    first = run(command, enough)
    if "Sanitizer" in first.stderr:  # its shadow needs more than any limit
        print("one line each")
        return
    assert first.returncode == 0, first.stderr
    failures = set()
    # Halves the range between what is enough and what is not, and looks at
    # every failure on the way.
    while enough - little > 2 * MIB:
        limit = (enough + little) // 2
        done = run(command, limit)
        if done.returncode == 0:
            enough = limit
            continue
        little = limit
        if done.returncode == 127:
            continue  # the system's loader
        assert done.returncode == 1, \
            f"{limit} bytes: exit code {done.returncode}: {done.stderr}"
        lines = done.stderr.splitlines()
        assert len(lines) == 1 and lines[0].startswith("attnres-run: "), \
            f"{limit} bytes: {done.stderr}"
        failures.add(lines[0].split(";")[0])
    assert failures, "memory was always enough or never"
    print("one line each")


main()

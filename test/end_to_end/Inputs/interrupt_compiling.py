"""Ends commands while they compile and looks at what they leave.

usage: interrupt_compiling.py DELAY FOLDER COMMAND...

Starts COMMAND once for each of SIGINT, SIGTERM and SIGHUP, sends the signal
after DELAY seconds and expects the end by that signal, in FOLDER nothing but
empty folders.
"""

import os
import signal
import subprocess
import sys
import time


def main():
    delay, folder, *command = sys.argv[1:]
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # A test driver in the background may have them ignored.
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
        time.sleep(float(delay))
        assert process.poll() is None, process.stderr.read()
        process.send_signal(number)
        sent = time.monotonic()
        _, errors = process.communicate()
        waited = time.monotonic() - sent
        # Two seconds, and what a busy machine adds.
        assert waited < 20, f"{number.name}: still there after {waited:.0f} s"
        assert process.returncode in (-number, 128 + number), \
            f"{number.name}: exit code {process.returncode}: {errors}"
        left = [os.path.join(d, f) for d, _, files in os.walk(folder)
                for f in files]
        assert not left, f"{number.name}: left {left}"
    print("ended at once")


main()

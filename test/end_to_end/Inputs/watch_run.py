"""Looks at the page that report --watch serves, as a run grows and breaks.

    python3 watch_run.py ATTNRES_RUN FOLDER
"""
import http.client
import json
import re
import signal
import subprocess
import sys

command, folder = sys.argv[1:]
server = subprocess.Popen([command, "report", folder, "--watch", "--port", "0"], stdout=subprocess.PIPE, text=True)
try:
    port = int(re.match(r"http://127\.0\.0\.1:(\d+)/ ", server.stdout.readline()).group(1))

    def ask(path="/", host=None):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request("GET", path, headers={"Host": host} if host else {})
        answer = connection.getresponse()
        return answer.status, answer.read().decode().strip()

    def last_step():
        status, page = ask()
        assert status == 200 and '<meta http-equiv="refresh"' in page, page
        return "step %s" % max(int(n) for n in re.findall(r"step ([0-9]+)", page))

    print(last_step())
    with open(folder + "/metrics.jsonl") as f:
        lines = f.read().splitlines()
    step = json.loads(next(line for line in reversed(lines) if '"step"' in line and json.loads(line)["kind"] == "step"))
    step["step"] = 40
    with open(folder + "/metrics.jsonl", "a") as f:
        f.write(json.dumps(step) + "\n")
    print(last_step())
    print("other names", ask(host="attacker.example:%d" % port)[0])
    print("other pages", ask("/metrics.jsonl")[0])
    with open(folder + "/run.json", "w") as f:
        f.write("{")
    print("broken", *ask())
finally:
    server.send_signal(signal.SIGINT)
    print("ended", server.wait(60))

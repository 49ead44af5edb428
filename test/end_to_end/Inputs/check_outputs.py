"""Every command that writes a file writes it where it belongs.

usage: check_outputs.py FOLDER GOLDEN INPUTS
"""

import os
import stat
import subprocess
import sys

folder, golden, inputs = sys.argv[1:]
os.chdir(folder)

run = ["attnres-run"]
batch = golden + "/batch.safetensors"
subprocess.run([sys.executable, inputs + "/make_run.py", "record",
                golden + "/config.json", "5"], check=True)
with open("k.ptx", "w") as file:
    file.write(".version 8.0\n.target sm_80\n.address_size 64\n"
               ".visible .entry k() { ret; }\n")
with open("f.mlir", "w") as file:
    file.write("func.func @f() { return }\n")
with open("bad.mlir", "w") as file:
    file.write("func.func @f() { no.op }\n")

#: A command without the name of its output.
commands = {
    "compile": run + ["compile", "--preset", "toy", "--seq-len", "8", "--out"],
    "gradients": run + ["gradients", "--model", golden, "--batch", batch, "--out"],
    "forward": run + ["forward", "--model", golden, "--batch", batch, "--out"],
    "model": run + ["model", "--preset", "toy", "--seq-len", "8", "--out"],
    "report": run + ["report", "record", "--out"],
    "opt": ["attnres-opt", "f.mlir", "-o"],
    "counters": run + ["emulate", "k.ptx", "--json"],
    "dump": run + ["compile", "--preset", "toy", "--seq-len", "8", "--out",
                   "dumped", "--dump-stage"],
}


def write(name, path, code=0):
    if name == "dump":
        path = "naive=" + path
    done = subprocess.run(commands[name] + [path], capture_output=True)
    assert done.returncode == code, (name, path, done)
    return done


def content(path):
    with open(path, "rb") as file:
        return file.read()


wanted = {}
for name in commands:
    write(name, "plain")
    wanted[name] = content("plain")
    assert wanted[name], name
    os.remove("plain")

for name in commands:
    # A device, by its name and by a link.
    for link in ("/dev/null", "null-link"):
        if link == "null-link":
            os.symlink("/dev/null", link)
        write(name, link)
        assert stat.S_ISCHR(os.stat(link).st_mode), name
    assert os.path.islink("null-link"), name
    os.remove("null-link")

    # A link stays a link, and what it stands for is written, there or not yet;
    # relative ones start where the link is.
    os.makedirs("sub", exist_ok=True)
    for target in ("there", "sub/new"):
        if target == "there":
            with open(target, "w") as file:
                file.write("old")
        os.symlink("../" + target, "sub/link")
        os.symlink("sub/link", "link")
        write(name, "link")
        assert os.readlink("link") == "sub/link", name
        assert os.readlink("sub/link") == "../" + target, name
        assert content(target) == wanted[name], name
        for path in ("link", "sub/link", target):
            os.remove(path)

    # Permissions of a file stay.
    with open("kept", "w") as file:
        file.write("old")
    os.chmod("kept", 0o640)
    write(name, "kept")
    assert stat.S_IMODE(os.stat("kept").st_mode) == 0o640, name
    assert content("kept") == wanted[name], name
    os.remove("kept")

    # A pipe gets the bytes and stays a pipe.
    os.mkfifo("pipe")
    with open("read", "wb") as file:
        reader = subprocess.Popen(["cat", "pipe"], stdout=file)
        write(name, "pipe")
        assert reader.wait() == 0
    assert stat.S_ISFIFO(os.stat("pipe").st_mode), name
    assert content("read") == wanted[name], name
    os.remove("pipe")

    # Open descriptors go on where they are, between what else is printed.
    path = "naive=/dev/stdout" if name == "dump" else "/dev/stdout"
    with open("printed", "wb") as file:
        file.write(b"before\n")
        file.flush()
        subprocess.run(commands[name] + [path], check=True, stdout=file)
        file.seek(0, 2)
        file.write(b"after\n")
    printed = content("printed")
    assert printed.startswith(b"before\n") and printed.endswith(b"after\n"), name
    assert wanted[name] in printed, name

    # Folders are refused and loops of links are, with one line.
    os.mkdir("dir")
    os.symlink("loop", "loop")
    for path in ("dir", "loop", "absent/file"):
        done = write(name, path, code=1)
        assert done.stderr.count(b"\n") == 1, (name, done.stderr)
        assert path.encode() in done.stderr, (name, done.stderr)
    assert os.path.islink("loop") and os.listdir("dir") == [], name
    os.rmdir("dir")
    os.remove("loop")

# What was there before a pass failed is there after it, and so is a link.
with open("old.mlir", "w") as file:
    file.write("old")
os.symlink("old.mlir", "link.mlir")
for path in ("old.mlir", "link.mlir"):
    done = subprocess.run(["attnres-opt", "bad.mlir", "-o", path],
                          capture_output=True)
    assert done.returncode == 1, done
    assert content(path) == b"old", path
assert os.path.islink("link.mlir")

# The longest name that a folder takes.
write("model", "n" * 255)

# Nothing unfinished stays.
left = [n for n in os.listdir(".") + os.listdir("sub") if ".tmp." in n]
assert not left, left

"""Learns vocabularies from texts with hardly any pieces.

usage: odd_texts.py FOLDER

Whatever the text is, a command ends with a vocabulary that gives it back, or
with one line that names options of this program, and bounds that hold.
"""

import os
import re
import subprocess
import sys

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
os.chdir(folder)

texts = {
    "empty": b"",
    "newline": b"\n",
    "spaces": b"    \n  \n",
    "one": b"a",
    "repeated": b"a" * 24,
    "long": b"ab" * 5000,
    "two": b"ab\nba\n",
    "hello": b"hello world\n",
    "nul": b"a\0b\0c\n" * 20,
    "controls": bytes(range(1, 32)) * 4,
    "latin": b"caf\xe9\n",
    "cut": "caf\u00e9".encode()[:-1],
    "mark": "\u2581\u2581a\n".encode() * 9,
    "unknown": "\u2585\u2047 a\n".encode() * 9,
    "bom": b"\xef\xbb\xbfhello\r\nworld\r\n",
    "utf16": "hello\n".encode("utf-16"),
    "many": "".join(chr(0x4e00 + i) for i in range(600)).encode(),
    "markup": b"<unk></s><s><0x41><pad>\n" * 30,
}
sizes = ["260", "300", "20000"]
bounds = ["0", "258", "16777217", "2147483647", "3000000000"]


def run(*arguments, **options):
    return subprocess.run(["attnres-run", "tokenizer", *arguments],
                          capture_output=True, **options)


def train(name, size, kind):
    return run("train", "--input", name, "--vocab-size", size, "--kind", kind,
               "--out", "out")


learned = 0
for name, text in texts.items():
    with open(name, "wb") as file:
        file.write(text)
    for kind in ("bpe", "unigram"):
        for size in sizes + (bounds if name == "hello" else []):
            done = train(name, size, kind)
            case = (name, kind, size, done)
            message = done.stderr.decode()
            assert done.returncode in (0, 1), case
            assert "character_coverage" not in message, case
            assert "vocab_size" not in message, case
            assert message.count("\n") == done.returncode, case
            bound = re.search(r"at (least|most) (\d+)", message)
            if bound and size in sizes:
                # What is named is allowed; the least may still be too much.
                again = train(name, bound[2], kind)
                said = again.stderr.decode()
                assert again.returncode == 0 or "at least" not in said, (
                    case, bound[2], again)
                done = again
            if done.returncode == 0:
                learned += 1
                tokens = run("encode", "--tokenizer", "out", "--input", name)
                back = run("decode", "--tokenizer", "out", input=tokens.stdout)
                assert back.stdout == text, (case, tokens, back)
assert learned > 10, learned

"""Fails for a pass without statistics or without tests.

    python3 pass_tests.py SOURCE_ROOT

Of every pass that a Passes.td defines:

* it has statistics, unless its summary begins with "prove": those change
  nothing and either pass or fail;
* test/passes has a file with its name, which runs it and FileCheck, or expects
  diagnostics;
* one of these files shows that its numbers are right: it also runs
  --attnres-interpret or attnres-run, or has a line "Numbers: FILE" with the
  test, below test/, that does. Those that only prove or annotate have none;
* test/unit/passes/PassesAloneTest.cpp runs it alone.
"""
import glob
import os
import re
import sys

# Passes that change attributes alone, or nothing.
WITHOUT_NUMBERS = ("prove ", "count ", "say ", "record ", "run functions")


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def passes(root):
    """(name, definition, summary) of every pass."""
    paths = sorted(glob.glob(os.path.join(root, "passes", "**", "Passes.td"), recursive=True))
    texts = [read(path) for path in paths]
    bases = {}
    for text in texts:
        bases.update(re.findall(r"^class (\w+)<.*?\{(.*?)^\}", text, re.M | re.S))
    for text in texts:
        for base, name, body in re.findall(r'^def \w+ : (\w+)<"([\w-]+)".*?\{(.*?)^\}', text, re.M | re.S):
            summary = re.search(r'let summary = "(.*?)"', body).group(1)
            yield name, body + bases.get(base, ""), summary


def tests_of(root, name):
    short = name.removeprefix("attnres-")
    found = []
    for path in glob.glob(os.path.join(root, "test", "passes", "*")):
        stem = re.sub(r"\.\w+$", "", os.path.basename(path)).removeprefix("attnres-")
        if os.path.isfile(path) and (stem == short or stem.startswith(short + "-")) and name in read(path):
            found.append(path)
    return sorted(found)


def has_numbers(root, path):
    text = read(path)
    if re.search(r"RUN:.*(?:attnres-interpret|attnres-run)", text):
        return True
    named = re.findall(r"Numbers: (\S+)", text)
    for test in named:
        if not os.path.exists(os.path.join(root, "test", test)):
            print("%s: names %s, which does not exist" % (os.path.relpath(path, root), test))
            return False
    return bool(named)


def complaints(root):
    alone = read(os.path.join(root, "test", "unit", "passes", "PassesAloneTest.cpp"))
    count = 0
    for name, body, summary in passes(root):
        count += 1
        if "let statistics" not in body and not summary.startswith("prove "):
            yield "%s: no statistics" % name
        tests = tests_of(root, name)
        if not any(re.search(r"FileCheck|verify-diagnostics", read(path)) for path in tests):
            yield "%s: no test in test/passes" % name
        elif not summary.startswith(WITHOUT_NUMBERS) and not any(has_numbers(root, path) for path in tests):
            yield "%s: no test of its numbers" % name
        if not re.search(r'"(?:func\.func\()?%s["{)]' % name, alone):
            yield "%s: not in PassesAloneTest" % name
    if count == 0:
        yield "no passes"


failed = False
for complaint in complaints(sys.argv[1]):
    print(complaint)
    failed = True
sys.exit(failed)

"""Fails unless docs/spec.md, the tests that it names and the code agree on the
numbers of its statements.

    python3 spec_numbers.py SOURCE_ROOT

* Every number is there once.
* Every statement names a test in brackets. What cannot fail, such as notation,
  has no number.
* Every file in brackets exists and mentions the number. A name with a `*` stands
  for all files that match, and there is at least one. Golden cases are folders
  of test/golden.
* Every number that the sources mention is one of docs/spec.md.

A number is mentioned as in the page, DA-7, or at the start of a name: of a
function of MLIR (@da7_one_query) or of a GoogleTest (TEST(Depth, DA7OneQuery)).
"""
import glob
import os
import re
import sys

SOURCES = ("dialect", "docs", "examples", "models", "passes", "runtime", "support", "test", "tools")
# The tests of this script have wrong numbers on purpose.
SKIPPED = {"golden", "lint"}
SUFFIXES = (".cpp", ".cu", ".h", ".md", ".mlir", ".py", ".td", ".test", ".txt")


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def statements(page):
    """(number, text) of each statement; a heading or the next one ends it."""
    for text in re.split(r"^(?=\* \*\*[A-Z]+-\d+\*\*|#)", page, flags=re.M):
        match = re.match(r"\* \*\*([A-Z]+-\d+)\*\* (.*)", text, re.S)
        if match:
            yield match.group(1), " ".join(match.group(2).split())


def named_tests(text):
    """The paths below test/ that a statement names in brackets, and what is with
    them but names no test. Other brackets, of shapes and ranges, have no path."""
    tests, others = [], []
    for inside in re.findall(r"\[([^\[\]]*)\](?!\()", text):
        names = [name.strip() for name in inside.split(",")]
        if not any(re.search(r"/\S+\.\w+$|^golden case", name) for name in names):
            continue
        for name in names:
            case = re.fullmatch(r"(?:golden cases? )?`(\w+)`", name)
            if case:
                tests.append("golden/" + case.group(1))
            elif re.fullmatch(r"[\w*./-]+\.\w+", name):
                tests.append(name)
            else:
                others.append(name)
    return tests, others


def mentioned_numbers(source, prefixes):
    any_of = "|".join(prefixes)
    numbers = set(re.findall(r"\b(?:%s)-\d+\b" % any_of, source))
    for pattern in (r"@(%s)(\d+)_" % any_of.lower(), r"\bTEST(?:_[FP])?\(\w+,\s*(%s)(\d+)[A-Z]" % any_of):
        numbers.update("%s-%s" % (prefix.upper(), digits) for prefix, digits in re.findall(pattern, source))
    return numbers


def source_files(root):
    for folder in SOURCES:
        for directory, folders, files in os.walk(os.path.join(root, folder)):
            folders[:] = sorted(f for f in folders if f not in SKIPPED)
            for name in sorted(files):
                if name.endswith(SUFFIXES):
                    yield os.path.join(directory, name)


def complaints(root):
    known = {}
    for number, text in statements(read(os.path.join(root, "docs", "spec.md"))):
        if number in known:
            yield "docs/spec.md: %s is there twice" % number
        known[number] = text
    if not known:
        yield "docs/spec.md: no statements"
        return
    prefixes = sorted({number.split("-")[0] for number in known})

    for number, text in known.items():
        tests, others = named_tests(text)
        for name in others:
            yield "docs/spec.md: %s names '%s', which is no file" % (number, name)
        if not tests:
            yield "docs/spec.md: %s names no test" % number
        for name in tests:
            paths = sorted(glob.glob(os.path.join(root, "test", name)))
            if not paths:
                yield "docs/spec.md: %s names %s, which does not exist" % (number, name)
            for path in paths:
                if os.path.isfile(path) and number not in mentioned_numbers(read(path), prefixes):
                    yield "%s: does not mention %s" % (os.path.relpath(path, root), number)

    for path in source_files(root):
        for number in sorted(mentioned_numbers(read(path), prefixes) - known.keys()):
            yield "%s: %s is not in docs/spec.md" % (os.path.relpath(path, root), number)


failed = False
for complaint in complaints(sys.argv[1]):
    print(complaint)
    failed = True
sys.exit(failed)

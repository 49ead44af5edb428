"""Fails for a path or a link in a page that leads nowhere.

    python3 named_paths.py SOURCE_ROOT

* In README.md, CONVENTIONS.md, docs/*.md and examples/*.md, whatever stands in
  backticks and begins with a folder of this tree is there. A name with `*`
  stands for all that match, one with a colon ends before it.
* Links to other pages of this tree lead to them.
"""
import glob
import os
import re
import sys

FOLDERS = ("dialect", "docs", "examples", "models", "passes", "python", "runtime", "support", "test", "tools")


def pages(root):
    for pattern in ("*.md", "docs/*.md", "examples/*.md"):
        yield from sorted(glob.glob(os.path.join(root, pattern)))


def named_paths(text):
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    for name in re.findall(r"`((?:%s)/[\w./*-]*)[^`]*`" % "|".join(FOLDERS), text):
        yield name


failed = False
count = 0
root = sys.argv[1]
for page in pages(root):
    with open(page, encoding="utf-8") as f:
        text = f.read()
    missing = [name for name in named_paths(text) if not glob.glob(os.path.join(root, name))]
    for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        count += 1
        if not os.path.exists(os.path.join(os.path.dirname(page), link)):
            missing.append(link)
    count += len(list(named_paths(text)))
    for name in missing:
        print("%s: %s does not exist" % (os.path.relpath(page, root), name))
        failed = True
if count == 0:
    print("no paths")
    failed = True
sys.exit(failed)

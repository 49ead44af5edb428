"""check_explanation.py PAGE.html PLAN.json

The first target's launches are those of the plan, its tensors never lie over each other while both are needed, and
every mixture of the model (4 decoder blocks, 2 in a depth block) reads the sources of its place.
"""
import html
import json
import re
import sys

page = open(sys.argv[1], encoding="utf-8").read()
plan = json.load(open(sys.argv[2]))
first = page[page.index("<h2>Target "):]
first = first[:first.index("</section>")]

figures = re.findall(r"<figcaption>(.*?)</figure>", first, re.S)
work, = [f for f in figures if f.startswith("Work of ")]
assert work.startswith("Work of %d launches" % plan["launches"]), work[:40]
assert work.count("<g><title>") == plan["launches"]
for kernel in plan["kernels"]:
    assert work.count(": %s\n" % kernel["name"]) == kernel["launches"], kernel

memory, = [f for f in figures if f.startswith("Memory plan")]
buffers = []
for title in re.findall(r"<title>(tensor.*?)</title>", memory, re.S):
    type_, kernel, offset, begin, end = re.match(
        r"tensor<(\S+)> of (\S+)\n.* at (\d+)\nlaunches (\d+) to (\d+)", html.unescape(title)).groups()
    *extents, element = type_.split("x")
    size = {"f32": 4, "i64": 8, "bf16": 2}[element]
    for extent in extents:
        size *= int(extent)
    buffers.append((int(offset), int(offset) + size, int(begin), int(end), kernel))
assert len(buffers) > 10 and max(b[1] for b in buffers) <= plan["workspace_bytes"], buffers
for i, a in enumerate(buffers):
    for b in buffers[:i]:
        # A result may take the place of an operand that is last read there.
        overlap = a[0] < b[1] and b[0] < a[1] and a[2] < b[3] and b[2] < a[3]
        assert not overlap, (a, b)

depth = page[page.index("<h2>Depth mixing"):]
reads = re.findall(r"<title>(block \d (?:attn|ffn)|final) and (.*?): (.*?)</title>", depth)
names = ["embedding", "block sum 0", "block sum 1", "partial sum"]
by_mixture = {}
for mixture, source, how in reads:
    by_mixture.setdefault(mixture, {})[source] = how
assert len(by_mixture) == 8, by_mixture  # the first sublayer reads the embedding alone
for mixture, sources in by_mixture.items():
    assert list(sources) == names, sources
    sublayer = 8 if mixture == "final" else 2 * int(mixture[6]) + mixture.endswith("ffn")
    read = [name for name, how in sources.items() if how != "not read"]
    expected = names[:1 + sublayer // 4]
    if sublayer % 4:
        expected.append("partial sum")
    assert read == expected, (mixture, read, expected)
    merged = [name for name, how in sources.items() if how.startswith("merged")]
    assert merged in ([], ["partial sum"]), (mixture, sources)

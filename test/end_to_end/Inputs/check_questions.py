"""check_questions.py ANSWERS.csv REPORT.json DIGITS

The table and the report of `attnres-run eval --questions` say the same, questions are different ones, and what is called
the first wrong step is that: the solution is worked out here once more.
"""
import csv
import json
import sys

table, report, digits = sys.argv[1], sys.argv[2], int(sys.argv[3])
rows = list(csv.DictReader(open(table, newline="")))
run, = json.load(open(report))["runs"]


def steps(a, b):
    products, result = [], []
    for i in range(digits):
        for j in range(digits):
            x, y = a // 10 ** j % 10 * 10 ** j, b // 10 ** i % 10 * 10 ** i
            products.append(x * y)
            result.append(("product", len(products), "S%0*d*%0*d=%0*d" % (digits, x, digits, y, 2 * digits, x * y)))
    total = products[0]
    for k, product in enumerate(products[1:], 1):
        result.append(("sum", k, "A%0*d+%0*d=%0*d" % (2 * digits, total, 2 * digits, product, 2 * digits, total + product)))
        total += product
    assert total == a * b
    return result + [("answer", 1, "Z%0*d" % (2 * digits, total))]


assert len({(row["a"], row["b"]) for row in rows}) == len(rows) == run["different_questions"] > 0
wrong = {entry["question"]: entry for entry in run["wrong"]}
right = 0
for row in rows:
    text, position, first = row["text"], 0, None
    for kind, number, step in steps(int(row["a"]), int(row["b"])):
        if text[position:position + len(step)] != step:
            first = (kind, str(number), step)
            break
        position += len(step)
    if first is None and (text[position:] or row["ended"] != "1"):
        first = ("end", "1", "")
    if first is None:
        right += 1
        assert row["right"] == "1" and not row["step"], row
        continue
    assert (row["right"], row["step"], row["number"], row["expected"]) == ("0",) + first, (row, first)
    question = "%0*d*%0*d=" % (digits, int(row["a"]), digits, int(row["b"]))
    assert wrong[question]["step"] == first[0] and wrong[question]["text"] == text, row
assert run["right"] == right and len(wrong) == len(rows) - right
print("%d of %d right, %d ended" % (right, len(rows), run["ended"]))

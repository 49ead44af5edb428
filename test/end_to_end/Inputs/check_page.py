"""check_page.py FILE.html [TEXT...]

A page has to be well formed (every tag closed in order, no attribute twice), refer to nothing outside itself, run no
script, and show every TEXT. Prints counts.
"""
import html.parser
import re
import sys

VOID = {"meta", "br", "hr", "img", "link", "input"}


class Checker(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.errors, self.counts, self.text = [], [], {}, []

    def complain(self, message):
        self.errors.append("line %d: %s" % (self.getpos()[0], message))

    def check_attributes(self, tag, attributes):
        self.counts[tag] = self.counts.get(tag, 0) + 1
        names = [name for name, _ in attributes]
        if len(names) != len(set(names)):
            self.complain("<%s> has an attribute twice" % tag)
        for name, value in attributes:
            if name in {"src", "href", "xlink:href", "srcset", "action"} or name.startswith("on"):
                self.complain("<%s> has attribute %s" % (tag, name))
            if value and re.search(r"https?:|url\(|nan|inf\b", value):
                self.complain("<%s %s> is %r" % (tag, name, value))

    def handle_starttag(self, tag, attributes):
        self.check_attributes(tag, attributes)
        if tag in {"script", "link", "iframe", "object", "embed", "img"}:
            self.complain("<%s>" % tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.check_attributes(tag, attributes)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.complain("unexpected </%s>" % tag)

    def handle_data(self, data):
        self.text.append(data)
        if self.open and self.open[-1] == "style" and re.search(r"@import|url\(|https?:", data):
            self.complain("the style refers to something outside")


checker = Checker()
with open(sys.argv[1], encoding="utf-8") as file:
    page = file.read()
checker.feed(page)
checker.close()
if checker.open:
    checker.errors.append("never closed: %s" % checker.open)
text = "".join(checker.text)
if re.search(r"[\x00-\x08\x0b-\x1f\x7f]", page):
    checker.errors.append("control characters")
for wanted in sys.argv[2:]:
    if wanted not in text:
        checker.errors.append("no text %r" % wanted)
print("\n".join(checker.errors) or "well formed, %d figures, %d curves, %d tooltips" % (
    checker.counts.get("figure", 0), checker.counts.get("path", 0), checker.counts.get("title", 0)))
sys.exit(1 if checker.errors else 0)

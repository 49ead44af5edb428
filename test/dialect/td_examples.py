"""Prints every example in the operation descriptions as a module of its own.

    python3 td_examples.py DIALECT_DIR

Values that an example uses but does not define become function arguments; their
types follow from the types that the example writes. Fails when an operation has
no example, unless only other operations and passes make it.
"""
import glob
import re
import sys

# Backward operations, and parts that passes make of other operations.
INTERNAL = {
    "depth_attention_backward", "depth_merge_backward", "merge_states_backward", "static_mix_backward",
    "attention_backward", "rms_norm_backward", "layer_norm_backward", "swiglu_backward", "gelu_backward",
    "embedding_backward", "linear_cross_entropy_backward", "cross_entropy_rows", "cross_entropy_rows_backward",
    "live_mean", "live_scale", "yield", "return", "short_convolution_backward", "l2_norm_backward", "sigmoid_backward",
    "kda_gate_backward", "kda_backward", "router_backward", "combine_experts_backward", "situ_glu_backward",
}

STATEMENT = re.compile(r"^\s*(?:(%[^=]*)=\s*)?(attnres\.\w+)", re.M)


def outside_brackets(text, wanted):
    """Position of the first `wanted` outside all brackets, or -1."""
    depth = 0
    for i, c in enumerate(text):
        if text.startswith(wanted, i) and depth == 0:
            return i
        if c in "([{<":
            depth += 1
        elif c in ")]}" or (c == ">" and text[i - 1] != "-"):
            depth -= 1
    return -1


def split_types(text):
    types = []
    while text:
        comma = outside_brackets(text, ",")
        types.append((text if comma < 0 else text[:comma]).strip())
        text = "" if comma < 0 else text[comma + 1:]
    return types


def extents_of(tensor):
    """The extents of tensor<AxBxT> as strings."""
    return tensor[len("tensor<"):-1].split("x")[:-1]


def vector_of(tensor):
    return "tensor<%sxf32>" % extents_of(tensor)[-1]


def stat_of(tensor):
    return "tensor<%sf32>" % "".join(e + "x" for e in extents_of(tensor)[:-1])


def abbreviated(op, head, operands, tensor):
    """Types of the operands of an operation that writes only one type."""
    types = dict.fromkeys(operands, tensor)
    for group in re.findall(r"(?:queries|gains|query|gain)\(([^)]*)\)", head):
        types.update(dict.fromkeys(re.findall(r"%\w+", group), vector_of(tensor)))
    if op == "attnres.depth_merge":
        types[operands[1]] = stat_of(tensor)
    if op == "attnres.static_mix":
        types[operands[0]] = "tensor<%dxf32>" % (len(operands) - 1)
    return [types[name] for name in operands]


def statement_types(op, text):
    """Pairs (operand, type) of one statement."""
    colon = outside_brackets(text, " : ")
    if colon < 0:
        colon = outside_brackets(text, "\n    : ") + 4
    head, types = text[:colon], text[colon + 2:].strip()
    if op == "attnres.stack":
        pairs = [(re.search(r"%\w+", head).group(0), types.rstrip("{ \n"))]
        for names, written in re.findall(r"\((%[^:)]*) : ([^)]*)\)", head):
            pairs += zip(re.findall(r"%\w+", names), split_types(written))
        return pairs
    operands = re.findall(r"%\w+", head)
    arrow = outside_brackets(types, "->")
    if arrow >= 0:
        types = types[:arrow].strip()
    if types.startswith("("):
        types = types[1:-1]
    types = split_types(types)
    if len(types) != len(operands):
        types = abbreviated(op, head, operands, types[0])
    return list(zip(operands, types))


def kernel(text):
    """The declaration of the kernel that a launch calls."""
    name = re.search(r"@\w+", text).group(0)
    inputs, results = (split_types(part.strip().strip("()")) for part in text[text.index(": (") + 1:].split("->"))

    def grouped(types, key):
        groups = [int(g) for g in re.search(key + r" \[([^]]*)\]", text).group(1).split(",")]
        out, types = [], list(types)
        for size in groups:
            out.append(types[0] if size < 0 else "!attnres.list<%s>" % types[0])
            del types[:max(1, size) if size < 0 else size]
        return ", ".join(out)

    return "attnres.kernel %s : (%s) -> (%s)\n" % (
        name, grouped(inputs, "operand_groups"), grouped(results, "result_groups"))


def wrapped(example):
    if example.lstrip().startswith("attnres.kernel"):
        return example
    starts = list(STATEMENT.finditer(example))
    defined = set(re.findall(r"(%\w+):", " ".join(re.findall(r"\^bb0\(([^)]*)\)", example))))
    arguments, declarations = {}, ""
    for i, start in enumerate(starts):
        end = starts[i + 1].start() if i + 1 < len(starts) else len(example)
        text = re.split(r"\n\s*(?:\^bb0|\})", example[start.end():end])[0]
        if start.group(2) == "attnres.launch":
            declarations += kernel(text)
        for name, written in statement_types(start.group(2), text):
            if name not in defined:
                arguments.setdefault(name, written)
        defined.update(re.findall(r"%\w+", start.group(1) or ""))
    signature = ", ".join("%s: %s" % pair for pair in arguments.items())
    return "%sfunc.func @example(%s) {\n%s\n  return\n}\n" % (declarations, signature, example)


modules, missing = [], []
for path in sorted(glob.glob(sys.argv[1] + "/*.td")):
    with open(path) as f:
        text = f.read()
    for definition in re.split(r"^def ", text, flags=re.M)[1:]:
        op = re.match(r'\w+ : Attnres_Op<"(\w+)"', definition)
        if not op:
            continue
        examples = re.findall(r"```mlir\n(.*?)```", definition, re.S)
        modules += [wrapped(example) for example in examples]
        if not examples and op.group(1) not in INTERNAL:
            missing.append(op.group(1))
if missing or not modules:
    sys.exit("operations without an example: " + ", ".join(missing))
print("\n// -----\n\n".join(modules))

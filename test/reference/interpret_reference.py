"""What the writers of test/interpret/*.mlir use: tensors and the formulas of operations in plain Python (float64, or complex
for derivatives), and how a case becomes a function of MLIR.
"""
import cmath
import math
import os

INF = math.inf
EPS = 2.0 ** -10


# ---------------------------------------------------------------- tensors

class Tensor:
    """Row-major; `data` holds float, complex or int."""

    def __init__(self, shape, data):
        self.shape, self.data = tuple(shape), list(data)
        assert len(self.data) == math.prod(self.shape), (shape, len(self.data))

    def rows(self):
        width = self.shape[-1]
        return [self.data[i * width:(i + 1) * width] for i in range(math.prod(self.shape[:-1]))]


class Random:
    """A fixed sequence of multiples of 1/8 in [-2, 2)."""

    def __init__(self, seed):
        self.state = seed

    def bits(self):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2 ** 64
        return self.state >> 33

    def tensor(self, *shape):
        return Tensor(shape, [(self.bits() % 32 - 16) / 8 for _ in range(math.prod(shape))])

    def indices(self, count, *shape):
        return Tensor(shape, [self.bits() % count for _ in range(math.prod(shape))])


def matrix(rows, shape):
    return Tensor(shape, [x for row in rows for x in row])


def real(x):
    return x.real if isinstance(x, complex) else x


def exp(x):
    if x == -INF:
        return 0.0
    return cmath.exp(x) if isinstance(x, complex) else math.exp(x)


def log(x):
    return cmath.log(x) if isinstance(x, complex) else math.log(x)


def sqrt(x):
    return cmath.sqrt(x) if isinstance(x, complex) else math.sqrt(x)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def log_sum_exp(scores):
    top = max((real(s) for s in scores), default=-INF)
    return -INF if top == -INF else top + log(sum(exp(s - top) for s in scores))


def softmax(scores):
    lse = log_sum_exp(scores)
    return [0.0 if lse == -INF else exp(s - lse) for s in scores]


def sigmoid(x):
    return 1 / (1 + exp(-x))


def mix(weights, values):
    return [sum(w * v[d] for w, v in zip(weights, values)) for d in range(len(values[0]))]


def gradient(function, inputs, name):
    """d function(inputs) / d inputs[name]."""
    step, of = 1e-30, inputs[name]
    grads = []
    for i in range(len(of.data)):
        moved = Tensor(of.shape, of.data)
        moved.data[i] = complex(moved.data[i], step)
        value = function({**inputs, name: moved})
        grads.append(value.imag / step if isinstance(value, complex) else 0.0)
    return Tensor(of.shape, grads)


def pairing(outputs, weights):
    """sum over outputs of <output, weight>; a weight of 0 skips the term."""
    return sum(x * c for out, weight in zip(outputs, weights) for x, c in zip(out.data, weight.data) if c != 0)


def row_range(tensor, rows, begin, end):
    """`tensor` with zeros outside the rows [begin, end)."""
    per = len(tensor.data) // max(rows, 1)
    return Tensor(tensor.shape, [x if begin <= i // per < end else 0.0 for i, x in enumerate(tensor.data)])


def partial_gradients(function_of_weights, weights, inputs, name, rows, partials):
    """[P, ...]: the gradient of each range of ceil(rows / P) rows."""
    size, parts = -(-rows // partials), []
    for p in range(partials):
        part = [row_range(w, rows, p * size, (p + 1) * size) for w in weights]
        parts += gradient(lambda x: function_of_weights(x, part), inputs, name).data
    return Tensor((partials,) + inputs[name].shape, parts)


def added(a, b):
    return Tensor(a.shape, [x + y for x, y in zip(a.data, b.data)])


# ---------------------------------------------------------------- forward formulas

def scores(query, gain, values):
    w = [q * g for q, g in zip(query, gain)]
    return [dot(w, v) / sqrt(dot(v, v) / len(v) + EPS) for v in values]


def depth(query, gain, sources, state=None, state_lse=None):
    """Mixture and lse; with a state, the merge."""
    out, lses = [], []
    for r, values in enumerate(zip(*[s.rows() for s in sources])):
        s, v = scores(query.data, gain.data, values), list(values)
        if state:
            s, v = s + [state_lse.data[r]], v + [state.rows()[r]]
        out.append(mix(softmax(s), v))
        lses.append(log_sum_exp(s))
    shape = sources[0].shape
    return matrix(out, shape), Tensor(shape[:-1], lses)


def depth_weights(query, gain, sources):
    per_row = [softmax(scores(query.data, gain.data, values)) for values in zip(*[s.rows() for s in sources])]
    return Tensor((len(sources),) + sources[0].shape[:-1], [row[i] for i in range(len(sources)) for row in per_row])


def merge(a, la, b, lb):
    pairs = list(zip(a.rows(), la.data, b.rows(), lb.data))
    return (matrix([mix(softmax([x, y]), [u, v]) for u, x, v, y in pairs], a.shape),
            Tensor(la.shape, [log_sum_exp([x, y]) for _, x, _, y in pairs]))


def static_mix(weights, sources):
    alpha = softmax(weights.data)
    return matrix([mix(alpha, values) for values in zip(*[s.rows() for s in sources])], sources[0].shape)


def attention(q, k, v, causal, scale, start=None, documents=None):
    (B, T, H, Dk), (_, S, Hkv, Dv) = q.shape, v.shape
    first = start.data if start else [S - T] * B
    out, lses = [], []
    for b in range(B):
        for t in range(T):
            for h in range(H):
                query = q.rows()[(b * T + t) * H + h]
                begin = documents.data[b * T + t] if documents else 0
                keys = [j for j in range(S) if j >= begin and (not causal or j <= first[b] + t)]
                at = [(b * S + j) * Hkv + h // (H // Hkv) for j in keys]
                s = [scale * dot(query, k.rows()[i]) for i in at]
                out.append(mix(softmax(s), [v.rows()[i] for i in at]) if at else [0.0] * Dv)
                lses.append(log_sum_exp(s))
    return matrix(out, (B, T, H, Dv)), Tensor((B, T, H), lses)


def rotated(row, table, inverse):
    """`table`: cosines, then sines."""
    half, sign = len(row) // 2, -1 if inverse else 1
    c, s = table[:half], [sign * x for x in table[half:]]
    a, b = row[:half], row[half:]
    return [a[i] * c[i] - b[i] * s[i] for i in range(half)] + [b[i] * c[i] + a[i] * s[i] for i in range(half)]


def cache_write(cache, x, start, length=None):
    (B, S), T = cache.shape[:2], x.shape[1]
    width = math.prod(cache.shape[2:])
    data = list(cache.data)
    for b in range(B):
        at, count = (b * S + start.data[b]) * width, (length.data[b] if length else T) * width
        data[at:at + count] = x.data[b * T * width:b * T * width + count]
    return Tensor(cache.shape, data)


def select_token(x, at):
    B, T = x.shape[:2]
    width = math.prod(x.shape[2:])
    data = []
    for b in range(B):
        first = (b * T + at.data[b]) * width
        data += x.data[first:first + width]
    return Tensor((B, 1) + x.shape[2:], data)


def rope(x, theta, offset, inverse, start=None, documents=None):
    B, T, H, D = x.shape
    first = start.data if start else [0] * B
    out = []
    for r, row in enumerate(x.rows()):
        t = r // H % T
        position = first[r // H // T] + t - (min(max(documents.data[r // H], 0), t) if documents else 0)
        angles = [(position + offset) * theta ** (-2 * i / D) for i in range(D // 2)]
        out.append(rotated(row, [math.cos(a) for a in angles] + [math.sin(a) for a in angles], inverse))
    return matrix(out, x.shape)


def rms_norm(x, weight):
    return matrix([[v * w / sqrt(dot(row, row) / len(row) + EPS) for v, w in zip(row, weight.data)]
                   for row in x.rows()], x.shape)


def layer_norm(x, weight, bias):
    out = []
    for row in x.rows():
        mean = sum(row) / len(row)
        c = [v - mean for v in row]
        r = 1 / sqrt(dot(c, c) / len(row) + EPS)
        out.append([v * r * w + b for v, w, b in zip(c, weight.data, bias.data)])
    return matrix(out, x.shape)


def transposed(m):
    return matrix(zip(*m.rows()), (m.shape[-1], math.prod(m.shape[:-1])))


def matmul(a, b):
    columns = transposed(b).rows()
    return matrix([[dot(row, c) for c in columns] for row in a.rows()], (math.prod(a.shape[:-1]), b.shape[-1]))


def linear(x, weight, bias=None):
    y = matmul(x, transposed(weight))
    rows = [[v + c for v, c in zip(row, bias.data)] for row in y.rows()] if bias else y.rows()
    return matrix(rows, x.shape[:-1] + (weight.shape[0],))


def sum_rows(x, partials=None):
    width = x.shape[-1]
    if partials is None:
        return Tensor((width,), [sum(c) for c in zip(*x.rows())])
    size = -(-len(x.rows()) // partials)
    parts = [x.rows()[p * size:(p + 1) * size] for p in range(partials)]
    return matrix([[sum(row[d] for row in part) for d in range(width)] for part in parts], (partials, width))


def losses(logits, targets, ignored=-100, smoothing=0.0):
    """nll and lse of each row, and the number of live rows."""
    lse = [log_sum_exp(row) for row in logits.rows()]
    nll = [0.0 if t == ignored else l - (1 - smoothing) * row[t] - smoothing * sum(row) / len(row)
           for row, t, l in zip(logits.rows(), targets.data, lse)]
    live = sum(t != ignored for t in targets.data)
    return Tensor(targets.shape, nll), Tensor(targets.shape, lse), live


def cross_entropy(logits, targets, smoothing=0.0):
    nll, lse, live = losses(logits, targets, smoothing=smoothing)
    return Tensor((), [sum(nll.data) / max(1, live)]), lse


def philox(counter, key):
    """Philox4x32-10 of Salmon and others."""
    low = 0xFFFFFFFF
    for i in range(10):
        k0, k1 = (key + i * 0x9E3779B9) & low, ((key >> 32) + i * 0xBB67AE85) & low
        a, b = 0xD2511F53 * counter[0], 0xCD9E8D57 * counter[2]
        counter = [(b >> 32) ^ counter[1] ^ k0, b & low, (a >> 32) ^ counter[3] ^ k1, a & low]
    return counter


def dropout(x, seed, run, rate, site):
    width = x.shape[-1]
    quarter, out = width // 4, []
    for r, row in enumerate(x.rows()):
        for c, value in enumerate(row):
            word, counter = divmod(c, quarter) if c < 4 * quarter else (0, c - 3 * quarter)
            words = philox([counter, r, run & 0xFFFFFFFF, site], seed & (2 ** 64 - 1))
            out.append(value / (1 - rate) if words[word] >= rate * 2 ** 32 else 0.0)
    return Tensor(x.shape, out)


# ---------------------------------------------------------------- writing files

def number(x):
    if isinstance(x, int):
        return str(x)
    if math.isinf(x):
        return "0x7FF0000000000000" if x > 0 else "0xFFF0000000000000"
    return "%.16e" % x


# -inf as the f32 and bf16 constants of inputs.
NARROW_INF = {"f32": ("0x7F800000", "0xFF800000"), "bf16": ("0x7F80", "0xFF80")}


def type_of(tensor, element):
    return "tensor<%s%s>" % ("".join("%dx" % e for e in tensor.shape), element)


def dense(tensor, element):
    def one(x):
        if element in NARROW_INF and isinstance(x, float):
            return NARROW_INF[element][x < 0] if math.isinf(x) else repr(x)
        return number(x)

    def nested(data, shape):
        if not shape:
            return one(data[0])
        size = len(data) // shape[0]
        return "[" + ", ".join(nested(data[i * size:(i + 1) * size], shape[1:]) for i in range(shape[0])) + "]"

    return "dense<%s>" % ("" if not tensor.data else nested(tensor.data, tensor.shape))


class Case:
    """One function: inputs, operations, and what their results have to be."""

    def __init__(self, name, note):
        self.name, self.note, self.lines = name, note, []

    def input(self, name, tensor, element="f32"):
        self.lines.append("  %%%s = arith.constant %s : %s" % (name, dense(tensor, element), type_of(tensor, element)))
        return type_of(tensor, element)

    def inputs(self, element="f32", **tensors):
        return ", ".join(self.input(name, tensor, element) for name, tensor in tensors.items())

    def op(self, text):
        self.lines.append("  " + text)

    def expect(self, name, want, element="f32", tolerance=1e-12):
        """`name` is the SSA name of a result of element type `element`."""
        flat = name.replace("#", "_")
        narrow, wide = type_of(want, element), type_of(want, "f64")
        want = Tensor(want.shape, [float(x) for x in want.data])
        self.lines.append("  %%want_%s = arith.constant %s : %s" % (flat, dense(want, "f64"), wide))
        self.lines.append("  %%wide_%s = arith.extf %%%s : %s to %s" % (flat, name, narrow, wide))
        self.lines.append("  attnres.expect_close %%wide_%s, %%want_%s {atol = %s : f64, rtol = %s : f64} : %s"
                          % (flat, flat, number(float(tolerance)), number(float(tolerance)), wide))

    def text(self):
        return "\n// %s\nfunc.func @%s() {\n%s\n  return\n}\n" % (self.note, self.name, "\n".join(self.lines))


FILES = {}


def case(op, numbers, name, note):
    """`numbers` are those of the statements of docs/spec.md that the case checks; the first is part of its name."""
    first, *others = numbers.split() + (["G-7"] if op.endswith("_backward") else [])
    also = " Also %s." % ", ".join(others) if others else ""
    c = Case(first.replace("-", "").lower() + "_" + name, note + also)
    FILES.setdefault(op, []).append(c)
    return c


def write(directory, writer="interpret_cases.py"):
    for op, cases in FILES.items():
        stays = op in ("stack", "launch")
        text = "// RUN: attnres-opt %s --attnres-interpret\n"
        if not stays:
            text += "// RUN: attnres-opt %s --attnres-decompose --attnres-interpret\n"
            text += "// RUN: attnres-opt %s --attnres-decompose | FileCheck %s\n"
            text += "// CHECK: func.func\n// CHECK-NOT: attnres.{{(?!expect_close)}}\n".replace(
                "attnres.{{(?!expect_close)}}", "attnres.%s{{[( ]}}" % op)
        text += "// Written by test/reference/%s.\n" % writer
        with open(os.path.join(directory, op + ".mlir"), "w") as f:
            f.write(text + "".join(c.text() for c in cases) + EXTRA.get(op, ""))


EXTRA = {}
ATTRS = "{eps = %s : f64" % number(EPS)

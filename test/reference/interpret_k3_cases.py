"""Writes test/interpret/*.mlir of Kimi delta attention and mixtures of experts.

    python3 interpret_k3_cases.py OUT_DIR

As interpret_cases.py, with the tensors, cases and complex-step gradients of interpret_reference.py.
"""
import cmath
import math
import sys

from interpret_reference import EPS, Random, Tensor, case, dot, exp, gradient, log, number, pairing, partial_gradients, real, \
    sigmoid, sqrt, type_of, write


def types(tensors, element="f32"):
    return ", ".join(type_of(t, element) for t in tensors)


# ---------------------------------------------------------------- convolution

def convolution(x, weight, tail=None):
    (B, T, C), W = x.shape, weight.shape[1]

    def at(b, t, c):
        if t >= 0:
            return x.data[(b * T + t) * C + c]
        return tail.data[(b * (W - 1) + t + W - 1) * C + c] if tail else 0.0

    out = []
    for b in range(B):
        for t in range(T):
            for c in range(C):
                y = sum(weight.data[c * W + j] * at(b, t - W + 1 + j, c) for j in range(W))
                out.append(y * sigmoid(y))
    return Tensor(x.shape, out)


def convolution_tail(x, width, tail=None, length=None):
    B, T, C = x.shape
    out = []
    for b in range(B):
        rows = [tail.data[(b * width + j) * C:(b * width + j + 1) * C] if tail else [0.0] * C for j in range(width)]
        rows += [x.data[(b * T + t) * C:(b * T + t + 1) * C] for t in range(length[b] if length else T)]
        out += [value for row in rows[len(rows) - width:] for value in row]
    return Tensor((B, width, C), out)


def convolution_cases():
    random = Random(21)
    for name, T, W, with_tail, element in (("plain", 5, 4, False, "f32"), ("bf16", 5, 4, False, "bf16"),
                                           ("few_tokens", 2, 4, False, "f32"), ("tail", 2, 4, True, "f32"),
                                           ("one_weight", 3, 1, False, "f32"), ("two_weights", 3, 2, True, "f32")):
        x, w, g = random.tensor(2, T, 3), random.tensor(3, W), random.tensor(2, T, 3)
        inputs = dict(x=x, w=w)
        if with_tail:
            inputs["t"] = random.tensor(2, W - 1, 3)
        tail_text = " tail(%t)" if with_tail else ""
        of = lambda i: convolution(i["x"], i["w"], i.get("t"))
        c = case("short_convolution", "KD-7", name, "%d tokens, %d weights." % (T, W))
        c.inputs(element, **inputs)
        c.op("%%y = attnres.short_convolution %%x, %%w%s : %s" % (tail_text, types(inputs.values(), element)))
        c.expect("y", of(inputs), element)
        if element == "bf16":
            continue
        c = case("short_convolution_backward", "KD-7", name, "%d tokens, %d weights." % (T, W))
        c.inputs(element, **inputs, g=g)
        order = [x, w, g] + ([inputs["t"]] if with_tail else [])
        c.op("%%d:%d = attnres.short_convolution_backward %%x, %%w, %%g%s : %s"
             % (len(inputs), tail_text, types(order, element)))
        for i, n in enumerate(inputs):
            c.expect("d#%d" % i, gradient(lambda v: pairing([of(v)], [g]), inputs, n), element)

    for name, T, width, with_tail, length, element in (
            ("slice", 5, 3, False, None, "f32"), ("zeros", 2, 3, False, None, "bf16"), ("tail", 2, 3, True, None, "f32"),
            ("lengths", 4, 3, True, [4, 1], "f32"), ("empty_texts", 4, 3, True, [0, 2], "f32"), ("all", 3, 3, True, [3, 3], "f32")):
        x, tail = random.tensor(2, T, 2), random.tensor(2, width, 2) if with_tail else None
        c = case("convolution_tail", "KD-8", name, "The last %d of the tail and %d tokens." % (width, T))
        c.inputs(element, x=x)
        operands, text = [type_of(x, element)], ""
        if tail:
            operands.append(c.inputs(element, t=tail))
            text += " tail(%t)"
        if length:
            operands.append(c.input("l", Tensor((2,), length), "i64"))
            text += " length(%l)"
        c.op("%%y = attnres.convolution_tail %%x%s {width = %d : i64} : %s" % (text, width, ", ".join(operands)))
        c.expect("y", convolution_tail(x, width, tail, length), element, tolerance=0)


# ---------------------------------------------------------------- norms and gates

def l2_norm(x):
    out = []
    for row in x.rows():
        r = 1 / sqrt(dot(row, row) + EPS)
        out += [value * r for value in row]
    return Tensor(x.shape, out)


def softplus(x):
    return log(1 + exp(x))


def kda_gate(x, rates, bias, bound=None):
    C, per_head = len(bias.data), len(bias.data) // len(rates.data)
    out = []
    for i, value in enumerate(x.data):
        z, a = value + bias.data[i % C], exp(rates.data[i % C // per_head])
        out.append(-a * softplus(z) if bound is None else bound * sigmoid(a * z))
    return Tensor(x.shape, out)


def gate_cases():
    random = Random(22)
    attrs = "{eps = %s : f64}" % number(EPS)
    x, g = random.tensor(2, 3, 5), random.tensor(2, 3, 5)
    x.data[5:10] = [0.0] * 5
    for element in ("f32", "bf16"):
        c = case("l2_norm", "KD-9", element, "The second of six rows is zero.")
        c.inputs(element, x=x)
        c.op("%%y = attnres.l2_norm %%x %s : %s" % (attrs, type_of(x, element)))
        c.expect("y", l2_norm(x), element)
    c = case("l2_norm_backward", "KD-9", "plain", "The second of six rows is zero.")
    c.inputs(x=x, g=g)
    c.op("%%y = attnres.l2_norm_backward %%x, %%g %s : %s" % (attrs, type_of(x, "f32")))
    c.expect("y", gradient(lambda i: pairing([l2_norm(i["x"])], [g]), dict(x=x), "x"))

    logistic = lambda x: Tensor(x.shape, [sigmoid(value) for value in x.data])
    for element in ("f32", "bf16"):
        c = case("sigmoid", "KD-9", element, "1 / (1 + exp(-x)).")
        c.inputs(element, x=x)
        c.op("%%y = attnres.sigmoid %%x : %s" % type_of(x, element))
        c.expect("y", logistic(x), element)
    c = case("sigmoid_backward", "KD-9", "plain", "g s (1 - s).")
    c.inputs(x=x, g=g)
    c.op("%%y = attnres.sigmoid_backward %%x, %%g : %s" % type_of(x, "f32"))
    c.expect("y", gradient(lambda i: pairing([logistic(i["x"])], [g]), dict(x=x), "x"))

    inputs = dict(x=random.tensor(2, 3, 6), a=random.tensor(2), b=random.tensor(6))
    g = random.tensor(2, 3, 6)
    for name, bound in (("softplus", None), ("bounded", -4.0)):
        bound_text = "" if bound is None else "lower_bound = %s : f64" % number(bound)
        for element in ("f32", "bf16"):
            c = case("kda_gate", "KD-10", "%s_%s" % (name, element), "Two heads of three channels.")
            c.inputs(element, x=inputs["x"])
            c.inputs(a=inputs["a"], b=inputs["b"])
            c.op("%%y = attnres.kda_gate %%x, %%a, %%b {%s} : %s, tensor<2xf32>, tensor<6xf32>"
                 % (bound_text, type_of(inputs["x"], element)))
            c.expect("y", kda_gate(*inputs.values(), bound))
        of = lambda i, weights: pairing([kda_gate(i["x"], i["a"], i["b"], bound)], weights)
        for partials in (None, 4):
            attributes = [bound_text] if bound_text else []
            attributes += ["partials = 4 : i64"] if partials else []
            c = case("kda_gate_backward", "KD-10", name + ("_partial_sums" if partials else ""), "Two heads of three channels.")
            c.inputs(**inputs, g=g)
            c.op("%%d:3 = attnres.kda_gate_backward %%x, %%a, %%b, %%g {%s} : %s"
                 % (", ".join(attributes), types(list(inputs.values()) + [g])))
            for i, n in enumerate("xab"):
                c.expect("d#%d" % i, partial_gradients(of, [g], inputs, n, 6, 4) if partials and n != "x"
                         else gradient(lambda v: of(v, [g]), inputs, n))


# ---------------------------------------------------------------- delta rule

def kda(q, k, v, decay, beta, scale, state=None, length=None):
    (B, T, H, K), (HV, V) = q.shape, v.shape[2:]
    output, states = [0.0] * (B * T * HV * V), []
    for b in range(B):
        for h in range(HV):
            head = h // (HV // H)
            at = (b * HV + h) * K * V
            S = [state.data[at + i * V:at + (i + 1) * V] if state else [0.0] * V for i in range(K)]
            for t in range(length[b] if length else T):
                row, query_row = (b * T + t) * HV + h, (b * T + t) * H + head
                qt, kt = q.data[query_row * K:(query_row + 1) * K], k.data[query_row * K:(query_row + 1) * K]
                S = [[exp(decay.data[row * K + i]) * s for s in S[i]] for i in range(K)]
                error = [v.data[row * V + j] - sum(S[i][j] * kt[i] for i in range(K)) for j in range(V)]
                S = [[S[i][j] + beta.data[row] * kt[i] * error[j] for j in range(V)] for i in range(K)]
                for j in range(V):
                    output[row * V + j] = scale * sum(S[i][j] * qt[i] for i in range(K))
            states += [s for row in S for s in row]
    return Tensor((B, T, HV, V), output), Tensor((B, HV, K, V), states)


def kda_cases():
    random = Random(23)
    for name, note, T, H, HV, element, extras in (
            ("one_head_each", "As many value heads as heads.", 4, 2, 2, "f32", ""),
            ("shared_heads", "Two value heads read a head; the state is carried.", 3, 1, 2, "f32", "state"),
            ("lengths", "Texts of 2 and 0 tokens.", 3, 1, 1, "f32", "state length"),
            ("lengths_alone", "Texts of 3 and 1 tokens.", 3, 1, 2, "f32", "length"),
            ("bf16", "Inputs and outputs in bf16.", 3, 1, 1, "bf16", ""),
            ("extremes", "Keys of zero, decays of 1 and to nothing, no step and full steps.", 4, 1, 1, "f32", "state")):
        B, K, V = 2, 4, 3
        q, k, v = random.tensor(B, T, H, K), random.tensor(B, T, H, K), random.tensor(B, T, HV, V)
        decay = Tensor((B, T, HV, K), [-abs(x) for x in random.tensor(B, T, HV, K).data])
        beta = Tensor((B, T, HV), [abs(x) / 2 for x in random.tensor(B, T, HV).data])
        if name == "extremes":
            k.data[:K] = [0.0] * K
            decay.data[:K], decay.data[K:2 * K] = [0.0] * K, [-512.0] * K
            beta.data[:3] = [1.0, 1.0, 0.0]
        inputs = dict(q=q, k=k, v=v, g=decay, b=beta)
        if "state" in extras:
            inputs["s"] = random.tensor(B, HV, K, V)
        length = ([2, 0] if "state" in extras else [3, 1]) if "length" in extras else None
        storage = dict(g="f32", s="f32")
        typed = lambda names: [type_of(inputs[n], storage.get(n, element)) for n in names]
        tail = (" state(%s)" if "s" in inputs else "") + (" length(%l)" if length else "")
        tail = tail.replace("%s", "%s0")

        def add_inputs(c):
            for n, tensor in inputs.items():
                c.input("s0" if n == "s" else n, tensor, storage.get(n, element))
            if length:
                c.input("l", Tensor((B,), length), "i64")

        of = lambda i: kda(i["q"], i["k"], i["v"], i["g"], i["b"], 0.5, i.get("s"), length)
        last = (["tensor<2xi64>"] if length else [])
        c = case("kda", "KD-1 KD-2 KD-4", name, note)
        add_inputs(c)
        c.op("%%o, %%n = attnres.kda %%q, %%k, %%v, %%g, %%b%s : %s" % (tail, ", ".join(typed(inputs) + last)))
        output, state = of(inputs)
        c.expect("o", output, element)
        c.expect("n", state)
        if element == "bf16":
            continue
        do, ds = random.tensor(B, T, HV, V), random.tensor(B, HV, K, V)
        for with_state in (False, True):
            c = case("kda_backward", "KD-5 KD-4", name + ("_state" if with_state else ""), note)
            add_inputs(c)
            c.inputs(do=do, ds=ds)
            operands = typed("qkvgb") + [type_of(do, "f32")] + ([type_of(ds, "f32")] if with_state else [])
            operands += (typed("s") if "s" in inputs else []) + last
            c.op("%%d:%d = attnres.kda_backward %%q, %%k, %%v, %%g, %%b, %%do%s%s : %s"
                 % (len(inputs), " state_grad(%ds)" if with_state else "", tail, ", ".join(operands)))
            zero = Tensor(ds.shape, [0.0] * len(ds.data))
            value = lambda i: pairing(of(i), [do, ds if with_state else zero])
            for i, n in enumerate(inputs):
                c.expect("d#%d" % i, gradient(value, inputs, n))


# ---------------------------------------------------------------- experts

def largest(values, count):
    return sorted(range(len(values)), key=lambda i: (-real(values[i]), i))[:count]


def shares(row, chosen):
    scores = [sigmoid(row[e]) for e in chosen]
    return [s / sum(scores) for s in scores]


def router(logits, bias, count):
    experts = [largest([real(sigmoid(x)) + b for x, b in zip(row, bias.data)], count) for row in logits.rows()]
    weights = [shares(row, chosen) for row, chosen in zip(logits.rows(), experts)]
    shape = logits.shape[:-1] + (count,)
    return Tensor(shape, [e for row in experts for e in row]), Tensor(shape, [w for row in weights for w in row])


def balance_bias(logits, bias, count):
    rows, width = logits.rows(), len(bias.data)
    scores = [[sigmoid(x) for x in row] for row in rows]
    cutoffs = []
    for row in scores:
        biased = [s + b for s, b in zip(row, bias.data)]
        cutoffs.append(biased[largest(biased, count + 1)[-1]])
    share, out = len(rows) * count // width, []
    for e in range(width):
        margins = [row[e] - cutoff for row, cutoff in zip(scores, cutoffs)]
        out.append(-margins[largest(margins, share + 1)[-1]])
    return Tensor((width,), [b - sum(out) / width for b in out])


def choice_row(tensor, experts, i):
    shared = len(tensor.shape) == len(experts.shape)
    return tensor.rows()[i // experts.shape[-1] if shared else i]


def grouped_linear(x, weight, experts, transpose):
    E, N, K = weight.shape
    out = []
    for i, e in enumerate(experts.data):
        row = choice_row(x, experts, i)
        matrix = [weight.data[(e * N + n) * K:(e * N + n + 1) * K] for n in range(N)]
        matrix = list(zip(*matrix)) if transpose else matrix
        out += [dot(m, row) for m in matrix]
    return Tensor(experts.shape + (K if transpose else N,), out)


def combine(x, weights):
    choices, N, rows = x.shape[-2], x.shape[-1], x.rows()
    out = []
    for first in range(0, len(rows), choices):
        out += [sum((weights.data[first + j] if weights else 1) * rows[first + j][n] for j in range(choices)) for n in range(N)]
    return Tensor(x.shape[:-2] + (N,), out)


def expert_cases():
    random = Random(24)
    logits, bias = random.tensor(2, 3, 5), random.tensor(5)
    equal = Tensor((2, 4), [0.5, 0.5, 0.5, 0.5, -1.0, 0.25, 0.25, -1.0])
    zero = Tensor((4,), [0.0] * 4)
    for name, l, b, count, note in (("two_of_five", logits, bias, 2, "The bias decides with."), ("all", logits, bias, 5, "All are chosen."),
                                    ("equal_scores", equal, zero, 3, "The lower number first among equals.")):
        c = case("router", "EX-1", name, note)
        c.inputs(l=l, b=b)
        c.op("%%e, %%w = attnres.router %%l, %%b {top_k = %d : i64} : %s" % (count, types([l, b])))
        experts, weights = router(l, b, count)
        wide = type_of(experts, "f64")
        c.op("%%chosen = arith.sitofp %%e : %s to %s" % (type_of(experts, "i64"), wide))
        c.input("numbers", Tensor(experts.shape, [float(e) for e in experts.data]), "f64")
        c.op("attnres.expect_close %%chosen, %%numbers {atol = 0.0 : f64, rtol = 0.0 : f64} : %s" % wide)
        c.expect("w", weights)
        g = random.tensor(*experts.shape)
        c = case("router_backward", "EX-2", name, note)
        c.inputs(l=l, g=g)
        c.input("e", experts, "i64")
        c.op("%%d = attnres.router_backward %%l, %%e, %%g : %s, %s, %s"
             % (type_of(l, "f32"), type_of(experts, "i64"), type_of(g, "f32")))
        c.expect("d", gradient(lambda i: pairing([router(i["l"], b, count)[1]], [g]), dict(l=l), "l"))
    for name, l, b, count in (("six_rows", logits, bias, 2), ("equal_scores", equal, zero, 1)):
        c = case("balance_bias", "EX-6", name, "Every expert's share of the rows.")
        c.inputs(l=l, b=b)
        c.op("%%y = attnres.balance_bias %%l, %%b {top_k = %d : i64} : %s" % (count, types([l, b])))
        c.expect("y", balance_bias(l, b, count))

    # Nobody chooses matrix 2.
    experts = Tensor((2, 3, 2), [0, 3, 1, 0, 0, 1, 3, 1, 1, 3, 0, 1])
    for name, shared, transpose, element in (("shared_rows", True, False, "f32"), ("own_rows", False, False, "f32"),
                                             ("transposed", False, True, "f32"), ("bf16", True, True, "bf16")):
        weight = random.tensor(4, 3, 5)
        depth, width = (3, 5) if transpose else (5, 3)
        x, g = random.tensor(2, 3, *([] if shared else [2]), depth), random.tensor(2, 3, 2, width)
        c = case("grouped_linear", "EX-3", name, "Four matrices, one of which nobody chooses.")
        c.inputs(element, x=x, w=weight)
        c.input("e", experts, "i64")
        c.op("%%y = attnres.grouped_linear %%x, %%w, %%e%s : %s, tensor<2x3x2xi64>"
             % (" {transpose}" if transpose else "", types([x, weight], element)))
        c.expect("y", grouped_linear(x, weight, experts, transpose), element)
        lhs, rhs = (x, g) if transpose else (g, x)
        c = case("grouped_weight_grad", "EX-4", name, "Four matrices, one of which nobody chooses.")
        c.inputs(element, a=lhs, b=rhs)
        c.input("e", experts, "i64")
        c.op("%%y = attnres.grouped_weight_grad %%a, %%b, %%e {matrices = 4 : i64} : %s, tensor<2x3x2xi64>"
             % types([lhs, rhs], element))
        c.expect("y", gradient(lambda i: pairing([grouped_linear(x, i["w"], experts, transpose)], [g]), dict(w=weight), "w"))

    x, w, g = random.tensor(2, 3, 2, 4), random.tensor(2, 3, 2), random.tensor(2, 3, 4)
    for name, weights, element in (("weighted", w, "f32"), ("sum", None, "f32"), ("bf16", w, "bf16")):
        c = case("combine_experts", "EX-5", name, "Two outputs for each of six rows.")
        c.inputs(element, x=x)
        c.inputs(w=w)
        c.op("%%y = attnres.combine_experts %%x%s : %s%s"
             % (" weights(%w)" if weights else "", type_of(x, element), ", tensor<2x3x2xf32>" if weights else ""))
        c.expect("y", combine(x, weights), element)
    c = case("combine_experts_backward", "EX-5", "plain", "Both gradients.")
    c.inputs(x=x, w=w, g=g)
    c.op("%%d:2 = attnres.combine_experts_backward %%x, %%w, %%g : %s" % types([x, w, g]))
    for i, n in enumerate("xw"):
        c.expect("d#%d" % i, gradient(lambda v: pairing([combine(v["x"], v["w"])], [g]), dict(x=x, w=w), n))

    tanh = lambda z: cmath.tanh(z) if isinstance(z, complex) else math.tanh(z)
    situ = lambda i, a, b: Tensor(i["gate"].shape, [a * tanh(x / a) * sigmoid(x) * b * tanh(u / b)
                                                    for x, u in zip(i["gate"].data, i["up"].data)])
    inputs, g = dict(gate=random.tensor(2, 7), up=random.tensor(2, 7)), random.tensor(2, 7)
    for name, attributes, a, b, element in (("f32", "", 4, 25, "f32"), ("bf16", "", 4, 25, "bf16"),
                                            ("bounds", " {gate_bound = 2.0 : f64, up_bound = 0.5 : f64}", 2, 0.5, "f32")):
        c = case("situ_glu", "EX-7", name, "Bounded by %s and %s." % (a, b))
        c.inputs(element, **inputs)
        c.op("%%y = attnres.situ_glu %%gate, %%up%s : tensor<2x7x%s>" % (attributes, element))
        c.expect("y", situ(inputs, a, b), element)
        if element == "bf16":
            continue
        c = case("situ_glu_backward", "EX-7", name, "Both gradients.")
        c.inputs(**inputs, g=g)
        c.op("%%d:2 = attnres.situ_glu_backward %%gate, %%up, %%g%s : tensor<2x7xf32>, tensor<2x7xf32>, tensor<2x7xf32>" % attributes)
        for i, n in enumerate(("gate", "up")):
            c.expect("d#%d" % i, gradient(lambda v: pairing([situ(v, a, b)], [g]), inputs, n))


if __name__ == "__main__":
    for cases in (convolution_cases, gate_cases, kda_cases, expert_cases):
        cases()
    write(sys.argv[1], "interpret_k3_cases.py")

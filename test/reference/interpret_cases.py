"""Writes test/interpret/*.mlir: constants in, expected values in float64 out.

    python3 interpret_cases.py OUT_DIR

Independent of the interpreter: the forward formulas are written out here in
plain Python, and every gradient is the complex-step derivative of a forward
formula (Im f(x + ih) / h with h = 1e-30), exact to rounding. Inputs are
multiples of 1/8, exact in every storage type; attributes are powers of two, so
that the f32 constants of a decomposition are exact as well.
"""
import math
import sys

from interpret_reference import added, attention, ATTRS, cache_write, case, cross_entropy, depth, depth_weights, dot, \
    dropout, EPS, exp, EXTRA, gradient, INF, layer_norm, linear, log, log_sum_exp, losses, matmul, matrix, merge, mix, number, \
    pairing, partial_gradients, Random, rms_norm, rope, rotated, scores, select_token, sigmoid, softmax, sqrt, \
    static_mix, sum_rows, Tensor, transposed, type_of, write


# ---------------------------------------------------------------- depth

def depth_cases():
    random = Random(1)
    D, lead = 5, (2, 3)
    q = [random.tensor(D) for _ in range(2)]
    g = [random.tensor(D) for _ in range(2)]
    v = [random.tensor(*lead, D) for _ in range(3)]

    def two_queries(c, element):
        c.inputs(q0=q[0], q1=q[1], g0=g[0], g1=g[1])
        c.inputs(element, v0=v[0], v1=v[1], v2=v[2])
        c.op("%%h:2, %%lse:2 = attnres.depth_attention queries(%%q0, %%q1) gains(%%g0, %%g1) sources(%%v0, %%v1, %%v2) "
             "%s} : tensor<2x3x5x%s>" % (ATTRS, element))

    for element in ("f32", "bf16"):
        c = case("depth_attention", "DA-8 DA-1 G-3", "two_queries_" + element, "Two queries share three sources.")
        two_queries(c, element)
        for l in range(2):
            h, lse = depth(q[l], g[l], v)
            c.expect("h#%d" % l, h, element)
            c.expect("lse#%d" % l, lse)

    c = case("depth_attention", "DA-5", "one_source", "One source gives itself, exactly.")
    c.inputs(q=q[0], g=g[0], v=v[0])
    c.op("%%h, %%lse = attnres.depth_attention queries(%%q) gains(%%g) sources(%%v) %s} : tensor<2x3x5xf32>" % ATTRS)
    c.expect("h", v[0], tolerance=0)
    c.expect("lse", depth(q[0], g[0], v[:1])[1])

    # Without eps the scores of v and 2 v are equal.
    longer = Tensor(v[0].shape, [2 * x for x in v[0].data])
    c = case("depth_attention", "DA-2", "longer_source", "A source twice as long counts twice in the sum.")
    c.inputs(q=q[0], g=g[0], v0=v[0], v1=longer)
    c.op("%h, %lse = attnres.depth_attention queries(%q) gains(%g) sources(%v0, %v1) {eps = 0.0 : f64} : tensor<2x3x5xf32>")
    c.expect("h", Tensor(v[0].shape, [1.5 * x for x in v[0].data]))

    # Of length sqrt(D) each, so that every score is the scalar product itself.
    ones, minus = Tensor((1, 4), [1.0] * 4), Tensor((1, 4), [-1.0] * 4)
    c = case("depth_attention", "DA-3", "undivided_scores", "The scores are 4 and -4, whatever D.")
    c.inputs(w=Tensor((4,), [1.0] * 4), v0=ones, v1=minus)
    c.op("%h, %lse = attnres.depth_attention queries(%w) gains(%w) sources(%v0, %v1) {eps = 0.0 : f64} : tensor<1x4xf32>")
    c.expect("h", Tensor((1, 4), [math.tanh(4.0)] * 4))
    c.expect("lse", Tensor((1,), [log_sum_exp([4.0, -4.0])]))

    c = case("depth_attention", "DA-4", "zero_query", "The mean of the sources.")
    c.inputs(q=Tensor((D,), [0.0] * D), g=g[0], v0=v[0], v1=v[1], v2=v[2])
    c.op("%%h, %%lse = attnres.depth_attention queries(%%q) gains(%%g) sources(%%v0, %%v1, %%v2) %s} : tensor<2x3x5xf32>" % ATTRS)
    c.expect("h", Tensor(v[0].shape, [sum(x) / 3 for x in zip(*[t.data for t in v])]))
    c.expect("lse", Tensor(lead, [math.log(3)] * 6))

    c = case("depth_attention", "DA-9", "repeated_source", "A source listed twice counts twice.")
    c.inputs(q=q[0], g=g[0], v0=v[0], v1=v[1])
    c.op("%%h, %%lse = attnres.depth_attention queries(%%q) gains(%%g) sources(%%v0, %%v1, %%v0) %s} : tensor<2x3x5xf32>" % ATTRS)
    h, lse = depth(q[0], g[0], [v[0], v[1], v[0]])
    c.expect("h", h)
    c.expect("lse", lse)

    zero = Tensor((3, D), [0.0] * 3 * D)
    other = random.tensor(3, D)
    c = case("depth_attention", "DA-6", "zero_source", "An all-zero source has score 0.")
    c.inputs(q=q[0], g=g[0], v0=zero, v1=other)
    c.op("%%h, %%lse = attnres.depth_attention queries(%%q) gains(%%g) sources(%%v0, %%v1) %s} : tensor<3x5xf32>" % ATTRS)
    h, lse = depth(q[0], g[0], [zero, other])
    c.expect("h", h)
    c.expect("lse", lse)

    c = case("depth_attention", "G-4", "no_rows", "No rows at all.")
    c.inputs(q=q[0], g=g[0], v=Tensor((0, D), []))
    c.op("%%h, %%lse = attnres.depth_attention queries(%%q) gains(%%g) sources(%%v, %%v) %s} : tensor<0x5xf32>" % ATTRS)
    c.expect("h", Tensor((0, D), []))

    # gradients
    inputs = dict(q0=q[0], q1=q[1], g0=g[0], g1=g[1], v0=v[0], v1=v[1], v2=v[2])
    dh = [random.tensor(*lead, D) for _ in range(2)]
    dl = [random.tensor(*lead) for _ in range(2)]

    def value(x, weights):
        outs = []
        for l in range(2):
            outs += depth(x["q%d" % l], x["g%d" % l], [x["v0"], x["v1"], x["v2"]])
        return pairing(outs, weights)

    types = "tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, " + ", ".join(["tensor<2x3x5xf32>"] * 3) \
        + ", tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3x5xf32>, tensor<2x3x5xf32>"
    text = "%%d:7 = attnres.depth_attention_backward queries(%%q0, %%q1) gains(%%g0, %%g1) sources(%%v0, %%v1, %%v2) " \
           "lses(%%lse#0, %%lse#1) output_grads(%%dh0, %%dh1)%s %s%s} : %s"
    names = ["v0", "v1", "v2", "q0", "q1", "g0", "g1"]

    c = case("depth_attention_backward", "DA-10", "through_outputs", "Gradients of the outputs alone.")
    two_queries(c, "f32")
    c.inputs(dh0=dh[0], dh1=dh[1])
    c.op(text % ("", ATTRS, "", types))
    zeros = Tensor(lead, [0.0] * 6)
    for i, name in enumerate(names):
        c.expect("d#%d" % i, gradient(lambda x: value(x, [dh[0], zeros, dh[1], zeros]), inputs, name))

    weights = [dh[0], dl[0], dh[1], dl[1]]
    acc = [random.tensor(*lead, D) for _ in range(3)]
    c = case("depth_attention_backward", "DA-10 DA-11 PR-6", "through_lse", "Gradients of the log-sum-exps too, accumulators, partial sums.")
    two_queries(c, "f32")
    c.inputs(dh0=dh[0], dh1=dh[1], dl0=dl[0], dl1=dl[1], a0=acc[0], a1=acc[1], a2=acc[2])
    c.op(text % (" lse_grads(%dl0, %dl1) accumulators(%a0, %a1, %a2)", ATTRS, ", partials = 4 : i64",
                 types + ", tensor<2x3xf32>, tensor<2x3xf32>, " + ", ".join(["tensor<2x3x5xf32>"] * 3)))
    for i in range(3):
        c.expect("d#%d" % i, added(acc[i], gradient(lambda x: value(x, weights), inputs, names[i])))
    for i, name in enumerate(names[3:]):
        c.expect("d#%d" % (3 + i), partial_gradients(value, weights, inputs, name, rows=6, partials=4))

    c = case("depth_attention_backward", "DA-5", "one_source", "One source: the gradient of the query is exactly zero.")
    c.inputs(q=q[0], g=g[0], v=v[0], dh=dh[0])
    c.op("%%h, %%lse = attnres.depth_attention queries(%%q) gains(%%g) sources(%%v) %s} : tensor<2x3x5xf32>" % ATTRS)
    c.op("%%d:3 = attnres.depth_attention_backward queries(%%q) gains(%%g) sources(%%v) lses(%%lse) output_grads(%%dh) %s}"
         " : tensor<5xf32>, tensor<5xf32>, tensor<2x3x5xf32>, tensor<2x3xf32>, tensor<2x3x5xf32>" % ATTRS)
    c.expect("d#0", dh[0], tolerance=0)
    for i in (1, 2):
        c.expect("d#%d" % i, Tensor((D,), [0.0] * D), tolerance=0)

    # weights
    c = case("depth_weights", "DA-1", "three_sources", "Weights of three sources.")
    c.inputs(q=q[0], g=g[0], v0=v[0], v1=v[1], v2=v[2])
    c.op("%%a = attnres.depth_weights query(%%q) gain(%%g) sources(%%v0, %%v1, %%v2) %s} : tensor<2x3x5xf32>" % ATTRS)
    c.expect("a", depth_weights(q[0], g[0], v))


def merge_cases():
    random = Random(2)
    D, lead = 5, (2, 3)
    q, g = random.tensor(D), random.tensor(D)
    state, lse = random.tensor(*lead, D), random.tensor(*lead)
    v = [random.tensor(*lead, D) for _ in range(2)]
    op = "%%h, %%l = attnres.depth_merge %%s, %%sl query(%%q) gain(%%g) sources(%s) %s} : tensor<2x3x5xf32>"

    c = case("depth_merge", "ME-4", "two_sources", "Two more sources.")
    c.inputs(s=state, sl=lse, q=q, g=g, v0=v[0], v1=v[1])
    c.op(op % ("%v0, %v1", ATTRS))
    h, l = depth(q, g, v, state, lse)
    c.expect("h", h)
    c.expect("l", l)

    c = case("depth_merge", "ME-3", "empty_state", "A state of nothing is the identity.")
    empty = Tensor(lead, [-INF] * 6)
    c.inputs(s=Tensor(state.shape, [0.0] * 30), sl=empty, q=q, g=g, v0=v[0])
    c.op(op % ("%v0", ATTRS))
    h, l = depth(q, g, v[:1])
    c.expect("h", h)
    c.expect("l", l)

    c = case("depth_merge", "ME-4", "state_of_sources", "A depth attention, and then the sources that it left out.")
    c.inputs(q=q, g=g, v0=state, v1=v[0], v2=v[1])
    c.op("%%s, %%sl = attnres.depth_attention queries(%%q) gains(%%g) sources(%%v0) %s} : tensor<2x3x5xf32>" % ATTRS)
    c.op(op % ("%v1, %v2", ATTRS))
    h, l = depth(q, g, [state] + v)
    c.expect("h", h)
    c.expect("l", l)

    c = case("depth_merge", "ME-5", "one_source", "state + sigmoid(s - state_lse) (v - state).")
    c.inputs(s=state, sl=lse, q=q, g=g, v0=v[0])
    c.op(op % ("%v0", ATTRS))
    share = [sigmoid(scores(q.data, g.data, [row])[0] - x) for row, x in zip(v[0].rows(), lse.data)]
    c.expect("h", Tensor(state.shape, [a + share[i // D] * (b - a) for i, (a, b) in enumerate(zip(state.data, v[0].data))]))

    inputs = dict(s=state, sl=lse, q=q, g=g, v0=v[0], v1=v[1])
    dh, dl = random.tensor(*lead, D), random.tensor(*lead)
    acc = [random.tensor(*lead, D) for _ in range(2)]

    def value(x, weights):
        return pairing(depth(x["q"], x["g"], [x["v0"], x["v1"]], x["s"], x["sl"]), weights)

    types = "tensor<2x3x5xf32>, tensor<2x3xf32>, tensor<5xf32>, tensor<5xf32>, tensor<2x3x5xf32>, tensor<2x3x5xf32>, " \
            "tensor<2x3xf32>, tensor<2x3x5xf32>"
    for name, extra in (("through_output", ""), ("through_lse", " lse_grad(%dl) accumulators(%a0, %a1)")):
        c = case("depth_merge_backward", "ME-6", name, "Gradients of a merge with two sources.")
        c.inputs(**inputs, dh=dh, dl=dl, a0=acc[0], a1=acc[1])
        c.op(op % ("%v0, %v1", ATTRS))
        c.op("%%d:6 = attnres.depth_merge_backward %%s, %%sl query(%%q) gain(%%g) sources(%%v0, %%v1) lse(%%l) "
             "output_grad(%%dh)%s %s%s} : %s%s"
             % (extra, ATTRS, ", partials = 2 : i64" if extra else "", types,
                ", tensor<2x3xf32>, tensor<2x3x5xf32>, tensor<2x3x5xf32>" if extra else ""))
        weights = [dh, dl if extra else Tensor(lead, [0.0] * 6)]
        for i, of in enumerate(["s", "sl", "v0", "v1", "q", "g"]):
            if extra and of in "qg":
                want = partial_gradients(value, weights, inputs, of, rows=6, partials=2)
            else:
                want = gradient(lambda x: value(x, weights), inputs, of)
                if extra and of[0] == "v":
                    want = added(acc[int(of[1])], want)
            c.expect("d#%d" % i, want)

    c = case("depth_merge_backward", "ME-3", "empty_state", "Nothing flows into a state of nothing.")
    c.inputs(s=Tensor(state.shape, [0.0] * 30), sl=empty, q=q, g=g, v0=v[0], dh=dh)
    c.op(op % ("%v0", ATTRS))
    c.op("%%d:5 = attnres.depth_merge_backward %%s, %%sl query(%%q) gain(%%g) sources(%%v0) lse(%%l) output_grad(%%dh) %s} : "
         "tensor<2x3x5xf32>, tensor<2x3xf32>, tensor<5xf32>, tensor<5xf32>, tensor<2x3x5xf32>, tensor<2x3xf32>, tensor<2x3x5xf32>" % ATTRS)
    c.expect("d#0", Tensor(state.shape, [0.0] * 30), tolerance=0)
    c.expect("d#1", Tensor(lead, [0.0] * 6), tolerance=0)
    c.expect("d#2", dh)
    c.expect("d#3", Tensor((D,), [0.0] * D))

    # states
    b, lb = random.tensor(*lead, D), random.tensor(*lead)
    lse.data[1] = lb.data[2] = -INF
    lse.data[3] = lb.data[3] = -INF
    types = "tensor<2x3x5xf32>, tensor<2x3xf32>, tensor<2x3x5xf32>, tensor<2x3xf32>"
    op = "%%o, %%l = attnres.merge_states %%a, %%la, %%b, %%lb : %s" % types
    inputs = dict(a=state, la=lse, b=b, lb=lb)
    c = case("merge_states", "ME-2 ME-3 G-5", "with_empty_rows", "Rows where one state or both are empty.")
    c.inputs(**inputs)
    c.op(op)
    o, l = merge(state, lse, b, lb)
    c.expect("o", o)
    c.expect("l", l)

    third, third_lse = v[0], dl
    c = case("merge_states", "ME-3", "any_order", "Three states, merged in two orders.")
    c.inputs(**inputs, c=third, lc=third_lse)
    c.op(op)
    c.op("%%x, %%lx = attnres.merge_states %%o, %%l, %%c, %%lc : %s" % types)
    c.op("%%p, %%lp = attnres.merge_states %%c, %%lc, %%b, %%lb : %s" % types)
    c.op("%%y, %%ly = attnres.merge_states %%p, %%lp, %%a, %%la : %s" % types)
    all_o, all_l = merge(o, l, third, third_lse)
    for name in "xy":
        c.expect(name, all_o)
        c.expect("l" + name, all_l)

    def value(x, weights):
        return pairing(merge(x["a"], x["la"], x["b"], x["lb"]), weights)

    for name, extra in (("through_output", ""), ("through_lse", " lse_grad(%dl)")):
        c = case("merge_states_backward", "ME-6 ME-3", name, "Empty rows get no gradient.")
        c.inputs(**inputs, dh=dh, dl=dl)
        c.op(op)
        c.op("%%d:4 = attnres.merge_states_backward %%a, %%la, %%b, %%lb, %%l, %%dh%s : %s, tensor<2x3xf32>, tensor<2x3x5xf32>%s"
             % (extra, types, ", tensor<2x3xf32>" if extra else ""))
        weights = [dh, Tensor(lead, [0.0 if l.data[i] == -INF or not extra else dl.data[i] for i in range(6)])]
        for i, of in enumerate(["a", "la", "b", "lb"]):
            finite = Tensor(inputs[of].shape, inputs[of].data)
            want = gradient(lambda x: value(x, weights), {**inputs, of: finite}, of)
            if of[0] == "l":  # the complex step from -inf is meaningless; the gradient is 0
                want.data = [0.0 if inputs[of].data[j] == -INF else w for j, w in enumerate(want.data)]
            c.expect("d#%d" % i, want)


def static_cases():
    random = Random(3)
    w = random.tensor(3)
    v = [random.tensor(2, 3, 5) for _ in range(3)]
    c = case("static_mix", "SM-1", "three_sources", "Three sources.")
    c.inputs(w=w, v0=v[0], v1=v[1], v2=v[2])
    c.op("%h = attnres.static_mix %w, %v0, %v1, %v2 : tensor<2x3x5xf32>")
    c.expect("h", static_mix(w, v))
    c = case("static_weights", "SM-1", "three", "softmax of three logits.")
    c.inputs(w=w)
    c.op("%a = attnres.static_weights %w : tensor<3xf32>")
    c.expect("a", Tensor((3,), softmax(w.data)))

    inputs = dict(w=w, v0=v[0], v1=v[1], v2=v[2])
    dh, acc = random.tensor(2, 3, 5), [random.tensor(2, 3, 5) for _ in range(3)]

    def value(x, weights):
        return pairing([static_mix(x["w"], [x["v0"], x["v1"], x["v2"]])], weights)

    types = "tensor<3xf32>, " + ", ".join(["tensor<2x3x5xf32>"] * 4)
    for name, extra in (("plain", ""), ("partial_sums", " accumulators(%a0, %a1, %a2) {partials = 4 : i64}")):
        c = case("static_mix_backward", "SM-3", name, "Gradients of a mixture of three.")
        c.inputs(**inputs, dh=dh, a0=acc[0], a1=acc[1], a2=acc[2])
        c.op("%%d:4 = attnres.static_mix_backward %%w sources(%%v0, %%v1, %%v2) output_grad(%%dh)%s : %s%s"
             % (extra, types, (", tensor<2x3x5xf32>" * 3) if extra else ""))
        c.expect("d#0", partial_gradients(value, [dh], inputs, "w", 6, 4) if extra
                 else gradient(lambda x: value(x, [dh]), inputs, "w"))
        for i in range(3):
            want = gradient(lambda x: value(x, [dh]), inputs, "v%d" % i)
            c.expect("d#%d" % (i + 1), added(acc[i], want) if extra else want)


# ---------------------------------------------------------------- attention

def attention_cases():
    random = Random(4)
    for numbers, name, note, T, S, causal, scale, element in (
            ("SA-3 SA-1", "causal", "Grouped heads, equal lengths.", 3, 3, True, None, "f32"),
            ("SA-3", "longer_keys", "The causal mask is aligned at the bottom right.", 2, 5, True, 0.25, "bf16"),
            ("SA-4", "longer_queries", "The first queries see no key.", 5, 2, True, None, "f32"),
            ("SA-2", "full", "No mask.", 3, 2, False, None, "f32"),
            ("SA-4 G-5", "no_keys", "Nothing to attend to.", 2, 0, False, None, "f32"),
            ("SA-2", "one_token", "A single token.", 1, 1, True, None, "f32")):
        B, H, Hkv, Dk, Dv = 2, 4, 2, 4, 3
        q, k, v = random.tensor(B, T, H, Dk), random.tensor(B, S, Hkv, Dk), random.tensor(B, S, Hkv, Dv)
        attrs = [a for a in ("causal" if causal else "", "scale = %s : f64" % number(scale) if scale else "") if a]
        types = ", ".join(type_of(x, element) for x in (q, k, v))
        attr = " {%s}" % ", ".join(attrs) if attrs else ""
        forward = "%%o, %%l = attnres.attention %%q, %%k, %%v%s : %s" % (attr, types)
        c = case("attention", numbers, name, note)
        c.inputs(element, q=q, k=k, v=v)
        c.op(forward)
        of = lambda x: attention(x["q"], x["k"], x["v"], causal, scale or 0.5)
        o, l = of(dict(q=q, k=k, v=v))
        c.expect("o", o, element)
        c.expect("l", l)

        inputs, dh, dl = dict(q=q, k=k, v=v), random.tensor(B, T, H, Dv), random.tensor(B, T, H)
        for suffix in ("", "_lse"):
            c = case("attention_backward", "SA-5", name + suffix, note + (" Through the log-sum-exp." if suffix else ""))
            c.inputs(element, q=q, k=k, v=v, dh=dh)
            c.inputs(dl=dl)
            c.op(forward)
            c.op("%%d:3 = attnres.attention_backward %%q, %%k, %%v, %%o, %%l, %%dh%s%s : %s, %s, %s, %s%s"
                 % (" lse_grad(%dl)" if suffix else "", attr, types, type_of(o, element), type_of(l, "f32"),
                    type_of(o, element), ", " + type_of(l, "f32") if suffix else ""))
            # Rows without keys have no gradient.
            lse_weight = Tensor(dl.shape, [x if suffix and l.data[i] != -INF else 0.0 for i, x in enumerate(dl.data)])
            for i, n in enumerate("qkv"):
                c.expect("d#%d" % i, gradient(lambda x: pairing(of(x), [dh, lse_weight]), inputs, n), element)

    # Batch rows of different lengths; nothing behind their last tokens counts.
    more = Random(12)
    for name, T, starts, element in (("cache", 3, (0, 4), "f32"), ("cache_full", 2, (5, 1), "bf16"),
                                     ("cache_decode", 1, (6, 2), "f32")):
        q, k, v = more.tensor(2, T, 4, 4), more.tensor(2, 7, 2, 4), more.tensor(2, 7, 2, 3)
        start = Tensor((2,), starts)
        c = case("attention", "SA-8", name, "Queries behind keys and values of a cache.")
        c.inputs(element, q=q, k=k, v=v)
        c.input("s", start, "i64")
        c.op("%%o, %%l = attnres.attention %%q, %%k, %%v start(%%s) {causal} : %s, tensor<2xi64>"
             % ", ".join(type_of(x, element) for x in (q, k, v)))
        o, l = attention(q, k, v, True, 0.5, start)
        c.expect("o", o, element)
        c.expect("l", l)
    # Every token belongs to the text that begins there; the last row is nobody's.
    texts = Random(21)
    for name, begins, element in (("documents", (0, 0, 2, 2, 0, 1, 1, 3), "f32"), ("documents_outside", (-3, 0, 1, 7, 0, 1, 3, -1), "bf16")):
        q, k, v = texts.tensor(2, 4, 2, 4), texts.tensor(2, 4, 1, 4), texts.tensor(2, 4, 1, 3)
        documents, dh, dl = Tensor((2, 4), begins), texts.tensor(2, 4, 2, 3), Tensor((2, 4, 2), [0.0] * 16)
        types = ", ".join(type_of(x, element) for x in (q, k, v))
        of = lambda x: attention(x["q"], x["k"], x["v"], True, 0.5, documents=documents)
        o, l = of(dict(q=q, k=k, v=v))
        for op in ("attention", "attention_backward"):
            c = case(op, "SA-10", name, "Rows of several texts.")
            c.inputs(element, q=q, k=k, v=v, dh=dh)
            c.input("d", documents, "i64")
            c.op("%%o, %%l = attnres.attention %%q, %%k, %%v documents(%%d) {causal} : %s, tensor<2x4xi64>" % types)
            if op == "attention":
                c.expect("o", o, element)
                c.expect("l", l)
                continue
            c.op("%%g:3 = attnres.attention_backward %%q, %%k, %%v, %%o, %%l, %%dh documents(%%d) {causal} : "
                 "%s, %s, %s, %s, tensor<2x4xi64>" % (types, type_of(o, element), type_of(l, "f32"), type_of(o, element)))
            for i, n in enumerate("qkv"):
                c.expect("g#%d" % i, gradient(lambda x: pairing(of(x), [dh, dl]), dict(q=q, k=k, v=v), n), element)
    for name, T, starts, element in (("several", 3, (0, 2), "f32"), ("one", 1, (4, 1), "bf16"), ("all", 5, (0, 0), "f32")):
        cache, x, start = more.tensor(2, 5, 2, 3), more.tensor(2, T, 2, 3), Tensor((2,), starts)
        c = case("cache_write", "CA-1", name, "Batch rows with places of their own.")
        c.inputs(element, c=cache, x=x)
        c.input("s", start, "i64")
        c.op("%%y = attnres.cache_write %%c, %%x at(%%s) : %s, %s, tensor<2xi64>"
             % (type_of(cache, element), type_of(x, element)))
        c.expect("y", cache_write(cache, x, start), element)
    lengths = Random(17)
    for name, T, starts, counts, element in (("lengths", 3, (0, 2), (2, 3), "f32"), ("none", 3, (1, 2), (0, 1), "bf16"),
                                             ("one_or_none", 1, (4, 1), (0, 1), "f32")):
        cache, x = lengths.tensor(2, 5, 2, 3), lengths.tensor(2, T, 2, 3)
        start, length = Tensor((2,), starts), Tensor((2,), counts)
        c = case("cache_write", "CA-5", name, "Only the first rows of each batch row are written.")
        c.inputs(element, c=cache, x=x)
        c.input("s", start, "i64")
        c.input("n", length, "i64")
        c.op("%%y = attnres.cache_write %%c, %%x at(%%s) length(%%n) : %s, %s, tensor<2xi64>, tensor<2xi64>"
             % (type_of(cache, element), type_of(x, element)))
        c.expect("y", cache_write(cache, x, start, length), element)
    selected = Random(13)
    for name, shape, places, element in (("rows", (2, 3, 5), (0, 2), "f32"), ("heads", (3, 4, 2, 3), (3, 1, 0), "bf16"),
                                         ("statistics", (2, 3), (1, 0), "f32"), ("one", (2, 1, 3), (0, 0), "f32")):
        x, at = selected.tensor(*shape), Tensor((shape[0],), places)
        c = case("select_token", "SE-1", name, "Batch rows with places of their own.")
        c.inputs(element, x=x)
        c.input("i", at, "i64")
        c.op("%%y = attnres.select_token %%x at(%%i) : %s, tensor<%dxi64>" % (type_of(x, element), shape[0]))
        c.expect("y", select_token(x, at), element)

    x = random.tensor(2, 3, 2, 6)
    for name, attrs, offset, inverse in (("plain", "", 0, False), ("offset", ", offset = 5 : i64", 5, False),
                                         ("inverse", ", inverse", 0, True)):
        c = case("rope", "RO-2" if inverse else "RO-1", name, "Three positions, two heads.")
        c.inputs(x=x)
        c.op("%%y = attnres.rope %%x {theta = 1.0e4 : f64%s} : tensor<2x3x2x6xf32>" % attrs)
        # A decomposition rounds cosines and sines to f32.
        c.expect("y", rope(x, 1e4, offset, inverse), tolerance=2e-7)
    start = Tensor((2,), (4, 0))
    for name, attrs, offset, inverse in (("start", "", 0, False), ("start_offset", ", offset = 5 : i64", 5, False),
                                         ("start_inverse", ", inverse", 0, True)):
        c = case("rope", "RO-4", name, "Batch rows at positions of their own.")
        c.inputs(x=x)
        c.input("s", start, "i64")
        c.op("%%y = attnres.rope %%x start(%%s) {theta = 1.0e4 : f64, positions = 8 : i64%s} : tensor<2x3x2x6xf32>, "
             "tensor<2xi64>" % attrs)
        c.expect("y", rope(x, 1e4, offset, inverse, start), tolerance=5e-7)
    documents = Tensor((2, 3), (0, 1, 1, -4, 0, 5))
    for name, attrs, offset, inverse in (("documents", "", 0, False), ("documents_inverse", ", offset = 5 : i64, inverse", 5, True)):
        c = case("rope", "RO-5", name, "Positions in texts.")
        c.inputs(x=x)
        c.input("d", documents, "i64")
        c.op("%%y = attnres.rope %%x documents(%%d) {theta = 1.0e4 : f64%s} : tensor<2x3x2x6xf32>, tensor<2x3xi64>" % attrs)
        c.expect("y", rope(x, 1e4, offset, inverse, documents=documents), tolerance=5e-7)
    table = more.tensor(2, 3, 6)
    c = case("rope", "RO-3", "start_table", "Rows of a table, one for each token.")
    c.inputs(x=x, c=table)
    c.input("s", start, "i64")
    c.op("%y = attnres.rope %x table(%c) start(%s) {theta = 1.0e4 : f64, positions = 8 : i64} : tensor<2x3x2x6xf32>, "
         "tensor<2x3x6xf32>, tensor<2xi64>")
    c.expect("y", matrix([rotated(row, table.rows()[r // 2], False)
                          for r, row in enumerate(x.rows())], x.shape))
    table = random.tensor(3, 6)  # the table decides, not theta
    for inverse in (False, True):
        c = case("rope", "RO-3", "table_inverse" if inverse else "table", "Cosines and sines from a table.")
        c.inputs(x=x, c=table)
        c.op("%%y = attnres.rope %%x table(%%c) {theta = 1.0e4 : f64%s} : tensor<2x3x2x6xf32>, tensor<3x6xf32>"
             % (", inverse" if inverse else ""))
        rows = [rotated(row, table.rows()[r // 2 % 3], inverse) for r, row in enumerate(x.rows())]
        c.expect("y", matrix(rows, x.shape))


# ---------------------------------------------------------------- layers

def norm_cases():
    random = Random(5)
    x, w, b, g = random.tensor(2, 3, 5), random.tensor(5), random.tensor(5), random.tensor(2, 3, 5)
    for element in ("f32", "bf16"):
        c = case("rms_norm", "NO-1 G-3", element, "Six rows.")
        c.inputs(element, x=x)
        c.inputs(w=w)
        c.op("%%y = attnres.rms_norm %%x, %%w %s} : tensor<2x3x5x%s>, tensor<5xf32>" % (ATTRS, element))
        c.expect("y", rms_norm(x, w), element)
        c = case("layer_norm", "NO-2", element, "Six rows.")
        c.inputs(element, x=x)
        c.inputs(w=w, b=b)
        c.op("%%y = attnres.layer_norm %%x, %%w, %%b %s} : tensor<2x3x5x%s>, tensor<5xf32>, tensor<5xf32>" % (ATTRS, element))
        c.expect("y", layer_norm(x, w, b), element)
    inputs = dict(x=x, w=w, b=b)
    rms = lambda x, weights: pairing([rms_norm(x["x"], x["w"])], weights)
    layer = lambda x, weights: pairing([layer_norm(x["x"], x["w"], x["b"])], weights)
    for op, value, names in (("rms_norm_backward", rms, "xw"), ("layer_norm_backward", layer, "xwb")):
        for partials in (None, 4):
            c = case(op, "NO-3", "partial_sums" if partials else "plain", "Six rows.")
            c.inputs(x=x, w=w, g=g)
            c.op("%%d:%d = attnres.%s %%x, %%w, %%g %s%s} : tensor<2x3x5xf32>, tensor<5xf32>, tensor<2x3x5xf32>"
                 % (len(names), op, ATTRS, ", partials = 4 : i64" if partials else ""))
            for i, name in enumerate(names):
                c.expect("d#%d" % i, partial_gradients(value, [g], inputs, name, 6, 4) if partials and name != "x"
                         else gradient(lambda x: value(x, [g]), inputs, name))


def projection_cases():
    random = Random(6)
    x, w, b = random.tensor(2, 3, 5), random.tensor(4, 5), random.tensor(4)
    c = case("linear", "PR-1", "with_bias", "y = x W^T + b.")
    c.inputs(x=x, w=w, b=b)
    c.op("%y = attnres.linear %x, %w bias(%b) : tensor<2x3x5xf32>, tensor<4x5xf32>, tensor<4xf32>")
    c.expect("y", linear(x, w, b))
    c = case("linear", "PR-1", "bf16", "y = x W^T.")
    c.inputs("bf16", x=x, w=w)
    c.op("%y = attnres.linear %x, %w : tensor<2x3x5xbf16>, tensor<4x5xbf16>")
    c.expect("y", linear(x, w), "bf16")

    a, r, init = random.tensor(2, 3, 4), random.tensor(4, 5), random.tensor(2, 3, 5)
    c = case("matmul", "PR-2", "leading_dimensions", "The result has the leading dimensions of lhs.")
    c.inputs(a=a, b=r, i=init)
    c.op("%y = attnres.matmul %a, %b init(%i) : tensor<2x3x4xf32>, tensor<4x5xf32>, tensor<2x3x5xf32> -> tensor<2x3x5xf32>")
    c.expect("y", added(init, matmul(a, r)))
    c = case("matmul", "PR-2", "transposed_lhs", "A gradient of a weight.")
    c.inputs(a=a, b=x)
    c.op("%y = attnres.matmul %a, %b {transpose_lhs} : tensor<2x3x4xf32>, tensor<2x3x5xf32> -> tensor<4x5xf32>")
    c.expect("y", matmul(transposed(a), x))
    c = case("matmul", "PR-2", "transposed_both", "Both transposed.")
    both = random.tensor(3, 6)
    c.inputs(a=a, b=both)
    c.op("%y = attnres.matmul %a, %b {transpose_lhs, transpose_rhs} : tensor<2x3x4xf32>, tensor<3x6xf32> -> tensor<4x3xf32>")
    c.expect("y", matmul(transposed(a), transposed(both)))

    c = case("sum_rows", "PR-5", "all", "Six rows.")
    c.inputs(x=x)
    c.op("%y = attnres.sum_rows %x : tensor<2x3x5xf32>")
    c.expect("y", sum_rows(x))
    for partials in (1, 4, 9):
        c = case("sum_rows", "PR-6", "partial_sums_%d" % partials, "Ranges of ceil(6 / %d) rows; the last may be empty." % partials)
        c.inputs(x=x)
        c.op("%%y = attnres.sum_rows %%x {partials = %d : i64} : tensor<2x3x5xf32>" % partials)
        c.expect("y", sum_rows(x, partials))

    for transpose in (False, True):
        m = random.tensor(7, 5)
        B = transposed(m) if transpose else m
        K, N = B.shape
        tile, P = 3, -(-N // 3)
        panels = Tensor((P, K, tile), [B.rows()[k][p * tile + j] if p * tile + j < N else 0.0
                                       for p in range(P) for k in range(K) for j in range(tile)])
        name = "transposed" if transpose else "plain"
        pack = "%%p = attnres.pack %%m {tile = 3 : i64%s} : tensor<7x5xf32>" % (", transpose" if transpose else "")
        c = case("pack", "PR-3", name, "The last panel is padded with zeros.")
        c.inputs(m=m)
        c.op(pack)
        c.expect("p", panels, tolerance=0)
        lhs = random.tensor(2, 2, K)
        bias, init = random.tensor(N), random.tensor(2, 2, N)
        c = case("matmul_packed", "PR-4", name, "Bias and accumulation.")
        c.inputs(m=m, a=lhs, b=bias, i=init)
        c.op(pack)
        c.op("%%y = attnres.matmul_packed %%a, %%p bias(%%b) init(%%i) : %s -> %s"
             % (", ".join(type_of(t, "f32") for t in (lhs, panels, bias, init)), type_of(init, "f32")))
        product = matmul(lhs, B)
        want = [[v + c0 for v, c0 in zip(row, bias.data)] for row in product.rows()]
        c.expect("y", added(init, matrix(want, init.shape)))
    lhs = random.tensor(5, 4)  # [K, M]
    m = random.tensor(5, 7)
    c = case("matmul_packed", "PR-4", "transposed_lhs", "lhs is stored [K, M].")
    c.inputs(m=m, a=lhs)
    c.op("%p = attnres.pack %m {tile = 4 : i64} : tensor<5x7xf32>")
    c.op("%y = attnres.matmul_packed %a, %p {transpose_lhs} : tensor<5x4xf32>, tensor<2x5x4xf32> -> tensor<4x7xf32>")
    c.expect("y", matmul(transposed(lhs), m))


def activation_cases():
    random = Random(7)
    gate, up, g = random.tensor(2, 7), random.tensor(2, 7), random.tensor(2, 7)
    for name, shape, element in (("plain", (2, 3, 9), "f32"), ("narrow", (4, 3), "bf16")):
        x = Random(23).tensor(*shape)
        c = case("dropout", "DR-1 DR-2", name, "Half of the elements.")
        c.inputs(element, x=x)
        c.input("r", Tensor((2,), (-7, 2 ** 33 + 5)), "i64")
        c.op("%%y = attnres.dropout %%x random(%%r) {rate = 0.5 : f64, site = 3 : i64} : %s, tensor<2xi64>" % type_of(x, element))
        c.expect("y", dropout(x, -7, 2 ** 33 + 5, 0.5, 3), element, tolerance=0)
    swiglu = lambda x: Tensor(gate.shape, [a * sigmoid(a) * b for a, b in zip(x["gate"].data, x["up"].data)])
    inputs = dict(gate=gate, up=up)
    for element in ("f32", "bf16"):
        c = case("swiglu", "FF-1", element, "gate sigmoid(gate) up.")
        c.inputs(element, gate=gate, up=up)
        c.op("%%y = attnres.swiglu %%gate, %%up : tensor<2x7x%s>" % element)
        c.expect("y", swiglu(inputs), element)
    c = case("swiglu_backward", "FF-1", "plain", "Both gradients.")
    c.inputs(gate=gate, up=up, g=g)
    c.op("%d:2 = attnres.swiglu_backward %gate, %up, %g : tensor<2x7xf32>, tensor<2x7xf32>, tensor<2x7xf32>")
    for i, name in enumerate(("gate", "up")):
        c.expect("d#%d" % i, gradient(lambda x: pairing([swiglu(x)], [g]), inputs, name))
    cdf = lambda x: (1 + math.erf(x / math.sqrt(2))) / 2
    density = lambda x: math.exp(-x * x / 2) / math.sqrt(2 * math.pi)
    # A decomposition holds 1 / sqrt(2) and phi(0) in f32.
    c = case("gelu", "FF-2", "plain", "x Phi(x).")
    c.inputs(x=gate)
    c.op("%y = attnres.gelu %x : tensor<2x7xf32>")
    c.expect("y", Tensor(gate.shape, [x * cdf(x) for x in gate.data]), tolerance=2e-7)
    c = case("gelu_backward", "FF-2", "plain", "g (Phi(x) + x phi(x)).")
    c.inputs(x=gate, g=g)
    c.op("%y = attnres.gelu_backward %x, %g : tensor<2x7xf32>")
    c.expect("y", Tensor(gate.shape, [d * (cdf(x) + x * density(x)) for x, d in zip(gate.data, g.data)]), tolerance=2e-7)


def loss_cases():
    random = Random(8)
    V, D = 5, 3
    table, tokens = random.tensor(V, D), random.indices(V, 2, 4)
    c = case("embedding", "EL-1", "lookup", "Eight tokens of a table of five.")
    c.inputs(w=table)
    c.input("t", tokens, "i64")
    c.op("%x = attnres.embedding %t, %w : tensor<2x4xi64>, tensor<5x3xf32>")
    c.expect("x", matrix([table.rows()[t] for t in tokens.data], (2, 4, D)), tolerance=0)
    grad = random.tensor(2, 4, D)
    c = case("embedding_backward", "EL-2", "sums", "Tokens that repeat are summed.")
    c.inputs(g=grad)
    c.input("t", tokens, "i64")
    c.op("%d = attnres.embedding_backward %t, %g {vocab_size = 5 : i64} : tensor<2x4xi64>, tensor<2x4x3xf32>")
    c.expect("d", matrix([[sum(row[d] for row, t in zip(grad.rows(), tokens.data) if t == v) for d in range(D)]
                          for v in range(V)], (V, D)))

    logits, x = random.tensor(2, 4, V), random.tensor(2, 4, D)
    some = random.indices(V, 2, 4)
    some.data[1] = some.data[6] = -100
    none = Tensor((2, 4), [-100] * 8)
    dlse, dnll = random.tensor(2, 4), random.tensor(2, 4)
    lt, tt, st = "tensor<2x4x5xf32>", "tensor<2x4xi64>", "tensor<2x4xf32>"
    for numbers, name, targets in (("EL-3", "some_ignored", some), ("EL-4", "all_ignored", none)):
        note = "Two of eight rows are ignored." if targets is some else "No live row: the loss is 0."
        loss, lse = cross_entropy(logits, targets)
        nll, _, live = losses(logits, targets)
        c = case("cross_entropy", numbers, name, note)
        c.inputs(x=logits)
        c.input("t", targets, "i64")
        c.op("%%loss, %%lse = attnres.cross_entropy %%x, %%t : %s, %s" % (lt, tt))
        c.expect("loss", loss)
        c.expect("lse", lse)

        c = case("linear_cross_entropy", "EL-5 " + numbers, name, note)
        c.inputs(x=x, w=table)
        c.input("t", targets, "i64")
        forward = "%%loss, %%lse = attnres.linear_cross_entropy %%x, %%w, %%t : tensor<2x4x3xf32>, tensor<5x3xf32>, %s" % tt
        c.op(forward)
        fused = lambda y: cross_entropy(linear(y["x"], y["w"]), targets)
        c.expect("loss", fused(dict(x=x, w=table))[0])
        c.expect("lse", fused(dict(x=x, w=table))[1])
        c = case("linear_cross_entropy_backward", "EL-5 " + numbers, name, note)
        c.inputs(x=x, w=table, g=Tensor((), [1.5]))
        c.input("t", targets, "i64")
        c.op(forward)
        c.op("%%d:2 = attnres.linear_cross_entropy_backward %%x, %%w, %%t, %%lse, %%g : "
             "tensor<2x4x3xf32>, tensor<5x3xf32>, %s, %s, tensor<f32>" % (tt, st))
        for i, n in enumerate("xw"):
            c.expect("d#%d" % i, gradient(lambda y: 1.5 * fused(y)[0].data[0], dict(x=x, w=table), n))

        c = case("cross_entropy_rows", "EL-6", name, note)
        c.inputs(x=logits)
        c.input("t", targets, "i64")
        rows = "%%nll, %%lse = attnres.cross_entropy_rows %%x, %%t : %s, %s" % (lt, tt)
        c.op(rows)
        c.expect("nll", nll)
        c.expect("lse", lse)
        for suffix, extra in (("", ""), ("_lse", " lse_grad(%dl)")):
            c = case("cross_entropy_rows_backward", "EL-6", name + suffix, note)
            c.inputs(x=logits, s=Tensor((), [0.75]), dl=dlse)
            c.input("t", targets, "i64")
            c.op(rows)
            c.op("%%d = attnres.cross_entropy_rows_backward %%x, %%t, %%lse, %%s%s : %s, %s, %s, tensor<f32>%s"
                 % (extra, lt, tt, st, ", " + st if extra else ""))

            def value(y):
                n, l, _ = losses(y["x"], targets)
                return 0.75 * sum(n.data) + (dot(l.data, dlse.data) if extra else 0)
            c.expect("d", gradient(value, dict(x=logits), "x"))

        masked = Tensor(dnll.shape, [0.0 if t == -100 else v for v, t in zip(dnll.data, targets.data)])
        c = case("live_mean", "EL-6", name, note)
        c.inputs(x=masked)
        c.input("t", targets, "i64")
        c.op("%%y = attnres.live_mean %%x, %%t : %s, %s" % (st, tt))
        c.expect("y", Tensor((), [sum(masked.data) / max(1, live)]))
        c = case("live_scale", "EL-6", name, note)
        c.inputs(x=Tensor((), [2.5]))
        c.input("t", targets, "i64")
        c.op("%%y = attnres.live_scale %%x, %%t : tensor<f32>, %s" % tt)
        c.expect("y", Tensor((), [2.5 / max(1, live)]))

    # Four classes and a quarter: the shares of the target are exact.
    few, hits = random.tensor(2, 3, 4), Tensor((2, 3), (3, -100, 0, 1, 1, 2))
    types, smooth = "tensor<2x3x4xf32>, tensor<2x3xi64>", " {label_smoothing = 0.25 : f64} : "
    for op in ("cross_entropy", "cross_entropy_rows_backward"):
        c = case(op, "EL-8", "smoothed", "A quarter of each target is that of all classes.")
        c.inputs(x=few, s=Tensor((), [0.75]))
        c.input("t", hits, "i64")
        c.op("%loss, %lse = attnres.cross_entropy %x, %t" + smooth + types)
        if op == "cross_entropy":
            c.expect("loss", cross_entropy(few, hits, 0.25)[0])
            continue
        c.op("%d = attnres.cross_entropy_rows_backward %x, %t, %lse, %s" + smooth + types + ", tensor<2x3xf32>, tensor<f32>")
        c.expect("d", gradient(lambda y: 0.75 * sum(losses(y["x"], hits, smoothing=0.25)[0].data), dict(x=few), "x"))


# ---------------------------------------------------------------- programs

def stack_cases():
    random = Random(10)
    D = 4
    x = random.tensor(3, D)
    w = [random.tensor(D, D) for _ in range(5)]
    q = [random.tensor(D) for _ in range(6)]
    g = [random.tensor(D) for _ in range(6)]
    f = lambda j, h: linear(h, w[j])

    def attend(j, sources):
        return depth(q[j], g[j], sources)[0]

    def body(j):
        return ("{\n  ^bb0(%%h: tensor<3x4xf32>):\n    %%v = attnres.linear %%h, %%w%d : tensor<3x4xf32>, tensor<4x4xf32>\n"
                "    attnres.yield %%v : tensor<3x4xf32>\n  }" % j)

    def stack(numbers, name, note, mode, sublayers, queries, want, weights=()):
        c = case("stack", numbers, name, note)
        c.inputs(x=x, **{"w%d" % j: w[j] for j in range(sublayers)})
        c.inputs(**{"q%d" % j: q[j] for j in range(queries)}, **{"g%d" % j: g[j] for j in range(queries)},
                 **{"a%d" % j: a for j, a in enumerate(weights)})
        text = "%y = attnres.stack %x " + mode
        if queries:
            for group, prefix in (("queries", "q"), ("gains", "g")):
                text += " %s(%s : %s)" % (group, ", ".join("%%%s%d" % (prefix, j) for j in range(queries)),
                                          ", ".join(["tensor<4xf32>"] * queries))
        if weights:
            text += " weights(%s : %s)" % (", ".join("%%a%d" % j for j in range(len(weights))),
                                           ", ".join(type_of(a, "f32") for a in weights))
        c.op(text + " : tensor<3x4xf32> " + ", ".join(body(j) for j in range(sublayers)))
        c.expect("y", want)

    h = x
    for j in range(3):
        h = added(h, f(j, h))
    stack("ST-2", "off", "Ordinary residuals.", "off", 3, 0, h)

    sources = [x]
    for j in range(3):
        sources.append(f(j, attend(j, sources)))
    eps = "eps(%s)" % number(EPS)
    stack("ST-3 ST-5", "full", "Every output is a source; a final mixture.", "full " + eps, 3, 4, attend(3, sources))
    stack("ST-5", "full_no_final", "The last source is the result.", "full " + eps, 3, 3, sources[-1])

    # blocks of two sublayers, the last one of one
    b0 = x
    p = f(0, attend(0, [b0]))
    b1 = added(p, f(1, attend(1, [b0, p])))
    p = f(2, attend(2, [b0, b1]))
    b2 = added(p, f(3, attend(3, [b0, b1, p])))
    b3 = f(4, attend(4, [b0, b1, b2]))
    stack("ST-4 ST-5", "block", "Blocks of two and a remainder.", "block sublayers_per_block(2) " + eps, 5, 6, attend(5, [b0, b1, b2, b3]))

    a = [random.tensor(1), random.tensor(2)]
    outputs = [x]
    for i in range(2):
        h = static_mix(a[i], outputs)
        for j in (2 * i, 2 * i + 1):
            h = added(h, f(j, h))
        outputs.append(h)
    stack("ST-6", "static", "A mixture for each pair of sublayers.", "static", 4, 0, outputs[-1], a)

    c = case("stack", "ST-10", "others", "Sublayers yield more than their outputs.")
    c.inputs(x=x, w0=w[0], w1=w[1], c=g[0])
    c.op("%y:3 = attnres.stack %x off : tensor<3x4xf32> others(tensor<4x4xf32>, tensor<4xf32>) {\n"
         "  ^bb0(%h: tensor<3x4xf32>):\n    %v = attnres.linear %h, %w0 : tensor<3x4xf32>, tensor<4x4xf32>\n"
         "    attnres.yield %v, %w1 : tensor<3x4xf32>, tensor<4x4xf32>\n  }, {\n"
         "  ^bb0(%h: tensor<3x4xf32>):\n    %v = attnres.linear %h, %w1 : tensor<3x4xf32>, tensor<4x4xf32>\n"
         "    attnres.yield %v, %c : tensor<3x4xf32>, tensor<4xf32>\n  }")
    h = added(x, f(0, x))
    c.expect("y#0", added(h, f(1, h)))
    c.expect("y#1", w[1])
    c.expect("y#2", g[0])


def launch_cases():
    random = Random(11)
    w, v = random.tensor(3), [random.tensor(2, 5) for _ in range(3)]
    c = case("launch", "LA-1 G-15", "list_operands", "Three tensors become one list argument.")
    c.inputs(w=w, v0=v[0], v1=v[1], v2=v[2])
    c.op("%h = attnres.launch @mix (%w, %v0, %v1, %v2) operand_groups [-1, 3] result_groups [-1]\n"
         "      : (tensor<3xf32>, tensor<2x5xf32>, tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>")
    c.expect("h", static_mix(w, v))

    q, g = [random.tensor(5) for _ in range(2)], [random.tensor(5) for _ in range(2)]
    c = case("launch", "LA-1 G-15", "list_results", "Lists of queries give lists of outputs.")
    c.inputs(q0=q[0], q1=q[1], g0=g[0], g1=g[1], v0=v[0], v1=v[1], v2=v[2])
    c.op("%h:4 = attnres.launch @attend (%q0, %q1, %g0, %g1, %v0, %v1, %v2) operand_groups [2, 2, 3] result_groups [2, 2]\n"
         "      : (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<2x5xf32>, tensor<2x5xf32>, tensor<2x5xf32>)\n"
         "      -> (tensor<2x5xf32>, tensor<2x5xf32>, tensor<2xf32>, tensor<2xf32>)")
    for l in range(2):
        h, lse = depth(q[l], g[l], v)
        c.expect("h#%d" % l, h)
        c.expect("h#%d" % (2 + l), lse)
    lists = ["!attnres.list<tensor<%s>>" % t for t in ("5xf32", "2x5xf32", "2xf32")]
    EXTRA["launch"] = """
attnres.kernel @mix(%%w: tensor<3xf32>, %%v: %s) -> tensor<2x5xf32> {
  %%h = attnres.static_mix %%w, %%v : (tensor<3xf32>, %s)
  attnres.return %%h : tensor<2x5xf32>
}

attnres.kernel @attend(%%q: %s, %%g: %s, %%v: %s) -> (%s, %s) {
  %%h, %%lse = attnres.depth_attention queries(%%q) gains(%%g) sources(%%v) %s} : (%s, %s, %s)
  attnres.return %%h, %%lse : %s, %s
}
""" % (lists[1], lists[1], lists[0], lists[0], lists[1], lists[1], lists[2], ATTRS, lists[0], lists[0], lists[1],
       lists[1], lists[2])


if __name__ == "__main__":
    for cases in (depth_cases, merge_cases, static_cases, attention_cases, norm_cases, projection_cases,
                  activation_cases, loss_cases, stack_cases, launch_cases):
        cases()
    write(sys.argv[1])

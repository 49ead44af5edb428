"""Writes test/interpret/*.mlir of norms, moments and steps of optimizers.

    python3 interpret_optimizer_cases.py OUT_DIR

As interpret_cases.py, with the tensors and cases of interpret_reference.py.
"""
import math
import sys

from interpret_reference import Random, Tensor, case, dot, matrix, type_of, write


def optimizer_cases():
    random = Random(9)
    x = random.tensor(3, 5)
    c = case("sum_squares", "OP-1", "all", "Fifteen elements.")
    c.inputs(x=x)
    c.op("%y = attnres.sum_squares %x : tensor<3x5xf32>")
    c.expect("y", Tensor((), [dot(x.data, x.data)]))
    c = case("sum_squares", "OP-1", "partial_sums", "Ranges of ceil(15 / 4) elements.")
    c.inputs(x=x)
    c.op("%y = attnres.sum_squares %x {partials = 4 : i64} : tensor<3x5xf32>")
    c.expect("y", Tensor((4,), [dot(x.data[i:i + 4], x.data[i:i + 4]) for i in (0, 4, 8, 12)]))

    a, b = Tensor((), [2.5]), Tensor((3,), [0.5, 1.25, 4.0])
    norm = math.sqrt(8.25)
    for name, attr, scale in (("clips", " {max_norm = 2.0 : f64}", 2 / (norm + 1e-6)),
                              ("keeps", " {max_norm = 16.0 : f64}", 1.0), ("no_limit", "", 1.0)):
        c = case("clip_scale", "OP-1", name, "Norm of a scalar and partial sums.")
        c.inputs(a=a, b=b)
        c.op("%%norm, %%scale = attnres.clip_scale %%a, %%b%s : tensor<f32>, tensor<3xf32>" % attr)
        c.expect("norm", Tensor((), [norm]))
        c.expect("scale", Tensor((), [scale]))

    beta1, beta2, eps, decay, lr, scale = 0.875, 0.96875, 2.0 ** -20, 0.125, 2.0 ** -6, 0.5
    for step in (1.0, 7.0):
        p, g, m = random.tensor(2, 3), random.tensor(2, 3), random.tensor(2, 3)
        v = Tensor((2, 3), [abs(t) + 0.125 for t in random.tensor(2, 3).data])
        c = case("adamw", "OP-2", "step_%d" % step, "Bias correction at step %d." % step)
        c.inputs(p=p, g=g, m=m, v=v, step=Tensor((), [step]), lr=Tensor((), [lr]), s=Tensor((), [scale]))
        c.op("%p1, %m1, %v1 = attnres.adamw %p, %g, %m, %v, %step, %lr, %s "
             "{beta1 = 0.875 : f64, beta2 = 0.96875 : f64, eps = 9.5367431640625e-07 : f64, weight_decay = 0.125 : f64} : "
             + ", ".join(["tensor<2x3xf32>"] * 4 + ["tensor<f32>"] * 3))
        m1 = [beta1 * a + (1 - beta1) * scale * b for a, b in zip(m.data, g.data)]
        v1 = [beta2 * a + (1 - beta2) * (scale * b) ** 2 for a, b in zip(v.data, g.data)]
        p1 = [a - lr * (b / (1 - beta1 ** step) / (math.sqrt(d / (1 - beta2 ** step)) + eps) + decay * a)
              for a, b, d in zip(p.data, m1, v1)]
        for name, want in (("p1", p1), ("m1", m1), ("v1", v1)):
            c.expect(name, Tensor((2, 3), want))
    zero = Tensor((2, 3), [0.0] * 6)
    c = case("adamw", "OP-3", "decay_alone", "No gradient, no moments: the parameter shrinks by lr weight_decay.")
    c.inputs(p=p, z=zero, step=Tensor((), [1.0]), lr=Tensor((), [lr]), s=Tensor((), [scale]))
    c.op("%p1, %m1, %v1 = attnres.adamw %p, %z, %z, %z, %step, %lr, %s "
         "{beta1 = 0.875 : f64, beta2 = 0.96875 : f64, eps = 9.5367431640625e-07 : f64, weight_decay = 0.125 : f64} : "
         + ", ".join(["tensor<2x3xf32>"] * 4 + ["tensor<f32>"] * 3))
    c.expect("p1", Tensor((2, 3), [a * (1 - lr * decay) for a in p.data]))
    c.expect("v1", zero)


def lion_cases():
    random = Random(29)
    p, g, m = random.tensor(2, 3), random.tensor(2, 3), random.tensor(2, 3)
    g.data[4] = m.data[4] = 0.0
    c = case("lion", "OP-9", "signs", "Either way, and where there is nothing to follow.")
    c.inputs(p=p, g=g, m=m, lr=Tensor((), [2.0 ** -6]), s=Tensor((), [0.5]))
    c.op("%p1, %m1 = attnres.lion %p, %g, %m, %lr, %s {beta1 = 0.875 : f64, beta2 = 0.96875 : f64, weight_decay = 0.125 : f64} "
         ": tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>, tensor<f32>")
    mixed = lambda beta: [beta * a + (1 - beta) * 0.5 * b for a, b in zip(m.data, g.data)]
    c.expect("p1", Tensor((2, 3), [a - 2.0 ** -6 * ((d > 0) - (d < 0) + 0.125 * a) for a, d in zip(p.data, mixed(0.875))]))
    c.expect("m1", Tensor((2, 3), mixed(0.96875)))


def orthogonalized(m, matrices, steps=5):
    """Newton and Schulz on the left of every matrix, as it is written down."""
    rows, columns = len(m.data) // m.shape[-1] // matrices, m.shape[-1]
    done = []
    for p in range(matrices):
        x = m.rows()[p * rows:(p + 1) * rows]
        norm = math.sqrt(sum(dot(row, row) for row in x))
        x = [[e / (norm + 1e-7) for e in row] for row in x]
        for _ in range(steps):
            a = [[dot(r, q) for q in x] for r in x]
            b = [[2.0315 * dot(r, q) - 4.7750 * e for q, e in zip(zip(*a), r)] for r in a]
            x = [[3.4445 * e + dot(r, q) for e, q in zip(row, zip(*x))] for row, r in zip(x, b)]
        done += x
    return matrix(done, m.shape)


def direction_cases():
    random = Random(19)
    g, m, scale = random.tensor(2, 3), random.tensor(2, 3), 0.5
    m1 = [0.875 * a + scale * b for a, b in zip(m.data, g.data)]
    for name, attr, note, want in (
            ("heavy_ball", "", "The direction is the new moment.", m1),
            ("nesterov", ", nesterov", "A step ahead of the moment.",
             [scale * b + 0.875 * a for a, b in zip(m1, g.data)])):
        c = case("momentum", "OP-5", name, note)
        c.inputs(g=g, m=m, s=Tensor((), [scale]))
        c.op("%%d, %%m1 = attnres.momentum %%g, %%m, %%s {beta = 0.875 : f64%s} : tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>"
             % attr)
        c.expect("d", Tensor((2, 3), want))
        c.expect("m1", Tensor((2, 3), m1))

    for name, note, shape, matrices in (
            ("wide", "Fewer rows than columns.", (3, 5), 1), ("tall", "More rows than columns.", (7, 2), 1),
            ("square", "As many.", (3, 3), 1), ("heads", "Two wide matrices, one above the other.", (6, 5), 2),
            ("tall_stack", "Three tall matrices of a stack.", (3, 4, 2), 3), ("row", "A row becomes one of length 1.", (1, 4), 1)):
        x = random.tensor(*shape)
        c = case("orthogonalize", "OP-6", name, note)
        c.inputs(x=x)
        c.op("%%y = attnres.orthogonalize %%x {matrices = %d : i64} : %s" % (matrices, type_of(x, "f32")))
        # The constants of the decomposition are those of f32.
        c.expect("y", orthogonalized(x, matrices), tolerance=1e-5)
    zero = Tensor((2, 3), [0.0] * 6)
    c = case("orthogonalize", "OP-6", "zero", "Nothing has no direction.")
    c.inputs(x=zero)
    c.op("%y = attnres.orthogonalize %x : tensor<2x3xf32>")
    c.expect("y", zero, tolerance=0)

    p, d = random.tensor(2, 3), random.tensor(2, 3)
    c = case("descend", "OP-7", "decays", "Against the direction, and towards 0.")
    c.inputs(p=p, d=d, lr=Tensor((), [2.0 ** -6]))
    c.op("%p1 = attnres.descend %p, %d, %lr {factor = 1.5 : f64, weight_decay = 0.125 : f64} : "
         "tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>")
    c.expect("p1", Tensor((2, 3), [a - 2.0 ** -6 * (1.5 * b + 0.125 * a) for a, b in zip(p.data, d.data)]))


if __name__ == "__main__":
    for cases in (optimizer_cases, lion_cases, direction_cases):
        cases()
    write(sys.argv[1], "interpret_optimizer_cases.py")

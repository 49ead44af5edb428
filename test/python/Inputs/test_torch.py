"""Compiled operations and models in PyTorch, against PyTorch in float64."""
import os
import unittest

import attnres
import numpy as np
import torch
from attnres.torch import Function, Model, Operation, depth_attention, flash_attention
from golden import Golden, assert_close


def random(*shape, dtype=torch.float32, seed=0):
    values = torch.randn(shape, generator=torch.Generator().manual_seed(seed))
    return values.to(dtype).requires_grad_()


def compare(ours, theirs, tensors, tolerance):
    """Results and gradients of two functions, the second one in float64."""
    results = ours(*tensors)
    wide = [tensor.detach().double().requires_grad_() for tensor in tensors]
    expected = theirs(*wide)
    results, expected = ([r] if torch.is_tensor(r) else list(r) for r in (results, expected))
    cotangents = [torch.randn(r.shape, generator=torch.Generator().manual_seed(i + 7))
                  for i, r in enumerate(results)]
    for result, other in zip(results, expected):
        assert_close(result.detach().double(), other.detach(), tolerance)
    total = sum((r.double() * c.double()).sum() for r, c in zip(results, cotangents))
    grads = torch.autograd.grad(total, tensors)
    total = sum((r * c.double()).sum() for r, c in zip(expected, cotangents))
    for grad, other in zip(grads, torch.autograd.grad(total, wide)):
        assert_close(grad.double(), other, 2 * tolerance)


def attention(causal, scale=None):
    def compute(q, k, v):
        heads = q.shape[2] // k.shape[2]
        k, v = (x.repeat_interleave(heads, 2) for x in (k, v))
        scores = torch.einsum("bthd,bshd->bhts", q, k) * (scale or q.shape[3] ** -0.5)
        if causal:
            t, s = scores.shape[2:]
            hidden = torch.ones(t, s, dtype=torch.bool).triu(s - t + 1)
            scores = scores.masked_fill(hidden, -torch.inf)
        mixed = torch.einsum("bhts,bshd->bthd", scores.softmax(-1), v)
        return mixed, scores.logsumexp(-1).transpose(1, 2)
    return compute


def mixture(eps):
    def compute(query, gain, *sources):
        v = torch.stack(sources)
        keys = v * (v.square().mean(-1, keepdim=True) + eps).rsqrt()
        scores = (keys * (query * gain)).sum(-1)
        weights = scores.softmax(0)
        return (weights.unsqueeze(-1) * v).sum(0), scores.logsumexp(0)
    return compute


class Operations(unittest.TestCase):
    def test_flash_attention(self):
        for dtype, tolerance in (torch.float32, 2e-6), (torch.bfloat16, 2e-2):
            for causal, t, s, heads, groups, d, dv in (
                    (True, 13, 13, 4, 2, 8, 8), (False, 5, 9, 3, 1, 6, 10), (True, 5, 9, 2, 2, 8, 4)):
                tensors = [random(2, t, heads, d, dtype=dtype), random(2, s, groups, d, dtype=dtype, seed=1),
                           random(2, s, groups, dv, dtype=dtype, seed=2)]
                with self.subTest(dtype=dtype, causal=causal):
                    compare(lambda q, k, v: flash_attention(q, k, v, causal),
                            lambda q, k, v: attention(causal)(q, k, v)[0], tensors, tolerance)
        tensors = [random(1, 7, 2, 8, seed=i) for i in range(3)]
        compare(lambda q, k, v: flash_attention(q, k, v, True, scale=0.3, return_lse=True),
                attention(True, 0.3), tensors, 2e-6)

    def test_depth_attention(self):
        query, gain = random(24, seed=1), random(24, seed=2)
        for dtype, tolerance in (torch.float32, 2e-6), (torch.bfloat16, 2e-2):
            for count in 1, 3, 6:
                sources = [random(2, 5, 24, dtype=dtype, seed=10 + i) for i in range(count)]
                with self.subTest(dtype=dtype, count=count):
                    compare(lambda q, g, *v: depth_attention(q, v, g, return_lse=True),
                            mixture(1e-8), [query, gain, *sources], tolerance)

    def test_depth_attention_of_several_queries(self):
        queries, gain, sources = random(3, 16, seed=1), random(16, seed=2), random(4, 7, 16, seed=3)

        def theirs(q, g, v):
            return [mixture(1e-3)(q[i], g, *v)[0] for i in range(3)]

        compare(lambda q, g, v: depth_attention(q, v, g, eps=1e-3), theirs,
                [queries, gain, sources], 2e-6)
        unit = depth_attention(queries[0], sources, eps=1e-3)
        assert_close(unit.detach(),
                     mixture(1e-3)(queries[0], torch.ones(16), *sources)[0].detach(), 2e-6)

    def test_views_with_gaps(self):
        q, k, v = (random(2, 2, 9, 8, seed=i) for i in range(3))  # [B, H, T, D]
        compare(lambda *x: flash_attention(*(y.transpose(1, 2) for y in x)),
                lambda *x: attention(False)(*(y.transpose(1, 2) for y in x))[0], [q, k, v], 2e-6)

    def test_modules(self):
        operation = Operation("""
func.func @main(%x: tensor<5x6xf32> {attnres.name = "x", attnres.role = #attnres.role<parameter>},
                %w: tensor<4x6xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>},
                %c: tensor<5x4xf32> {attnres.name = "c", attnres.role = #attnres.role<input>})
    -> (tensor<5x4xf32> {attnres.name = "y"}, tensor<5x4xf32> {attnres.name = "z"}) {
  %y = attnres.linear %x, %w : tensor<5x6xf32>, tensor<4x6xf32>
  %z = arith.mulf %y, %c : tensor<5x4xf32>
  return %y, %z : tensor<5x4xf32>, tensor<5x4xf32>
}
""")
        constant = random(5, 4, seed=3).detach()
        compare(lambda x, w: operation(x, w, c=constant),
                lambda x, w: (x @ w.T, x @ w.T * constant.double()),
                [random(5, 6, seed=1), random(4, 6, seed=2)], 2e-6)
        self.assertRaisesRegex(attnres.Error, "^expected a tensor for each of x, w, c, got x, y$",
                               operation, constant, y=constant)

    def test_errors(self):
        q = random(1, 3, 2, 8)
        for message, call in {
            "q: expected 4 dimensions, got [3, 2, 8]": lambda: flash_attention(q[0], q, q),
            "k: expected torch.float32 as q, got torch.bfloat16":
                lambda: flash_attention(q, q.bfloat16(), q),
            "v: expected torch.float32 or torch.bfloat16, got torch.float64":
                lambda: flash_attention(q, q, q.double()),
            "sources: expected at least one": lambda: depth_attention(q[0, 0, 0], []),
            "query: expected [8] or [L, 8], got [3]":
                lambda: depth_attention(random(3), [random(2, 8)]),
            "source 1: expected torch.float32 [2, 8] [..., D] as the first, got torch.float32 [8]":
                lambda: depth_attention(random(8), [random(2, 8), random(8)]),
        }.items():
            with self.assertRaises(attnres.ArgumentError) as caught:
                call()
            self.assertEqual(str(caught.exception), message)


class Memory(unittest.TestCase):
    def test_tensors_stay_where_they_are(self):
        program = attnres.compile(Golden("off").folder, purpose="logits", seq_len=5)
        parameters = {name: torch.from_numpy(np.array(value)).requires_grad_()
                      for name, value in Golden("off").parameters.items()}
        tokens = torch.tensor([[1, 2, 3, 4, 5]])
        out = torch.full((1, 5, 32), torch.nan)
        results = program.run(parameters, tokens=tokens, out={"logits": out})
        self.assertEqual(results["logits"].data_ptr(), out.data_ptr())
        self.assertTrue(torch.equal(out, program.run(parameters, tokens=tokens)["logits"]))
        self.assertTrue(torch.isfinite(out).all())
        with self.assertRaisesRegex(attnres.Error, r"^input 'tokens': expected int64 \[1, 5\]"):
            program.run(parameters, tokens=tokens[:, 1:])


class Models(unittest.TestCase):
    def check(self, name, **options):
        golden = Golden(name)
        model = Model.load(golden.folder, **options)
        tokens, targets = (torch.from_numpy(np.array(golden.batch[key])) for key in ("tokens", "targets"))
        return golden, model, tokens, targets

    def test_loss(self):
        for name in "block_2", "k3":
            golden, model, tokens, targets = self.check(name)
            loss = model(tokens, targets)
            assert_close(loss.detach(), golden.expected["loss"])
            (3 * loss).backward()
            compared = 0
            for key, parameter in model.named_parameters():
                if f"grad.{key}" in golden.expected:
                    assert_close(parameter.grad / 3, golden.expected[f"grad.{key}"], 2e-4)
                    compared += 1
            self.assertGreater(compared, 20)
            with torch.no_grad():
                without = model(tokens, targets)
            self.assertFalse(without.requires_grad)
            assert_close(without, golden.expected["loss"])

    def test_logits(self):
        golden, model, tokens, targets = self.check("block_2")
        logits = model(tokens)
        assert_close(logits.detach(), golden.expected["logits"])
        loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten())
        assert_close(loss.detach(), golden.expected["loss"])
        loss.backward()
        for key, parameter in model.named_parameters():
            assert_close(parameter.grad, golden.expected[f"grad.{key}"], 2e-4)

    def test_frozen(self):
        golden, model, tokens, targets = self.check("block_2")
        frozen = "blocks.1.attn.q_proj.weight"
        dict(model.named_parameters())[frozen].requires_grad_(False)
        for loss in model(tokens, targets), model(tokens).square().mean():
            model.zero_grad(set_to_none=True)
            loss.backward()
            for key, parameter in model.named_parameters():
                self.assertEqual(parameter.grad is None, key == frozen)

    def test_bfloat16(self):
        golden, model, tokens, targets = self.check("block_2", dtype="bfloat16")
        logits = model(tokens)
        self.assertEqual(logits.dtype, torch.bfloat16)
        assert_close(logits.detach().float(), golden.expected["logits"], 8e-2)
        logits.float().square().mean().backward()
        self.assertTrue(all(torch.isfinite(p.grad).all() for p in model.parameters()))

    def test_dropout(self):
        """Draws follow PyTorch's seed, are the same in both passes, and are of training."""
        golden, model, tokens, targets = self.check("block_2", dropout=0.25, label_smoothing=0.1)
        smooth = torch.nn.CrossEntropyLoss(label_smoothing=0.1)

        def train(seed, of_logits):
            torch.manual_seed(seed)
            model.zero_grad(set_to_none=True)
            loss = (smooth(model(tokens).flatten(0, 1), targets.flatten()) if of_logits
                    else model(tokens, targets))
            loss.backward()
            return loss.item(), {name: p.grad for name, p in model.named_parameters()}

        loss, grads = train(1, of_logits=False)
        other, others = train(1, of_logits=True)
        self.assertAlmostEqual(loss, other, 5)
        for name, grad in grads.items():
            assert_close(grad, others[name], 2e-4)
        self.assertEqual(train(1, of_logits=False)[0], loss)
        self.assertNotAlmostEqual(train(2, of_logits=False)[0], loss, 4)
        model.eval()
        assert_close(model(tokens, targets).detach(), golden.expected["loss"])
        assert_close(model(tokens).detach(), golden.expected["logits"])

    def test_optimizer(self):
        """Four steps of PyTorch's AdamW are four compiled steps."""
        golden, model, tokens, targets = self.check("block_2")
        step = attnres.compile(golden.folder, purpose="train", batch_size=2, seq_len=11,
                               weight_decay=0.0, clip_norm=0.0, betas=(0.9, 0.95), eps=1e-8)
        state = {name: np.zeros(t.shape, np.float32) for name, t in step.inputs.items()
                 if t.role in ("first_moment", "second_moment")}
        state.update({name: value.copy() for name, value in golden.parameters.items()})
        optimizer = torch.optim.AdamW(
            model.parameters(), lr=1e-3, betas=(0.9, 0.95), eps=1e-8, weight_decay=0.0)
        for number in 1, 2, 3, 4:
            theirs = float(step.run(state, **golden.batch, step=float(number),
                                    learning_rate=1e-3)["loss"])
            optimizer.zero_grad()
            loss = model(tokens, targets)
            self.assertAlmostEqual(loss.item(), theirs, 5)
            loss.backward()
            optimizer.step()
        for key, parameter in model.named_parameters():
            assert_close(parameter.detach(), state[key], 1e-4)

    def test_folders(self):
        golden, model, tokens, targets = self.check("k3")
        folder = os.path.join(os.environ["SCRATCH"], "saved")
        model.save(folder)
        again = Model.load(folder)
        self.assertEqual(again.config, model.config)
        for key, value in model.state_dict().items():
            self.assertTrue(torch.equal(again.state_dict()[key], value))
        saved = attnres.Model.load(folder)
        assert_close(saved.loss(tokens.numpy(), targets.numpy()), golden.expected["loss"])
        again.load_state_dict(Model(model.config, seed=3).state_dict())
        self.assertFalse(torch.equal(again(tokens), model(tokens)))

    def test_second_derivatives_are_refused(self):
        q = random(1, 3, 2, 8)
        grad, = torch.autograd.grad(flash_attention(q, q, q).sum(), q, create_graph=True)
        with self.assertRaises(RuntimeError):
            grad.sum().backward()


if __name__ == "__main__":
    unittest.main()

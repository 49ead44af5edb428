"""Times PyTorch as its documentation advises to use it: torch.compile,
scaled_dot_product_attention, fused AdamW, clip_grad_norm_, autocast for bf16.

Run by compare.py; see peer.py for the protocol."""
import sys

import torch
import torch.nn.functional as F

import peer
from pytorch_k3 import chunk_kda
from pytorch_model import DepthAttention, LanguageModel, Prefill, count_parameters


def dtype_of(spec):
    return torch.bfloat16 if spec["dtype"] == "bf16" else torch.float32


def autocast(spec):
    return torch.autocast("cpu", torch.bfloat16, enabled=spec["dtype"] == "bf16")


def make(spec, module):
    return torch.compile(module) if spec["mode"] == "compile" else module


def training_step(spec):
    model = LanguageModel(spec["config"], spec["seq_len"])
    shape = (spec["batch_size"], spec["seq_len"])
    tokens = torch.randint(spec["config"]["vocab_size"], shape)
    targets = torch.randint(spec["config"]["vocab_size"], shape)
    decayed = [p for p in model.parameters() if p.ndim >= 2]
    others = [p for p in model.parameters() if p.ndim < 2]
    optimizer = torch.optim.AdamW(
        [{"params": decayed, "weight_decay": 0.1}, {"params": others, "weight_decay": 0.0}],
        lr=1e-4, betas=(0.9, 0.95), eps=1e-8, fused=True)
    compute_loss = make(spec, model)

    def step():
        optimizer.zero_grad(set_to_none=True)
        with autocast(spec):
            loss = compute_loss(tokens, targets)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()

    return {"step": step}, count_parameters(model)


def prefill(spec):
    """One prompt to the logits of its last token, without a cache."""
    model = LanguageModel(spec["config"], spec["seq_len"]).eval()
    tokens = torch.randint(spec["config"]["vocab_size"], (spec["batch_size"], spec["seq_len"]))
    compute_logits = make(spec, Prefill(model))

    def read():
        with torch.no_grad(), autocast(spec):
            compute_logits(tokens)

    return {"prefill": read}, count_parameters(model)


def operation(function, inputs):
    """The functions that time a function of tensors, without and with gradients."""
    d_output = torch.randn_like(function(*inputs))
    with_gradients = [x.detach().requires_grad_() for x in inputs]

    def forward():
        with torch.no_grad():
            function(*inputs)

    def both():
        torch.autograd.grad(function(*with_gradients), with_gradients, d_output)

    return {"forward": forward, "forward and backward": both}


def attention(spec):
    batch, tokens, heads, size = spec["shape"]
    # The layout that its kernel reads best.
    inputs = [torch.randn(batch, heads, tokens, size, dtype=dtype_of(spec)) for _ in range(3)]
    return operation(make(spec, lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True)),
                     inputs), None


def depth(spec):
    sources, rows, width = spec["shape"]
    module = DepthAttention({"attnres_eps": 1e-8, "hidden_size": width})
    torch.nn.init.normal_(module.query)
    inputs = [torch.randn(1, rows, width, dtype=dtype_of(spec)) for _ in range(sources)]

    def mix(query, gain, *values):
        return torch.func.functional_call(module, {"query": query, "norm.weight": gain}, (list(values),))

    parameters = [module.query.detach(), module.norm.weight.detach()]
    return operation(make(spec, mix), parameters + inputs), None


def kda(spec):
    batch, tokens, heads, size = spec["shape"]
    shape = (batch, tokens, heads, size)
    q, k = (F.normalize(torch.randn(shape), dim=-1) for _ in range(2))
    inputs = [q, k, torch.randn(shape), -torch.rand(shape), torch.rand(batch, tokens, heads)]
    return operation(make(spec, chunk_kda), inputs), None


def main():
    spec = peer.read_spec()
    torch.set_num_threads(spec["threads"])
    torch.manual_seed(1)
    idle = peer.peak_bytes()
    tasks = {"step": training_step, "prefill": prefill, "attention": attention, "depth": depth,
             "kda": kda}
    functions, parameters = tasks[spec["task"]](spec)
    peer.serve(f"PyTorch {torch.__version__.split('+')[0]} {spec['mode']}", functions, spec["steps"], idle,
               parameters)


if __name__ == "__main__":
    sys.exit(main())

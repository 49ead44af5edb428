"""Language models with attention residuals in PyTorch, as `attnres-run export`
writes them: config.json and model.safetensors in one folder.

    from modeling_attnres import AttnResForCausalLM
    model = AttnResForCausalLM.from_pretrained("exported")
    logits = model(tokens)                      # i64 [B, T] -> [B, T, V]

Needs torch and safetensors. Parameters have the names of the files:
blocks.I.attn.{q,k,v,o}_proj, blocks.I.ffn.{gate,up,down}_proj, their norms
blocks.I.attn_norm and blocks.I.ffn_norm; mixer.residuals.J.{query,norm} of the
mixture that sublayer J reads (attention of block I is sublayer 2I, the other
2I + 1), mixer.final_residual of that behind the last one, or with attnres
"static" mixer.agg_weights.I; embedding, norm, lm_head.
"""

import json
import os

import torch
import torch.nn.functional as F
from safetensors.torch import load_file
from torch import nn


def rms(x, eps):
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    scale = torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + eps)
    return (wide * scale).to(x.dtype)


class RMSNorm(nn.Module):
    def __init__(self, size, eps):
        super().__init__()
        self.weight, self.eps = nn.Parameter(torch.ones(size)), eps

    def forward(self, x):
        return rms(x, self.eps) * self.weight


def make_norm(c):
    if c["norm_type"] == "layernorm":
        return nn.LayerNorm(c["hidden_size"], eps=c["norm_eps"])
    return RMSNorm(c["hidden_size"], c["norm_eps"])


def rotate(x, theta):
    """Elements i and i + n/2 of each head are a pair. x [B, H, T, n]"""
    half = x.shape[-1] // 2
    speed = theta ** (-torch.arange(half, device=x.device).double() / half)
    angle = torch.arange(x.shape[-2], device=x.device).double()[:, None] * speed
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)


class Attention(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c = c
        n, bias = c["head_dim"], c["attention_bias"]
        queries, keys = c["num_attention_heads"] * n, c["num_key_value_heads"] * n
        self.q_proj = nn.Linear(c["hidden_size"], queries, bias)
        self.k_proj = nn.Linear(c["hidden_size"], keys, bias)
        self.v_proj = nn.Linear(c["hidden_size"], keys, bias)
        self.o_proj = nn.Linear(queries, c["hidden_size"], bias)
        if c["qk_norm"]:
            self.q_norm = RMSNorm(n, c["norm_eps"])
            self.k_norm = RMSNorm(n, c["norm_eps"])

    def forward(self, x):
        c = self.c
        q, k, v = (p(x).unflatten(-1, (-1, c["head_dim"]))
                   for p in (self.q_proj, self.k_proj, self.v_proj))
        if c["qk_norm"]:
            q, k = self.q_norm(q), self.k_norm(k)
        q, k, v = (t.transpose(1, 2) for t in (q, k, v))
        if c["rope_theta"] is not None:
            q, k = rotate(q, c["rope_theta"]), rotate(k, c["rope_theta"])
        shared = q.shape[1] // k.shape[1]
        k, v = (t.repeat_interleave(shared, 1) for t in (k, v))
        o = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.o_proj(o.transpose(1, 2).flatten(-2))


class FeedForward(nn.Module):
    def __init__(self, c):
        super().__init__()
        width, inner, bias = c["hidden_size"], c["intermediate_size"], c["mlp_bias"]
        self.is_gated = c["hidden_act"] == "silu"
        if self.is_gated:
            self.gate_proj = nn.Linear(width, inner, bias)
        self.up_proj = nn.Linear(width, inner, bias)
        self.down_proj = nn.Linear(inner, width, bias)

    def forward(self, x):
        if self.is_gated:
            return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))
        return self.down_proj(F.gelu(self.up_proj(x)))


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.attn_norm, self.attn = make_norm(c), Attention(c)
        self.ffn_norm, self.ffn = make_norm(c), FeedForward(c)

    def sublayers(self):
        return [lambda x: self.attn(self.attn_norm(x)),
                lambda x: self.ffn(self.ffn_norm(x))]


class DepthMixture(nn.Module):
    """Softmax attention of one query over the earlier outputs of a token."""

    def __init__(self, c):
        super().__init__()
        self.query = nn.Parameter(torch.zeros(c["hidden_size"]))
        self.norm = RMSNorm(c["hidden_size"], c["attnres_eps"])

    def forward(self, sources):
        v = torch.stack(sources)
        weights = (self.norm(v) @ self.query).softmax(0)
        return (weights[..., None] * v).sum(0)


class Mixer(nn.Module):
    """What the sublayers read: a mixture of all that came before."""

    def __init__(self, c):
        super().__init__()
        self.c = c
        layers, mode = c["num_hidden_layers"], c["attnres"]
        if mode in ("full", "block"):
            self.residuals = nn.ModuleList(
                DepthMixture(c) for _ in range(2 * layers))
            if c["attnres_final_aggregate"]:
                self.final_residual = DepthMixture(c)
        elif mode == "static":
            self.agg_weights = nn.ParameterList(
                torch.zeros(i + 1) for i in range(layers))

    def forward(self, x, sublayers):
        c = self.c
        if c["attnres"] == "off":
            for sublayer in sublayers:
                x = x + sublayer(x)
            return x
        sources = [x]
        if c["attnres"] == "static":
            for i, weights in enumerate(self.agg_weights):
                h = sum(w * s for w, s in zip(weights.softmax(0), sources))
                for sublayer in sublayers[2 * i: 2 * i + 2]:
                    h = h + sublayer(h)
                sources.append(h)
            return sources[-1]
        # In mode block, outputs of a depth block are one source, their sum.
        size, partial = 1, []
        if c["attnres"] == "block":
            size = 2 * (c["attnres_block_size"]
                        or (c["num_hidden_layers"] + 7) // 8)
        for j, sublayer in enumerate(sublayers):
            out = sublayer(self.residuals[j](sources + partial))
            partial = [partial[0] + out if partial else out]
            if (j + 1) % size == 0 or j + 1 == len(sublayers):
                sources, partial = sources + partial, []
        if not c["attnres_final_aggregate"]:
            return sources[-1]
        return self.final_residual(sources)


class AttnResForCausalLM(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = c = config
        self.embedding = nn.Embedding(c["vocab_size"], c["hidden_size"])
        self.blocks = nn.ModuleList(
            Block(c) for _ in range(c["num_hidden_layers"]))
        self.mixer = Mixer(c)
        self.norm = make_norm(c)
        if not c["tie_word_embeddings"]:
            self.lm_head = nn.Linear(c["hidden_size"], c["vocab_size"], False)

    @classmethod
    def from_pretrained(cls, folder):
        with open(os.path.join(folder, "config.json")) as file:
            model = cls(json.load(file))
        tensors = load_file(os.path.join(folder, "model.safetensors"))
        model.load_state_dict(tensors)
        return model.to(next(iter(tensors.values())).dtype)

    def forward(self, tokens):
        sublayers = [s for block in self.blocks for s in block.sublayers()]
        x = self.norm(self.mixer(self.embedding(tokens), sublayers))
        head = (self.embedding if self.config["tie_word_embeddings"]
                else self.lm_head)
        return x @ head.weight.T

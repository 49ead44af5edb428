"""The models of this project as a PyTorch user would write them.

Modules are named so that state_dict() has the parameters of a checkpoint under
the same names. Layers: attention with rotary embedding, SwiGLU or GELU
feed-forward, RMS or layer norm, and those of pytorch_k3.py; depth mixing off,
full or block.
"""
import math

import torch
import torch.nn.functional as F
from torch import nn

from pytorch_k3 import Kda, Mla, Moe, SituGlu

def make_norm(cfg):
    if cfg["norm_type"] == "layernorm":
        return nn.LayerNorm(cfg["hidden_size"], eps=cfg["norm_eps"])
    return nn.RMSNorm(cfg["hidden_size"], eps=cfg["norm_eps"])


class Rope(nn.Module):
    """Rotates the pairs (i, i + size/2) of [B, H, T, size]."""

    def __init__(self, size, tokens, theta):
        super().__init__()
        freq = theta ** (-torch.arange(0, size, 2, dtype=torch.float64) / size)
        angle = torch.arange(tokens, dtype=torch.float64)[:, None] * freq
        self.register_buffer("cos", angle.cos().float(), persistent=False)
        self.register_buffer("sin", angle.sin().float(), persistent=False)

    def forward(self, x):
        a, b = x.chunk(2, dim=-1)
        cos, sin = self.cos.to(x.dtype), self.sin.to(x.dtype)
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)


class Attention(nn.Module):
    def __init__(self, cfg, tokens):
        super().__init__()
        width, size = cfg["hidden_size"], cfg["head_dim"]
        self.heads = cfg["num_attention_heads"]
        self.kv_heads = cfg["num_key_value_heads"]
        self.size = size
        bias = cfg["attention_bias"]
        self.q_proj = nn.Linear(width, self.heads * size, bias=bias)
        self.k_proj = nn.Linear(width, self.kv_heads * size, bias=bias)
        self.v_proj = nn.Linear(width, self.kv_heads * size, bias=bias)
        self.o_proj = nn.Linear(self.heads * size, width, bias=bias)
        theta = cfg["rope_theta"]
        self.rope = nn.Identity() if theta is None else Rope(size, tokens, theta)

    def forward(self, x):
        batch, tokens, _ = x.shape

        def split(y, heads):
            return y.view(batch, tokens, heads, self.size).transpose(1, 2)

        q = self.rope(split(self.q_proj(x), self.heads))
        k = self.rope(split(self.k_proj(x), self.kv_heads))
        v = split(self.v_proj(x), self.kv_heads)
        o = F.scaled_dot_product_attention(
            q, k, v, is_causal=True, enable_gqa=self.heads != self.kv_heads)
        return self.o_proj(o.transpose(1, 2).reshape(batch, tokens, -1))


class SwiGLU(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        width, inner, bias = cfg["hidden_size"], cfg["intermediate_size"], cfg["mlp_bias"]
        self.gate_proj = nn.Linear(width, inner, bias=bias)
        self.up_proj = nn.Linear(width, inner, bias=bias)
        self.down_proj = nn.Linear(inner, width, bias=bias)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


class GeluFeedForward(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        width, inner, bias = cfg["hidden_size"], cfg["intermediate_size"], cfg["mlp_bias"]
        self.up_proj = nn.Linear(width, inner, bias=bias)
        self.down_proj = nn.Linear(inner, width, bias=bias)

    def forward(self, x):
        return self.down_proj(F.gelu(self.up_proj(x)))


def make_attention(cfg, tokens, layer_type):
    if layer_type == "attention":
        return Attention(cfg, tokens)
    return Kda(cfg) if layer_type == "kda" else Mla(cfg)


def make_feed_forward(cfg, block):
    if cfg["num_experts"] and block >= cfg["first_k_dense_replace"]:
        return Moe(cfg)
    if cfg["hidden_act"] == "situ":
        return SituGlu(cfg["hidden_size"], cfg["intermediate_size"])
    return SwiGLU(cfg) if cfg["hidden_act"] == "silu" else GeluFeedForward(cfg)


class Block(nn.Module):
    def __init__(self, cfg, tokens, number, layer_type):
        super().__init__()
        self.attn_norm = make_norm(cfg)
        self.attn = make_attention(cfg, tokens, layer_type)
        self.ffn_norm = make_norm(cfg)
        self.ffn = make_feed_forward(cfg, number)


class DepthGain(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))


class DepthAttention(nn.Module):
    """A softmax-weighted mixture of earlier outputs."""

    def __init__(self, cfg):
        super().__init__()
        self.eps = cfg["attnres_eps"]
        self.query = nn.Parameter(torch.zeros(cfg["hidden_size"]))
        self.norm = DepthGain(cfg["hidden_size"])

    def forward(self, sources):
        v = torch.stack(sources)
        keys = F.rms_norm(v, v.shape[-1:], self.norm.weight.to(v.dtype), self.eps)
        scores = torch.einsum("d,nbtd->nbt", self.query.to(v.dtype), keys)
        return torch.einsum("nbt,nbtd->btd", scores.softmax(0), v)


class Mixer(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        layers = cfg["num_hidden_layers"]
        per_block = cfg["attnres_block_size"] or max(1, math.ceil(layers / 8))
        self.block = 1 if cfg["attnres"] == "full" else 2 * per_block
        self.residuals = nn.ModuleList(DepthAttention(cfg) for _ in range(2 * layers))
        self.final_residual = DepthAttention(cfg) if cfg["attnres_final_aggregate"] else None

    def forward(self, x, sublayers):
        sources, partial = [x], None
        for j, (residual, sublayer) in enumerate(zip(self.residuals, sublayers)):
            out = sublayer(residual(sources if partial is None else sources + [partial]))
            partial = out if partial is None else partial + out
            if (j + 1) % self.block == 0 or j + 1 == len(sublayers):
                sources, partial = sources + [partial], None
        return sources[-1] if self.final_residual is None else self.final_residual(sources)


class LanguageModel(nn.Module):
    def __init__(self, cfg, tokens):
        super().__init__()
        if cfg["attnres"] not in ("off", "full", "block"):
            raise ValueError("this model has no PyTorch counterpart here")
        self.embedding = nn.Embedding(cfg["vocab_size"], cfg["hidden_size"])
        types = cfg["layer_types"] or ["attention"] * cfg["num_hidden_layers"]
        self.blocks = nn.ModuleList(Block(cfg, tokens, i, layer_type) for i, layer_type in enumerate(types))
        self.mixer = None if cfg["attnres"] == "off" else Mixer(cfg)
        self.norm = make_norm(cfg)
        self.lm_head = nn.Linear(cfg["hidden_size"], cfg["vocab_size"], bias=False)
        if cfg["tie_word_embeddings"]:
            self.lm_head.weight = self.embedding.weight

    def hidden(self, tokens):
        """What the output projection reads."""
        x = self.embedding(tokens)
        if self.mixer is None:
            for block in self.blocks:
                x = x + block.attn(block.attn_norm(x))
                x = x + block.ffn(block.ffn_norm(x))
        else:
            sublayers = []
            for block in self.blocks:
                sublayers.append(lambda h, b=block: b.attn(b.attn_norm(h)))
                sublayers.append(lambda h, b=block: b.ffn(b.ffn_norm(h)))
            x = self.mixer(x, sublayers)
        return self.norm(x)

    def forward(self, tokens, targets):
        """The mean cross entropy."""
        logits = self.lm_head(self.hidden(tokens))
        return F.cross_entropy(logits.flatten(0, 1).float(), targets.flatten())


class Prefill(nn.Module):
    """The logits of the last token."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, tokens):
        return self.model.lm_head(self.model.hidden(tokens)[:, -1])


def count_parameters(model):
    return sum(p.numel() for p in model.parameters())

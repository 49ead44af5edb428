"""Kimi delta attention, latent attention and mixtures of experts as a PyTorch
user would write them: chunks and einsum, scaled_dot_product_attention, and a
loop over experts on the tokens that chose each.
"""
import torch
import torch.nn.functional as F
from torch import nn


def chunk_kda(q, k, v, decay, beta, chunk=64):
    """The gated delta rule, of [B, T, H, D] and beta [B, T, H], a chunk at a time.

    Quotients of decays inside a chunk are products with exp(-G): decays of more
    than about exp(-80) in a chunk would overflow.
    """
    batch, tokens, heads, size = q.shape
    pad = -tokens % chunk
    if pad:
        q, k, v, decay = (F.pad(x, (0, 0, 0, 0, 0, pad)) for x in (q, k, v, decay))
        beta = F.pad(beta, (0, 0, 0, pad))
    count = (tokens + pad) // chunk

    def split(x):
        return x.view(batch, count, chunk, heads, -1).permute(1, 0, 3, 2, 4)  # [N, B, H, C, D]

    q, k, v, decay, beta = split(q), split(k), split(v), split(decay), split(beta[..., None])
    total = decay.cumsum(-2)
    gate, last = total.exp(), total[..., -1:, :]
    gated_keys, gated_queries = k * gate, q * gate * size ** -0.5
    inverse_keys = k * (-total).exp()
    pairs = torch.einsum("nbhid,nbhjd->nbhij", gated_keys, inverse_keys)
    matrix = torch.eye(chunk) + (beta * pairs).tril(-1)
    solved = torch.linalg.solve_triangular(matrix, torch.cat([beta * v, beta * gated_keys], -1),
                                           upper=False, unitriangular=True)
    values, keys = solved.split([v.shape[-1], size], -1)
    query_pairs = torch.einsum("nbhid,nbhjd->nbhij", gated_queries, inverse_keys).tril()
    rest_keys = k * (last - total).exp()
    decays = last.exp().transpose(-1, -2)
    state = torch.zeros(batch, heads, size, v.shape[-1])
    outputs = []
    for n in range(count):
        update = values[n] - torch.einsum("bhck,bhkv->bhcv", keys[n], state)
        outputs.append(torch.einsum("bhck,bhkv->bhcv", gated_queries[n], state)
                       + torch.einsum("bhij,bhjv->bhiv", query_pairs[n], update))
        state = decays[n] * state + torch.einsum("bhck,bhcv->bhkv", rest_keys[n], update)
    output = torch.stack(outputs, 1)  # [B, N, H, C, D]
    return output.permute(0, 1, 3, 2, 4).reshape(batch, tokens + pad, heads, -1)[:, :tokens]


class ShortConvolution(nn.Module):
    def __init__(self, channels, taps):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(channels, taps) * 0.1)

    def forward(self, x):
        channels, taps = self.weight.shape
        y = F.conv1d(F.pad(x.transpose(1, 2), (taps - 1, 0)), self.weight[:, None], groups=channels)
        return F.silu(y.transpose(1, 2))


class Kda(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        width, self.heads, self.size = cfg["hidden_size"], cfg["kda_num_heads"], cfg["kda_head_dim"]
        inner = self.heads * self.size
        for part in ("q", "k", "v"):
            setattr(self, f"{part}_proj", nn.Linear(width, inner, bias=False))
            setattr(self, f"{part}_conv", ShortConvolution(inner, cfg["kda_conv_size"]))
        self.f_a_proj = nn.Linear(width, self.size, bias=False)
        self.f_b_proj = nn.Linear(self.size, inner, bias=False)
        self.dt_bias = nn.Parameter(torch.full((inner,), -4.0))
        self.A_log = nn.Parameter(torch.zeros(self.heads))
        self.b_proj = nn.Linear(width, self.heads, bias=False)
        self.g_a_proj = nn.Linear(width, self.size, bias=False)
        self.g_b_proj = nn.Linear(self.size, inner, bias=True)
        self.o_norm = nn.RMSNorm(self.size, eps=cfg["norm_eps"])
        self.o_proj = nn.Linear(inner, width, bias=False)
        self.lower_bound = cfg["kda_gate_lower_bound"]

    def forward(self, x):
        def heads(y):
            return y.view(*x.shape[:2], self.heads, self.size)

        q, k, v = (heads(getattr(self, f"{part}_conv")(getattr(self, f"{part}_proj")(x)))
                   for part in ("q", "k", "v"))
        q, k = (y * torch.rsqrt(y.square().sum(-1, keepdim=True) + 1e-6) for y in (q, k))
        z = heads(self.f_b_proj(self.f_a_proj(x)) + self.dt_bias)
        rate = self.A_log.exp()[:, None]
        decay = -rate * F.softplus(z) if self.lower_bound is None else self.lower_bound * torch.sigmoid(rate * z)
        # Decays of a whole chunk must not overflow.
        output = chunk_kda(q, k, v, decay, torch.sigmoid(self.b_proj(x)), chunk=16)
        gate = torch.sigmoid(self.g_b_proj(self.g_a_proj(x)))
        return self.o_proj(self.o_norm(output).flatten(2) * gate)


class Mla(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        width, eps = cfg["hidden_size"], cfg["norm_eps"]
        self.heads, self.key, self.value = cfg["mla_num_heads"], cfg["mla_qk_head_dim"], cfg["mla_v_head_dim"]
        rank, latent = cfg["mla_q_lora_rank"], cfg["mla_kv_lora_rank"]
        self.q_a_proj = nn.Linear(width, rank, bias=False)
        self.q_a_norm = nn.RMSNorm(rank, eps=eps)
        self.q_b_proj = nn.Linear(rank, self.heads * self.key, bias=False)
        self.kv_a_proj = nn.Linear(width, latent, bias=False)
        self.kv_a_norm = nn.RMSNorm(latent, eps=eps)
        self.kv_b_proj = nn.Linear(latent, self.heads * (self.key + self.value), bias=False)
        self.g_proj = nn.Linear(width, self.heads * self.value, bias=False)
        self.o_proj = nn.Linear(self.heads * self.value, width, bias=False)

    def forward(self, x):
        def heads(y):
            return y.view(*x.shape[:2], self.heads, -1).transpose(1, 2)

        q = heads(self.q_b_proj(self.q_a_norm(self.q_a_proj(x))))
        k, v = heads(self.kv_b_proj(self.kv_a_norm(self.kv_a_proj(x)))).split([self.key, self.value], -1)
        o = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)
        return self.o_proj(o * torch.sigmoid(self.g_proj(x)))


class SituGlu(nn.Module):
    """A feed-forward network whose gate and value are bounded."""

    def __init__(self, width, inner):
        super().__init__()
        self.gate_proj = nn.Linear(width, inner, bias=False)
        self.up_proj = nn.Linear(width, inner, bias=False)
        self.down_proj = nn.Linear(inner, width, bias=False)

    def forward(self, x):
        gate, up = self.gate_proj(x), self.up_proj(x)
        return self.down_proj(4 * torch.tanh(gate / 4) * torch.sigmoid(gate) * 25 * torch.tanh(up / 25))


class Moe(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        width, latent, inner = cfg["hidden_size"], cfg["moe_latent_size"], cfg["moe_intermediate_size"]
        self.per_token = cfg["num_experts_per_tok"]
        self.router = nn.Linear(width, cfg["num_experts"], bias=False)
        self.router_bias = nn.Parameter(torch.zeros(cfg["num_experts"]))
        self.experts = nn.ModuleList(SituGlu(latent, inner) for _ in range(cfg["num_experts"]))
        self.shared_experts = nn.ModuleList(SituGlu(width, inner) for _ in range(cfg["num_shared_experts"]))
        self.latent_down_proj = nn.Linear(width, latent, bias=False)
        self.latent_norm = nn.RMSNorm(latent, eps=cfg["norm_eps"])
        self.latent_up_proj = nn.Linear(latent, width, bias=False)

    def forward(self, x):
        score = torch.sigmoid(self.router(x)).flatten(0, 1)
        chosen = (score + self.router_bias.detach()).topk(self.per_token, -1).indices
        weight = score.gather(-1, chosen)
        weight = weight / weight.sum(-1, keepdim=True)
        z = self.latent_down_proj(x).flatten(0, 1)
        y = torch.zeros_like(z)
        for e, expert in enumerate(self.experts):
            row, choice = torch.where(chosen == e)
            y = y.index_add(0, row, expert(z[row]) * weight[row, choice, None])
        y = self.latent_up_proj(self.latent_norm(y)).view_as(x)
        for shared in self.shared_experts:
            y = y + shared(x)
        return y

"""Small random checkpoints as Hugging Face's transformers writes them, each with
tokens and the float32 logits that it computes for them.

    python3 make_checkpoints.py FOLDER

FOLDER/KIND/{config.json, *.safetensors, batch.safetensors, logits.safetensors}.
Run once, with transformers 5.24 and torch 2.15; the tests read the result.
"""

import pathlib
import sys

import torch
from safetensors.torch import save_file
from transformers import (LlamaConfig, LlamaForCausalLM, Qwen2Config,
                          Qwen2ForCausalLM, Qwen3Config, Qwen3ForCausalLM)

SIZES = dict(vocab_size=96, hidden_size=32, intermediate_size=40,
             num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
             max_position_embeddings=64, bos_token_id=0, eos_token_id=1)

KINDS = {
    # Grouped heads, tied, bf16, in several files.
    "llama": (LlamaForCausalLM,
              LlamaConfig(**SIZES, tie_word_embeddings=True,
                          rope_theta=500000.0),
              torch.bfloat16, "20KB"),
    # Biases everywhere, heads wider than hidden_size / heads, f16.
    "llama_bias": (LlamaForCausalLM,
                   LlamaConfig(**SIZES, head_dim=12, attention_bias=True,
                               mlp_bias=True, rms_norm_eps=1e-5),
                   torch.float16, "1GB"),
    # Biases of queries, keys and values.
    "qwen2": (Qwen2ForCausalLM,
              Qwen2Config(**SIZES, tie_word_embeddings=False,
                          rope_theta=1000000.0),
              torch.bfloat16, "1GB"),
    # Norms of queries and keys.
    "qwen3": (Qwen3ForCausalLM,
              Qwen3Config(**SIZES, head_dim=16, tie_word_embeddings=True),
              torch.bfloat16, "1GB"),
}

for seed, (kind, (model_class, config, dtype, shard)) in enumerate(
        KINDS.items()):
    torch.manual_seed(seed)
    model = model_class(config)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "norm" in name:
                parameter.uniform_(0.5, 1.5)
            else:
                parameter.normal_(0, 0.25)
    model.to(dtype)
    where = pathlib.Path(sys.argv[1]) / kind
    model.save_pretrained(where, max_shard_size=shard)
    (where / "generation_config.json").unlink(missing_ok=True)
    # Read back: what was rounded to 16 bits here includes tables of angles.
    model = model_class.from_pretrained(where, dtype=torch.float32).eval()
    tokens = torch.randint(0, config.vocab_size, (2, 11))
    with torch.no_grad():
        logits = model(tokens).logits
    save_file({"tokens": tokens}, where / "batch.safetensors")
    save_file({"logits": logits}, where / "logits.safetensors")

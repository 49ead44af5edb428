"""modeling_attnres.py computes the logits that a golden case expects.

usage: check_modeling.py EXPORTED CASE
"""

import sys

from safetensors.torch import load_file

exported, case = sys.argv[1:]
sys.path.insert(0, exported)
from modeling_attnres import AttnResForCausalLM  # noqa: E402

model = AttnResForCausalLM.from_pretrained(exported)
tokens = load_file(case + "/batch.safetensors")["tokens"]
expected = load_file(case + "/expected.safetensors")["logits"]
error = (model.double()(tokens) - expected).abs().max().item()
assert error < 1e-9, error

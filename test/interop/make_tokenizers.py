"""Trains small tokenizers of the kinds that GPT-2, Llama 3 and Qwen use, and
writes what the library `tokenizers` makes of many texts.

    python3 make_tokenizers.py FOLDER TEXT...

FOLDER/KIND/tokenizer.json, tokenizer_config.json, and cases.json, a list of
[text, tokens]. Run once, with tokenizers 0.23.3; the tests read the result.
"""

import json
import pathlib
import random
import sys

from tokenizers import (AddedToken, Regex, Tokenizer, decoders, models,
                        normalizers, pre_tokenizers, processors, trainers)

SPLIT = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}%s| ?"
         r"[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")


def byte_level(pattern, first=()):
    split = pre_tokenizers.Split(Regex(pattern), "isolated")
    return pre_tokenizers.Sequence(
        [*first, split,
         pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])


def make(kind, texts):
    tokenizer = Tokenizer(models.BPE(ignore_merges=kind == "llama3"))
    specials = ["<|endoftext|>"]
    if kind == "gpt2":
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(
            add_prefix_space=False)
    elif kind == "llama3":
        specials = ["<|begin_of_text|>", "<|end_of_text|>", "<|eot_id|>",
                    "<|eot_id|>extra"]
        tokenizer.pre_tokenizer = byte_level(SPLIT % "{1,3}")
    elif kind == "digits":
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
            [pre_tokenizers.Digits(individual_digits=True),
             pre_tokenizers.ByteLevel(add_prefix_space=False)])
    else:
        tokenizer.normalizer = normalizers.NFC()
        tokenizer.pre_tokenizer = byte_level(SPLIT % "")
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=640, show_progress=False,
        special_tokens=[] if kind == "llama3" else specials,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
    tokenizer.train(texts, trainer)
    if kind == "llama3":
        # Behind the vocabulary, and a post-processor that is not ours to apply.
        tokenizer.add_special_tokens(specials)
        tokenizer.post_processor = processors.TemplateProcessing(
            single="<|begin_of_text|> $A",
            special_tokens=[("<|begin_of_text|>",
                             tokenizer.token_to_id("<|begin_of_text|>"))])
    if kind == "qwen":
        tokenizer.add_tokens([AddedToken("<think>", normalized=False)])
    end = {"llama3": "<|end_of_text|>"}.get(kind, "<|endoftext|>")
    return tokenizer, end


FIXED = [
    "", " ", "\n", "a", "Hello world", " Hello  world ", "it's WE'LL i'Ve 'tis",
    "12345678 1,234.5 0x1f", "a\n\n\nb", "a \n \n b", "  indented\n\tcode();",
    "trailing   ", "\r\n\r\nwindows\r\n", "x\u000by\u0085z\u00a0w\u3000v\u2028u",
    "caf\u00e9 cafe\u0301 na\u00efve", "\u4f60\u597d\u4e16\u754c\u3002",
    "\U0001f600\U0001f468\u200d\U0001f469\u200d\U0001f467 emoji",
    "\u0661\u0662\u0663 \u0967\u0968 \u2167 \u00b2\u00bd", "\u0000\u0001\u007f",
    "<|endoftext|>", "a<|endoftext|>b", "<|endoftext|><|endoftext|> c",
    "<|end_of_text|> <|eot_id|>x<|eot_id|>extra<|eot_id", "<think>no</think>",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", " " * 40 + "x", "." * 30, "-" * 64 + "\n",
    "\u01c5\u02b0\u0345 \u0e01\u0e33 \u1100\u1161\u11a8 \u212b \u1e9b\u0323",
    "tensor<2x8xf32>, %o:2 = attnres.depth_attention queries(%q2)",
    "\u17f0\u180e\u200b\ufeff\u0640", "'\u017f don\u2019t D'LL",
]


def cases(tokenizer):
    random.seed(5)
    alphabet = ("abcdeXYZ   \n\n\t'.,;-_0123456789"
                "\u00e9\u0301\u4e2d\u6587\U0001f600\u3000\u00a0\u0633\u0915"
                "\u094d\u2014\u1100\u1161")
    texts = list(FIXED)
    for _ in range(60):
        texts.append("".join(random.choice(alphabet)
                             for _ in range(random.randrange(1, 60))))
    return [[text, tokenizer.encode(text, add_special_tokens=False).ids]
            for text in texts]


def write(path, value):
    path.write_text(json.dumps(value, ensure_ascii=True,
                               separators=(",", ":")) + "\n")


folder, *texts = sys.argv[1:]
for kind in ["gpt2", "llama3", "qwen", "digits"]:
    tokenizer, end = make(kind, texts)
    where = pathlib.Path(folder) / kind
    where.mkdir(parents=True, exist_ok=True)
    write(where / "tokenizer.json", json.loads(tokenizer.to_str()))
    write(where / "tokenizer_config.json", {"eos_token": end})
    write(where / "cases.json", cases(tokenizer))

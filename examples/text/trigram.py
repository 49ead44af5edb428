#!/usr/bin/env python3
"""The validation loss of a byte-trigram model, to compare a trained model with.

usage: trigram.py FILE [--seq-len T]

Counts byte trigrams in the first nine tenths of the file and predicts the rest,
split as `attnres-run train` splits it. Orders are interpolated after Witten and
Bell: the more often a context was followed by something new, the more weight
the shorter context gets; the shortest one is uniform. Prints nats per byte.
"""

import argparse
import math
from collections import Counter, defaultdict


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("--seq-len", type=int, default=256)
    options = parser.parse_args()
    with open(options.file, "rb") as file:
        data = file.read()
    windows = (len(data) - 1) // options.seq_len
    split = int(0.9 * windows) * options.seq_len
    train, held_out = data[:split + 1], data[split:windows * options.seq_len + 1]

    # followers[context][byte], for contexts of zero, one and two bytes.
    followers = [defaultdict(Counter) for _ in range(3)]
    for order in range(3):
        for i in range(order, len(train)):
            followers[order][train[i - order:i]][train[i]] += 1
    totals = [{context: sum(counts.values()) for context, counts in table.items()}
              for table in followers]

    def probability(context, byte):
        p = 1 / 256
        for order in range(len(context) + 1):
            short = context[len(context) - order:]
            counts = followers[order].get(short)
            if counts is None:
                break
            distinct, total = len(counts), totals[order][short]
            p = (counts[byte] + distinct * p) / (total + distinct)
        return p

    loss = 0.0
    for i in range(1, len(held_out)):
        loss -= math.log(probability(held_out[max(0, i - 2):i], held_out[i]))
    print(f"{loss / (len(held_out) - 1):.4f}")


main()

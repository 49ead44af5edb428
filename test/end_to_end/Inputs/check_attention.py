"""check_attention.py REPORT.json TOKENS...: flash is close to naive, other sums in other blocks, and smaller when long."""
import json
import sys

report = json.load(open(sys.argv[1]))
heads = report["heads"]
for tokens in map(int, sys.argv[2:]):
    naive, *flash = [row for row in report["rows"] if row["tokens"] == tokens]
    assert naive["form"] == "naive" and [row["block_keys"] for row in flash] == [32, 64, 128, 0], report
    # All scores are in memory at once.
    assert naive["peak_bytes"] >= 4 * heads * tokens ** 2, naive
    for row in flash:
        assert row["largest_difference"] < 2e-6 and row["largest_error"] < 1e-6, row
        assert row["peak_bytes"] == row["arena_bytes"] + row["scratch_bytes"]
    if tokens > 256:
        assert all(row["peak_bytes"] < naive["peak_bytes"] for row in flash), report
        assert all(row["largest_difference"] > 0 for row in flash), flash
        # Scores of a block lie in scratch.
        sizes = [row["scratch_bytes"] for row in flash[:3]]
        assert sizes[0] < sizes[1] < sizes[2] == flash[3]["scratch_bytes"], sizes

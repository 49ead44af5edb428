"""Prints a function with one attnres.stack of equal sublayers.

    residual_stack.py (full | block) SUBLAYERS SUBLAYERS_PER_BLOCK WIDTH
"""
import sys


def main():
    mode = sys.argv[1]
    count, per_block, width = map(int, sys.argv[2:])
    vector, rows = f"tensor<{width}xf32>", f"tensor<2x3x{width}xf32>"
    matrix = f"tensor<{width}x{width}xf32>"
    if mode == "block":
        mode += f" sublayers_per_block({per_block})"

    def group(keyword, prefix):
        names = ", ".join(f"%{prefix}{i}" for i in range(count + 1))
        types = ", ".join([vector] * (count + 1))
        return f"{keyword}({names} : {types})"

    parameters = "".join(
        f", %q{i}: {vector}, %g{i}: {vector}" for i in range(count + 1))
    sublayer = f"""  ^bb0(%h: {rows}):
    %v = attnres.linear %h, %w : {rows}, {matrix}
    attnres.yield %v : {rows}
"""
    print(f"""func.func @main(%x: {rows}, %w: {matrix}{parameters}) -> {rows} {{
  %y = attnres.stack %x {mode} eps(1.0e-8)
      {group("queries", "q")}
      {group("gains", "g")} : {rows} {{
""", end="")
    print("  }, {\n".join([sublayer] * count) + "  }")
    print(f"  return %y : {rows}\n}}")


main()

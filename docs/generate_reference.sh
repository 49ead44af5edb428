#!/bin/sh
# Writes operations.md and passes.md, the reference pages that mlir-tblgen makes
# of the dialect and pass definitions.
#
#     docs/generate_reference.sh [FOLDER]
#
# FOLDER defaults to docs/reference. LLVM_PREFIX is where LLVM and MLIR are
# installed.
set -eu

prefix=${LLVM_PREFIX:-/usr/lib/llvm-22}
root=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:-$root/docs/reference}

# generate TITLE FILE ARGUMENTS...
generate() {
  title=$1
  file=$2
  shift 2
  printf '# %s\n\n' "$title" > "$file"
  "$prefix/bin/mlir-tblgen" -I "$root" -I "$prefix/include" "$@" >> "$file"
}

mkdir -p "$folder"
generate "Operations" "$folder/operations.md" \
  -gen-op-doc -dialect=attnres "$root/dialect/AttnresOps.td"
generate "Passes" "$folder/passes.md" -gen-pass-doc "$root/passes/Passes.td"

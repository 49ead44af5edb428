#!/usr/bin/env bash
# Puts what measuring on a machine with a GPU takes into one archive: programs,
# their estimates, attnres-exec with its libraries, and tools/bench/gpu.sh.
#
#   tools/bench/gpu_bundle.sh [--tiny] [--target sm_90a] OUT.tar.gz
#
# --tiny: a few small cases, for a test. The archive has at most 60 MiB.
set -euo pipefail
cd "$(dirname "$0")/../.."

tiny=
target=sm_90a
while [ $# -gt 1 ]; do
  case $1 in
    --tiny) tiny=1 ;;
    --target) target=$2; shift ;;
    *) break ;;
  esac
  shift
done
if [ $# -ne 1 ] || [ "${1#-}" != "$1" ]; then
  echo "usage: tools/bench/gpu_bundle.sh [--tiny] [--target sm_90a] OUT.tar.gz" >&2
  exit 2
fi
out=$1
bin=${ATTNRES_BIN:-build/bin}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder"/bundle/{bin,lib,check,time,steps}
bundle=$folder/bundle

cp "$bin/attnres-exec" "$bundle/bin/"
strip "$bundle/bin/attnres-exec"
# All libraries but those of the system itself, which must fit its kernel.
ldd "$bin/attnres-exec" | awk '$3 ~ /^\// {print $3}' |
  grep -Ev '/(libc|libm|libdl|librt|libpthread|ld-linux[^/]*)\.so' |
  xargs -I{} cp -L {} "$bundle/lib/"
cp tools/bench/gpu.sh tools/bench/gpu_report.py "$bundle/"

# operation FOLDER NAME SHAPE...: programs and estimates of an operation.
operation() {
  local to=$1 name=$2 shapes=()
  shift 2
  for shape in "$@"; do shapes+=(--shape "$shape"); done
  "$bin/attnres-run" bench "$name" "${shapes[@]}" --device emulator --target "$target" \
    --dtype bf16 --samples 2 --save-programs "$bundle/$to" --json >/dev/null
}
# step NAME OPTIONS...: a training step, and what it should take.
step() {
  local name=$1
  shift
  "$bin/attnres-run" compile "$@" --purpose train --target "$target" \
    --more-targets cpu:avx2 --out "$bundle/steps/$name.program"
  "$bin/attnres-run" plan "$@" --train --target "$target" --samples 2 --json \
    >"$bundle/steps/$name.json"
}

if [ -n "$tiny" ]; then
  operation check depth 3x9x40
  operation check attention 1x33x2x16
  operation time depth 2x16x64
  operation time attention 1x32x1x64
  operation time matmul 16x64x32
  step tiny --model test/golden/block_one --batch-size 2 --seq-len 11
else
  operation check matmul 300x520x260
  operation check attention 2x333x4x64 1x257x2x128
  operation check depth 5x333x1024 9x100x7168
  operation check norm 333x1000
  operation check loss 100x5000
  operation check optimizer 100x300
  operation check kda 1x130x2x64
  operation check moe 200x128x256x8x2
  operation time depth 5x8192x1024 9x8192x1024 9x8192x7168
  for size in 64 128; do
    for tokens in 1024 4096 16384; do
      operation time attention "$((16384 / tokens))x${tokens}x$((2048 / size))x$size"
    done
  done
  operation time matmul 8192x4096x4096 8192x8192x8192
  operation time norm 8192x7168
  operation time loss 4096x32000
  operation time optimizer 4096x4096
  step ch5 --preset ch5 --batch-size 256 --seq-len 729 --dtype bf16
  step toy --preset toy --attnres block --batch-size 64 --seq-len 256 --dtype bf16
  step 0.5b --preset 0.5b --attnres block --batch-size 4 --seq-len 2048 --dtype bf16
fi
tar -czf "$out" -C "$folder" bundle
bytes=$(stat -c %s "$out")
echo "$out: $((bytes / 1048576)) MiB"
if [ "$bytes" -gt $((60 * 1048576)) ]; then
  echo "gpu_bundle.sh: more than 60 MiB" >&2
  exit 1
fi

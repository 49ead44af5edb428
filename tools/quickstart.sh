#!/usr/bin/env bash
# Sets everything up and does the main job once: trains a small model with block
# attention residuals on two-digit multiplication, step by step written out,
# until it answers questions it has never seen, and shows what it learned.
#
#   tools/quickstart.sh [RUN_DIR]      default: runs/quickstart
#
# Works on a bare Debian 12; training takes at most three minutes on two cores.
set -euo pipefail
cd "$(dirname "$0")/.."
run=${1:-runs/quickstart}
case $run in
  -h | --help) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac
if [ -e "$run" ]; then
  echo "quickstart.sh: $run exists; name another folder for the run" >&2
  exit 2
fi

tools/build.sh release attnres-run
attnres=build/bin/attnres-run

echo
echo "Training on two-digit multiplication:"
"$attnres" train --config examples/multiplication/config.json --data multiplication:2 \
  --batch-size 32 --steps 600 --lr 3e-3 --warmup 50 --eval-every 100 --save-every 200 --out "$run"

echo
echo "200 questions that were held out:"
"$attnres" eval --model "$run" --data multiplication:2 --samples 200

echo
echo "Some of them, solved by generation:"
"$attnres" generate --model "$run" --prompt '12*34=' --prompt '99*87=' --prompt '40*06=' --temperature 0

echo
echo "The weights that each sublayer gives to earlier outputs:"
"$attnres" inspect --model "$run" --metrics "$run"

"$attnres" report "$run" --out "$run/report.html"
echo
echo "Curves, gradient norms and depth weights: $run/report.html"

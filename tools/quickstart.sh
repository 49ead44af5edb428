#!/usr/bin/env bash
# Sets everything up and does the main job once: trains a small model with block
# attention residuals on two-digit multiplication, step by step written out,
# until it answers questions it has never seen, and shows what it learned.
#
#   tools/quickstart.sh [RUN_DIR]      default: runs/quickstart
#
# Works on a bare Debian 12; training takes two to three minutes on two cores.
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
  --batch-size 32 --steps 1000 --lr 3e-3 --min-lr 1e-5 --lr-schedule wsd --warmup 40 \
  --eval-every 200 --save-every 500 --out "$run"

echo
echo "All questions that were held out:"
"$attnres" eval --model "$run"

echo
echo "Questions, and what it writes until the end token:"
for question in '12*34=' '99*87=' '40*06='; do
  printf '%s' "$question"
  "$attnres" generate --model "$run" --prompt "$question"
done

echo
echo "The weights that each sublayer gives to earlier outputs:"
"$attnres" inspect --model "$run" --metrics "$run"

"$attnres" report "$run" --out "$run/report.html"
echo
echo "Curves, gradient norms and depth weights: $run/report.html"

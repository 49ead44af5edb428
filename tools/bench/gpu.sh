#!/usr/bin/env bash
# Checks and times the programs of a bundle on a GPU, next to PyTorch where that
# is there, and prints one table beside the estimates. Needs a driver and
# Python; no compiler, no network. A few minutes.
#
#   tools/bench/gpu_bundle.sh bundle.tar.gz          (where the project is built)
#   bash gpu.sh bundle.tar.gz [--out results.json] [--rounds 20]
#
# --device emulator instead of a GPU tries the script itself.
set -euo pipefail
if [ $# -lt 1 ] || [ "$1" = --help ] || [ "$1" = -h ]; then
  sed -n '2,10s/^# \{0,1\}//p' "$0"
  exit 0
fi
archive=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tar -xzf "$archive" -C "$folder"
python3 "$folder/bundle/gpu_report.py" "$folder/bundle" "$@"

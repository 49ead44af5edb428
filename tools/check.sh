#!/usr/bin/env bash
# Installs what is missing, builds everything and runs every test.
#
#   tools/check.sh              release build in build/
#   tools/check.sh --sanitize   AddressSanitizer and UBSan build in build-sanitize/
#
# Works on a bare Debian 12. The last line is "N passed, N failed".
set -euo pipefail
cd "$(dirname "$0")/.."

preset=release
for argument in "$@"; do
  case $argument in
    --sanitize) preset=sanitize ;;
    -h | --help) sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "check.sh: unknown option '$argument'; see --help" >&2; exit 2 ;;
  esac
done
build=build
[ "$preset" = release ] || build=build-$preset

packages="g++ cmake ninja-build mold python3 libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools
  libgtest-dev nlohmann-json3-dev libcli11-dev libfmt-dev libsentencepiece-dev"
missing=
for package in $packages; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed' ||
    missing="$missing $package"
done
if [ -n "$missing" ]; then
  as_root=
  [ "$(id -u)" = 0 ] || as_root=sudo
  echo "installing$missing"
  $as_root apt-get update -qq
  # shellcheck disable=SC2086
  DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
fi

started=$SECONDS
cmake --preset "$preset" >/dev/null
cmake --build "$build" -- -k 0
echo "built in $((SECONDS - started)) s"

# LLVM keeps memory until exit on purpose. Its allocators are inlined here with
# instrumentation and live in a library without it: what one side poisons the
# other writes to.
# An abort, so that tests which expect a failure do not take it for one.
export ASAN_OPTIONS=abort_on_error=1:detect_leaks=0:allow_user_poisoning=0:${ASAN_OPTIONS:-}
export UBSAN_OPTIONS=abort_on_error=1:halt_on_error=1:print_stacktrace=1:${UBSAN_OPTIONS:-}
lit=$(sed -n 's/^LLVM_LIT:FILEPATH=//p' "$build/CMakeCache.txt")
status=0
"$lit" -sv --time-tests --xunit-xml-output "$build/tests.xml" "$build/test" || status=$?

python3 - "$build/tests.xml" <<'PYTHON'
import sys
import xml.etree.ElementTree as tree

suites = tree.parse(sys.argv[1]).getroot().iter("testsuite")
total = failed = skipped = 0
for suite in suites:
    total += int(suite.get("tests", 0))
    failed += int(suite.get("failures", 0))
    skipped += int(suite.get("skipped", 0))
print(f"{total - failed - skipped} passed, {failed} failed")
sys.exit(1 if failed or total == skipped else 0)
PYTHON
exit $status

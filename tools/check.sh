#!/usr/bin/env bash
# Installs what is missing, builds everything and runs every test, then a part
# of them at each instruction set that the machine has.
#
#   tools/check.sh              release build in build/
#   tools/check.sh --sanitize   AddressSanitizer and UBSan build in build-sanitize/
#   tools/check.sh --emulator   instead, all golden cases and every operation on
#                               the emulator of GPUs
#
# Works on a bare Debian 12. The last line is "N passed, N failed".
set -euo pipefail
cd "$(dirname "$0")/.."

preset=release
emulator=
for argument in "$@"; do
  case $argument in
    --sanitize) preset=sanitize ;;
    --emulator) emulator=1 ;;
    -h | --help) sed -n '2,10s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "check.sh: unknown option '$argument'; see --help" >&2; exit 2 ;;
  esac
done
build=build
[ "$preset" = release ] || build=build-$preset

tools/build.sh "$preset"
if [ -n "$emulator" ]; then
  failed=0
  for test in CompiledMeaning ForeignPrograms Convolution Expert Kda; do
    ATTNRES_TARGET=sm_80 "$build/test-bin/${test}Test" --gtest_brief=1 \
      --gtest_filter='-*segments*' || failed=1
  done
  ATTNRES_EMULATOR=all "$build/test-bin/EmulatorTest" --gtest_brief=1 || failed=1
  exit $failed
fi

# LLVM keeps memory until exit on purpose. Its allocators are inlined here with
# instrumentation and live in a library without it: what one side poisons the
# other writes to.
# An abort, so that tests which expect a failure do not take it for one.
export ASAN_OPTIONS=abort_on_error=1:detect_leaks=0:allow_user_poisoning=0:${ASAN_OPTIONS:-}
export UBSAN_OPTIONS=abort_on_error=1:halt_on_error=1:print_stacktrace=1:${UBSAN_OPTIONS:-}
lit=$(sed -n 's/^LLVM_LIT:FILEPATH=//p' "$build/CMakeCache.txt")
status=0
"$lit" -sv --time-tests --xunit-xml-output "$build/tests.xml" "$build/test" || status=$?

# What code generation and the instruction set can break, in a minute or two.
part='end_to_end/(bench|evaluate|isa|plan).test|(Golden|CachedModel|LaneLevels|MachineLimits|Isa)Test'
results=("$build/tests.xml")
if [ "$preset" = release ] && [ -z "${ATTNRES_ISA:-}" ]; then
  for isa in generic avx2 avx512 avx512-bf16 avx512-bf16+dot-bf16 \
    avx512-bf16+amx-bf16; do
    ATTNRES_ISA=$isa "$build/bin/attnres-run" --version >/dev/null 2>&1 || continue
    echo "instruction set $isa:"
    ATTNRES_ISA=$isa "$lit" -sv --filter "$part" \
      --xunit-xml-output "$build/tests-$isa.xml" "$build/test" || status=$?
    results+=("$build/tests-$isa.xml")
  done
fi

python3 - "${results[@]}" <<'PYTHON'
import sys
import xml.etree.ElementTree as tree

total = failed = skipped = 0
suites = [suite for path in sys.argv[1:]
          for suite in tree.parse(path).getroot().iter("testsuite")]
for suite in suites:
    total += int(suite.get("tests", 0))
    failed += int(suite.get("failures", 0))
    skipped += int(suite.get("skipped", 0))
print(f"{total - failed - skipped} passed, {failed} failed")
sys.exit(1 if failed or total == skipped else 0)
PYTHON
exit $status

#!/usr/bin/env bash
# Installs what is missing and builds.
#
#   tools/build.sh [PRESET [TARGET...]]     default: everything of preset release
#
# PRESET is one of CMakePresets.json. Works on a bare Debian 12.
set -euo pipefail
cd "$(dirname "$0")/.."
case ${1:-} in
  -h | --help) sed -n '2,6s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac
preset=${1:-release}
[ $# -eq 0 ] || shift
build=build
[ "$preset" = release ] || build=build-$preset

# Clang takes two thirds of GCC's time for these sources; another compiler can
# be named by CXX and CC.
export CC=${CC:-clang-22} CXX=${CXX:-clang++-22}
packages="g++ clang-22 cmake ninja-build mold python3 libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools
  libgtest-dev nlohmann-json3-dev libcli11-dev libfmt-dev libicu-dev libsentencepiece-dev libcpp-httplib-dev
  libopenmpi-dev openmpi-bin python3-dev python3-numpy python3-pip"
[ "$preset" != sanitize ] || packages="$packages libclang-rt-22-dev"
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

# The Python package, which is optional, is written with nanobind. Debian 12 does
# not have it; what the package index gives stays in the build folder.
python=/usr/bin/python3
if [ "$preset" = release ] &&
  ! PYTHONPATH=$build/python-tools $python -c 'import nanobind' 2>/dev/null; then
  $python -m pip --quiet --no-input --disable-pip-version-check --retries 1 --timeout 10 \
    install --no-deps --root-user-action ignore --target "$build/python-tools" \
    'nanobind>=2.2' >/dev/null 2>&1 ||
    echo "no nanobind in reach: the Python package is left out"
fi

started=$SECONDS
cmake --preset "$preset" -D Python_EXECUTABLE=$python >/dev/null
cmake --build "$build" ${*:+--target "$@"} -- -k 0
echo "built in $((SECONDS - started)) s"

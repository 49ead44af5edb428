# All packages that are missing in one message, with the line that installs them;
# those who use a package find it again where they do.

set(missing "")

# attnres_expect(PACKAGE FOUND): Debian's PACKAGE is missing unless FOUND is true.
macro(attnres_expect package)
  if(NOT (${ARGN}))
    list(APPEND missing ${package})
  endif()
endmacro()

find_package(nlohmann_json 3.11 QUIET)
attnres_expect(nlohmann-json3-dev nlohmann_json_FOUND)
find_package(CLI11 QUIET)
attnres_expect(libcli11-dev CLI11_FOUND)
find_package(fmt QUIET)
attnres_expect(libfmt-dev fmt_FOUND)
find_package(ICU QUIET COMPONENTS i18n uc)
attnres_expect(libicu-dev ICU_FOUND)
find_path(SENTENCEPIECE_INCLUDE_DIR sentencepiece_trainer.h)
find_library(SENTENCEPIECE_LIBRARY sentencepiece)
attnres_expect(libsentencepiece-dev SENTENCEPIECE_INCLUDE_DIR AND SENTENCEPIECE_LIBRARY)
if(ATTNRES_BUILD_TESTS)
  find_package(GTest QUIET)
  attnres_expect(libgtest-dev GTest_FOUND)
endif()
if(ATTNRES_BUILD_COMPILER)
  find_path(HTTPLIB_INCLUDE_DIR httplib.h)
  find_library(HTTPLIB_LIBRARY cpp-httplib)
  attnres_expect(libcpp-httplib-dev HTTPLIB_INCLUDE_DIR AND HTTPLIB_LIBRARY)
  find_package(MLIR 22.1 QUIET CONFIG HINTS /usr/lib/llvm-22)
  attnres_expect("libmlir-22-dev;mlir-22-tools;llvm-22-dev" MLIR_FOUND)
endif()

if(missing)
  list(JOIN missing " " missing)
  message(FATAL_ERROR "missing packages; on Debian 12:\n  apt-get install ${missing}")
endif()

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
  # What MLIR's own configuration includes ends in an error where it is missing.
  find_file(ATTNRES_LLVM_CONFIG LLVMConfig.cmake
    HINTS ${LLVM_DIR} /usr/lib/llvm-22/lib/cmake/llvm)
  find_file(ATTNRES_MLIR_CONFIG MLIRConfig.cmake
    HINTS ${MLIR_DIR} /usr/lib/llvm-22/lib/cmake/mlir)
  find_program(ATTNRES_MLIR_TBLGEN mlir-tblgen HINTS /usr/lib/llvm-22/bin)
  attnres_expect(llvm-22-dev ATTNRES_LLVM_CONFIG)
  attnres_expect(libmlir-22-dev ATTNRES_MLIR_CONFIG)
  attnres_expect(mlir-22-tools ATTNRES_MLIR_TBLGEN)
endif()
if(ATTNRES_BUILD_PYTHON STREQUAL "ON")
  find_package(Python 3.10 QUIET COMPONENTS Interpreter Development.Module)
  attnres_expect(python3-dev Python_Development.Module_FOUND)
endif()

if(missing)
  list(JOIN missing " " missing)
  message(FATAL_ERROR "missing packages; on Debian 12:\n  apt-get install ${missing}")
endif()

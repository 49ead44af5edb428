# Every .mlir and .test file below this folder is one test. The GoogleTest
# executables form a suite of their own, see unit/lit.cfg.py.
import importlib.util
import os
import shutil

import lit.formats

config.name = "attnres"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["golden", "reference", "Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = config.attnres_test_dir

config.environment["PATH"] = os.pathsep.join(
    [config.attnres_tools_dir, config.llvm_tools_dir, config.environment["PATH"]])
# Programs that tests compile are shared by them and by nobody else.
config.environment["ATTNRES_CACHE_DIR"] = os.path.join(config.test_exec_root, "cache")
# The whole suite at a lower instruction set than the machine's.
if "ATTNRES_ISA" in os.environ:
    config.environment["ATTNRES_ISA"] = os.environ["ATTNRES_ISA"]
config.environment["FILECHECK_OPTS"] = "-enable-var-scope --dump-input-filter=error"
# Several ranks need an MPI that starts them, and what connects them to it.
if shutil.which("mpirun") and os.path.exists(
        os.path.join(os.path.dirname(config.attnres_tools_dir), "lib", "libattnres_mpi.so")):
    config.available_features.add("mpi")
else:
    lit_config.note("no MPI: tests of several ranks are skipped")
# Nothing but the test of what PyTorch makes of an exported model needs it.
if all(importlib.util.find_spec(name) for name in ("torch", "safetensors")):
    config.available_features.add("torch")
config.substitutions.append(("%python", config.python))
config.substitutions.append(("%build_root", os.path.dirname(config.attnres_test_dir)))
config.substitutions.append(("%source_root", os.path.dirname(config.test_source_root)))
config.substitutions.append(("%llvm_prefix", os.path.dirname(config.llvm_tools_dir)))
config.substitutions.append(
    ("%golden", os.path.join(config.test_source_root, "golden")))

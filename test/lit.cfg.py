# How the .mlir tests run: `lit BUILD/test`, or ctest.
import os

import lit.formats

config.name = "attnres"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["golden", "reference", "unit"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.build_dir, "test", "lit-output")
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.build_dir, "bin"), config.llvm_tools_dir,
     config.environment["PATH"]])
config.environment["FILECHECK_OPTS"] = "-enable-var-scope"
config.substitutions.append(
    ("%golden", os.path.join(config.test_source_root, "golden")))

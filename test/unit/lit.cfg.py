# The GoogleTest executables of the build; each test of theirs counts as one.
import os

import lit.formats

config.name = "attnres-unit"
config.test_format = lit.formats.GoogleTest(".", "Test")
config.suffixes = []
# A folder of executables alone: lit searches the folders below for suites.
config.test_source_root = config.attnres_test_bin_dir
config.test_exec_root = config.attnres_test_bin_dir
# Programs that tests compile are shared by them and by nobody else.
config.environment["ATTNRES_CACHE_DIR"] = os.path.join(config.test_exec_root, "cache")
# The whole suite at a lower instruction set than the machine's.
if "ATTNRES_ISA" in os.environ:
    config.environment["ATTNRES_ISA"] = os.environ["ATTNRES_ISA"]

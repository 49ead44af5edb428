# The GoogleTest executables of the build, one lit test for each of their tests.
import lit.formats

config.name = "attnres-unit"
config.test_format = lit.formats.GoogleTest(".", "Test")
config.suffixes = []
config.test_source_root = config.attnres_test_bin_dir
config.test_exec_root = config.attnres_test_bin_dir

# The GoogleTest executables of the build; each test of theirs counts as one.
import lit.formats

config.name = "attnres-unit"
config.test_format = lit.formats.GoogleTest(".;../bin", "Test")
config.suffixes = []
# A folder of executables alone: lit searches the folders below for suites.
config.test_source_root = config.attnres_test_bin_dir
config.test_exec_root = config.attnres_test_bin_dir

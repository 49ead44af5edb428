# The GoogleTest executables of the build; each test of theirs counts as one.
import lit.formats

config.name = "attnres-unit"
config.test_format = lit.formats.GoogleTest("bin;test-bin", "Test")
config.suffixes = []
config.test_source_root = config.attnres_build_dir
config.test_exec_root = config.attnres_build_dir

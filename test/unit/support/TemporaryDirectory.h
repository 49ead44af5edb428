// A directory that exists for the duration of one test.
#ifndef ATTNRES_TEST_UNIT_RUNTIME_TEMPORARYDIRECTORY_H
#define ATTNRES_TEST_UNIT_RUNTIME_TEMPORARYDIRECTORY_H

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

class TemporaryDirectory {
public:
  TemporaryDirectory() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "attnres-test-XXXXXX")
            .string();
    if (!mkdtemp(pattern.data()))
      std::abort();
    path = pattern;
  }
  TemporaryDirectory(const TemporaryDirectory &) = delete;
  TemporaryDirectory &operator=(const TemporaryDirectory &) = delete;
  ~TemporaryDirectory() { std::filesystem::remove_all(path); }

  std::string file(const std::string &name) const {
    return (path / name).string();
  }
  std::string write(const std::string &name, std::string_view bytes) const {
    // Some file systems flush to disk when a file is truncated.
    std::filesystem::remove(path / name);
    std::ofstream out(path / name, std::ios::binary);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return file(name);
  }
  /// Names in the directory, to find leftovers.
  size_t numFiles() const {
    size_t count = 0;
    for (auto it = std::filesystem::directory_iterator(path);
         it != std::filesystem::directory_iterator(); ++it)
      ++count;
    return count;
  }

  std::filesystem::path path;
};

inline std::string readBytes(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

#endif

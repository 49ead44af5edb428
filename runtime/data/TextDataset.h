// The bytes of files as tokens.
#ifndef ATTNRES_RUNTIME_DATA_TEXTDATASET_H
#define ATTNRES_RUNTIME_DATA_TEXTDATASET_H

#include "runtime/File.h"
#include "runtime/data/Dataset.h"
#include "runtime/data/Windows.h"

#include <memory>
#include <string>
#include <vector>

namespace attnres::runtime {

/// Windows of `length` bytes of the files' concatenation, which may cross from
/// one file to the next; every byte is a token (0 to 255) and the next byte its
/// target. The files are mapped, not read into memory.
class TextDataset final : public Dataset {
public:
  /// Fails when a file is empty, or the part does not hold a single window.
  static Result<std::unique_ptr<TextDataset>>
  open(const std::vector<std::string> &paths, int64_t length, Part part);

  int64_t vocabularySize() const override { return 256; }
  int64_t size() const override { return windows.count; }
  int64_t length() const override { return windows.length; }
  void sample(int64_t index, int64_t *tokens, int64_t *targets) const override;

private:
  /// A file and where its bytes end in the concatenation.
  struct File {
    MappedFile mapping;
    int64_t end;
  };

  TextDataset(std::vector<File> files, Windows windows)
      : files(std::move(files)), windows(windows) {}

  std::vector<File> files;
  Windows windows;
};

} // namespace attnres::runtime
#endif

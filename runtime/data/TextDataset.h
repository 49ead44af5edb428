// The bytes of files as tokens.
#ifndef ATTNRES_RUNTIME_DATA_TEXTDATASET_H
#define ATTNRES_RUNTIME_DATA_TEXTDATASET_H

#include "runtime/data/DataFile.h"
#include "runtime/data/Dataset.h"
#include "runtime/data/Windows.h"

#include <memory>

namespace attnres::runtime {

/// Windows of `length` bytes of the files' concatenation, which may cross from
/// one file to the next; every byte is a token (0 to 255) and the next byte its
/// target. Bytes are read when a sample asks for them.
class TextDataset final : public Dataset {
public:
  /// Fails when the part does not hold a single window. Shares the files.
  static Result<std::unique_ptr<TextDataset>> open(const DataFiles &files,
                                                   int64_t length, Part part);

  int64_t vocabularySize() const override { return 256; }
  int64_t size() const override { return windows.count(); }
  int64_t length() const override { return windows.length; }
  Status sample(int64_t index, int64_t *tokens,
                int64_t *targets) const override;

private:
  TextDataset(DataFiles files, Windows windows)
      : files(std::move(files)), windows(windows) {}

  DataFiles files;
  Windows windows;
};

} // namespace attnres::runtime
#endif

// Windows of token files.
#ifndef ATTNRES_RUNTIME_DATA_SHARDDATASET_H
#define ATTNRES_RUNTIME_DATA_SHARDDATASET_H

#include "runtime/data/Dataset.h"
#include "runtime/data/TokenFile.h"
#include "runtime/data/Windows.h"

#include <memory>
#include <vector>

namespace attnres::runtime {

/// Windows of the files' tokens, which may cross from one file to the next.
/// Tokens are read when a sample asks for them: files may be larger than
/// memory.
class ShardDataset final : public Dataset {
public:
  /// Tokens are below `vocabulary`. Fails when the part does not hold a single
  /// window. Shares the files.
  static Result<std::unique_ptr<ShardDataset>>
  open(std::vector<TokenFile> files, int64_t vocabulary, int64_t length,
       Part part);

  int64_t vocabularySize() const override { return vocabulary; }
  int64_t size() const override { return windows.count(); }
  int64_t length() const override { return windows.length; }
  Status sample(int64_t index, int64_t *tokens,
                int64_t *targets) const override;

private:
  ShardDataset(std::vector<TokenFile> files, int64_t vocabulary,
               Windows windows)
      : files(std::move(files)), vocabulary(vocabulary), windows(windows) {}

  std::vector<TokenFile> files;
  int64_t vocabulary;
  Windows windows;
};

} // namespace attnres::runtime
#endif

// The bytes of a file as tokens.
#ifndef ATTNRES_RUNTIME_DATA_TEXTDATASET_H
#define ATTNRES_RUNTIME_DATA_TEXTDATASET_H

#include "runtime/File.h"
#include "runtime/data/Dataset.h"

#include <memory>
#include <string>

namespace attnres::runtime {

/// Windows of `length` bytes that follow each other without overlap; every
/// byte of a window is a token (0 to 255) and the next byte its target. Bytes
/// at the end that do not fill a window are left out. The file is mapped, not
/// read into memory.
class TextDataset final : public Dataset {
public:
  /// A part of the file, in fractions of its windows: [0, 0.9) and [0.9, 1)
  /// share no window.
  struct Part {
    double begin = 0, end = 1;
  };

  /// Fails when the part does not hold a single window.
  static Result<std::unique_ptr<TextDataset>> open(const std::string &path,
                                                   int64_t length, Part part);

  int64_t vocabularySize() const override { return 256; }
  int64_t size() const override { return numWindows; }
  int64_t length() const override { return windowLength; }
  void sample(int64_t index, int64_t *tokens, int64_t *targets) const override;

private:
  TextDataset(MappedFile file, int64_t windowLength, int64_t firstWindow,
              int64_t numWindows)
      : file(std::move(file)), windowLength(windowLength),
        firstWindow(firstWindow), numWindows(numWindows) {}

  MappedFile file;
  int64_t windowLength, firstWindow, numWindows;
};

} // namespace attnres::runtime
#endif

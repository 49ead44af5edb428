// Files that hold tokens, as other programs write them.
#ifndef ATTNRES_RUNTIME_DATA_TOKENFILE_H
#define ATTNRES_RUNTIME_DATA_TOKENFILE_H

#include "runtime/data/DataFile.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace attnres::runtime {

/// The tokens of one file, read from where they are:
///
///   llm.c     256 numbers of 32 bits: 20240520, 1 and the count before tokens
///             of 16 bits; or 20240801, 7 and the count before those of 32 bits
///   .npy      an array of one dimension of integers of 8 to 64 bits
///   nanoGPT   numbers of 16 bits and nothing else
///
/// all little endian.
class TokenFile {
public:
  /// What `file` holds; nothing when it holds something else. Decided by what
  /// is in it: the first two have a mark. A file without one counts as
  /// nanoGPT's if it looks like numbers of 16 bits (see DataFormat.h).
  ///
  /// The file is read once. Fails when it has a mark and is not what that says,
  /// and when a token is not below `vocabulary`; 0: any is right, but a file
  /// without a mark is nothing then, since no number of it could be wrong.
  static Result<std::optional<TokenFile>>
  recognize(std::shared_ptr<const DataFile> file, int64_t vocabulary);

  const DataFile &file() const { return *source; }
  /// "a token shard of llm.c"
  const char *format() const { return name; }
  int64_t count() const { return tokens; } ///< at least 1
  int64_t largest() const { return most; } ///< of the tokens

  /// Writes tokens [begin, begin + number), all of them in [0, count()).
  Status read(int64_t begin, int64_t number, int64_t *into) const;

private:
  TokenFile(std::shared_ptr<const DataFile> file, const char *name,
            int64_t offset, int64_t width, bool isSigned)
      : source(std::move(file)), name(name), offset(offset), width(width),
        isSigned(isSigned), tokens((source->size() - offset) / width) {}

  static Result<std::optional<TokenFile>>
  readHeader(const std::shared_ptr<const DataFile> &file, bool allowPlain);
  static Result<std::optional<TokenFile>>
  readNpy(const std::shared_ptr<const DataFile> &file);
  static Result<std::optional<TokenFile>>
  readLlmC(const std::shared_ptr<const DataFile> &file);
  /// Sets `most`.
  Status check(int64_t vocabulary);

  std::shared_ptr<const DataFile> source;
  const char *name;
  int64_t offset; ///< of the first token, in bytes
  int64_t width;  ///< of a token, in bytes
  bool isSigned;
  int64_t tokens, most = 0;
};

} // namespace attnres::runtime
#endif

// Text files as the tokens of a tokenizer.
#ifndef ATTNRES_RUNTIME_DATA_TOKENDATASET_H
#define ATTNRES_RUNTIME_DATA_TOKENDATASET_H

#include "runtime/data/DataFile.h"
#include "runtime/data/Dataset.h"
#include "runtime/data/Tokenizer.h"
#include "runtime/data/Windows.h"

#include <memory>
#include <string>

namespace attnres::runtime {

/// Windows of the tokens of all files, in order; after each file comes the
/// tokenizer's end token, if it has one.
///
/// Files are encoded once, into a cache that is read from then on; neither text
/// nor tokens are ever held in memory. The cache file:
///
///   tokens      u16 or, when the vocabulary has more than 65,536, u32
///   padding     to a multiple of 8 bytes
///   u64 ...     for each file, tokens up to its end
///   4 x u64     tokens, bytes of one token, key, magic number
///
/// all little endian. The key stands for the tokenizer and for the content of
/// every file; a cache with another key, or one that is damaged, is written
/// anew.
class TokenDataset final : public Dataset {
public:
  /// Fails when a file cannot be read or encoded, and when the part does not
  /// hold a single window.
  static Result<std::unique_ptr<TokenDataset>>
  open(const DataFiles &files, const Tokenizer &tokenizer,
       const std::string &cachePath, int64_t length, Part part);

  /// Whether a file is such a cache, damaged or not: one may be written anew, a
  /// file of somebody else must not.
  static bool isCache(const std::string &path);

  /// Another part of the same tokens.
  Result<std::unique_ptr<TokenDataset>> select(int64_t length, Part part) const;
  /// A part of the tokens of `number` files from `file` on.
  Result<std::unique_ptr<TokenDataset>> select(size_t file, size_t number,
                                               int64_t length, Part part) const;

  int64_t vocabularySize() const override { return vocabulary; }
  int64_t size() const override { return windows.count(); }
  int64_t length() const override { return windows.length; }
  Status sample(int64_t index, int64_t *tokens,
                int64_t *targets) const override;

  /// Tokens of all files together.
  int64_t numTokens() const { return count; }

private:
  TokenDataset(std::shared_ptr<const DataFile> cache, int64_t count,
               int64_t width, int64_t vocabulary)
      : cache(std::move(cache)), count(count), width(width),
        vocabulary(vocabulary) {}

  Status readEnds(size_t files, int64_t offset);

  /// Writes tokens [begin, begin + number) to `tokens`.
  Status read(int64_t begin, int64_t number, int64_t *tokens) const;
  Result<bool> everyTokenIsKnown() const;
  static Result<std::unique_ptr<TokenDataset>>
  openCache(const std::string &path, uint64_t key, size_t files,
            int64_t vocabulary);

  std::shared_ptr<const DataFile> cache;
  int64_t count, width, vocabulary;
  std::vector<std::string> names; ///< of the files, for messages
  std::vector<int64_t> ends;      ///< of the files, in tokens
  int64_t begin = 0;              ///< of the selected files
  Windows windows{};
};

} // namespace attnres::runtime
#endif

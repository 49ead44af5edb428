// Telling text from other files by what is in them, whatever their names are.
#ifndef ATTNRES_RUNTIME_DATA_DATAFORMAT_H
#define ATTNRES_RUNTIME_DATA_DATAFORMAT_H

#include "runtime/data/DataFile.h"

#include <string>

namespace attnres::runtime {

/// What a file looks like that is no text: "a NumPy array (.npy)". Empty for
/// text in UTF-8, ASCII, or another encoding that extends ASCII by bytes above
/// 127. Decided by the first bytes, and where those have no mark, by how many
/// control characters there are at the beginning, in the middle and at the end.
Result<std::string> foreignFormat(const DataFile &file);

/// What TokenFile.h can read, and all else.
enum class FileContent {
  Npy,       ///< begins as an array of NumPy does
  LlmC,      ///< begins as a token shard of llm.c does
  Numbers16, ///< no mark; looks like numbers of 16 bits
  Other,
};
Result<FileContent> contentOf(const DataFile &file);

/// An error that names the first file that is no text, what it looks like and
/// what to do. `option` is what takes such files as they are, if anything is.
Status expectText(const DataFiles &files, const std::string &option);

} // namespace attnres::runtime
#endif

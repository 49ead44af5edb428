// Tensors by name in one file, in the safetensors format: 8 bytes header size
// (little endian), a JSON header, then the raw row-major elements.
#ifndef ATTNRES_RUNTIME_SAFETENSORS_H
#define ATTNRES_RUNTIME_SAFETENSORS_H

#include "runtime/DType.h"
#include "support/File.h"
#include "support/Status.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace attnres::runtime {

/// A named tensor in memory that someone else owns.
struct TensorView {
  std::string name;
  DType dtype = DType::F32;
  std::vector<int64_t> shape; ///< empty for a scalar
  const void *data = nullptr; ///< in files not necessarily aligned
  int64_t bytes = 0;
};

/// "[2, 3]".
std::string describeShape(const std::vector<int64_t> &shape);

/// A file, or several that are parts of one, opened for reading. The header is
/// validated completely, so every view lies inside the mapped file; the
/// elements are read on access.
class SafetensorsFile {
public:
  /// Messages read "PATH: REASON" or "PATH: tensor 'NAME': REASON".
  static Result<SafetensorsFile> open(const std::string &path);

  /// The tensors of a model, at `path`: a file; the index of one that is cut
  /// into several (NAME.safetensors.index.json), which say together what each
  /// of them has to hold; or a folder with model.safetensors or its index.
  static Result<SafetensorsFile> openModel(const std::string &path);

  /// In the order of their data; views are valid as long as this object.
  const std::vector<TensorView> &tensors() const { return list; }
  /// Null when there is none of that name.
  const TensorView *find(const std::string &name) const;
  const std::map<std::string, std::string> &metadata() const { return meta; }

  /// Replaces the tensors of type F16 and BF16 by copies in F32, which holds
  /// all their values exactly.
  void widenHalves();

  /// Replaces the slices of every stack among `tensors` by a copy that is one
  /// tensor. The file has to hold them all, in F32; see unstack().
  void stack(const std::vector<TensorView> &tensors);

private:
  SafetensorsFile() = default;
  static Result<SafetensorsFile> openParts(const std::string &index);
  /// Adds the tensors of the last of `files`.
  Status parse(const std::string &path);

  std::vector<MappedFile> files; ///< one, or those of an index
  std::vector<TensorView> list;
  std::unordered_map<std::string, size_t> byName;
  std::map<std::string, std::string> meta;
  std::vector<std::unique_ptr<float[]>> owned; ///< what is not in the file
};

/// The tensors as files hold them: instead of every stack (see
/// support/StackName.h) its slices. Neighbours that stack the same parts of
/// equally many objects are taken apart together, object by object.
std::vector<TensorView> unstack(const std::vector<TensorView> &tensors);

/// Replaces `path` atomically. Data is stored in order of decreasing element
/// size, so that every tensor is aligned to its elements, and starts at a
/// multiple of 64 bytes. Stacks are taken apart.
Status
writeSafetensors(const std::string &path,
                 const std::vector<TensorView> &tensors,
                 const std::map<std::string, std::string> &metadata = {});

} // namespace attnres::runtime
#endif

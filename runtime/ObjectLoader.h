// Makes the functions of a relocatable object callable, without LLVM, a linker
// or a file: what the compiler emits is what runs.
#ifndef ATTNRES_RUNTIME_OBJECTLOADER_H
#define ATTNRES_RUNTIME_OBJECTLOADER_H

#include "support/Status.h"

#include <string>
#include <string_view>
#include <unordered_map>

namespace attnres::runtime {

/// The code and data of one ELF64 x86-64 relocatable object in memory.
///
/// Code is mapped readable and executable, constants read-only, data readable
/// and writable. Undefined symbols may name the memory functions of <string.h>,
/// functions of <math.h>, or the compiler's conversion of floats to bfloat16;
/// anything else is an error, as is every construct that needs
/// a dynamic linker (thread-local storage, constructors, indirect functions).
class LoadedObject {
public:
  /// Copies what it needs from `object`. Every offset and size in it is
  /// checked, but the code itself is trusted. Messages are "WHERE: REASON".
  static Result<LoadedObject> load(std::string_view object,
                                   const std::string &where);

  LoadedObject(LoadedObject &&other) noexcept;
  LoadedObject &operator=(LoadedObject &&other) noexcept;
  ~LoadedObject();

  /// The address of a global function or variable, valid as long as this
  /// object, or null.
  void *symbol(const std::string &name) const;

private:
  friend class ObjectLoader;
  LoadedObject() = default;

  void *base = nullptr;
  size_t size = 0;
  std::unordered_map<std::string, void *> symbols;
};

} // namespace attnres::runtime
#endif

// The functions outside a compiled program that its code may call.
#ifndef ATTNRES_RUNTIME_EXTERNALSYMBOLS_H
#define ATTNRES_RUNTIME_EXTERNALSYMBOLS_H

#include <string_view>

namespace attnres::runtime {

/// The address of the function that object code calls `name`, or null.
void *findExternalSymbol(std::string_view name);

} // namespace attnres::runtime
#endif

//===- HostIsa.h - Instruction sets that a test can run ---------*- C++ -*-===//

#ifndef ATTNRES_TEST_UNIT_HOSTISA_H
#define ATTNRES_TEST_UNIT_HOSTISA_H

#include "support/machine/Isa.h"

namespace attnres {

/// `name`, or "host" where that has less: what a test case is about, its sizes
/// above all, is then tested with what the machine has.
inline const char *atMostHost(const char *name) {
  auto isa = machine::Isa::parse(name);
  return isa && machine::hostIsa().isa.includes(*isa) ? name : "host";
}

} // namespace attnres

#endif // ATTNRES_TEST_UNIT_HOSTISA_H

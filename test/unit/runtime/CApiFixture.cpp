// Writes the program file that CApiCheck loads: CApiFixture OBJECT OUTPUT.
#include "runtime/Program.h"

#include "test/unit/support/TemporaryDirectory.h"

#include <cstdio>

using namespace attnres;
using namespace attnres::runtime;

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  Program program;
  program.blobs = {readBytes(argv[1])};
  program.bindings = {
      {"gradient", DType::F32, {11, 37}, Direction::Input, -1},
      {"w", DType::F32, {11, 37}, Direction::Input, -1, {}, Role::Parameter},
      {"w", DType::F32, {11, 37}, Direction::Output, 1, {}, Role::Parameter}};
  program.bindings[0].role = Role::GradientSum;
  program.bindings[0].parameter = 1;
  program.kernels = {{"update", 0, "update", {11}}};
  program.launches = {{0, {Arg::toBinding(0), Arg::toBinding(2)}}};
  program.metadata = {{"made-by", "CApiFixture"}};
  Status status = program.save(argv[2]);
  if (!status.ok())
    std::fprintf(stderr, "%s\n", status.message().c_str());
  return !status.ok();
}

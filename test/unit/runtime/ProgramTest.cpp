// Programs round-trip through their file format; damaged files and
// inconsistent programs are refused with one line.
#include "runtime/Program.h"

#include "support/Hash.h"

#include "test/unit/support/TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <random>

using namespace attnres;
using namespace attnres::runtime;

namespace {

Program sampleProgram() {
  Program program;
  program.target = "cpu:avx512-bf16+amx-bf16";
  program.blobs = {std::string(7, '\0'), "second"};
  program.constants = std::string(100, 'c');
  program.workspaceBytes = 4096;
  program.bindings = {
      {"tokens",
       DType::I64,
       {2, 3},
       Direction::Input,
       -1,
       {{-100, -100}, {0, 36}}},
      {"w", DType::F32, {5, 7}, Direction::Input, -1, {}, Role::Parameter},
      {"w", DType::F32, {5, 7}, Direction::Output, 1, {}, Role::Parameter},
      {"loss", DType::F32, {}, Direction::Output, -1},
      {"m.w",
       DType::F32,
       {5, 7},
       Direction::Input,
       -1,
       {},
       Role::FirstMoment,
       1},
  };
  program.kernels = {
      {"matmul", 0, "k0", {12, 2}, 256, 1000, 20, 30, {128}, {2}, 1 << 16},
      {"sum", 1, "k1", {}}};
  program.launches = {
      {0, {Arg::toBinding(1, 28), Arg::toWorkspace(64), Arg::toConstant(0)}},
      {1,
       {Arg::toList({Arg::toWorkspace(0), Arg::toBinding(0)}), Arg::toList({}),
        Arg::toBinding(3)}},
      {0, {}, Phase::Update, 1, {1}},
  };
  program.metadata = {{"model", "toy"}, {"stage", "cpu"}};
  return program;
}

std::string errorOf(std::string_view bytes) {
  auto program = Program::parse(bytes, "p");
  if (program.ok())
    return "";
  EXPECT_EQ(program.status().message().find('\n'), std::string::npos);
  return program.status().message();
}

TEST(Program, FI5RoundTrip) {
  TemporaryDirectory directory;
  Program program = sampleProgram();
  std::string path = directory.file("toy.program");
  Status status = program.save(path);
  ASSERT_TRUE(status.ok()) << status.message();
  auto loaded = Program::load(path);
  ASSERT_TRUE(loaded.ok()) << loaded.status().message();
  EXPECT_EQ(loaded->serialize(), program.serialize());
  EXPECT_EQ(loaded->target, program.target);
  EXPECT_EQ(loaded->blobs, program.blobs);
  EXPECT_EQ(loaded->constants, program.constants);
  EXPECT_EQ(loaded->workspaceBytes, 4096);
  ASSERT_EQ(loaded->bindings.size(), 5u);
  ASSERT_EQ(loaded->bindings[0].limits.size(), 2u);
  EXPECT_EQ(loaded->bindings[0].limits[1].high, 36);
  EXPECT_EQ(loaded->bindings[2].updates, 1);
  EXPECT_EQ(loaded->bindings[1].bytes(), 140);
  EXPECT_EQ(loaded->bindings[1].role, Role::Parameter);
  EXPECT_EQ(loaded->bindings[4].role, Role::FirstMoment);
  EXPECT_EQ(loaded->bindings[4].parameter, 1);
  ASSERT_EQ(loaded->kernels.size(), 2u);
  EXPECT_EQ(loaded->kernels[0].symbol, "k0");
  EXPECT_EQ(loaded->kernels[0].scratchBytes, 256);
  EXPECT_EQ(loaded->kernels[0].bytesWritten, 30);
  EXPECT_EQ(loaded->kernels[0].grid.y, 2);
  EXPECT_EQ(loaded->kernels[0].block.x, 128);
  EXPECT_EQ(loaded->kernels[0].cluster.x, 2);
  EXPECT_EQ(loaded->kernels[0].sharedBytes, 1 << 16);
  ASSERT_EQ(loaded->launches.size(), 3u);
  EXPECT_EQ(loaded->launches[0].args[0].offset, 28);
  ASSERT_EQ(loaded->launches[1].args[0].elements.size(), 2u);
  EXPECT_EQ(loaded->launches[1].args[0].elements[1].kind, Arg::Kind::Binding);
  EXPECT_EQ(loaded->firstLaunch(Phase::Forward), 0);
  EXPECT_EQ(loaded->firstLaunch(Phase::Backward), 2);
  EXPECT_EQ(loaded->firstLaunch(Phase::Update), 2);
  EXPECT_EQ(loaded->launches[0].owner, -1);
  EXPECT_EQ(loaded->launches[2].owner, 1);
  EXPECT_EQ(loaded->launches[2].completes, std::vector<int64_t>{1});
  loaded->launches.pop_back();
  EXPECT_EQ(loaded->firstLaunch(Phase::Update), 2);
  EXPECT_EQ(loaded->metadata, program.metadata);
  EXPECT_EQ(loaded->findBinding("w", Direction::Output), 2);
  EXPECT_EQ(loaded->findBinding("w", Direction::Input), 1);
  EXPECT_EQ(loaded->findBinding("x", Direction::Input), -1);
}

TEST(Program, FI5ForeignAndDamagedFiles) {
  std::string good = sampleProgram().serialize();
  EXPECT_EQ(errorOf(good), "");
  EXPECT_EQ(errorOf(""), "p: not a compiled program");
  EXPECT_EQ(errorOf("ATNRPROG"), "p: not a compiled program");
  EXPECT_EQ(errorOf("\x7f"
                    "ELF" +
                    good.substr(4)),
            "p: not a compiled program");
  for (char version : {3, 5}) {
    std::string other = good;
    other[8] = version;
    EXPECT_EQ(errorOf(other), "p: program version " + std::to_string(version) +
                                  ", expected 4; compile it again");
  }
  EXPECT_EQ(errorOf(good + "x").substr(0, 11), "p: expected");
  EXPECT_EQ(errorOf(good.substr(0, good.size() - 1)).substr(0, 11),
            "p: expected");
  // A change of any single byte is noticed.
  for (size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ (1 << (i % 8)));
    EXPECT_NE(errorOf(bad), "") << "byte " << i;
  }
}

/// Recomputes size and checksum, so that the damage reaches the parser.
std::string reseal(std::string bytes) {
  std::string_view payload = std::string_view(bytes).substr(28);
  uint64_t size = payload.size(), checksum = fnv1a64(payload);
  std::memcpy(&bytes[12], &size, 8);
  std::memcpy(&bytes[20], &checksum, 8);
  return bytes;
}

TEST(Program, FI6RandomPayloadsNeverCrash) {
  std::string good = sampleProgram().serialize();
  ASSERT_EQ(reseal(good), good);
  std::mt19937 random(2);
  int accepted = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string bad = good;
    for (unsigned changes = 1 + random() % 3; changes > 0; --changes) {
      size_t at = 28 + random() % (bad.size() - 28);
      switch (random() % 4) {
      case 0:
        bad[at] = static_cast<char>(random());
        break;
      case 1: // a whole 64-bit field of ones
        for (size_t i = at; i < std::min(at + 8, bad.size()); ++i)
          bad[i] = '\xff';
        break;
      case 2:
        bad.erase(at, 1 + random() % 16);
        break;
      case 3:
        bad.insert(at, std::string(1 + random() % 16, '\x03'));
        break;
      }
      if (bad.size() <= 28)
        bad.resize(29);
    }
    auto program = Program::parse(reseal(bad), "p");
    if (program.ok()) {
      ++accepted;
      EXPECT_TRUE(program->validate("p").ok());
    }
  }
  // Names and statistics may be anything; offsets and indices may not.
  EXPECT_GT(accepted, 0);
  EXPECT_LT(accepted, 15'000);
}

TEST(Program, NestedListsDoNotExhaustTheStack) {
  Program program = sampleProgram();
  Arg arg = Arg::toWorkspace(0);
  for (int i = 0; i < 1000; ++i)
    arg = Arg::toList({arg});
  program.launches = {{0, {arg}}};
  EXPECT_EQ(errorOf(program.serialize()),
            "p: inconsistent sizes in the program");
}

struct BadProgram {
  const char *name;
  std::function<void(Program &)> damage;
  const char *message;
};

TEST(Program, FI6Validation) {
  const BadProgram cases[] = {
      {"version", [](Program &p) { p.version = 5; },
       "p: program version 5, expected 4"},
      {"workspace", [](Program &p) { p.workspaceBytes = -1; },
       "p: workspace of -1 bytes"},
      {"dtype",
       [](Program &p) { p.bindings[0].dtype = static_cast<DType>(99); },
       "p: binding 0 'tokens': unknown dtype 99"},
      {"direction",
       [](Program &p) { p.bindings[0].direction = static_cast<Direction>(7); },
       "p: binding 0 'tokens': unknown direction 7"},
      {"role", [](Program &p) { p.bindings[0].role = static_cast<Role>(10); },
       "p: binding 0 'tokens': unknown role 10"},
      {"role of another", [](Program &p) { p.bindings[2].role = Role::State; },
       "p: binding 2 'w': updates 'w', which has another role"},
      {"parameter of none", [](Program &p) { p.bindings[0].parameter = 1; },
       "p: binding 0 'tokens': belongs to a parameter without a role that "
       "does"},
      {"parameter range", [](Program &p) { p.bindings[4].parameter = -1; },
       "p: binding 4 'm.w': belongs to binding -1 of 5"},
      {"parameter role", [](Program &p) { p.bindings[4].parameter = 0; },
       "p: binding 4 'm.w': belongs to 'tokens', which is no parameter"},
      {"parameter shape",
       [](Program &p) {
         p.bindings[4].shape = {7, 5};
       },
       "p: binding 4 'm.w': belongs to 'w', which has another shape"},
      {"shape", [](Program &p) { p.bindings[0].shape = {-1}; },
       "p: binding 0 'tokens': negative or overflowing shape"},
      {"overflow",
       [](Program &p) {
         p.bindings[0].shape = {int64_t{1} << 62, 4};
       },
       "p: binding 0 'tokens': negative or overflowing shape"},
      {"duplicate", [](Program &p) { p.bindings[1].name = "tokens"; },
       "p: binding 1 'tokens': a second binding of that name and direction"},
      {"updates range", [](Program &p) { p.bindings[2].updates = 5; },
       "p: binding 2 'w': updates binding 5 of 5"},
      {"updates shape", [](Program &p) { p.bindings[2].updates = 0; },
       "p: binding 2 'w': updates 'tokens', which is not an input of the same "
       "dtype and shape"},
      {"updates output",
       [](Program &p) {
         p.bindings[3] = {"v", DType::F32, {5, 7}, Direction::Output, 2};
       },
       "p: binding 3 'v': updates 'w', which is not an input of the same dtype "
       "and shape"},
      {"updates twice",
       [](Program &p) {
         p.bindings[3] = {"v", DType::F32, {5, 7},         Direction::Output,
                          1,   {},         Role::Parameter};
       },
       "p: binding 3 'v': updates 'w', which another output updates too"},
      {"input updates", [](Program &p) { p.bindings[0].updates = 1; },
       "p: binding 0 'tokens': only an output can update a binding"},
      {"blob", [](Program &p) { p.kernels[1].blob = 2; },
       "p: kernel 1 'sum': blob 2 of 2"},
      {"symbol", [](Program &p) { p.kernels[1].symbol.clear(); },
       "p: kernel 1 'sum': no symbol"},
      {"grid", [](Program &p) { p.kernels[0].grid.x = -3; },
       "p: kernel 0 'matmul': negative grid: -3 x 2 x 1"},
      {"block", [](Program &p) { p.kernels[0].block.z = -1; },
       "p: kernel 0 'matmul': negative block: 128 x 1 x -1"},
      {"cluster", [](Program &p) { p.kernels[1].cluster.y = -1; },
       "p: kernel 1 'sum': negative cluster: 1 x -1 x 1"},
      {"shared bytes", [](Program &p) { p.kernels[1].sharedBytes = -4; },
       "p: kernel 1 'sum': negative shared bytes: -4"},
      {"phase", [](Program &p) { p.launches[2].phase = static_cast<Phase>(3); },
       "p: launch 2: unknown phase 3"},
      {"phase order", [](Program &p) { p.launches[0].phase = Phase::Backward; },
       "p: launch 1: is of an earlier phase than the one before"},
      {"owner", [](Program &p) { p.launches[2].owner = 2; },
       "p: launch 2: belongs to binding 2, which is no parameter"},
      {"completes", [](Program &p) { p.launches[1].completes = {5}; },
       "p: launch 1: completes the gradient of binding 5, which is no "
       "parameter"},
      {"kernel index", [](Program &p) { p.launches[2].kernel = 2; },
       "p: launch 2: kernel 2 of 2"},
      {"binding index", [](Program &p) { p.launches[0].args[0].binding = 5; },
       "p: launch 0: argument 0: binding 5 of 5"},
      {"binding offset", [](Program &p) { p.launches[0].args[0].offset = 141; },
       "p: launch 0: argument 0: offset 141 in 140 bytes"},
      {"workspace offset",
       [](Program &p) { p.launches[0].args[1].offset = 4097; },
       "p: launch 0: argument 1: offset 4097 in 4096 bytes"},
      {"constant offset", [](Program &p) { p.launches[0].args[2].offset = -1; },
       "p: launch 0: argument 2: offset -1 in 100 bytes"},
      {"list element",
       [](Program &p) { p.launches[1].args[0].elements[0].offset = 5000; },
       "p: launch 1: argument 0: offset 5000 in 4096 bytes"},
      {"nested list",
       [](Program &p) { p.launches[1].args[0].elements[0] = Arg::toList({}); },
       "p: launch 1: argument 0: a list inside a list"},
      {"limits of floats",
       [](Program &p) {
         p.bindings[1].limits = {{0, 1}};
       },
       "p: binding 1 'w': only an input of integers can have limits"},
      {"limits of an output",
       [](Program &p) {
         p.bindings[3].dtype = DType::I64;
         p.bindings[3].limits = {{0, 1}};
       },
       "p: binding 3 'loss': only an input of integers can have limits"},
      {"no limit",
       [](Program &p) {
         p.bindings[0].limits = {{1, 0}};
       },
       "p: binding 0 'tokens': limits 1 to 0 are not in ascending order"},
      {"limits that overlap",
       [](Program &p) {
         p.bindings[0].limits = {{0, 5}, {5, 9}};
       },
       "p: binding 0 'tokens': limits 5 to 9 are not in ascending order"},
      {"kind",
       [](Program &p) {
         p.launches[0].args[0].kind = static_cast<Arg::Kind>(9);
       },
       "p: launch 0: argument 0: unknown kind 9"},
  };
  for (const BadProgram &bad : cases) {
    Program program = sampleProgram();
    bad.damage(program);
    Status status = program.validate("p");
    EXPECT_EQ(status.message(), bad.message) << bad.name;
    // And the loader applies the same rules.
    if (program.version == Program::currentVersion) {
      EXPECT_EQ(errorOf(program.serialize()), bad.message) << bad.name;
    }
  }
}

} // namespace

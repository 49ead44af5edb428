// A parsed PTX module: variables, functions and statements, names resolved as
// far as one pass over the text can. Decoder.h turns it into a Program.

#ifndef ATTNRES_RUNTIME_EMULATOR_MODULE_H
#define ATTNRES_RUNTIME_EMULATOR_MODULE_H

#include "runtime/emulator/Types.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace attnres::emulator {

/// A variable of any state space, at module level or inside a function.
struct Variable {
  /// The initial value holds the address of another symbol at `offset`.
  struct Relocation {
    uint64_t offset = 0;
    unsigned bytes = 8;
    /// `0xff00(symbol)`: the bits of the address that the mask names, moved
    /// down to its lowest one.
    uint64_t mask = ~uint64_t(0);
    std::string symbol;
    int64_t addend = 0;
  };

  std::string name;
  Space space = Space::None;
  Type type = Type::None;
  uint32_t line = 0;
  uint64_t align = 1;
  uint64_t bytes = 0;
  /// Declared `name[]`, as dynamic shared memory is.
  bool isUnsized = false;
  /// Declared `.extern`; a shared one is the block's dynamic shared memory.
  bool isExtern = false;
  std::vector<uint8_t> init;
  std::vector<Relocation> relocations;
  /// Of a .global or .const variable inside a function: its name in the module.
  std::string moduleName;
};

struct Operand {
  enum Kind : uint8_t {
    /// `reg`; `pair` is q of `p|q`; `negated` for `!p`.
    Register,
    /// `bits`; `isFloat` if it is a double, `isSingle` if a float's bits.
    Immediate,
    /// A name that is not a register. `local` is the index of a variable of the
    /// function, or -1 for a module-level name. `offset` for `name+4`.
    Symbol,
    /// `[base + offset]` with the base (Register, Symbol or Immediate) in
    /// elements[0] and further comma-separated parts after it.
    Address,
    /// `{a, b, ...}`
    Vector,
    /// `(a, b, ...)` of a call.
    List,
    /// `_`
    Sink,
  };
  Kind kind = Sink;
  bool negated = false;
  bool isFloat = false;
  bool isSingle = false;
  int reg = -1;
  int pair = -1;
  int local = -1;
  int64_t offset = 0;
  uint64_t bits = 0;
  std::string symbol;
  std::vector<Operand> elements;
};

struct Statement {
  uint32_t line = 0;
  int guard = -1;
  bool guardNegated = false;
  /// For branches: the scope to look the label up in.
  int scope = 0;
  std::string opcode;
  std::vector<Operand> operands;
};

struct RegisterDecl {
  std::string name;
  Type type = Type::None;
  bool isSpecial = false;
};

/// What a `.callprototype` says of the functions that an indirect call reaches.
struct Prototype {
  std::vector<Variable> returns;
  std::vector<Variable> parameters;
};

struct Function {
  std::string name;
  uint32_t line = 0;
  bool isEntry = false;
  bool hasBody = false;
  bool isExtern = false;
  /// Formal parameters and return values are variables too: indices of them.
  std::vector<int> parameters;
  std::vector<int> returns;
  std::vector<Variable> variables;
  std::vector<RegisterDecl> registers;
  std::vector<Statement> statements;
  /// Scope -> enclosing scope; scope 0 is the body.
  std::vector<int> scopeParent;
  /// (scope, label) -> index of the statement it stands before.
  std::map<std::pair<int, std::string>, size_t> labels;
  /// `.branchtargets` tables: label -> the labels they list.
  std::map<std::pair<int, std::string>, std::vector<std::string>> targetTables;
  /// `.callprototype` and `.calltargets` by (scope, label).
  std::map<std::pair<int, std::string>, Prototype> prototypes;
  std::map<std::pair<int, std::string>, std::vector<std::string>> callTargets;
  /// Limits the text states (.maxntid, .reqntid, .reqnctapercluster); 0 = none.
  uint32_t maxThreads[3] = {0, 0, 0};
  uint32_t requiredThreads[3] = {0, 0, 0};
  uint32_t requiredCluster[3] = {0, 0, 0};
};

struct Module {
  /// `sm_90a` is 90 with `targetSuffix` 'a'.
  std::string target;
  unsigned targetNumber = 0;
  char targetSuffix = 0;
  /// 8.7 is 87.
  unsigned version = 0;
  std::vector<Variable> variables;
  std::vector<Function> functions;
};

} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_MODULE_H

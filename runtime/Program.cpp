// Validation and the file format of programs:
//
//   magic "ATNRPROG" | u32 version | u64 payload bytes | u64 FNV-1a of payload
//   payload: the fields of Program in the order of fieldsOf() below
//
// Integers are little endian; a string is a u64 size and its bytes, a list or
// map a u64 count and its elements.
#include "runtime/Program.h"

#include "support/File.h"
#include "support/Hash.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <tuple>
#include <type_traits>
#include <utility>

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
              "integers are stored as they lie in memory");

namespace attnres::runtime {
namespace {

constexpr std::string_view magic = "ATNRPROG";
constexpr size_t headerBytes = 8 + sizeof(uint32_t) + 2 * sizeof(uint64_t);
constexpr size_t maxFileBytes = size_t{1} << 36;

// ------------------------------------------------------------- serialization

auto fieldsOf(IndexRange &r) { return std::tie(r.low, r.high); }
auto fieldsOf(Binding &b) {
  return std::tie(b.name, b.dtype, b.shape, b.direction, b.updates, b.limits,
                  b.role, b.parameter);
}
auto fieldsOf(Dimensions &d) { return std::tie(d.x, d.y, d.z); }
auto fieldsOf(Kernel &k) {
  return std::tie(k.name, k.blob, k.symbol, k.grid, k.scratchBytes, k.flops,
                  k.bytesRead, k.bytesWritten, k.block, k.cluster,
                  k.sharedBytes);
}
auto fieldsOf(Arg &a) {
  return std::tie(a.kind, a.binding, a.offset, a.elements);
}
auto fieldsOf(Launch &l) {
  return std::tie(l.kernel, l.args, l.phase, l.owner, l.completes);
}
auto fieldsOf(Program &p) {
  return std::tie(p.target, p.blobs, p.constants, p.workspaceBytes, p.bindings,
                  p.kernels, p.launches, p.metadata);
}

template <typename T>
constexpr bool isScalar = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class Writer {
public:
  std::string bytes;

  void write(const std::string &text) {
    write(uint64_t{text.size()});
    bytes += text;
  }
  template <typename T>
  void write(const std::vector<T> &list) {
    write(uint64_t{list.size()});
    for (const T &element : list)
      write(element);
  }
  void write(const std::map<std::string, std::string> &map) {
    write(uint64_t{map.size()});
    for (const auto &[key, value] : map) {
      write(key);
      write(value);
    }
  }
  template <typename T>
  void write(const T &value) {
    if constexpr (isScalar<T>)
      bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
    else // fieldsOf() serves the reader too, hence takes no const
      std::apply([&](const auto &...fields) { (write(fields), ...); },
                 fieldsOf(const_cast<T &>(value)));
  }
};

/// Stops at the first inconsistency; what was read until then is discarded.
/// Lists grow with the input actually read, never by a claimed count.
class Reader {
public:
  explicit Reader(std::string_view bytes) : rest(bytes) {}

  bool atEnd() const { return good && rest.empty(); }

  void read(std::string &text) {
    uint64_t size = readCount();
    text = rest.substr(0, size);
    rest.remove_prefix(size);
  }
  void read(std::vector<Arg> &list) {
    // Arguments, and the elements of lists: deeper nesting does not exist, and
    // must not exhaust the stack.
    if (++argDepth > 2)
      good = good && readCount() == 0;
    else
      readElements(list);
    --argDepth;
  }
  template <typename T>
  void read(std::vector<T> &list) {
    readElements(list);
  }
  void read(std::map<std::string, std::string> &map) {
    for (uint64_t n = readCount(); n > 0 && good; --n) {
      std::string key, value;
      read(key);
      read(value);
      map[key] = value;
    }
  }
  template <typename T>
  void read(T &value) {
    if constexpr (isScalar<T>) {
      if (rest.size() < sizeof value) {
        good = false;
        return;
      }
      std::memcpy(&value, rest.data(), sizeof value);
      rest.remove_prefix(sizeof value);
    } else {
      std::apply([&](auto &...fields) { (read(fields), ...); },
                 fieldsOf(value));
    }
  }

private:
  /// A count of elements of at least one byte each, 0 when it is impossible.
  uint64_t readCount() {
    uint64_t count = 0;
    read(count);
    good = good && count <= rest.size();
    return good ? count : 0;
  }

  template <typename T>
  void readElements(std::vector<T> &list) {
    for (uint64_t n = readCount(); n > 0 && good; --n)
      read(list.emplace_back());
  }

  std::string_view rest;
  bool good = true;
  int argDepth = 0;
};

// ---------------------------------------------------------------- validation

class Validator {
public:
  Validator(const Program &program, const std::string &where)
      : program(program), where(where) {}

  Status run() {
    if (program.version != Program::currentVersion)
      return unsupported(where, ": program version ", program.version,
                         ", expected ", Program::currentVersion);
    if (program.workspaceBytes < 0)
      return invalidData(where, ": workspace of ", program.workspaceBytes,
                         " bytes");
    for (size_t i = 0; i < program.bindings.size(); ++i)
      if (Status status = checkBinding(i); !status.ok())
        return status;
    for (size_t i = 0; i < program.kernels.size(); ++i)
      if (Status status = checkKernel(i); !status.ok())
        return status;
    for (size_t i = 0; i < program.launches.size(); ++i)
      if (Status status = checkLaunch(i); !status.ok())
        return status;
    return {};
  }

private:
  Status checkBinding(size_t index) {
    const Binding &binding = program.bindings[index];
    std::string place =
        concat(where, ": binding ", index, " ", inQuotes(binding.name), ": ");
    if (static_cast<int>(binding.dtype) >= numDTypes)
      return invalidData(place, "unknown dtype ",
                         static_cast<int>(binding.dtype));
    if (binding.direction != Direction::Input &&
        binding.direction != Direction::Output)
      return invalidData(place, "unknown direction ",
                         static_cast<int>(binding.direction));
    if (!tensorBytes(binding.dtype, binding.shape))
      return invalidData(place, "negative or overflowing shape");
    if (!names.insert({binding.direction, binding.name}).second)
      return invalidData(place, "a second binding of that name and direction");
    if (Status status = checkLimits(binding, place); !status.ok())
      return status;
    if (Status status = checkRole(binding, place); !status.ok())
      return status;
    if (binding.updates == -1)
      return {};
    if (binding.direction != Direction::Output)
      return invalidData(place, "only an output can update a binding");
    if (!isIndex(binding.updates, program.bindings.size()))
      return invalidData(place, "updates binding ", binding.updates, " of ",
                         program.bindings.size());
    const Binding &target =
        program.bindings[static_cast<size_t>(binding.updates)];
    if (target.direction != Direction::Input || target.dtype != binding.dtype ||
        target.shape != binding.shape)
      return invalidData(place, "updates ", inQuotes(target.name),
                         ", which is not an input of the same dtype and shape");
    if (target.role != binding.role || target.parameter != binding.parameter)
      return invalidData(place, "updates ", inQuotes(target.name),
                         ", which has another role");
    if (!updated.insert(binding.updates).second)
      return invalidData(place, "updates ", inQuotes(target.name),
                         ", which another output updates too");
    return {};
  }

  Status checkRole(const Binding &binding, const std::string &place) const {
    if (static_cast<int>(binding.role) >= numRoles)
      return invalidData(place, "unknown role ",
                         static_cast<int>(binding.role));
    if (!belongsToParameter(binding.role)) {
      if (binding.parameter != -1)
        return invalidData(place, "belongs to a parameter without a role that "
                                  "does");
      return {};
    }
    if (!isIndex(binding.parameter, program.bindings.size()))
      return invalidData(place, "belongs to binding ", binding.parameter,
                         " of ", program.bindings.size());
    const Binding &parameter =
        program.bindings[static_cast<size_t>(binding.parameter)];
    if (parameter.role != Role::Parameter ||
        parameter.direction != Direction::Input)
      return invalidData(place, "belongs to ", inQuotes(parameter.name),
                         ", which is no parameter");
    if (binding.role != Role::GradientSquares &&
        binding.shape != parameter.shape)
      return invalidData(place, "belongs to ", inQuotes(parameter.name),
                         ", which has another shape");
    return {};
  }

  static Status checkLimits(const Binding &binding, const std::string &place) {
    if (binding.limits.empty())
      return {};
    if (binding.direction != Direction::Input || !isInteger(binding.dtype))
      return invalidData(place, "only an input of integers can have limits");
    for (size_t i = 0; i < binding.limits.size(); ++i) {
      auto [low, high] = binding.limits[i];
      if (low > high || (i > 0 && low <= binding.limits[i - 1].high))
        return invalidData(place, "limits ", low, " to ", high,
                           " are not in ascending order");
    }
    return {};
  }

  Status checkKernel(size_t index) {
    const Kernel &kernel = program.kernels[index];
    std::string place =
        concat(where, ": kernel ", index, " ", inQuotes(kernel.name), ": ");
    if (!isIndex(kernel.blob, program.blobs.size()))
      return invalidData(place, "blob ", kernel.blob, " of ",
                         program.blobs.size());
    if (kernel.symbol.empty())
      return invalidData(place, "no symbol");
    const std::pair<const char *, int64_t> sizes[] = {
        {"shared bytes", kernel.sharedBytes},
        {"scratch bytes", kernel.scratchBytes},
        {"flops", kernel.flops},
        {"bytes read", kernel.bytesRead},
        {"bytes written", kernel.bytesWritten}};
    for (auto [what, size] : sizes)
      if (size < 0)
        return invalidData(place, "negative ", what, ": ", size);
    const std::pair<const char *, Dimensions> extents[] = {
        {"grid", kernel.grid},
        {"block", kernel.block},
        {"cluster", kernel.cluster}};
    // A processor has nothing to do in a launch without work items.
    for (auto [what, extent] : extents)
      if (extent.x < 0 || extent.y < 0 || extent.z < 0)
        return invalidData(place, "negative ", what, ": ", extent.x, " x ",
                           extent.y, " x ", extent.z);
    return {};
  }

  Status checkLaunch(size_t index) {
    const Launch &launch = program.launches[index];
    std::string place = concat(where, ": launch ", index, ": ");
    if (!isIndex(launch.kernel, program.kernels.size()))
      return invalidData(place, "kernel ", launch.kernel, " of ",
                         program.kernels.size());
    if (launch.phase > Phase::Update)
      return invalidData(place, "unknown phase ",
                         static_cast<int>(launch.phase));
    if (index > 0 && launch.phase < program.launches[index - 1].phase)
      return invalidData(place, "is of an earlier phase than the one before");
    if (launch.owner != -1 && !isParameter(launch.owner))
      return invalidData(place, "belongs to binding ", launch.owner,
                         ", which is no parameter");
    for (int64_t parameter : launch.completes)
      if (!isParameter(parameter))
        return invalidData(place, "completes the gradient of binding ",
                           parameter, ", which is no parameter");
    for (size_t i = 0; i < launch.args.size(); ++i) {
      const Arg &arg = launch.args[i];
      std::string argPlace = concat(place, "argument ", i, ": ");
      if (arg.kind != Arg::Kind::List) {
        if (Status status = checkAddress(arg, argPlace); !status.ok())
          return status;
        continue;
      }
      for (const Arg &element : arg.elements) {
        if (element.kind == Arg::Kind::List)
          return invalidData(argPlace, "a list inside a list");
        if (Status status = checkAddress(element, argPlace); !status.ok())
          return status;
      }
    }
    return {};
  }

  /// The address may be one past the end: an empty tensor can lie there.
  Status checkAddress(const Arg &arg, const std::string &place) {
    int64_t size = 0;
    switch (arg.kind) {
    case Arg::Kind::Binding:
      if (!isIndex(arg.binding, program.bindings.size()))
        return invalidData(place, "binding ", arg.binding, " of ",
                           program.bindings.size());
      size = program.bindings[static_cast<size_t>(arg.binding)].bytes();
      break;
    case Arg::Kind::Workspace:
      size = program.workspaceBytes;
      break;
    case Arg::Kind::Constant:
      size = static_cast<int64_t>(program.constants.size());
      break;
    default:
      return invalidData(place, "unknown kind ", static_cast<int>(arg.kind));
    }
    if (!arg.elements.empty())
      return invalidData(place, "elements outside a list");
    if (arg.offset < 0 || arg.offset > size)
      return invalidData(place, "offset ", arg.offset, " in ", size, " bytes");
    return {};
  }

  bool isParameter(int64_t binding) const {
    return isIndex(binding, program.bindings.size()) &&
           program.bindings[static_cast<size_t>(binding)].role ==
               Role::Parameter &&
           program.bindings[static_cast<size_t>(binding)].direction ==
               Direction::Input;
  }

  static bool isIndex(int64_t index, size_t size) {
    return index >= 0 && static_cast<uint64_t>(index) < size;
  }

  const Program &program;
  const std::string &where;
  std::set<std::pair<Direction, std::string>> names;
  std::set<int64_t> updated;
};

} // namespace

int64_t Program::findBinding(std::string_view name, Direction direction) const {
  for (size_t i = 0; i < bindings.size(); ++i)
    if (bindings[i].direction == direction && bindings[i].name == name)
      return static_cast<int64_t>(i);
  return -1;
}

int64_t Program::firstLaunch(Phase phase) const {
  auto first = std::find_if(launches.begin(), launches.end(),
                            [&](const Launch &l) { return l.phase >= phase; });
  return first - launches.begin();
}

Status Program::validate(const std::string &where) const {
  return Validator(*this, where).run();
}

std::string Program::serialize() const {
  Writer payload;
  payload.write(*this);
  Writer file;
  file.bytes = magic;
  file.write(version);
  file.write(uint64_t{payload.bytes.size()});
  file.write(fnv1a64(payload.bytes));
  return file.bytes + payload.bytes;
}

Status Program::save(const std::string &path) const {
  if (Status status = validate(path); !status.ok())
    return status;
  return writeFileAtomically(path, {serialize()});
}

Result<Program> Program::parse(std::string_view bytes,
                               const std::string &where) {
  if (bytes.size() < headerBytes || bytes.substr(0, magic.size()) != magic)
    return invalidData(where, ": not a compiled program");
  Program program;
  uint64_t payloadBytes = 0, checksum = 0;
  Reader header(bytes.substr(magic.size(), headerBytes - magic.size()));
  header.read(program.version);
  header.read(payloadBytes);
  header.read(checksum);
  uint32_t version = std::exchange(program.version, currentVersion);
  if (version != currentVersion)
    return unsupported(where, ": program version ", version, ", expected ",
                       currentVersion, "; compile it again");
  std::string_view payload = bytes.substr(headerBytes);
  if (payloadBytes != payload.size())
    return invalidData(where, ": expected ", payloadBytes,
                       " bytes after the header, got ", payload.size());
  if (fnv1a64(payload) != checksum)
    return invalidData(where, ": checksum mismatch, the file is damaged");
  Reader reader(payload);
  reader.read(program);
  if (!reader.atEnd())
    return invalidData(where, ": inconsistent sizes in the program");
  if (Status status = program.validate(where); !status.ok())
    return status;
  return program;
}

Result<Program> Program::load(const std::string &path) {
  Result<std::string> bytes = readFile(path, maxFileBytes);
  if (!bytes.ok())
    return bytes.status();
  return parse(*bytes, path);
}

} // namespace attnres::runtime

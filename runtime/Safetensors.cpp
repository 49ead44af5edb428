// Reads and writes safetensors files; see the header for the format.
#include "runtime/Safetensors.h"

#include "runtime/BFloat16.h"
#include "support/StackName.h"
#include "support/StrictJson.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <unordered_set>
#include <utility>

using nlohmann::json;

namespace attnres::runtime {
namespace {

constexpr uint64_t maxHeaderBytes = 100'000'000;
constexpr size_t maxRank = 64;
constexpr const char *metadataKey = "__metadata__";
/// What to do about pickles, which are programs: reading them is not for us.
constexpr const char *saveAsSafetensors =
    "; save its tensors with python3 -c \"import torch, safetensors.torch as "
    "s; "
    "t = torch.load('FILE', map_location='cpu', weights_only=True); "
    "s.save_file({k: v.clone() for k, v in t.items()}, "
    "'model.safetensors')\"";

/// A non-negative integer that fits in int64_t, or nothing.
std::optional<int64_t> readSize(const json &value) {
  if (!value.is_number_unsigned())
    return std::nullopt;
  auto size = value.get<uint64_t>();
  if (size > INT64_MAX)
    return std::nullopt;
  return static_cast<int64_t>(size);
}

/// Turns one header entry into a view of `data`.
Status readTensor(const std::string &where, const json &entry,
                  std::string_view data, TensorView &tensor) {
  if (!entry.is_object())
    return invalidData(where, "expected an object, got ", entry.type_name());
  for (const auto &[key, value] : entry.items())
    if (key != "dtype" && key != "shape" && key != "data_offsets")
      return invalidData(where, "unknown field ", inQuotes(key));
  for (const char *key : {"dtype", "shape", "data_offsets"})
    if (!entry.contains(key))
      return invalidData(where, "no field '", key, "'");

  const json &dtype = entry["dtype"];
  if (!dtype.is_string())
    return invalidData(where, "dtype is not a string");
  std::optional<DType> parsed =
      parseDType(dtype.get_ref<const std::string &>());
  if (!parsed)
    return unsupported(where, "unsupported dtype ",
                       inQuotes(dtype.get_ref<const std::string &>()));
  tensor.dtype = *parsed;

  const json &shape = entry["shape"];
  if (!shape.is_array() || shape.size() > maxRank)
    return invalidData(where, "shape is not an array of at most ", maxRank,
                       " sizes");
  for (const json &dim : shape) {
    std::optional<int64_t> size = readSize(dim);
    if (!size)
      return invalidData(where, "shape holds ", inQuotes(dim.dump()),
                         ", expected sizes below 2^63");
    tensor.shape.push_back(*size);
  }
  std::optional<int64_t> bytes = tensorBytes(tensor.dtype, tensor.shape);
  if (!bytes)
    return invalidData(where, "size of shape ", inQuotes(shape.dump()),
                       " overflows");

  const json &offsets = entry["data_offsets"];
  if (!offsets.is_array() || offsets.size() != 2)
    return invalidData(where, "data_offsets is not a pair");
  std::optional<int64_t> begin = readSize(offsets[0]);
  std::optional<int64_t> end = readSize(offsets[1]);
  if (!begin || !end || *begin > *end)
    return invalidData(where, "data_offsets ", inQuotes(offsets.dump()),
                       " are not begin <= end below 2^63");
  if (static_cast<uint64_t>(*end) > data.size())
    return invalidData(where, "data ends at byte ", *end, " of ", data.size());
  if (*end - *begin != *bytes)
    return invalidData(where, dtypeName(tensor.dtype), " of shape ",
                       shape.dump(), " takes ", *bytes,
                       " bytes, data_offsets span ", *end - *begin);
  tensor.data = data.data() + *begin;
  tensor.bytes = *bytes;
  return {};
}

/// What else a file of tensors may be, and how to convert it; empty if that
/// cannot be told.
std::string describeForeign(std::string_view bytes) {
  auto startsWith = [&](std::string_view magic) {
    return bytes.substr(0, magic.size()) == magic;
  };
  if (startsWith("PK\x03\x04"))
    return concat("a zip file, as torch.save writes (.pt, .pth, .bin) or "
                  "numpy.savez",
                  saveAsSafetensors);
  if (startsWith("\x80") && bytes.size() > 1 && bytes[1] >= 2 && bytes[1] <= 5)
    return concat("a Python pickle, as torch.save wrote (.pt, .pth, .bin)",
                  saveAsSafetensors);
  if (startsWith("GGUF"))
    return "a GGUF file, whose quantized tensors cannot be read";
  if (startsWith("\x93NUMPY"))
    return "an array of NumPy; save arrays by name with "
           "safetensors.numpy.save_file";
  if (startsWith("\x89HDF"))
    return "an HDF5 file; save its tensors with safetensors.numpy.save_file";
  if (startsWith("\x1f\x8b"))
    return "compressed with gzip; decompress it first";
  if (startsWith("ATNRPROG"))
    return "a compiled program";
  if (startsWith("version https://git-lfs"))
    return "a pointer of Git LFS; fetch the file itself with `git lfs pull`";
  if (startsWith("{"))
    return "JSON without tensors";
  if (startsWith("<"))
    return "HTML or XML, perhaps the page around the file";
  return "";
}

float widenF16(uint16_t bits) {
  int exponent = bits >> 10 & 31;
  auto fraction = static_cast<float>(bits & 1023);
  float size = exponent == 0    ? std::ldexp(fraction, -24)
               : exponent == 31 ? (fraction == 0 ? HUGE_VALF : NAN)
                                : std::ldexp(1024 + fraction, exponent - 25);
  return std::copysign(size, bits >> 15 ? -1.0f : 1.0f);
}

} // namespace

void SafetensorsFile::widenHalves() {
  for (TensorView &tensor : list) {
    if (tensor.dtype != DType::BF16 && tensor.dtype != DType::F16)
      continue;
    auto count = static_cast<size_t>(tensor.bytes) / sizeof(uint16_t);
    owned.push_back(std::make_unique<float[]>(count));
    float *values = owned.back().get();
    auto *halves = static_cast<const char *>(tensor.data);
    for (size_t i = 0; i < count; ++i) {
      uint16_t bits;
      std::memcpy(&bits, halves + i * sizeof bits, sizeof bits);
      values[i] = tensor.dtype == DType::BF16 ? fromBF16(bits) : widenF16(bits);
    }
    tensor.dtype = DType::F32;
    tensor.data = values;
    tensor.bytes = static_cast<int64_t>(count * sizeof(float));
  }
}

void SafetensorsFile::stack(const std::vector<TensorView> &tensors) {
  std::vector<TensorView> stacks;
  std::unordered_set<std::string> slices;
  for (const TensorView &tensor : tensors) {
    if (!isStack(tensor.name, tensor.shape.size()))
      continue;
    TensorView whole = tensor;
    whole.bytes = *tensorBytes(tensor.dtype, tensor.shape);
    float *memory =
        owned.emplace_back(new float[static_cast<size_t>(whole.bytes) / 4])
            .get();
    whole.data = memory;
    for (const TensorView &slice : unstack({whole})) {
      std::memcpy(const_cast<void *>(slice.data), find(slice.name)->data,
                  static_cast<size_t>(slice.bytes));
      slices.insert(slice.name);
    }
    stacks.push_back(std::move(whole));
  }
  list.erase(std::remove_if(list.begin(), list.end(),
                            [&](const TensorView &tensor) {
                              return slices.count(tensor.name) > 0;
                            }),
             list.end());
  list.insert(list.end(), stacks.begin(), stacks.end());
  byName.clear();
  for (size_t i = 0; i < list.size(); ++i)
    byName[list[i].name] = i;
}

Result<SafetensorsFile> SafetensorsFile::open(const std::string &path) {
  Result<MappedFile> mapped = MappedFile::open(path);
  if (!mapped.ok())
    return mapped.status();
  SafetensorsFile file;
  file.files.push_back(*std::move(mapped));
  Status status = file.parse(path);
  if (!status.ok())
    return status;
  return file;
}

Result<SafetensorsFile> SafetensorsFile::openModel(const std::string &path) {
  constexpr std::string_view indexEnd = ".index.json";
  if (path.size() > indexEnd.size() &&
      path.compare(path.size() - indexEnd.size(), indexEnd.size(), indexEnd) ==
          0)
    return openParts(path);
  std::error_code error;
  if (!std::filesystem::is_directory(path, error))
    return open(path);
  auto has = [&](const char *name) {
    return std::filesystem::exists(path + "/" + name, error);
  };
  if (!has("model.safetensors")) {
    if (has("model.safetensors.index.json"))
      return openParts(path + "/model.safetensors.index.json");
    for (const char *name :
         {"pytorch_model.bin", "pytorch_model.bin.index.json",
          "consolidated.00.pth"})
      if (has(name))
        return invalidData(path, "/", name, ": tensors as pickles of PyTorch",
                           saveAsSafetensors);
  }
  return open(path + "/model.safetensors");
}

Result<SafetensorsFile> SafetensorsFile::openParts(const std::string &index) {
  constexpr size_t maxBytes = 1 << 26;
  Result<std::string> text = readFile(index, maxBytes);
  if (!text.ok())
    return text.status();
  JsonLimits limits;
  limits.maxBytes = maxBytes;
  Result<json> document = parseStrictJson(*text, index, limits);
  if (!document.ok())
    return document.status();
  auto map = document->find("weight_map");
  if (!document->is_object() || map == document->end() || !map->is_object())
    return invalidData(index, ": field 'weight_map': expected an object");
  std::map<std::string, std::vector<std::string>> names; // of every part
  for (const auto &[name, part] : map->items()) {
    if (!part.is_string() || part == json("") ||
        part.get_ref<const std::string &>().find('/') != std::string::npos)
      return invalidData(index, ": tensor ", inQuotes(name),
                         ": expected the name of a file in the same folder");
    names[part.get<std::string>()].push_back(name);
  }
  std::string folder = std::filesystem::path(index).parent_path().string();
  SafetensorsFile all;
  for (const auto &[part, tensors] : names) {
    std::string path = folder.empty() ? part : folder + "/" + part;
    Result<MappedFile> mapped = MappedFile::open(path);
    if (!mapped.ok())
      return mapped.status();
    size_t before = all.list.size();
    all.files.push_back(*std::move(mapped));
    if (Status status = all.parse(path); !status.ok())
      return status;
    for (const std::string &name : tensors) {
      auto found = all.byName.find(name);
      if (found == all.byName.end() || found->second < before)
        return invalidData(path, ": tensor ", inQuotes(name),
                           ", which the index has there, is missing");
    }
    if (all.list.size() - before != tensors.size())
      return invalidData(path, ": ", all.list.size() - before,
                         " tensors, the index has ", tensors.size(), " there");
  }
  return all;
}

Status SafetensorsFile::parse(const std::string &path) {
  std::string_view bytes = files.back().bytes();
  uint64_t headerBytes = 0;
  if (std::string other = describeForeign(bytes); !other.empty())
    // A header of a size that looks like the beginning of something else is
    // beyond the limit, but for compressed and pickled files.
    if (bytes.size() <= sizeof headerBytes || bytes[sizeof headerBytes] != '{')
      return invalidData(path, ": expected a safetensors file, this is ",
                         other);
  if (bytes.size() < sizeof headerBytes)
    return invalidData(path, ": ", bytes.size(),
                       " bytes, too short for a safetensors file");
  std::memcpy(&headerBytes, bytes.data(), sizeof headerBytes);
  bytes.remove_prefix(sizeof headerBytes);
  if (headerBytes > maxHeaderBytes)
    return invalidData(path, ": header of ", headerBytes, " bytes, limit is ",
                       maxHeaderBytes);
  if (headerBytes > bytes.size())
    return invalidData(path, ": header of ", headerBytes, " bytes, only ",
                       bytes.size(), " in the file");
  std::string_view header = bytes.substr(0, headerBytes);
  std::string_view data = bytes.substr(headerBytes);
  if (header.empty() || header[0] != '{')
    return invalidData(path, ": header does not start with '{'");

  JsonLimits limits;
  limits.maxBytes = maxHeaderBytes;
  limits.maxDepth = 3; // header, tensor, shape
  limits.maxArray = maxRank;
  Result<json> document = parseStrictJson(header, path + ": header", limits);
  if (!document.ok())
    return document.status();

  std::vector<TensorView> found;
  for (const auto &[name, entry] : document->items()) {
    if (name == metadataKey) {
      if (!entry.is_object())
        return invalidData(path, ": __metadata__ is not an object");
      for (const auto &[key, value] : entry.items()) {
        if (!value.is_string())
          return invalidData(path, ": __metadata__ ", inQuotes(key),
                             " is not a string");
        meta[key] = value.get<std::string>();
      }
      continue;
    }
    TensorView tensor;
    tensor.name = name;
    Status status = readTensor(concat(path, ": tensor ", inQuotes(name), ": "),
                               entry, data, tensor);
    if (!status.ok())
      return status;
    found.push_back(std::move(tensor));
  }

  // Sorted by position, the tensors must tile the data exactly.
  auto beginOf = [&](const TensorView &tensor) {
    return static_cast<const char *>(tensor.data) - data.data();
  };
  std::sort(found.begin(), found.end(),
            [&](const TensorView &a, const TensorView &b) {
              return std::pair(beginOf(a), a.bytes) <
                     std::pair(beginOf(b), b.bytes);
            });
  int64_t expected = 0;
  for (TensorView &tensor : found) {
    if (beginOf(tensor) != expected)
      return invalidData(path, ": tensor ", inQuotes(tensor.name), ": ",
                         beginOf(tensor) < expected ? "overlaps another"
                                                    : "leaves a hole before it",
                         ", starts at byte ", beginOf(tensor), ", expected ",
                         expected);
    expected += tensor.bytes;
    if (!byName.emplace(tensor.name, list.size()).second)
      return invalidData(path, ": tensor ", inQuotes(tensor.name),
                         " is in another part too");
    list.push_back(std::move(tensor));
  }
  if (static_cast<size_t>(expected) != data.size())
    return invalidData(path, ": ", data.size() - static_cast<size_t>(expected),
                       " bytes after the last tensor");
  return {};
}

std::string describeShape(const std::vector<int64_t> &shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += concat(i ? ", " : "", shape[i]);
  return text + "]";
}

const TensorView *SafetensorsFile::find(const std::string &name) const {
  auto found = byName.find(name);
  return found == byName.end() ? nullptr : &list[found->second];
}

std::vector<TensorView> unstack(const std::vector<TensorView> &tensors) {
  auto isStackAt = [&](size_t i) {
    return isStack(tensors[i].name, tensors[i].shape.size());
  };
  auto objects = [&](size_t i) {
    return std::pair(
        tensors[i].name.substr(0, tensors[i].name.find(kStackPart)),
        tensors[i].shape[0]);
  };
  std::vector<TensorView> result;
  for (size_t i = 0, end; i < tensors.size(); i = end) {
    end = i + 1;
    if (!isStackAt(i)) {
      result.push_back(tensors[i]);
      continue;
    }
    while (end < tensors.size() && isStackAt(end) && objects(end) == objects(i))
      ++end;
    for (int64_t e = 0; e < tensors[i].shape[0]; ++e)
      for (size_t part = i; part < end; ++part) {
        TensorView slice = tensors[part];
        slice.name = sliceName(slice.name, e);
        slice.bytes /= slice.shape[0];
        slice.shape.erase(slice.shape.begin());
        if (slice.data)
          slice.data =
              static_cast<const std::byte *>(slice.data) + e * slice.bytes;
        result.push_back(std::move(slice));
      }
  }
  return result;
}

Status writeSafetensors(const std::string &path,
                        const std::vector<TensorView> &stacked,
                        const std::map<std::string, std::string> &metadata) {
  std::vector<TensorView> tensors = unstack(stacked);
  std::vector<const TensorView *> order;
  order.reserve(tensors.size());
  for (const TensorView &tensor : tensors)
    order.push_back(&tensor);
  std::stable_sort(order.begin(), order.end(),
                   [](const TensorView *a, const TensorView *b) {
                     return dtypeBytes(a->dtype) > dtypeBytes(b->dtype);
                   });

  json header = json::object();
  if (!metadata.empty())
    header[metadataKey] = metadata;
  std::vector<std::string_view> chunks(1);
  int64_t at = 0;
  for (const TensorView *tensor : order) {
    std::string where = concat(path, ": tensor ", inQuotes(tensor->name), ": ");
    if (tensorBytes(tensor->dtype, tensor->shape) != tensor->bytes)
      return invalidArgument(where, "shape and dtype do not make ",
                             tensor->bytes, " bytes");
    if (header.contains(tensor->name) || tensor->name == metadataKey)
      return invalidArgument(where, "name is already taken");
    header[tensor->name] = {{"dtype", dtypeName(tensor->dtype)},
                            {"shape", tensor->shape},
                            {"data_offsets", {at, at + tensor->bytes}}};
    if (tensor->bytes > 0)
      chunks.emplace_back(static_cast<const char *>(tensor->data),
                          static_cast<size_t>(tensor->bytes));
    at += tensor->bytes;
  }

  std::string text;
  try {
    text = header.dump();
  } catch (const json::type_error &) {
    return invalidArgument(path, ": a tensor name or metadata is not UTF-8");
  }
  text.append((64 - (sizeof(uint64_t) + text.size()) % 64) % 64, ' ');
  if (text.size() > maxHeaderBytes)
    return invalidArgument(path, ": header of ", text.size(),
                           " bytes, limit is ", maxHeaderBytes);
  uint64_t headerBytes = text.size();
  text.insert(0, reinterpret_cast<const char *>(&headerBytes),
              sizeof headerBytes);
  chunks[0] = text;
  return writeFileAtomically(path, chunks);
}

} // namespace attnres::runtime

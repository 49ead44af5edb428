// Round trips, files written by others, and every malformed header as one
// clear line.
#include "runtime/Safetensors.h"

#include "test/unit/support/TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>
#include <random>

using namespace attnres;
using namespace attnres::runtime;

namespace {

std::string fileOf(std::string header, std::string_view data) {
  uint64_t size = header.size();
  header.insert(0, reinterpret_cast<const char *>(&size), sizeof size);
  return header.append(data);
}

class SafetensorsTest : public testing::Test {
protected:
  /// The message without the path, or "" when the file opens.
  std::string errorOf(std::string_view bytes) {
    std::string path = directory.write("x.safetensors", bytes);
    auto file = SafetensorsFile::open(path);
    if (file.ok())
      return "";
    std::string message = file.status().message();
    EXPECT_EQ(message.substr(0, path.size() + 2), path + ": ") << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return message.substr(std::min(message.size(), path.size() + 2));
  }

  std::string errorOf(std::string header, std::string_view data) {
    return errorOf(fileOf(std::move(header), data));
  }

  TemporaryDirectory directory;
};

TEST_F(SafetensorsTest, RoundTripOfEveryDType) {
  std::vector<TensorView> tensors;
  std::vector<std::vector<unsigned char>> storage;
  for (int i = 0; i < numDTypes; ++i) {
    TensorView tensor;
    tensor.dtype = static_cast<DType>(i);
    tensor.name = "t." + std::string(dtypeName(tensor.dtype));
    tensor.shape = {3, 1, 5};
    tensor.bytes = 15 * dtypeBytes(tensor.dtype);
    storage.emplace_back(tensor.bytes);
    std::iota(storage.back().begin(), storage.back().end(), i);
    tensor.data = storage.back().data();
    tensors.push_back(tensor);
  }
  tensors.push_back({"scalar", DType::F32, {}, storage[0].data(), 4});
  tensors.push_back({"empty", DType::F64, {0, 7}, nullptr, 0});

  std::string path = directory.file("x.safetensors");
  Status status = writeSafetensors(path, tensors, {{"step", "12"}});
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(directory.numFiles(), 1u);

  auto file = SafetensorsFile::open(path);
  ASSERT_TRUE(file.ok()) << file.status().message();
  EXPECT_EQ(file->metadata(),
            (std::map<std::string, std::string>{{"step", "12"}}));
  EXPECT_EQ(file->tensors().size(), tensors.size());
  EXPECT_EQ(reinterpret_cast<uintptr_t>(file->tensors()[0].data) % 64, 0u);
  for (const TensorView &want : tensors) {
    const TensorView *got = file->find(want.name);
    ASSERT_NE(got, nullptr) << want.name;
    EXPECT_EQ(got->dtype, want.dtype);
    EXPECT_EQ(got->shape, want.shape);
    ASSERT_EQ(got->bytes, want.bytes);
    if (want.bytes > 0) {
      EXPECT_EQ(std::memcmp(got->data, want.data, want.bytes), 0) << want.name;
    }
    EXPECT_EQ(reinterpret_cast<uintptr_t>(got->data) % dtypeBytes(got->dtype),
              0u);
  }
  EXPECT_EQ(file->find("t"), nullptr);
}

TEST_F(SafetensorsTest, ReadsFilesOfTheReference) {
  auto file =
      SafetensorsFile::open(ATTNRES_GOLDEN_DIR "/odd_sizes/batch.safetensors");
  ASSERT_TRUE(file.ok()) << file.status().message();
  const TensorView *tokens = file->find("tokens");
  ASSERT_NE(tokens, nullptr);
  EXPECT_EQ(tokens->dtype, DType::I64);
  EXPECT_EQ(tokens->shape, (std::vector<int64_t>{3, 70}));
  for (int64_t i = 0; i < 210; ++i) {
    int64_t token;
    std::memcpy(&token, static_cast<const char *>(tokens->data) + 8 * i, 8);
    ASSERT_GE(token, 0);
    ASSERT_LT(token, 37);
  }
}

TEST_F(SafetensorsTest, EmptyFileOfNoTensors) {
  EXPECT_EQ(errorOf("{}", ""), "");
  EXPECT_EQ(errorOf("{}   ", ""), "");
}

TEST_F(SafetensorsTest, FI3HeaderSize) {
  EXPECT_EQ(errorOf(""), "0 bytes, too short for a safetensors file");
  EXPECT_EQ(errorOf("1234567"), "7 bytes, too short for a safetensors file");
  EXPECT_EQ(errorOf(std::string("\x05\0\0\0\0\0\0\0{}", 10)),
            "header of 5 bytes, only 2 in the file");
  EXPECT_EQ(errorOf(std::string(8, '\xff')),
            "header of 18446744073709551615 bytes, limit is 100000000");
  EXPECT_EQ(errorOf(std::string("\x01\xe1\xf5\x05\0\0\0\0{}", 10)),
            "header of 100000001 bytes, limit is 100000000");
  EXPECT_EQ(errorOf("", ""), "header does not start with '{'");
  EXPECT_EQ(errorOf(" {}", ""), "header does not start with '{'");
}

TEST_F(SafetensorsTest, FI3HeaderSyntax) {
  EXPECT_EQ(errorOf(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                    R"("a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})",
                    "x"),
            "header: duplicate key 'a'");
  EXPECT_EQ(errorOf(R"({"a":{"dtype":"U8","dtype":"U8"}})", "x"),
            "header: duplicate key 'dtype'");
  EXPECT_EQ(errorOf("{\"a\":" + std::string(100'000, '['), ""),
            "header: nesting deeper than 3 levels");
  EXPECT_NE(errorOf("{\"\xff\":{}}", "").find("UTF-8"), std::string::npos);
  EXPECT_NE(errorOf("{} {}", "").find("header: line 1"), std::string::npos);
  EXPECT_EQ(errorOf(std::string("{}\0{", 4), ""), "header: NUL byte in JSON");
}

TEST_F(SafetensorsTest, FI3MalformedTensors) {
  auto withTensor = [&](std::string_view entry, std::string_view data) {
    return errorOf(concat("{\"a\":", entry, "}"), data);
  };
  EXPECT_EQ(withTensor("7", ""), "tensor 'a': expected an object, got number");
  EXPECT_EQ(withTensor(R"({"dtype":"U8","shape":[1]})", "x"),
            "tensor 'a': no field 'data_offsets'");
  EXPECT_EQ(withTensor(R"({"shape":[1],"data_offsets":[0,1]})", "x"),
            "tensor 'a': no field 'dtype'");
  EXPECT_EQ(
      withTensor(R"({"dtype":"U8","shape":[1],"data_offsets":[0,1],"x":1})",
                 "x"),
      "tensor 'a': unknown field 'x'");
  EXPECT_EQ(withTensor(R"({"dtype":8,"shape":[1],"data_offsets":[0,1]})", "x"),
            "tensor 'a': dtype is not a string");
  EXPECT_EQ(withTensor(
                R"({"dtype":"F8_E4M3","shape":[1],"data_offsets":[0,1]})", "x"),
            "tensor 'a': unsupported dtype 'F8_E4M3'");
  EXPECT_EQ(withTensor(R"({"dtype":"U8","shape":1,"data_offsets":[0,1]})", "x"),
            "tensor 'a': shape is not an array of at most 64 sizes");
  for (std::string dim :
       {"-1", "1.0", "\"1\"", "null", "9223372036854775808", "1e30", "-0"})
    EXPECT_EQ(withTensor(R"({"dtype":"U8","shape":[)" + dim +
                             R"(],"data_offsets":[0,1]})",
                         "x")
                  .substr(0, 23),
              "tensor 'a': shape holds")
        << dim;
  EXPECT_EQ(withTensor(R"({"dtype":"F32","shape":[4611686018427387904,2],)"
                       R"("data_offsets":[0,0]})",
                       ""),
            "tensor 'a': size of shape '[4611686018427387904,2]' overflows");
  EXPECT_EQ(withTensor(R"({"dtype":"F32","shape":[0,4611686018427387904,8],)"
                       R"("data_offsets":[0,0]})",
                       ""),
            "tensor 'a': size of shape '[0,4611686018427387904,8]' overflows");
  EXPECT_EQ(
      withTensor(R"({"dtype":"F32","shape":[2],"data_offsets":[0,4]})", "1234"),
      "tensor 'a': F32 of shape [2] takes 8 bytes, data_offsets span 4");
  EXPECT_EQ(
      withTensor(R"({"dtype":"U8","shape":[2],"data_offsets":[0,2]})", "1"),
      "tensor 'a': data ends at byte 2 of 1");
  EXPECT_EQ(
      withTensor(R"({"dtype":"U8","shape":[1],"data_offsets":[1,0]})", "1"),
      "tensor 'a': data_offsets '[1,0]' are not begin <= end below 2^63");
  EXPECT_EQ(
      withTensor(R"({"dtype":"U8","shape":[1],"data_offsets":[0,1,2]})", "1"),
      "tensor 'a': data_offsets is not a pair");
  EXPECT_EQ(
      withTensor(R"({"dtype":"U8","shape":[1],"data_offsets":[-1,0]})", "1"),
      "tensor 'a': data_offsets '[-1,0]' are not begin <= end below "
      "2^63");
}

TEST_F(SafetensorsTest, FI3TensorsTileTheData) {
  auto two = [&](std::string a, std::string b, std::string_view data) {
    return errorOf(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":)" + a +
                       R"(},"b":{"dtype":"U8","shape":[2],"data_offsets":)" +
                       b + "}}",
                   data);
  };
  EXPECT_EQ(two("[2,4]", "[0,2]", "1234"), "");
  EXPECT_EQ(two("[0,2]", "[1,3]", "123"),
            "tensor 'b': overlaps another, starts at byte 1, expected 2");
  EXPECT_EQ(two("[0,2]", "[0,2]", "12"),
            "tensor 'b': overlaps another, starts at byte 0, expected 2");
  EXPECT_EQ(two("[0,2]", "[3,5]", "12345"),
            "tensor 'b': leaves a hole before it, starts at byte 3, "
            "expected 2");
  EXPECT_EQ(two("[1,3]", "[3,5]", "12345"),
            "tensor 'a': leaves a hole before it, starts at byte 1, "
            "expected 0");
  EXPECT_EQ(two("[0,2]", "[2,4]", "12345"), "1 bytes after the last tensor");
}

TEST_F(SafetensorsTest, FI3Metadata) {
  EXPECT_EQ(errorOf(R"({"__metadata__":{"a":"b"}})", ""), "");
  EXPECT_EQ(errorOf(R"({"__metadata__":3})", ""),
            "__metadata__ is not an object");
  EXPECT_EQ(errorOf(R"({"__metadata__":{"a":1}})", ""),
            "__metadata__ 'a' is not a string");
}

TEST_F(SafetensorsTest, NotARegularFile) {
  auto missing = SafetensorsFile::open(directory.file("none"));
  EXPECT_EQ(missing.status().code(), StatusCode::IoError);
  auto folder = SafetensorsFile::open(directory.path.string());
  EXPECT_NE(folder.status().message().find("is a folder"), std::string::npos);
}

TEST_F(SafetensorsTest, WriterRefusesBadTensorsAndKeepsTheOldFile) {
  std::string path = directory.write("x.safetensors", "old");
  float value = 1;
  TensorView good{"a", DType::F32, {1}, &value, 4};
  TensorView wrongSize{"b", DType::F32, {2}, &value, 4};
  TensorView reserved{"__metadata__", DType::F32, {1}, &value, 4};
  TensorView notUtf8{"\xff", DType::F32, {1}, &value, 4};
  EXPECT_FALSE(writeSafetensors(path, {good, good}).ok());
  EXPECT_FALSE(writeSafetensors(path, {good, wrongSize}).ok());
  EXPECT_FALSE(writeSafetensors(path, {reserved}).ok());
  EXPECT_FALSE(writeSafetensors(path, {notUtf8}).ok());
  EXPECT_EQ(readBytes(path), "old");
  EXPECT_FALSE(writeSafetensors(directory.file("no/x"), {good}).ok());
  // A directory cannot be replaced: the file written aside must not stay.
  EXPECT_FALSE(writeSafetensors(directory.path.string(), {good}).ok());
  EXPECT_EQ(directory.numFiles(), 1u);
  EXPECT_TRUE(writeSafetensors(path, {good}).ok());
  EXPECT_TRUE(SafetensorsFile::open(path).ok());
}

TEST_F(SafetensorsTest, RandomDamageNeverCrashes) {
  std::string good =
      fileOf(R"({"__metadata__":{"k":"v"},)"
             R"("a":{"dtype":"U8","shape":[2,3],"data_offsets":[0,6]},)"
             R"("b":{"dtype":"F32","shape":[],"data_offsets":[6,10]}})",
             "0123456789");
  ASSERT_EQ(errorOf(good), "");
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::string bad = good;
    for (unsigned changes = 1 + random() % 3; changes > 0; --changes)
      bad[random() % bad.size()] = static_cast<char>(random());
    if (random() % 4 == 0)
      bad.resize(random() % bad.size());
    errorOf(bad);
  }
}

/// Every value of half precision, against its definition.
TEST_F(SafetensorsTest, HalvesAreWidenedExactly) {
  std::vector<uint16_t> bits(1 << 16);
  std::iota(bits.begin(), bits.end(), uint16_t{0});
  std::string_view data(reinterpret_cast<const char *>(bits.data()),
                        bits.size() * sizeof bits[0]);
  for (bool bf16 : {false, true}) {
    int fractionBits = bf16 ? 7 : 10, bias = bf16 ? 127 : 15;
    std::string path = directory.write(
        "x.safetensors",
        fileOf(std::string("{\"a\":{\"dtype\":\"") + (bf16 ? "BF16" : "F16") +
                   "\",\"shape\":[256,256],\"data_offsets\":[0,131072]}}",
               data));
    auto file = SafetensorsFile::open(path);
    ASSERT_TRUE(file.ok()) << file.status().message();
    file->widenHalves();
    const TensorView *tensor = file->find("a");
    ASSERT_EQ(tensor->dtype, DType::F32);
    ASSERT_EQ(tensor->bytes, 4 << 16);
    auto *values = static_cast<const float *>(tensor->data);
    for (int i = 0; i < 1 << 16; ++i) {
      int exponent = (i & 0x7fff) >> fractionBits;
      int fraction = i & ((1 << fractionBits) - 1);
      int most = (1 << (15 - fractionBits)) - 1;
      double size = exponent == 0
                        ? std::ldexp(fraction, 1 - bias - fractionBits)
                        : std::ldexp(fraction + (1 << fractionBits),
                                     exponent - bias - fractionBits);
      if (exponent == most && fraction != 0) {
        EXPECT_TRUE(std::isnan(values[i])) << i;
        continue;
      }
      if (exponent == most)
        size = HUGE_VAL;
      EXPECT_EQ(values[i], i >> 15 ? -size : size) << i;
      EXPECT_EQ(std::signbit(values[i]), i >> 15 != 0) << i;
    }
  }
}

/// Two stacks of three objects and what is no stack.
TEST_F(SafetensorsTest, CF6StacksAreApartInFiles) {
  std::vector<float> gates(3 * 4), downs(3 * 2), star(5);
  std::iota(gates.begin(), gates.end(), 100.0f);
  std::iota(downs.begin(), downs.end(), 200.0f);
  std::vector<TensorView> tensors = {
      {"e.*.gate", DType::F32, {3, 2, 2}, gates.data(), 48},
      {"e.*.down", DType::F32, {3, 2}, downs.data(), 24},
      {"*", DType::F32, {5}, star.data(), 20}};
  std::string path = (directory.path / "stacks.safetensors").string();
  Status status = writeSafetensors(path, tensors);
  ASSERT_TRUE(status.ok()) << status.message();
  auto file = SafetensorsFile::open(path);
  ASSERT_TRUE(file.ok()) << file.status().message();
  std::string names;
  for (const TensorView &tensor : file->tensors())
    names += tensor.name + describeShape(tensor.shape) + " ";
  EXPECT_EQ(names, "e.0.gate[2, 2] e.0.down[2] e.1.gate[2, 2] e.1.down[2] "
                   "e.2.gate[2, 2] e.2.down[2] *[5] ");
  EXPECT_EQ(static_cast<const float *>(file->find("e.2.gate")->data)[3], 111);
  EXPECT_EQ(static_cast<const float *>(file->find("e.1.down")->data)[0], 202);

  file->stack(tensors);
  ASSERT_EQ(file->tensors().size(), 3u);
  EXPECT_EQ(file->find("e.0.gate"), nullptr);
  for (const TensorView &tensor : tensors) {
    const TensorView *found = file->find(tensor.name);
    ASSERT_TRUE(found) << tensor.name;
    EXPECT_EQ(found->shape, tensor.shape);
    ASSERT_EQ(found->bytes, tensor.bytes);
    EXPECT_EQ(std::memcmp(found->data, tensor.data, tensor.bytes), 0);
  }
}

TEST(Safetensors, PartsOfAModel) {
  TemporaryDirectory directory;
  std::string folder = directory.path.string();
  float values[] = {1, 2, 3, 4, 5, 6};
  auto view = [&](const std::string &name, int64_t count, int64_t first) {
    return TensorView{name, DType::F32, {count}, values + first, 4 * count};
  };
  ASSERT_TRUE(writeSafetensors(directory.file("one.safetensors"),
                               {view("a", 2, 0), view("b", 1, 2)})
                  .ok());
  ASSERT_TRUE(
      writeSafetensors(directory.file("two.safetensors"), {view("c", 3, 3)})
          .ok());
  auto open = [&](const std::string &map) {
    return SafetensorsFile::openModel(
        directory.write("model.safetensors.index.json", map));
  };
  auto errorOf = [&](const std::string &map) {
    auto file = open(map);
    EXPECT_FALSE(file.ok());
    std::string message = file.status().message();
    return message.substr(folder.size() + 1);
  };
  auto file = open(R"({"metadata": {"total_size": 24}, "weight_map":
      {"a": "one.safetensors", "c": "two.safetensors",
       "b": "one.safetensors"}})");
  ASSERT_TRUE(file.ok()) << file.status().message();
  ASSERT_EQ(file->tensors().size(), 3u);
  SafetensorsFile moved = *std::move(file);
  for (auto [name, first] :
       {std::pair("a", 1.0f), std::pair("b", 3.0f), std::pair("c", 4.0f)}) {
    float value;
    std::memcpy(&value, moved.find(name)->data, sizeof value);
    EXPECT_EQ(value, first) << name;
  }
  EXPECT_TRUE(SafetensorsFile::openModel(folder).ok());

  EXPECT_EQ(errorOf("{}"),
            "model.safetensors.index.json: field 'weight_map': expected an "
            "object");
  EXPECT_EQ(errorOf(R"({"weight_map": {"a": "../one.safetensors"}})"),
            "model.safetensors.index.json: tensor 'a': expected the name of a "
            "file in the same folder");
  EXPECT_EQ(errorOf(R"({"weight_map": {"a": "one.safetensors",
                        "b": "two.safetensors", "c": "two.safetensors"}})"),
            "one.safetensors: 2 tensors, the index has 1 there");
  EXPECT_EQ(errorOf(R"({"weight_map": {"a": "one.safetensors",
            "b": "one.safetensors", "d": "two.safetensors"}})"),
            "two.safetensors: tensor 'd', which the index has there, is "
            "missing");
  EXPECT_EQ(errorOf(R"({"weight_map": {"a": "three.safetensors"}})"),
            "three.safetensors: cannot open: No such file or directory");
  std::filesystem::copy(directory.file("one.safetensors"),
                        directory.file("three.safetensors"));
  EXPECT_EQ(errorOf(R"({"weight_map": {"a": "one.safetensors",
                        "b": "three.safetensors"}})"),
            "one.safetensors: 2 tensors, the index has 1 there");

  // Other folders.
  std::filesystem::remove(directory.file("model.safetensors.index.json"));
  directory.write("pytorch_model.bin", "");
  auto pickles = SafetensorsFile::openModel(folder);
  ASSERT_FALSE(pickles.ok());
  EXPECT_EQ(pickles.status().message().find(
                folder + "/pytorch_model.bin: tensors as pickles of PyTorch; "
                         "save its tensors with python3 -c \"import torch"),
            0u);
}

} // namespace

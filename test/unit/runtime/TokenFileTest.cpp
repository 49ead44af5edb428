// Token files in every format and width, windows of them, and sets that are
// mixed by weight.
#include "runtime/data/TokenFile.h"
#include "runtime/data/MixedDataset.h"
#include "runtime/data/ShardDataset.h"

#include "test/unit/support/TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>

using namespace attnres;
using namespace attnres::runtime;

namespace {

std::string le(const std::vector<int64_t> &values, size_t width) {
  std::string bytes;
  for (int64_t value : values)
    bytes.append(reinterpret_cast<const char *>(&value), width);
  return bytes;
}

/// As numpy.save writes it: padded to a multiple of 64 bytes.
std::string npy(const std::string &type, const std::string &shape,
                const std::string &elements, int version = 1) {
  std::string header =
      concat("{'descr': '", type, "', 'fortran_order': False, 'shape': ", shape,
             ", }");
  size_t lengthBytes = version == 1 ? 2 : 4;
  header.append(63 - (8 + lengthBytes + header.size()) % 64, ' ');
  header += '\n';
  return concat(std::string("\x93NUMPY"), static_cast<char>(version), '\0') +
         le({static_cast<int64_t>(header.size())}, lengthBytes) + header +
         elements;
}

std::string llmc(int64_t magic, int64_t version, int64_t count,
                 const std::string &elements) {
  return le({magic, version, count}, 4) + std::string(1012, '\0') + elements;
}

class TokenFiles : public testing::Test {
protected:
  Result<std::optional<TokenFile>> recognize(const std::string &bytes,
                                             int64_t vocabulary = 60000) {
    auto file = DataFile::open(directory.write("file", bytes));
    EXPECT_TRUE(file.ok());
    return TokenFile::recognize(*file, vocabulary);
  }
  std::vector<int64_t> tokensOf(const std::string &bytes,
                                int64_t vocabulary = 60000) {
    auto found = recognize(bytes, vocabulary);
    EXPECT_TRUE(found.ok()) << found.status().message();
    if (!found.ok() || !*found)
      return {};
    std::vector<int64_t> tokens(static_cast<size_t>((*found)->count()), -1);
    EXPECT_TRUE((*found)->read(0, (*found)->count(), tokens.data()).ok());
    EXPECT_EQ((*found)->largest(),
              *std::max_element(tokens.begin(), tokens.end()));
    // A piece in the middle is the same.
    if (tokens.size() > 4) {
      std::vector<int64_t> piece(3, -1);
      EXPECT_TRUE((*found)->read(1, 3, piece.data()).ok());
      EXPECT_EQ(piece, std::vector(tokens.begin() + 1, tokens.begin() + 4));
    }
    return tokens;
  }
  std::string errorOf(const std::string &bytes, int64_t vocabulary = 60000) {
    auto found = recognize(bytes, vocabulary);
    EXPECT_FALSE(found.ok());
    std::string message = found.status().message();
    return message.substr(message.find(": ") + 2);
  }

  TemporaryDirectory directory;
  /// More than are read at once.
  const std::vector<int64_t> many = [] {
    std::vector<int64_t> tokens(70001);
    for (size_t i = 0; i < tokens.size(); ++i)
      tokens[i] = static_cast<int64_t>(i * i * 48271 % 50257);
    return tokens;
  }();
};

TEST_F(TokenFiles, DX1EveryFormat) {
  EXPECT_EQ(tokensOf(llmc(20240520, 1, 70001, le(many, 2))), many);
  EXPECT_EQ(tokensOf(llmc(20240801, 7, 70001, le(many, 4))), many);
  EXPECT_EQ(tokensOf(le(many, 2)), many) << "nanoGPT";
  for (auto [type, width] : {std::make_pair("<u2", 2),
                             {"<u4", 4},
                             {"<i4", 4},
                             {"<i8", 8},
                             {"<u8", 8}})
    EXPECT_EQ(tokensOf(npy(type, "(70001,)", le(many, width))), many) << type;
  EXPECT_EQ(tokensOf(npy("<u4", "(3,)", le({70000, 1, 2}, 4), 2), 70001),
            (std::vector<int64_t>{70000, 1, 2}));
  EXPECT_EQ(tokensOf(npy("|u1", "(5,)", le({0, 1, 200, 255, 7}, 1))),
            (std::vector<int64_t>{0, 1, 200, 255, 7}));
  EXPECT_EQ(tokensOf(npy("<i2", "(2,)", le({32767, 1}, 2))),
            (std::vector<int64_t>{32767, 1}));
}

TEST_F(TokenFiles, OtherFilesAreNone) {
  for (const std::string &bytes :
       {std::string("It was a dark night."), le(many, 4),
        std::string("\x1f\x8b\x08 compressed")}) {
    auto found = recognize(bytes);
    ASSERT_TRUE(found.ok()) << found.status().message();
    EXPECT_FALSE(found->has_value());
  }
  auto found = recognize(le(many, 2), 0);
  ASSERT_TRUE(found.ok());
  EXPECT_FALSE(found->has_value())
      << "any file of even size would do without a vocabulary";
  EXPECT_TRUE(recognize(npy("<u2", "(70001,)", le(many, 2)), 0)->has_value());
}

TEST_F(TokenFiles, Errors) {
  EXPECT_EQ(errorOf(npy("<i8", "(3,)", le({5, -1, 2}, 8))),
            "looks like a NumPy array (.npy), token 2 is -1, expected 0 to "
            "59999");
  EXPECT_EQ(errorOf(npy("|i1", "(2,)", le({5, 255}, 1))),
            "looks like a NumPy array (.npy), token 2 is -1, expected 0 to "
            "59999");
  std::vector<int64_t> tokens = many;
  tokens[65600] = 50257;
  EXPECT_EQ(errorOf(llmc(20240520, 1, 70001, le(tokens, 2)), 50257),
            "looks like a token shard of llm.c, token 65601 is 50257, expected "
            "0 to 50256");
  EXPECT_EQ(errorOf(le(tokens, 2), 50257),
            "looks like numbers of 16 bits, such as a shard of tokens of "
            "nanoGPT, token 65601 is 50257, expected 0 to 50256");
  EXPECT_EQ(errorOf(npy("<i8", "(1,)", le({int64_t{1} << 31}, 8)), 0),
            "looks like a NumPy array (.npy), token 1 is 2147483648, expected "
            "at most 2147483647");
  EXPECT_EQ(errorOf(npy("<f4", "(2,)", le({1, 2}, 4))),
            "a NumPy array (.npy) of '<f4', expected little-endian integers "
            "such as '<u2'");
  EXPECT_EQ(errorOf(npy(">u2", "(2,)", le({1, 2}, 2))),
            "a NumPy array (.npy) of '>u2', expected little-endian integers "
            "such as '<u2'");
  for (const char *shape : {"(2, 2)", "()", "(4)", "(x,)"})
    EXPECT_EQ(errorOf(npy("<u2", shape, le({1, 2, 3, 4}, 2))),
              concat("a NumPy array (.npy) of shape ", shape,
                     ", expected one dimension"));
  EXPECT_EQ(errorOf(npy("<u2", "(3,)", le({1, 2, 3, 4}, 2))),
            "a NumPy array (.npy) of shape (3,) and type '<u2' in 136 bytes");
  EXPECT_EQ(errorOf(npy("<u2", "(5,)", le({1, 2, 3, 4}, 2))),
            "a NumPy array (.npy) of shape (5,) and type '<u2' in 136 bytes");
  EXPECT_EQ(errorOf(npy("<u2", "(0,)", "")),
            "a NumPy array (.npy) without tokens");
  EXPECT_EQ(errorOf("\x93NUMPY text"),
            "a NumPy array (.npy) whose header cannot be read");
  EXPECT_EQ(errorOf(npy("<u2", "(1,)", le({1}, 2)).substr(0, 40)),
            "a NumPy array (.npy) with a header of 118 bytes");
  EXPECT_EQ(errorOf(llmc(20240520, 2, 2, le({1, 2}, 2))),
            "a token shard of llm.c of version 2, expected 1");
  EXPECT_EQ(errorOf(llmc(20240520, 1, 3, le({1, 2}, 2))),
            "a token shard of llm.c with 3 tokens of 2 bytes in 1028 bytes");
  EXPECT_EQ(errorOf(llmc(20240801, 7, 1, le({1, 2}, 2) + "x")),
            "a token shard of llm.c with 1 tokens of 4 bytes in 1029 bytes");
}

TEST_F(TokenFiles, WindowsCrossFiles) {
  std::vector<TokenFile> files;
  auto add = [&](const std::string &name, const std::string &bytes) {
    auto file = DataFile::open(directory.write(name, bytes));
    files.push_back(**TokenFile::recognize(*file, 100));
  };
  add("a", npy("<u2", "(5,)", le({0, 1, 2, 3, 4}, 2)));
  add("b", npy("<i8", "(1,)", le({5}, 8)));
  add("c", llmc(20240520, 1, 7, le({6, 7, 8, 9, 10, 11, 12}, 2)));
  auto set = ShardDataset::open(files, 100, 3, {});
  ASSERT_TRUE(set.ok()) << set.status().message();
  EXPECT_EQ((*set)->size(), 4);
  EXPECT_EQ((*set)->vocabularySize(), 100);
  for (int64_t i = 0; i < 4; ++i) {
    std::vector<int64_t> tokens(3, -1), targets(3, -1);
    ASSERT_TRUE((*set)->sample(i, tokens.data(), targets.data()).ok());
    EXPECT_EQ(tokens, (std::vector<int64_t>{3 * i, 3 * i + 1, 3 * i + 2}));
    EXPECT_EQ(targets, (std::vector<int64_t>{3 * i + 1, 3 * i + 2, 3 * i + 3}));
  }
  auto held = ShardDataset::open(files, 100, 3, {0.5, 1});
  EXPECT_EQ((*held)->size(), 2);
  auto none = ShardDataset::open(files, 100, 13, {});
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.status().message(),
            concat(directory.file("a"), ", ", directory.file("b"), ", ",
                   directory.file("c"),
                   ": 13 tokens, no window of 13 and a target in the part from "
                   "0 to 1"));
}

/// Bytes of a line of /proc/self/status, "VmRSS:" or "VmHWM:", the most so far.
int64_t memoryOf(const std::string &name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind(name, 0) == 0)
      return std::stoll(line.substr(name.size())) * 1024;
  return 0;
}

/// A file may be larger than memory: of what is read of it, nothing stays.
TEST_F(TokenFiles, LargeFilesStayOnDisk) {
  constexpr int64_t window = 1000, count = 268435 * window + 1; // 512 MiB
  // Zeros that take no room on the disk, but for the last tokens.
  std::string header = npy("<u2", concat("(", count, ",)"), "");
  std::string path = directory.write("large", header);
  std::filesystem::resize_file(path, header.size() + 2 * count - 6);
  std::ofstream(path, std::ios::app | std::ios::binary) << le({7, 8, 9}, 2);
  std::ofstream("/proc/self/clear_refs") << 5; // VmHWM begins anew
  int64_t before = memoryOf("VmRSS:");
  ASSERT_GT(before, 0);

  auto file = DataFile::open(path);
  ASSERT_TRUE(file.ok()) << file.status().message();
  auto tokens = TokenFile::recognize(*file, 60000);
  ASSERT_TRUE(tokens.ok() && *tokens);
  EXPECT_EQ((*tokens)->largest(), 9);
  auto set = ShardDataset::open({**tokens}, 60000, window, {});
  ASSERT_TRUE(set.ok()) << set.status().message();
  std::vector<int64_t> sample(window, -1), targets(window, -1);
  for (int64_t i = 0; i < (*set)->size(); i += 997)
    ASSERT_TRUE((*set)->sample(i, sample.data(), targets.data()).ok());
  ASSERT_TRUE(
      (*set)->sample((*set)->size() - 1, sample.data(), targets.data()).ok());
  EXPECT_EQ(*std::max_element(targets.begin(), targets.end()), 9);
  EXPECT_LT(memoryOf("VmHWM:") - before, 32 << 20)
      << "of a file of " << 2 * count << " bytes";

  // One that shrinks is an error where its end was, and before it too.
  std::filesystem::resize_file(path, header.size() + count);
  Status gone =
      (*set)->sample((*set)->size() - 1, sample.data(), targets.data());
  ASSERT_FALSE(gone.ok());
  EXPECT_NE(gone.message().find(path + ": was cut while it was in use"),
            std::string::npos)
      << gone.message();
  Status left = (*set)->sample(0, sample.data(), targets.data());
  ASSERT_FALSE(left.ok());
  EXPECT_NE(left.message().find(path + ": was changed while it was in use"),
            std::string::npos)
      << left.message();
}

/// Sample k has the one token base + k.
class Numbers final : public Dataset {
public:
  Numbers(int64_t base, int64_t count) : base(base), count(count) {}
  int64_t vocabularySize() const override { return base + count; }
  int64_t size() const override { return count; }
  int64_t length() const override { return 1; }
  Status sample(int64_t index, int64_t *tokens,
                int64_t *targets) const override {
    EXPECT_LT(index, count);
    tokens[0] = targets[0] = base + index;
    return {};
  }

private:
  int64_t base, count;
};

std::unique_ptr<MixedDataset> mix(const std::vector<double> &weights,
                                  const std::vector<int64_t> &sizes) {
  std::vector<MixedDataset::Source> sources;
  for (size_t i = 0; i < weights.size(); ++i)
    sources.push_back(
        {std::make_unique<Numbers>(static_cast<int64_t>(1000 * i), sizes[i]),
         weights[i]});
  auto mixed = MixedDataset::create(std::move(sources));
  EXPECT_TRUE(mixed.ok()) << mixed.status().message();
  return *std::move(mixed);
}

TEST(MixedDataset, DX2SharesHoldInEveryStretch) {
  for (const std::vector<double> &weights : {std::vector<double>{1},
                                             {1, 1},
                                             {3, 1},
                                             {0.2, 0.7, 0.1},
                                             {1e-3, 5, 2.5, 1e3, 7},
                                             {1, 1, 1, 1, 1, 1, 1}}) {
    auto mixed = mix(weights, std::vector<int64_t>(weights.size(), 10));
    double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    std::vector<int64_t> drawn(weights.size(), 0);
    for (int64_t k = 0; k < 20000; ++k) {
      MixedDataset::Place place = mixed->place(k);
      ASSERT_LT(place.source, weights.size());
      // None is left out and none comes twice.
      ASSERT_EQ(place.position, drawn[place.source]++) << "draw " << k;
      for (size_t i = 0; i < weights.size(); ++i)
        ASSERT_LT(std::abs(static_cast<double>(drawn[i]) -
                           weights[i] / total * static_cast<double>(k + 1)),
                  static_cast<double>(std::max<size_t>(weights.size(), 2)))
            << "set " << i << " after draw " << k;
    }
  }
}

TEST(MixedDataset, DrawsFarAwayNeedNoCounting) {
  auto mixed = mix({3, 1}, {10, 10});
  int64_t far = int64_t{1} << 50;
  MixedDataset::Place place = mixed->place(far);
  double share = place.source == 0 ? 0.75 : 0.25;
  EXPECT_NEAR(static_cast<double>(place.position),
              share * static_cast<double>(far), 2);
}

TEST(MixedDataset, EachSetHasItsEpochs) {
  auto mixed = mix({2, 1}, {6, 5});
  EXPECT_EQ(mixed->size(), 11);
  EXPECT_EQ(mixed->vocabularySize(), 1005);
  std::vector<int64_t> first, second;
  for (int64_t k = 0; k < 45; ++k) {
    int64_t token = -1, target = -1;
    ASSERT_TRUE(mixed->draw(7, k, &token, &target).ok());
    (token < 1000 ? first : second).push_back(token);
    // Batches are made of the same draws.
    int64_t inBatch[3], targets[3];
    ASSERT_TRUE(fillBatch(*mixed, 7, k / 3, 3, inBatch, targets).ok());
    EXPECT_EQ(inBatch[k % 3], token);
  }
  ASSERT_EQ(first.size(), 30u);
  ASSERT_EQ(second.size(), 15u);
  auto expectEpochs = [](const std::vector<int64_t> &drawn, size_t size) {
    for (size_t begin = 0; begin < drawn.size(); begin += size) {
      std::vector<int64_t> epoch(drawn.begin() + begin,
                                 drawn.begin() + begin + size);
      std::sort(epoch.begin(), epoch.end());
      for (size_t i = 1; i < size; ++i)
        EXPECT_EQ(epoch[i], epoch[0] + static_cast<int64_t>(i));
    }
  };
  expectEpochs(first, 6);
  expectEpochs(second, 5);
  // As a list, one set follows the other.
  for (int64_t i = 0; i < 11; ++i) {
    int64_t token, target;
    ASSERT_TRUE(mixed->sample(i, &token, &target).ok());
    EXPECT_EQ(token, i < 6 ? i : 1000 + i - 6);
  }
}

TEST(MixedDataset, Errors) {
  EXPECT_FALSE(MixedDataset::create({}).ok());
  for (double weight : {0.0, -1.0, double(NAN), HUGE_VAL}) {
    std::vector<MixedDataset::Source> sources;
    sources.push_back({std::make_unique<Numbers>(0, 3), weight});
    EXPECT_FALSE(MixedDataset::create(std::move(sources)).ok()) << weight;
  }
}

} // namespace

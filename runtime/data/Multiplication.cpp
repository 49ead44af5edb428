// Text of worked multiplications, and the split of all pairs into two sets.
#include "runtime/data/Multiplication.h"

#include "runtime/data/Permutation.h"
#include "support/Hash.h"
#include "support/Philox.h"

#include <algorithm>

namespace attnres::runtime {
namespace {

int64_t powerOfTen(int64_t exponent) {
  int64_t power = 1;
  for (; exponent > 0; --exponent)
    power *= 10;
  return power;
}

/// `value` in decimal, filled with zeros to `width` digits.
std::string decimal(int64_t value, int64_t width) {
  std::string digits(static_cast<size_t>(width), '0');
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
    *digit = static_cast<char>('0' + value % 10);
    value /= 10;
  }
  return digits;
}

/// Uniform in [0, range), up to a bias of range / 2^64.
int64_t uniformBelow(int64_t range, uint32_t high, uint32_t low) {
  uint64_t bits = (uint64_t{high} << 32) | low;
  return static_cast<int64_t>(
      (static_cast<unsigned __int128>(bits) * static_cast<uint64_t>(range)) >>
      64);
}

/// A property of the pair alone, so no two data sets disagree about it.
bool isTestPair(int64_t digits, int64_t a, int64_t b) {
  constexpr uint64_t splitSeed = fnv1a64("multiplication split");
  RandomStream random(splitSeed, static_cast<uint64_t>(digits));
  auto pair = static_cast<uint64_t>(a * powerOfTen(digits) + b);
  return random.block(pair)[0] % 16 == 0;
}

} // namespace

namespace multiplication {

std::vector<int64_t> encode(std::string_view text) {
  std::vector<int64_t> tokens;
  for (char c : text) {
    size_t position = characters.find(c);
    tokens.push_back(position == std::string_view::npos
                         ? unknown
                         : 4 + static_cast<int64_t>(position));
  }
  return tokens;
}

std::string decode(const std::vector<int64_t> &tokens) {
  constexpr std::string_view special[] = {"<pad>", "<bos>", "<eos>", "<unk>"};
  std::string text;
  for (int64_t token : tokens) {
    if (token < 0 || token >= vocabularySize)
      text += "<?>";
    else if (token < 4)
      text += special[token];
    else
      text += characters[static_cast<size_t>(token - 4)];
  }
  return text;
}

std::string prompt(int64_t digits, int64_t a, int64_t b) {
  return decimal(a, digits) + '*' + decimal(b, digits) + '=';
}

std::string solution(int64_t digits, int64_t a, int64_t b) {
  std::string text;
  std::vector<int64_t> products;
  for (int64_t i = 0; i < digits; ++i)
    for (int64_t j = 0; j < digits; ++j) {
      int64_t partB = b / powerOfTen(i) % 10 * powerOfTen(i);
      int64_t partA = a / powerOfTen(j) % 10 * powerOfTen(j);
      products.push_back(partA * partB);
      text += 'S' + prompt(digits, partA, partB) +
              decimal(products.back(), 2 * digits);
    }
  int64_t sum = products[0];
  for (size_t k = 1; k < products.size(); ++k) {
    text += 'A' + decimal(sum, 2 * digits) + '+' +
            decimal(products[k], 2 * digits) + '=';
    sum += products[k];
    text += decimal(sum, 2 * digits);
  }
  return text + 'Z' + decimal(sum, 2 * digits);
}

} // namespace multiplication

int64_t multiplication::Samples::length() const {
  int64_t n = digits, steps = n * n;
  int64_t product = 1 + promptLength() + 2 * n; // "S", "a*b=", 2n digits
  int64_t addition = 1 + 2 * n + 1 + 2 * n + 1 + 2 * n;
  return promptLength() + steps * product + (steps - 1) * addition + 1 + 2 * n;
}

Status multiplication::Samples::sample(int64_t index, int64_t *tokens,
                                       int64_t *targets) const {
  Operands operand = operands(index);
  std::vector<int64_t> whole = encode(prompt(digits, operand.a, operand.b) +
                                      solution(digits, operand.a, operand.b));
  whole.push_back(eos);
  std::copy(whole.begin(), whole.end() - 1, tokens);
  std::copy(whole.begin() + 1, whole.end(), targets);
  std::fill_n(targets, promptLength() - 1, ignoredTarget);
  return {};
}

static Status checkDigits(int64_t digits) {
  if (digits >= 1 && digits <= 9)
    return {};
  return invalidArgument("multiplication: ", digits,
                         " digits, expected 1 to 9");
}

Result<MultiplicationDataset>
MultiplicationDataset::create(const Options &options) {
  if (Status status = checkDigits(options.digits); !status.ok())
    return status;
  if (options.size < 1)
    return invalidArgument("multiplication: ", options.size, " samples");
  return MultiplicationDataset(options);
}

multiplication::Operands MultiplicationDataset::operands(int64_t index) const {
  bool test = options.split == Split::Test;
  uint64_t stream =
      fnv1a64(test ? "multiplication test" : "multiplication train");
  int64_t range = powerOfTen(options.digits);
  // Draws until the pair is on the right side of the split.
  for (uint64_t attempt = 0;; ++attempt) {
    PhiloxBlock bits = RandomStream(options.seed, stream + attempt)
                           .block(static_cast<uint64_t>(index));
    multiplication::Operands drawn = {uniformBelow(range, bits[0], bits[1]),
                                      uniformBelow(range, bits[2], bits[3])};
    if (isTestPair(options.digits, drawn.a, drawn.b) == test)
      return drawn;
  }
}

Result<MultiplicationQuestions>
MultiplicationQuestions::create(int64_t digits, int64_t most, uint64_t seed) {
  if (Status status = checkDigits(digits); !status.ok())
    return status;
  if (most < 1)
    return invalidArgument("multiplication: ", most, " questions");
  MultiplicationQuestions questions(digits);
  int64_t range = powerOfTen(digits), numPairs = range * range;
  Permutation order(numPairs, seed, fnv1a64("multiplication questions"));
  int64_t tried = 0;
  for (; tried < numPairs && questions.size() < most; ++tried)
    if (int64_t pair = order(tried);
        isTestPair(digits, pair / range, pair % range))
      questions.pairs.push_back(pair);
  // Whether one is left, unless that takes long to find out.
  constexpr int64_t patience = 2'000'000;
  int64_t end = std::min(numPairs, tried + patience);
  while (tried < end) {
    int64_t pair = order(tried);
    if (isTestPair(digits, pair / range, pair % range))
      break;
    ++tried;
  }
  questions.all = tried == numPairs;
  return questions;
}

multiplication::Operands
MultiplicationQuestions::operands(int64_t index) const {
  int64_t range = powerOfTen(digits), pair = pairs[static_cast<size_t>(index)];
  return {pair / range, pair % range};
}

} // namespace attnres::runtime

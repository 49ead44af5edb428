// Runs a compiled forward pass over samples that are not trained on.
#include "runtime/training/Evaluator.h"

#include <algorithm>
#include <cstring>

namespace attnres::runtime {
namespace {

float toFloat(const float *value) { return *value; }
float toFloat(const uint16_t *bf16) {
  uint32_t bits = uint32_t{*bf16} << 16;
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// The first index of the largest element.
template <typename T>
int64_t argmax(const T *values, int64_t count) {
  int64_t best = 0;
  for (int64_t i = 1; i < count; ++i)
    if (toFloat(values + i) > toFloat(values + best))
      best = i;
  return best;
}

template <typename T>
int64_t countCorrect(const T *logits, const int64_t *targets, int64_t rows,
                     int64_t length, int64_t vocabulary) {
  int64_t correct = 0;
  for (int64_t row = 0; row < rows; ++row) {
    bool right = true;
    for (int64_t i = row * length; i < (row + 1) * length && right; ++i)
      right = targets[i] == ignoredTarget ||
              targets[i] == argmax(logits + i * vocabulary, vocabulary);
    correct += right;
  }
  return correct;
}

bool isDepthWeights(const std::string &name) {
  return name.compare(0, 14, "depth_weights.") == 0;
}

} // namespace

Result<std::unique_ptr<Evaluator>>
Evaluator::create(CpuDevice &device, std::shared_ptr<const Program> program,
                  const std::vector<TensorView> &parameters) {
  std::unique_ptr<Evaluator> evaluator(new Evaluator());
  Result<std::unique_ptr<Executable>> executable =
      Executable::create(device, std::move(program));
  if (!executable.ok())
    return executable.status();
  evaluator->executable = *std::move(executable);
  if (Status status = evaluator->bind(parameters); !status.ok())
    return status;
  return evaluator;
}

Status Evaluator::bind(const std::vector<TensorView> &parameters) {
  const std::vector<Binding> &bindings = executable->program().bindings;
  for (size_t i = 0; i < bindings.size(); ++i) {
    const Binding &binding = bindings[i];
    auto parameter = std::find_if(
        parameters.begin(), parameters.end(),
        [&](const TensorView &view) { return view.name == binding.name; });
    void *data;
    if (binding.direction == Direction::Input && parameter != parameters.end()) {
      data = const_cast<void *>(parameter->data);
      if (parameter->bytes != binding.bytes())
        return invalidArgument("parameter ", inQuotes(binding.name), " has ",
                               parameter->bytes, " bytes, the program expects ",
                               binding.bytes());
    } else {
      Result<AlignedBuffer> buffer =
          AlignedBuffer::allocate(static_cast<size_t>(binding.bytes()));
      if (!buffer.ok())
        return buffer.status();
      data = buffer->data();
      buffers.push_back(*std::move(buffer));
      TensorView view{binding.name, binding.dtype, binding.shape, data,
                      binding.bytes()};
      if (binding.name == "tokens" && binding.dtype == DType::I64 &&
          binding.shape.size() == 2) {
        tokens = static_cast<int64_t *>(data);
        batch = binding.shape[0];
        tokensPerRow = binding.shape[1];
      } else if (binding.name == "targets" && binding.dtype == DType::I64) {
        targets = static_cast<int64_t *>(data);
      } else if (binding.direction == Direction::Input) {
        return invalidArgument("no tensor for the program's input ",
                               inQuotes(binding.name));
      } else if (binding.name == "loss" && binding.dtype == DType::F32) {
        loss = static_cast<const float *>(data);
      } else if (binding.name == "logits") {
        logits = view;
      } else if (isDepthWeights(binding.name)) {
        depthWeights.push_back(view);
      }
    }
    if (Status status =
            executable->bind(static_cast<int64_t>(i), data, binding.bytes());
        !status.ok())
      return status;
  }
  if (!tokens || !targets || !loss)
    return invalidArgument(
        "the program does not compute a loss from tokens and targets");
  return {};
}

Result<std::optional<EvaluationResult>>
Evaluator::run(const Dataset &data, int64_t count,
               const std::function<bool()> &cancelled) {
  count = std::min(count, data.size());
  if (data.length() != tokensPerRow)
    return invalidArgument("the program takes ", tokensPerRow,
                           " tokens, a sample has ", data.length());
  EvaluationResult result;
  meanDepthWeights.clear();
  for (const TensorView &tensor : depthWeights)
    meanDepthWeights.emplace_back(static_cast<size_t>(tensor.shape[0]), 0.0);
  int64_t correct = 0;
  double sum = 0;
  for (int64_t first = 0; first < count; first += batch) {
    if (cancelled())
      return std::optional<EvaluationResult>();
    int64_t rows = std::min(batch, count - first), elements = rows * tokensPerRow;
    std::fill_n(tokens, batch * tokensPerRow, 0);
    std::fill_n(targets, batch * tokensPerRow, ignoredTarget);
    for (int64_t row = 0; row < rows; ++row)
      if (Status status = data.sample(first + row, tokens + row * tokensPerRow,
                                      targets + row * tokensPerRow);
          !status.ok())
        return status;
    if (Status status = executable->run(); !status.ok())
      return status;
    int64_t live =
        elements - std::count(targets, targets + elements, ignoredTarget);
    sum += static_cast<double>(*loss) * static_cast<double>(live);
    result.targets += live;
    result.samples += rows;
    if (logits)
      correct += countCorrectRows(rows);
    addDepthWeights();
  }
  result.loss = sum / static_cast<double>(std::max<int64_t>(result.targets, 1));
  if (logits)
    result.accuracy = static_cast<double>(correct) /
                      static_cast<double>(std::max<int64_t>(count, 1));
  for (std::vector<double> &weights : meanDepthWeights) {
    double total = 0;
    for (double weight : weights)
      total += weight;
    for (double &weight : weights)
      weight /= total > 0 ? total : 1; // the weights of one mixture add up to 1
  }
  result.depthWeights = std::move(meanDepthWeights);
  return std::optional(std::move(result));
}

int64_t Evaluator::countCorrectRows(int64_t rows) const {
  int64_t vocabulary = logits->shape.back();
  if (logits->dtype == DType::F32)
    return countCorrect(static_cast<const float *>(logits->data), targets, rows,
                        tokensPerRow, vocabulary);
  return countCorrect(static_cast<const uint16_t *>(logits->data), targets,
                      rows, tokensPerRow, vocabulary);
}

void Evaluator::addDepthWeights() {
  // Of every row up to its last target: what comes after it is padding.
  std::vector<int64_t> used;
  for (int64_t row = 0; row < batch; ++row) {
    const int64_t *begin = targets + row * tokensPerRow;
    int64_t count = tokensPerRow;
    while (count > 0 && begin[count - 1] == ignoredTarget)
      --count;
    used.push_back(count);
  }
  for (size_t j = 0; j < depthWeights.size(); ++j) {
    auto *data = static_cast<const float *>(depthWeights[j].data);
    std::vector<double> &weights = meanDepthWeights[j];
    int64_t perSource =
        depthWeights[j].bytes / static_cast<int64_t>(sizeof(float)) /
        static_cast<int64_t>(weights.size());
    for (double &weight : weights) {
      if (perSource == batch * tokensPerRow)
        for (int64_t row = 0; row < batch; ++row)
          for (int64_t t = 0; t < used[static_cast<size_t>(row)]; ++t)
            weight += static_cast<double>(data[row * tokensPerRow + t]);
      else // the same for all tokens
        for (int64_t i = 0; i < perSource; ++i)
          weight += static_cast<double>(data[i]);
      data += perSource;
    }
  }
}

} // namespace attnres::runtime

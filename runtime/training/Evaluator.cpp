// Runs a compiled forward pass over samples that are not trained on.
#include "runtime/training/Evaluator.h"

#include "runtime/BFloat16.h"
#include "runtime/data/Documents.h"
#include "support/PipelineNames.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <string_view>

namespace attnres::runtime {
namespace {

float toFloat(const float *value) { return *value; }
float toFloat(const uint16_t *bf16) { return fromBF16(*bf16); }

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

bool startsWith(const std::string &name, std::string_view prefix) {
  return name.compare(0, prefix.size(), prefix) == 0;
}

std::vector<std::vector<double>>
zerosFor(const std::vector<DeviceTensor> &tensors) {
  std::vector<std::vector<double>> sums;
  for (const DeviceTensor &tensor : tensors)
    sums.emplace_back(static_cast<size_t>(tensor.shape[0]), 0.0);
  return sums;
}

} // namespace

Result<std::unique_ptr<Evaluator>>
Evaluator::create(Device &device, std::shared_ptr<const Program> program,
                  const std::vector<DeviceTensor> &parameters) {
  std::unique_ptr<Evaluator> evaluator(new Evaluator(device));
  Result<std::unique_ptr<Executable>> executable =
      device.load(std::move(program));
  if (!executable.ok())
    return executable.status();
  evaluator->executable = *std::move(executable);
  if (Status status = evaluator->bind(parameters); !status.ok())
    return status;
  return evaluator;
}

/// The larger of two; NaN stays.
static double largest(double most, double value) {
  return value > most || std::isnan(value) ? value : most;
}

static std::string nameOfActivation(const DeviceTensor &tensor) {
  return tensor.name.substr(std::string_view(names::activation).size());
}

Status Evaluator::bind(const std::vector<DeviceTensor> &parameters) {
  const std::vector<Binding> &bindings = executable->program().bindings;
  for (size_t i = 0; i < bindings.size(); ++i) {
    const Binding &binding = bindings[i];
    DeviceMemory memory;
    if (binding.role == Role::Parameter) {
      auto parameter = std::find_if(
          parameters.begin(), parameters.end(),
          [&](const DeviceTensor &t) { return t.name == binding.name; });
      if (parameter == parameters.end())
        return invalidArgument("no tensor for the program's input ",
                               inQuotes(binding.name));
      memory = parameter->memory;
      if (memory.bytes != binding.bytes())
        return invalidArgument("parameter ", inQuotes(binding.name), " has ",
                               memory.bytes, " bytes, the program expects ",
                               binding.bytes());
    } else {
      Result<DeviceBuffer> buffer = device.allocate(binding.bytes());
      if (!buffer.ok())
        return buffer.status();
      memory = buffer->memory();
      buffers.push_back(*std::move(buffer));
      memories[binding.name] = memory;
      if (Status status = take(binding, memory); !status.ok())
        return status;
    }
    if (Status status = executable->bind(static_cast<int64_t>(i), memory);
        !status.ok())
      return status;
  }
  bool hasLoss = loss.bytes == int64_t{sizeof(float)} ||
                 isPipelineStage(executable->program());
  if (tokens.empty() || targets.size() != tokens.size() || !hasLoss)
    return invalidArgument(
        "the program does not compute a loss from tokens and targets");
  return {};
}

Status Evaluator::take(const Binding &binding, DeviceMemory memory) {
  auto count = static_cast<size_t>(memory.bytes) / sizeof(int64_t);
  DeviceTensor tensor = {binding.name, binding.dtype, binding.shape, memory};
  if (binding.name == names::tokens && binding.dtype == DType::I64 &&
      binding.shape.size() == 2) {
    tokenMemory = memory;
    tokens.resize(count);
    batch = binding.shape[0];
    tokensPerRow = binding.shape[1];
  } else if (binding.name == names::targets && binding.dtype == DType::I64) {
    targetMemory = memory;
    targets.resize(count);
  } else if (binding.name == names::documents && binding.dtype == DType::I64) {
    documentMemory = memory;
    documents.resize(count);
  } else if (startsWith(binding.name, names::fromPrevious)) {
    return {};
  } else if (binding.direction == Direction::Input) {
    return invalidArgument("no tensor for the program's input ",
                           inQuotes(binding.name));
  } else if (binding.name == names::loss && binding.dtype == DType::F32) {
    loss = memory;
  } else if (binding.name == names::logits) {
    logits = std::move(tensor);
  } else if (startsWith(binding.name, names::activation)) {
    activations.push_back(std::move(tensor));
  } else if (startsWith(binding.name, names::stateNorm)) {
    stateNorms.push_back(std::move(tensor));
  }
  for (Shares &kind : shares)
    if (startsWith(binding.name, kind.prefix))
      kind.tensors.push_back(tensor);
  return {};
}

Result<std::optional<EvaluationResult>>
Evaluator::run(const Dataset &data, int64_t count,
               const std::function<bool()> &cancelled) {
  count = std::min(count, data.size());
  if (data.length() != tokensPerRow)
    return invalidArgument("the program takes ", tokensPerRow,
                           " tokens, a sample has ", data.length());
  bool shares = communicator && !pipeline;
  int64_t ranks = shares ? communicator->size() : 1,
          rank = shares ? communicator->rank() : 0;
  auto batches = static_cast<size_t>((count + batch - 1) / batch);
  std::vector<std::vector<double>> records(batches);
  for (size_t i = 0; i < batches; ++i) {
    auto number = static_cast<int64_t>(i);
    if (number % ranks != rank)
      continue;
    if (cancelled())
      return std::optional<EvaluationResult>();
    Result<std::vector<double>> record = evaluateBatch(
        data, number * batch, std::min(batch, count - number * batch));
    if (!record.ok())
      return record.status();
    records[i] = *std::move(record);
  }
  if (Status status = gatherRecords(records); !status.ok())
    return status;
  std::vector<double> sums(recordSize());
  size_t added = sums.size() - activations.size();
  for (const std::vector<double> &record : records) {
    for (size_t i = 0; i < added; ++i)
      sums[i] += record[i];
    for (size_t i = added; i < sums.size(); ++i)
      sums[i] = largest(sums[i], record[i]);
  }
  EvaluationResult result = toResult(sums, count);
  if (pipeline)
    if (Status status = joinStages(result); !status.ok())
      return status;
  return std::optional(std::move(result));
}

size_t Evaluator::recordSize() const {
  size_t size = 3;
  for (const Shares &kind : shares)
    for (const DeviceTensor &tensor : kind.tensors)
      size += static_cast<size_t>(tensor.shape[0]);
  for (const DeviceTensor &tensor : stateNorms)
    size += static_cast<size_t>(tensor.shape[0]);
  return size + 1 + 2 * activations.size();
}

Result<std::vector<double>>
Evaluator::evaluateBatch(const Dataset &data, int64_t first, int64_t rows) {
  int64_t elements = rows * tokensPerRow;
  std::fill(tokens.begin(), tokens.end(), 0);
  std::fill(targets.begin(), targets.end(), ignoredTarget);
  for (int64_t row = 0; row < rows; ++row)
    if (Status status =
            data.sample(first + row, tokens.data() + row * tokensPerRow,
                        targets.data() + row * tokensPerRow);
        !status.ok())
      return status;
  if (Status status = runBatch(); !status.ok())
    return status;
  float mean = 0;
  if (Status status = device.download(&mean, loss); !status.ok())
    return status;
  auto live = static_cast<double>(
      elements -
      std::count(targets.begin(), targets.begin() + elements, ignoredTarget));
  int64_t correct = 0;
  if (logits) {
    Result<int64_t> right = countCorrectRows(rows);
    if (!right.ok())
      return right.status();
    correct = *right;
  }
  if (Status status = sumShares(); !status.ok())
    return status;
  if (Status status = sumStateNorms(rows); !status.ok())
    return status;
  if (Status status = sumActivations(); !status.ok())
    return status;
  std::vector<double> record = {static_cast<double>(mean) * live, live,
                                static_cast<double>(correct)};
  auto append = [&](const std::vector<std::vector<double>> &lists) {
    for (const std::vector<double> &list : lists)
      record.insert(record.end(), list.begin(), list.end());
  };
  for (const Shares &kind : shares)
    append(kind.sums);
  append(stateNormSums);
  std::vector<int64_t> used = tokensInUse();
  record.push_back(static_cast<double>(
      std::accumulate(used.begin(), used.end(), int64_t{0})));
  for (const ActivationNorm &norm : activationSums)
    record.push_back(norm.mean);
  for (const ActivationNorm &norm : activationSums)
    record.push_back(norm.most);
  return record;
}

Status
Evaluator::gatherRecords(std::vector<std::vector<double>> &records) const {
  if (!communicator || communicator->size() == 1 || pipeline)
    return {};
  auto ranks = static_cast<size_t>(communicator->size());
  size_t size = recordSize();
  std::vector<std::vector<double>> ofRanks(ranks);
  for (size_t i = 0; i < records.size(); ++i)
    if (records[i].empty())
      ofRanks[i % ranks].resize(ofRanks[i % ranks].size() + size);
    else
      ofRanks[i % ranks].insert(ofRanks[i % ranks].end(), records[i].begin(),
                                records[i].end());
  auto self = static_cast<size_t>(communicator->rank());
  std::vector<SentBytes> sent(ranks);
  std::vector<ReceivedBytes> received(ranks);
  auto bytes = [&](size_t r) {
    return static_cast<int64_t>(ofRanks[r].size() * sizeof(double));
  };
  for (size_t r = 0; r < ranks; ++r) {
    if (r == self)
      continue;
    sent[r] = {ofRanks[self].data(), bytes(self)};
    received[r] = {ofRanks[r].data(), bytes(r)};
  }
  if (Status status = communicator->exchange(sent, received); !status.ok())
    return status;
  for (size_t i = 0; i < records.size(); ++i) {
    auto begin = ofRanks[i % ranks].begin() +
                 static_cast<std::ptrdiff_t>(i / ranks * size);
    records[i].assign(begin, begin + static_cast<std::ptrdiff_t>(size));
  }
  return {};
}

EvaluationResult Evaluator::toResult(const std::vector<double> &sums,
                                     int64_t samples) {
  EvaluationResult result;
  result.samples = samples;
  result.targets = static_cast<int64_t>(sums[1]);
  result.loss = sums[0] / std::max(sums[1], 1.0);
  if (logits)
    result.accuracy =
        sums[2] / static_cast<double>(std::max<int64_t>(samples, 1));
  auto next = sums.begin() + 3;
  auto take = [&](const DeviceTensor &tensor) {
    std::vector<double> list(next, next + tensor.shape[0]);
    next += tensor.shape[0];
    return list;
  };
  for (const Shares &kind : shares)
    for (const DeviceTensor &tensor : kind.tensors) {
      std::vector<double> list = take(tensor);
      double total = 0;
      for (double sum : list)
        total += sum;
      for (double &sum : list)
        sum /= total > 0 ? total : 1;
      (result.*kind.result).push_back(std::move(list));
    }
  for (const DeviceTensor &tensor : stateNorms) {
    std::vector<double> list = take(tensor);
    for (double &norm : list)
      norm /= static_cast<double>(std::max<int64_t>(samples, 1));
    result.stateNorms.push_back(std::move(list));
  }
  auto tokensUsed = std::max(*next++, 1.0);
  for (size_t j = 0; j < activations.size(); ++j)
    result.activations.push_back(
        {nameOfActivation(activations[j]),
         next[static_cast<std::ptrdiff_t>(j)] / tokensUsed,
         next[static_cast<std::ptrdiff_t>(j + activations.size())]});
  return result;
}

Status Evaluator::runBatch() {
  if (Status status = device.upload(tokenMemory, tokens.data()); !status.ok())
    return status;
  if (Status status = device.upload(targetMemory, targets.data()); !status.ok())
    return status;
  if (!documents.empty()) {
    if (!documentToken)
      return invalidArgument("no token is known to begin a text");
    findDocuments(tokens.data(), batch, tokensPerRow, *documentToken,
                  documents.data());
    if (Status status = device.upload(documentMemory, documents.data());
        !status.ok())
      return status;
  }
  if (pipeline)
    return pipeline->runForward([this] { return executable->run(); });
  return executable->run();
}

Result<std::optional<std::string>>
Evaluator::firstBadActivation(const int64_t *batchTokens,
                              const int64_t *batchTargets) {
  std::copy_n(batchTokens, tokens.size(), tokens.begin());
  std::copy_n(batchTargets, targets.size(), targets.begin());
  if (Status status = runBatch(); !status.ok())
    return status;
  if (Status status = sumActivations(); !status.ok())
    return status;
  std::string found;
  for (const ActivationNorm &norm : activationSums)
    if (found.empty() && !std::isfinite(norm.most))
      found = norm.name;
  if (pipeline) { // the first stage that has one
    Result<std::vector<std::string>> all = communicator->allGather(found);
    if (!all.ok())
      return all.status();
    for (size_t r = all->size(); r-- > 0;)
      if (!(*all)[r].empty())
        found = concat((*all)[r], ", on rank ", r);
  }
  return found.empty() ? std::optional<std::string>() : found;
}

Status Evaluator::shareStages(Communicator &ranks) {
  communicator = &ranks;
  Result<std::unique_ptr<Pipeline>> connected =
      Pipeline::connect(ranks, device, executable->program(), {memories});
  if (!connected.ok())
    return connected.status();
  pipeline = *std::move(connected);
  return {};
}

Status Evaluator::joinStages(EvaluationResult &result) const {
  auto lists = [](EvaluationResult &of) {
    return std::array{&of.depthWeights, &of.routerLoad, &of.decay,
                      &of.stateNorms};
  };
  // Of each kind the number of lists, of each list its length and numbers;
  // then activations.
  std::string own;
  auto write = [&](const auto &value) {
    own.append(reinterpret_cast<const char *>(&value), sizeof value);
  };
  for (const auto *kind : lists(result)) {
    write(kind->size());
    for (const std::vector<double> &list : *kind) {
      write(list.size());
      for (double value : list)
        write(value);
    }
  }
  write(result.activations.size());
  for (const ActivationNorm &norm : result.activations) {
    write(norm.name.size());
    own += norm.name;
    write(norm.mean);
    write(norm.most);
  }
  write(result.loss);
  write(result.accuracy.value_or(-1));
  Result<std::vector<std::string>> all = communicator->allGather(own);
  if (!all.ok())
    return all.status();

  for (auto *kind : lists(result))
    kind->clear();
  result.activations.clear();
  for (const std::string &text : *all) {
    size_t at = 0;
    auto read = [&](auto &value) {
      std::memcpy(&value, text.data() + at, sizeof value);
      at += sizeof value;
    };
    auto readSize = [&] {
      size_t size = 0;
      read(size);
      return size;
    };
    for (auto *kind : lists(result))
      for (size_t count = readSize(); count > 0; --count) {
        std::vector<double> &list = kind->emplace_back(readSize());
        for (double &value : list)
          read(value);
      }
    for (size_t count = readSize(); count > 0; --count) {
      ActivationNorm &norm = result.activations.emplace_back();
      size_t length = readSize();
      norm.name = text.substr(at, length);
      at += length;
      read(norm.mean);
      read(norm.most);
    }
    // Those of the last stage stay.
    double accuracy = -1;
    read(result.loss);
    read(accuracy);
    result.accuracy.reset();
    if (accuracy >= 0)
      result.accuracy = accuracy;
  }
  return {};
}

void EvaluationResult::add(const EvaluationResult &other) {
  auto mean = [](double a, int64_t countOfA, double b, int64_t countOfB) {
    auto wa = static_cast<double>(countOfA), wb = static_cast<double>(countOfB);
    return wa + wb > 0 ? (wa * a + wb * b) / (wa + wb) : 0;
  };
  loss = mean(loss, targets, other.loss, other.targets);
  if (accuracy && other.accuracy)
    accuracy = mean(*accuracy, samples, *other.accuracy, other.samples);
  auto average = [&](std::vector<std::vector<double>> EvaluationResult::*rows,
                     int64_t count, int64_t countOfOther) {
    for (size_t j = 0; j < (this->*rows).size(); ++j)
      for (size_t s = 0; s < (this->*rows)[j].size(); ++s)
        (this->*rows)[j][s] =
            mean((this->*rows)[j][s], count, (other.*rows)[j][s], countOfOther);
  };
  for (auto rows : {&EvaluationResult::depthWeights,
                    &EvaluationResult::routerLoad, &EvaluationResult::decay})
    average(rows, targets, other.targets);
  average(&EvaluationResult::stateNorms, samples, other.samples);
  for (size_t j = 0; j < activations.size(); ++j) {
    const ActivationNorm &norm = other.activations[j];
    activations[j].mean =
        mean(activations[j].mean, targets, norm.mean, other.targets);
    if (norm.most > activations[j].most || std::isnan(norm.most))
      activations[j].most = norm.most;
  }
  samples += other.samples;
  targets += other.targets;
  sets.insert(sets.end(), other.sets.begin(), other.sets.end());
  setAccuracies.insert(setAccuracies.end(), other.setAccuracies.begin(),
                       other.setAccuracies.end());
}

Result<std::optional<EvaluationResult>>
Evaluator::run(const std::vector<EvaluationSet> &several, int64_t count,
               const std::function<bool()> &cancelled) {
  std::optional<EvaluationResult> all;
  for (const EvaluationSet &set : several) {
    auto result = run(*set.data, count, cancelled);
    if (!result.ok() || !*result)
      return result;
    if (!set.name.empty())
      (*result)->sets = {{set.name, (*result)->loss}};
    if (!set.name.empty() && (*result)->accuracy)
      (*result)->setAccuracies = {{set.name, *(*result)->accuracy}};
    if (all)
      all->add(**result);
    else
      all = **std::move(result);
  }
  return all;
}

Result<int64_t> Evaluator::countCorrectRows(int64_t rows) const {
  Result<HostMapping> values = device.map(logits->memory, Access::Read);
  if (!values.ok())
    return values.status();
  int64_t vocabulary = logits->shape.back();
  if (logits->dtype == DType::F32)
    return countCorrect(values->as<const float>(), targets.data(), rows,
                        tokensPerRow, vocabulary);
  return countCorrect(values->as<const uint16_t>(), targets.data(), rows,
                      tokensPerRow, vocabulary);
}

std::vector<int64_t> Evaluator::tokensInUse() const {
  std::vector<int64_t> used;
  for (int64_t row = 0; row < batch; ++row) {
    const int64_t *begin = targets.data() + row * tokensPerRow;
    int64_t count = tokensPerRow;
    while (count > 0 && begin[count - 1] == ignoredTarget)
      --count;
    used.push_back(count);
  }
  return used;
}

Status Evaluator::sumActivations() {
  std::vector<int64_t> used = tokensInUse();
  activationSums.clear();
  for (const DeviceTensor &tensor : activations) {
    Result<HostMapping> mapping = device.map(tensor.memory, Access::Read);
    if (!mapping.ok())
      return mapping.status();
    const auto *data = mapping->as<const float>();
    ActivationNorm norm = {nameOfActivation(tensor)};
    for (int64_t row = 0; row < batch; ++row)
      for (int64_t t = 0; t < used[static_cast<size_t>(row)]; ++t) {
        auto value = static_cast<double>(data[row * tokensPerRow + t]);
        norm.mean += value;
        norm.most = largest(norm.most, value);
      }
    activationSums.push_back(std::move(norm));
  }
  return {};
}

Status Evaluator::sumShares() {
  std::vector<int64_t> used = tokensInUse();
  for (Shares &kind : shares) {
    kind.sums = zerosFor(kind.tensors);
    for (size_t j = 0; j < kind.tensors.size(); ++j) {
      DeviceMemory memory = kind.tensors[j].memory;
      Result<HostMapping> mapping = device.map(memory, Access::Read);
      if (!mapping.ok())
        return mapping.status();
      const auto *data = mapping->as<const float>();
      std::vector<double> &sums = kind.sums[j];
      int64_t perPart = memory.bytes / static_cast<int64_t>(sizeof(float)) /
                        static_cast<int64_t>(sums.size());
      for (double &sum : sums) {
        if (perPart == batch * tokensPerRow)
          for (int64_t row = 0; row < batch; ++row)
            for (int64_t t = 0; t < used[static_cast<size_t>(row)]; ++t)
              sum += static_cast<double>(data[row * tokensPerRow + t]);
        else // the same for all tokens
          for (int64_t i = 0; i < perPart; ++i)
            sum += static_cast<double>(data[i]);
        data += perPart;
      }
    }
  }
  return {};
}

Status Evaluator::sumStateNorms(int64_t rows) {
  stateNormSums = zerosFor(stateNorms);
  for (size_t j = 0; j < stateNorms.size(); ++j) {
    Result<HostMapping> mapping =
        device.map(stateNorms[j].memory, Access::Read);
    if (!mapping.ok())
      return mapping.status();
    const auto *data = mapping->as<const float>();
    for (double &sum : stateNormSums[j]) {
      for (int64_t row = 0; row < rows; ++row)
        sum += static_cast<double>(data[row]);
      data += batch;
    }
  }
  return {};
}

} // namespace attnres::runtime

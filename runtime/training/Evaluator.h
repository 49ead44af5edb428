// Runs a compiled forward pass over samples that are not trained on.
#ifndef ATTNRES_RUNTIME_TRAINING_EVALUATOR_H
#define ATTNRES_RUNTIME_TRAINING_EVALUATOR_H

#include "runtime/data/Dataset.h"
#include "runtime/device/Device.h"
#include "runtime/distributed/Communicator.h"
#include "runtime/distributed/Pipeline.h"
#include "runtime/training/ActivationNorm.h"
#include "support/BindingNames.h"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace attnres::runtime {

struct EvaluationResult {
  double loss = 0; ///< mean over all live targets
  int64_t samples = 0;
  int64_t targets = 0; ///< that count in the loss
  /// Share of the samples in which the largest logit is right at every live
  /// target: exactly those that greedy generation gets right to the end.
  /// Absent when the program returns no logits.
  std::optional<double> accuracy;
  /// For every depth mixture in order, the mean weight of each of its sources
  /// over the tokens up to each sample's last target.
  std::vector<std::vector<double>> depthWeights;
  /// For every router in order, the share of all choices that each expert is.
  std::vector<std::vector<double>> routerLoad;
  /// For every recurrence in order, the shares of channels whose decay keeps up
  /// to a tenth of the state, from there up to two tenths, and so on.
  std::vector<std::vector<double>> decay;
  /// For every recurrence the mean norm of each head's state behind a sample.
  std::vector<std::vector<double>> stateNorms;
  /// The root mean square of what tokens have at places of the model, in order.
  std::vector<ActivationNorm> activations;
  /// The loss with the moving means of the parameters, where there are some.
  std::optional<double> meanLoss;
  /// The loss of each set by name, where sets have names.
  std::vector<std::pair<std::string, double>> sets;
  /// Likewise the accuracy, where there is one.
  std::vector<std::pair<std::string, double>> setAccuracies;

  /// Makes this the result of these samples and those of `other`.
  void add(const EvaluationResult &other);
};

/// Data and what it is called, "" where nobody asks.
struct EvaluationSet {
  std::string name;
  const Dataset *data;
};

class Evaluator {
public:
  /// The program's inputs are tokens and targets, i64 [B, T], perhaps
  /// documents like them, and parameters;
  /// its outputs loss, and if there are any, logits [B, T, V] (f32 or bf16),
  /// and in f32 depth_weights.N, router_load.N and decay.N, [n, B, T] or [n, 1,
  /// 1], and state_norm.N [n, B]. Parameters are not copied: their memory and
  /// the device must outlive the result.
  static Result<std::unique_ptr<Evaluator>>
  create(Device &device, std::shared_ptr<const Program> program,
         const std::vector<DeviceTensor> &parameters);

  /// The token that begins a text, of a program with documents.
  void setDocumentToken(int64_t token) { documentToken = token; }

  /// From now on the result has no accuracy: samples are no questions, though
  /// the program has logits.
  void ignoreAnswers() { logits.reset(); }

  int64_t batchSize() const { return batch; }
  int64_t length() const { return tokensPerRow; }

  /// From now on the ranks, which all call run() alike, share the batches. The
  /// result is the same on each, and what one alone computes.
  void share(Communicator &ranks) { communicator = &ranks; }
  /// The same where the program is one stage of several, and the rank of its
  /// number has this evaluator: batches pass from stage to stage.
  Status shareStages(Communicator &ranks);

  /// Evaluates samples [0, count) of `data`, at most all of them. Asks
  /// `cancelled` before every batch, and returns nothing when it says so.
  Result<std::optional<EvaluationResult>> run(
      const Dataset &data, int64_t count,
      const std::function<bool()> &cancelled = [] { return false; });

  /// The same of several sets, `count` samples of each, as one result.
  Result<std::optional<EvaluationResult>> run(
      const std::vector<EvaluationSet> &sets, int64_t count,
      const std::function<bool()> &cancelled = [] { return false; });

  /// The first place of the model where tokens, [batchSize, length], have
  /// something that is not finite; nothing without activations or where all is
  /// finite.
  Result<std::optional<std::string>>
  firstBadActivation(const int64_t *batchTokens, const int64_t *batchTargets);

private:
  explicit Evaluator(Device &device) : device(device) {}

  Status bind(const std::vector<DeviceTensor> &parameters);
  /// Remembers what the tensor is, which is no parameter.
  Status take(const Binding &binding, DeviceMemory memory);
  /// What one batch says, as numbers of which those of all batches are added:
  /// loss times targets, targets, right samples, and what was recorded; of the
  /// last ones, one for each activation, the largest counts.
  Result<std::vector<double>> evaluateBatch(const Dataset &data, int64_t first,
                                            int64_t rows);
  size_t recordSize() const;
  /// Makes the records of all batches those of all ranks.
  Status gatherRecords(std::vector<std::vector<double>> &records) const;
  /// Makes what the stages know of a result, each of its part of the model, one
  /// result on all of them.
  Status joinStages(EvaluationResult &result) const;
  EvaluationResult toResult(const std::vector<double> &sums, int64_t samples);
  Result<int64_t> countCorrectRows(int64_t rows) const;
  /// Uploads tokens, targets and documents, and runs.
  Status runBatch();
  /// Sets the sums of what was recorded of one batch of `rows` samples.
  Status sumShares();
  Status sumStateNorms(int64_t rows);
  Status sumActivations();
  /// The tokens of every row up to its last target: what comes after it is
  /// padding.
  std::vector<int64_t> tokensInUse() const;

  Device &device;
  Communicator *communicator = nullptr;
  std::unique_ptr<Pipeline> pipeline; ///< of a stage
  Pipeline::Memories memories;        ///< of what is no parameter
  std::unique_ptr<Executable> executable;
  std::vector<DeviceBuffer> buffers;
  std::vector<int64_t> tokens, targets, documents; ///< of one batch
  DeviceMemory tokenMemory, targetMemory, documentMemory, loss;
  std::optional<int64_t> documentToken;
  std::optional<DeviceTensor> logits;
  /// Tensors [n, ...] of which the n parts add up to 1 for each token, and the
  /// sums over tokens.
  struct Shares {
    const char *prefix;
    std::vector<std::vector<double>> EvaluationResult::*result;
    std::vector<DeviceTensor> tensors;
    std::vector<std::vector<double>> sums;
  };
  std::array<Shares, 3> shares{
      Shares{names::depthWeights, &EvaluationResult::depthWeights, {}, {}},
      Shares{names::routerLoad, &EvaluationResult::routerLoad, {}, {}},
      Shares{names::decay, &EvaluationResult::decay, {}, {}}};
  std::vector<DeviceTensor> stateNorms;
  std::vector<std::vector<double>> stateNormSums;
  std::vector<DeviceTensor> activations;
  std::vector<ActivationNorm> activationSums;
  int64_t batch = 0, tokensPerRow = 0;
};

} // namespace attnres::runtime
#endif

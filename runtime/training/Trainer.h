// Runs compiled training steps on parameters and optimizer state that it owns.
#ifndef ATTNRES_RUNTIME_TRAINING_TRAINER_H
#define ATTNRES_RUNTIME_TRAINING_TRAINER_H

#include "runtime/CpuDevice.h"
#include "runtime/Safetensors.h"
#include "runtime/training/Profile.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace attnres::runtime {

/// What trains a model. `gradients` alone is a whole step on one batch:
///
///   inputs   NAME, m.NAME, v.NAME (f32, for every parameter; all updated in
///            place), tokens and targets (i64 [B, T]), step, learning_rate
///   outputs  loss, grad_norm, grad_squares.NAME
///
/// With `update`, a step is several runs of `gradients`, which then adds to
/// sum.NAME the gradients of loss_weight times its loss, and one of `update`,
/// which reads the sums and does the rest.
struct TrainingPrograms {
  std::shared_ptr<const Program> gradients;
  std::shared_ptr<const Program> update; ///< may be null
};

struct StepResult {
  double loss = 0; ///< mean over the live targets of the whole batch
  /// Of all gradients together, before clipping.
  double gradientNorm = 0;
  /// What is not finite, in one line; empty in a good step. Then nothing was
  /// updated.
  std::string failure;
};

class Trainer {
public:
  /// Parameters and moments start at zero. The device must outlive the trainer.
  static Result<std::unique_ptr<Trainer>> create(CpuDevice &device,
                                                 TrainingPrograms programs);

  int64_t batchSize() const { return batch; } ///< rows of one run
  int64_t length() const { return tokensPerRow; }

  /// The memory of the trainer, in the order of the program's inputs. Moments
  /// are named m.NAME and v.NAME.
  const std::vector<TensorView> &parameters() const { return parameters_; }
  const std::vector<TensorView> &moments() const { return moments_; }
  /// The memory of one of those tensors; null when there is none.
  float *find(const std::string &name);

  /// One update by a batch of `parts` * batchSize() rows; more than one part
  /// needs an update program. `step` counts from 1.
  Result<StepResult> step(int64_t step, double learningRate, int64_t parts,
                          const int64_t *tokens, const int64_t *targets);

  /// From now on adds the launches of every step to `profile`; null: no more.
  void setProfile(Profile *newProfile) { profile = newProfile; }

  /// The norm of the gradient of every parameter in the last step, before
  /// clipping, in the order of parameters().
  std::vector<double> gradientNorms() const;

private:
  Trainer() = default;

  /// Gives every input and output of the program memory, shared by name.
  Status bind(Executable &executable);
  Status findTensors();
  Result<StepResult> stepWhole(const int64_t *tokens, const int64_t *targets);
  Result<StepResult> stepParts(int64_t parts, const int64_t *tokens,
                               const int64_t *targets);
  float &scalar(const std::string &name);
  void copyBatch(const int64_t *tokens, const int64_t *targets);
  /// Runs launches [begin, end) of a program.
  Status run(Executable &executable, int64_t begin, int64_t end);
  /// Names what is not finite.
  std::string describeFailure(double loss) const;

  TrainingPrograms programs;
  std::unique_ptr<Executable> gradients, update;
  /// Launches of the last program before the first that updates anything.
  int64_t launchesBeforeUpdate = 0;
  std::map<std::string, AlignedBuffer> buffers;
  std::vector<TensorView> parameters_, moments_, sums, squares;
  int64_t batch = 0, tokensPerRow = 0;
  Profile *profile = nullptr;
};

} // namespace attnres::runtime
#endif

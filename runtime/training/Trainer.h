// Runs compiled training steps on parameters and optimizer state that it owns,
// in the memory of a device.
#ifndef ATTNRES_RUNTIME_TRAINING_TRAINER_H
#define ATTNRES_RUNTIME_TRAINING_TRAINER_H

#include "runtime/device/Device.h"
#include "runtime/distributed/GradientReduction.h"
#include "runtime/distributed/Pipeline.h"
#include "runtime/training/Profile.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace attnres::runtime {

/// What trains a model. `gradients` alone is a whole step on one batch:
///
///   inputs   parameters and their moments (f32, by their roles; those that
///            are learned are updated in place), tokens and targets (i64
///            [B, T]), step, learning_rate; if it has them, documents and
///            random
///   outputs  loss; by their roles the norm and the squares of the gradients
///
/// With `update`, a step is several runs of `gradients`, which then adds to
/// the sums the gradients of loss_weight times its loss, and one of `update`,
/// which reads the sums and does the rest. Tensors of one name are one tensor.
struct TrainingPrograms {
  std::shared_ptr<const Program> gradients;
  std::shared_ptr<const Program> update; ///< may be null
};

struct StepResult {
  double loss = 0; ///< mean over the live targets of the whole batch
  /// Of all gradients together, before clipping.
  double gradientNorm = 0;
  /// Of several ranks: the first signal that had asked one of them to end.
  int signal = 0;
  /// What is not finite, in one line; empty in a good step. Then nothing was
  /// updated.
  std::string failure;
};

class Trainer {
public:
  /// Parameters and moments start at zero. The device must outlive the trainer.
  static Result<std::unique_ptr<Trainer>> create(Device &device,
                                                 TrainingPrograms programs);

  int64_t batchSize() const { return batch; } ///< rows of one run
  int64_t length() const { return tokensPerRow; }

  Device &device() const { return device_; }

  /// The memory of the trainer, in the order of the program's inputs.
  const std::vector<DeviceTensor> &parameters() const { return parameters_; }
  const std::vector<DeviceTensor> &moments() const { return moments_; }

  /// One update by a batch of `parts` * batchSize() rows; more than one part
  /// needs an update program. `step` counts from 1.
  Result<StepResult> step(int64_t step, double learningRate, int64_t parts,
                          const int64_t *tokens, const int64_t *targets);

  /// From now on a step is one of all ranks together: its `parts` are the
  /// leaves of SumTree.h, of which each rank computes some and gives step()
  /// those alone, and each updates the parameters that it owns. Results do not
  /// depend on how many ranks there are. Needs an update program, a device
  /// whose memory the host shares, and no more ranks than parts.
  Status share(Communicator &ranks, int64_t parts);
  /// The same where `gradients` is one stage of several, and the rank of its
  /// number has this trainer: each rank computes its stage of every part, takes
  /// all rows of a step, and owns the parameters whose gradients it computes.
  /// Parameters and moments of others have no memory until something writes
  /// them.
  Status shareStages(Communicator &ranks, int64_t parts);
  /// Whether it is one stage of several.
  bool isStage() const { return isPipelineStage(gradients->program()); }
  /// Whether the parameter or moment of that name has to be here before the
  /// first step: all have to but those of other stages.
  bool needs(const DeviceTensor &tensor) const {
    return ofOthers.count(tensor.name) == 0;
  }
  Communicator *ranks() const { return ranks_; }
  /// The parts of a step that this rank computes: [first, last).
  std::pair<int64_t, int64_t> ownParts(int64_t parts) const;
  /// Waits for the parameters that other ranks have updated in the last step. A
  /// step waits for each where it first reads it; all others of this process
  /// have to wait before they look at parameters or talk to the ranks.
  Status settle();
  /// Makes moments() of rank 0 those of all owners, and of stages parameters()
  /// too; every rank calls it.
  Status gatherState();
  /// Of stages, makes parameters() of rank 0 those of all owners.
  Status gatherParameters();
  /// Gives back the memory of the moments that others own, and of a stage that
  /// of the parameters that only others read.
  void releaseState();
  /// The token that begins a text, of a program with documents.
  void setDocumentToken(int64_t token) { documentToken = token; }
  /// Of the random numbers of a program that has some.
  void setSeed(uint64_t number) { seed = number; }

  /// From now on adds the launches of every step to `profile`; null: no more.
  void setProfile(Profile *newProfile) { profile = newProfile; }

  /// The norm of the gradient of every parameter in the last step, before
  /// clipping, in the order of parameters(); 0 of those without.
  Result<std::vector<double>> gradientNorms() const;

private:
  explicit Trainer(Device &device) : device_(device) {}

  /// Gives every input and output of the program memory, shared by name.
  Status bind(Executable &executable);
  Status findTensors();
  Status checkTensors() const;
  Result<StepResult> stepWhole(int64_t step, const int64_t *tokens,
                               const int64_t *targets);
  Result<StepResult> stepParts(int64_t step, int64_t parts,
                               const int64_t *tokens, const int64_t *targets);
  Result<StepResult> stepShared(int64_t step, const int64_t *tokens,
                                const int64_t *targets);
  /// The parts of a step on this rank; sets their losses.
  Status runParts(int64_t step, const int64_t *tokens, const int64_t *targets,
                  const std::vector<double> &live, std::vector<double> &losses);
  Status runStageOfParts(int64_t step, const int64_t *tokens,
                         const int64_t *targets,
                         const std::vector<double> &live,
                         std::vector<double> &losses);
  /// Memory for parts that are on their way at the same time.
  Status addSlots(int64_t count);
  Result<std::vector<ReducedGradient>> findGradients();
  void findOthers();
  Status findStages();
  /// `number` as for uploadBatch().
  Result<double> runPart(int64_t number, const int64_t *tokens,
                         const int64_t *targets, double weight, bool isLast);
  Status findShares(const Program &program);
  void findFirstUses();
  Status runGradients(int64_t begin, int64_t end);
  Status gatherLeaves(std::vector<double> &values) const;
  void scaleOwnSums(float factor);
  Result<std::string> nameBadRank(const std::vector<double> &losses);
  /// Runs what this rank has to of launches [begin, end) of the update.
  Status runOwned(int64_t begin, int64_t end);
  Status runUpdate(Executable &last);
  Status setScalar(const std::string &name, double value, size_t slot = 0);
  Result<double> scalar(DeviceMemory memory) const;
  /// `number` counts the runs of `gradients` from 0.
  Status uploadBatch(int64_t number, const int64_t *tokens,
                     const int64_t *targets, size_t slot = 0);
  /// The memory of a tensor in a slot; null without one.
  const DeviceMemory *find(const std::string &name, size_t slot) const;
  /// Runs launches [begin, end) of a program.
  Status run(Executable &executable, int64_t begin, int64_t end);
  /// The end of a step whose gradients are known: updates unless they are bad.
  Result<StepResult> finish(Executable &last, StepResult result);
  Result<bool> isFinite(const DeviceTensor &tensor) const;
  /// Names what is not finite.
  Result<std::string> describeFailure(double loss) const;

  Device &device_;
  TrainingPrograms programs;
  std::unique_ptr<Executable> gradients, update;
  /// Launches of the last program before the first that updates anything.
  int64_t launchesBeforeUpdate = 0;
  std::map<std::string, DeviceBuffer> buffers;
  Pipeline::Memories memories_; ///< of `buffers`
  std::vector<DeviceTensor> parameters_, moments_, sums;
  std::vector<std::optional<DeviceTensor>> squares; ///< as parameters_
  DeviceMemory loss, norm;

  // Of a step of several ranks; one entry for each gradient sum.
  Communicator *ranks_ = nullptr;
  std::unique_ptr<GradientReduction> reduction;
  int64_t leaves = 0;
  std::vector<OwnedBytes> sharedParameters, sharedSquares, sharedFirst,
      sharedSecond;
  /// Parameters in the order in which launches of `gradients` first read them.
  std::vector<ReductionBucket> gatherGroups;
  std::vector<int64_t> firstUses; ///< of each group
  size_t groupsAwaited = 0;
  std::vector<bool> isOwnLaunch;  ///< of the update program
  int64_t launchesBeforeNorm = 0; ///< those of squares

  // Of a stage.
  std::unique_ptr<Pipeline> pipeline;
  /// A program with memory of its own for everything but what is learned. Slot
  /// 0 is `gradients` with `buffers`; these are the others.
  struct Slot {
    std::unique_ptr<Executable> executable;
    std::vector<DeviceBuffer> buffers;
    Pipeline::Memories memories;
  };
  std::vector<Slot> moreSlots;
  /// Names of the parameters and moments that other stages have alone.
  std::set<std::string> ofOthers;
  std::vector<int> homes; ///< the stage that computes each gradient
  /// Of each gradient, the stages that read its parameter; and those that do
  /// besides its own.
  std::vector<std::vector<bool>> readers, otherReaders;

  int64_t batch = 0, tokensPerRow = 0;
  std::optional<int64_t> documentToken;
  uint64_t seed = 0;
  Profile *profile = nullptr;
};

} // namespace attnres::runtime
#endif

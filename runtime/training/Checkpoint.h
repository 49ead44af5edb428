// Folders that hold a training run at one step.
//
//   RUN/checkpoints/step-00000100/
//     config.json            the model (or model.mlir)
//     model.safetensors      parameters
//     optimizer.safetensors  m.NAME and v.NAME, as the optimizer has them
//     ema.safetensors        moving means of the parameters, if a run has them
//     trainer.json           step, and what else a run needs to go on
//
// A folder is written under another name, flushed to disk, and renamed, so one
// of these names is complete or absent, whenever the writer dies.
#ifndef ATTNRES_RUNTIME_TRAINING_CHECKPOINT_H
#define ATTNRES_RUNTIME_TRAINING_CHECKPOINT_H

#include "runtime/Safetensors.h"
#include "support/Status.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace attnres::runtime {

/// What a checkpoint holds, borrowed from who trains.
struct CheckpointContent {
  /// Further files by name, e.g. config.json and trainer.json.
  std::map<std::string, std::string> files;
  std::vector<TensorView> parameters;
  std::vector<TensorView> moments;
  std::vector<TensorView> means; ///< of the parameters; none: no file of them
};

/// RUN/checkpoints, and RUN/best, a link to one of them.
class CheckpointFolder {
public:
  explicit CheckpointFolder(const std::string &run)
      : run(run), path(run + "/checkpoints") {}

  /// Folder names such as "step-00000100" from the earliest step on.
  std::vector<std::string> list() const;
  /// The path of the last one; empty when there is none.
  std::string latest() const;
  /// The path of the one of `step`; empty when there is none.
  std::string find(int64_t step) const;

  /// Writes the checkpoint of `step`, replacing one that exists, and returns
  /// its path.
  Result<std::string> save(int64_t step, const CheckpointContent &content);
  /// Makes RUN/best stand for the checkpoint of `step`, which exists.
  Status setBest(int64_t step);
  /// Removes all but the last `keep` (at least 1) checkpoints, that of step
  /// `best`, and those that somebody holds: they go with a later call.
  void prune(int64_t keep, int64_t best = -1);
  /// Removes what writers that were killed left behind.
  void removeUnfinished();

private:
  std::string run, path;
};

/// Whether the file holds exactly these tensors, by name, shape and type,
/// stacks taken apart; their memory is not looked at. `path` names the file in
/// messages, `stranger` says what a tensor is that is not among them.
Status checkTensors(const SafetensorsFile &file, const std::string &path,
                    const std::vector<TensorView> &tensors,
                    std::string_view stranger);

/// Copies every tensor of the file into the memory of the view of its name, or
/// those alone that are wanted, if there is an entry for each of `tensors`. The
/// file has to hold exactly these tensors.
Status loadTensors(const std::string &path,
                   const std::vector<TensorView> &tensors,
                   const std::vector<bool> &wanted = {});

/// `path` itself, or the latest checkpoint if it is the folder of a run.
std::string resolveCheckpoint(const std::string &path);

/// What resolveCheckpoint() finds, kept from being pruned while this object
/// lives, so that its files can be opened one after the other also when the
/// run goes on. A folder of another kind is held in vain, which does no harm.
class HeldCheckpoint {
public:
  static HeldCheckpoint open(const std::string &path);

  HeldCheckpoint(HeldCheckpoint &&other) noexcept;
  HeldCheckpoint &operator=(HeldCheckpoint &&other) noexcept;
  ~HeldCheckpoint();

  const std::string &path() const { return folder; }

private:
  HeldCheckpoint(std::string folder, int fd)
      : folder(std::move(folder)), fd(fd) {}

  std::string folder;
  int fd; ///< of the folder, with a shared lock
};

/// RUN for RUN and for RUN/checkpoints/step-N, if RUN/run.json exists; empty
/// for other folders.
std::string runOfCheckpoint(const std::string &path);

} // namespace attnres::runtime
#endif

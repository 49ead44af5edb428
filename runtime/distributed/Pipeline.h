// A model whose stages are ranks: what they pass on to each other, and in which
// order a stage computes the parts of a batch.
#ifndef ATTNRES_RUNTIME_DISTRIBUTED_PIPELINE_H
#define ATTNRES_RUNTIME_DISTRIBUTED_PIPELINE_H

#include "runtime/device/Device.h"
#include "runtime/distributed/Communicator.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace attnres::runtime {

/// Whether the program is one stage of several, as attnres-cut-pipeline makes
/// them.
bool isPipelineStage(const Program &program);
/// Of each binding, whether some launch reads or writes it: a stage has those
/// of the whole model.
std::vector<bool> usedBindings(const Program &program);

/// What happens to the parts of a batch, of which several are on their way at a
/// time, each in a slot of its own.
enum class PipelineStep { Forward, Backward };

/// One stage, which is the rank of that number.
class Pipeline {
public:
  /// Tensors of a program by name.
  using Memories = std::map<std::string, DeviceMemory>;

  /// What the stage's program receives and sends lies, for each slot, in memory
  /// that the host shares and that outlives the result. All ranks call it
  /// alike; fails when two neighbours do not agree on what crosses.
  static Result<std::unique_ptr<Pipeline>>
  connect(Communicator &ranks, Device &device, const Program &program,
          const std::vector<Memories> &slots);

  /// How many parts are on their way in a stage at most, of `parts` in a batch:
  /// the last stage has one, each before it one more.
  static int64_t slotsOf(int rank, int size, int64_t parts);

  bool isFirst() const { return ranks.rank() == 0; }
  bool isLast() const { return ranks.rank() == ranks.size() - 1; }

  /// A batch of `parts` parts, one forward, one backward: a stage runs ahead
  /// with as many forward passes as there are stages behind it, and from then
  /// on does one backward pass behind every forward pass. Parts end in their
  /// order. `compute` is told the part and its slot.
  Status run(int64_t parts,
             const std::function<Status(PipelineStep, int64_t part,
                                        int64_t slot)> &compute);

  /// A forward pass alone, in slot 0.
  Status runForward(const std::function<Status()> &compute);

  /// Bytes of a part that cross the cut to the next stage, and back.
  int64_t bytesToNext() const { return bytesOf(toNext); }
  int64_t bytesToPrevious() const { return bytesOf(toPrevious); }

private:
  Pipeline(Communicator &ranks) : ranks(ranks) {}

  /// Tensors in their order, for each slot.
  struct Range {
    void *data;
    int64_t bytes;
  };
  using Port = std::vector<std::vector<Range>>;

  Status findPorts(Device &device, const Program &program,
                   const std::vector<Memories> &slots);
  static int64_t bytesOf(const Port &port);
  /// Sends what `out` has in one slot and waits for what belongs into a slot of
  /// `in`; negative slots: nothing.
  Status exchange(const Port &out, int to, int64_t outSlot, const Port &in,
                  int from, int64_t inSlot);

  Communicator &ranks;
  int64_t numSlots = 1;
  Port fromPrevious, toNext, fromNext, toPrevious;
  std::vector<char> outgoing, incoming;
};

} // namespace attnres::runtime
#endif

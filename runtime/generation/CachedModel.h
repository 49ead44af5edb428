// Compiled programs that continue texts, with the keys and values they keep.
#ifndef ATTNRES_RUNTIME_GENERATION_CACHEDMODEL_H
#define ATTNRES_RUNTIME_GENERATION_CACHEDMODEL_H

#include "runtime/device/Device.h"
#include "runtime/generation/Generate.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace attnres::runtime {

/// The tensor of a parameter, f32 or in the type that programs keep it in, or
/// null; it has to live as long as the call that it is given to.
using ParameterSource =
    std::function<const TensorView *(const std::string &name)>;

enum class ParameterMemory {
  Copied,
  /// Tensors of the type that programs keep them in are read where they are, if
  /// the device can borrow them, and have to outlive the model; others are
  /// copied.
  Borrowed,
};

/// How many tokens, at most `most`, a program should read at once where the
/// longest prompt has `longest`. Prompts that take several calls are cut
/// evenly, since the last one is padded, but in multiples of 64, so that those
/// of many lengths share a program.
int64_t chunkLength(int64_t longest, int64_t most);

/// Two programs of one model: `prefill` reads C tokens of each text at once,
/// `decode` one. Both have the inputs tokens i64 [B, C] and start i64 [B], the
/// position of each text's first token; programs of several tokens also `last`
/// i64 [B], which of each text's C tokens is the one whose logits are returned.
/// They return logits [B, V] and update caches [B, capacity, ...] in place; the
/// roles of the other inputs are parameter and cache. models/ModelBuilder.h
/// says the same in detail.
class CachedModel final : public TextModel {
public:
  /// Fails when the programs do not fit each other, or a parameter is missing
  /// or has another shape. The device has to outlive the model.
  static Result<std::unique_ptr<CachedModel>>
  create(Device &device, std::shared_ptr<const Program> prefill,
         std::shared_ptr<const Program> decode,
         const ParameterSource &parameters,
         ParameterMemory memory = ParameterMemory::Copied);

  /// Goes on with what was read, in the larger caches of another `decode`
  /// program of the same model; prompts are then read by it too, one token at a
  /// time. After an error the model cannot be used.
  Status enlarge(std::shared_ptr<const Program> decode);

  int64_t batch() const override { return texts; }
  int64_t capacity() const override { return positions; }
  int64_t vocabularySize() const override { return vocabulary; }
  /// Tokens of each text that are read at once, C.
  int64_t chunk() const { return prefill.tokensPerCall; }

  /// In chunks of C tokens, the shorter prompts padded.
  Status read(const std::vector<std::vector<int64_t>> &prompts,
              float *logits) override;
  Status readNext(const int64_t *tokens, const int64_t *positions,
                  float *logits) override;

  /// Bytes of all parameters, borrowed ones too, and of the caches.
  int64_t parameterBytes() const { return bytesOfParameters; }
  int64_t cacheBytes() const { return bytesOfCaches; }

  /// For tests: fills all memory that a call does not read with NaNs first.
  bool poison = false;

private:
  /// One program and the memory that it shares with no other.
  struct Part {
    std::unique_ptr<Executable> executable;
    int64_t tokensPerCall = 0;
    /// An input on the host and on the device.
    struct Input {
      std::vector<int64_t> values;
      DeviceBuffer memory;
    };
    Input tokens, start, last;
    DeviceBuffer logits;
    DType logitsType = DType::F32;
  };

  explicit CachedModel(Device &device) : device(device) {}
  Status prepare(Part &part, std::shared_ptr<const Program> program,
                 const std::string &name);
  Status allocateShared(const Program &program,
                        const ParameterSource &parameters,
                        ParameterMemory kind);
  Status enlargeCaches(const Program &program);
  Status bindShared(Part &part, const std::string &name);
  Status run(Part &part);
  /// Rows of the part's logits as f32, those that `isWanted` says, to the same
  /// rows of `logits`.
  Status copyLogits(const Part &part, const std::vector<bool> &isWanted,
                    float *logits) const;

  /// A parameter or cache that both programs use.
  struct Shared {
    Binding binding;
    DeviceBuffer owned; ///< none when it is borrowed
    DeviceMemory memory;
  };

  Device &device;

  int64_t texts = 0, positions = 0, vocabulary = 0;
  int64_t bytesOfParameters = 0, bytesOfCaches = 0;
  Part prefill, decode;
  std::vector<Shared> shared;
};

} // namespace attnres::runtime
#endif

// Compiled programs that continue texts, with what they keep of them.
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

/// How many positions a model needs to read a prompt of `longest` tokens in
/// calls of `chunk` tokens alone.
int64_t positionsFor(int64_t longest, int64_t chunk);

/// Two programs of one model: `prefill` reads C tokens of each text at once,
/// `decode` one. Both have the inputs tokens i64 [B, C]; start i64 [B], the
/// position of each text's first token; and length i64 [B], how many of its C
/// tokens are real. Programs of several tokens also have `last` i64 [B], which
/// of each text's tokens is the one whose logits are returned.
///
/// They return logits [B, V] and update what they keep of the texts in place:
/// caches [B, capacity, ...], with a row for each position, and states [B,
/// ...], zero before the first token. Tokens that are not real change none of
/// it, and no token is read twice. The roles of the other inputs are parameter,
/// cache and state. models/ModelBuilder.h says the same in detail.
class CachedModel final : public TextModel {
public:
  /// Fails when the programs do not fit each other, or a parameter is missing
  /// or has another shape. The device has to outlive the model.
  static Result<std::unique_ptr<CachedModel>>
  create(Device &device, std::shared_ptr<const Program> prefill,
         std::shared_ptr<const Program> decode,
         const ParameterSource &parameters,
         ParameterMemory memory = ParameterMemory::Copied);

  /// Goes on with what was read in another `decode` program of the same model,
  /// with larger caches; prompts are then read by it too, one token at a time.
  /// After an error the model cannot be used.
  Status enlarge(std::shared_ptr<const Program> decode);

  int64_t batch() const override { return texts; }
  int64_t capacity() const override { return positions; }
  int64_t vocabularySize() const override { return vocabulary; }
  /// Tokens of each text that are read at once, C.
  int64_t chunk() const { return prefill.tokensPerCall; }

  /// In chunks of C tokens, the shorter prompts padded; where the caches have
  /// no room for the padding, one token at a time.
  Status read(const std::vector<std::vector<int64_t>> &prompts,
              float *logits) override;
  /// A text without recurrent state may also go back to an earlier position.
  Status readNext(const int64_t *tokens, const int64_t *positions,
                  float *logits) override;

  /// Makes text `place` what text 0 of `from` is, a model of the same
  /// parameters whose texts are not longer than there is room for here.
  Status copyText(int64_t place, const CachedModel &from);
  /// Tokens read of a text.
  int64_t length(int64_t text) const {
    return lengths[static_cast<size_t>(text)];
  }
  /// The parameters where they are, for other models of the same device to
  /// borrow.
  std::vector<TensorView> parameters() const;

  /// Bytes of all parameters, borrowed ones too.
  int64_t parameterBytes() const { return bytesOfParameters; }

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
    Input tokens, start, length, last;
    DeviceBuffer logits;
    DType logitsType = DType::F32;

    /// Text `b` goes on by tokens[0, count), of which there are at most
    /// tokensPerCall, at the position `at`.
    void setText(int64_t b, const int64_t *tokens, int64_t count, int64_t at);
  };

  explicit CachedModel(Device &device) : device(device) {}
  Status prepare(Part &part, std::shared_ptr<const Program> program,
                 const std::string &name);
  Status allocateShared(const Program &program,
                        const ParameterSource &parameters,
                        ParameterMemory kind);
  /// Whether the tensor has a value for each text and, if it is a cache, `most`
  /// positions, unless that is 0.
  Status expectState(const Binding &binding, int64_t most) const;
  Status enlargeState(const Program &program);
  Status bindShared(Part &part, const std::string &name);
  Status run(Part &part);
  /// Runs the part on tokens [begin, begin + C) of each prompt, as far as it
  /// has them, and stores the logits of the prompts that end there.
  Status readChunk(Part &part, const std::vector<std::vector<int64_t>> &prompts,
                   int64_t begin, float *logits);
  /// Rows of the part's logits as f32, those that `isWanted` says, to the same
  /// rows of `logits`.
  Status copyLogits(const Part &part, const std::vector<bool> &isWanted,
                    float *logits) const;

  /// What both programs use: a parameter, a cache or a state.
  struct Shared {
    Binding binding;
    DeviceBuffer owned; ///< none when it is borrowed
    DeviceMemory memory;
  };

  Device &device;

  int64_t texts = 0, positions = 0, vocabulary = 0;
  int64_t bytesOfParameters = 0;
  bool hasRecurrentState = false;
  Part prefill, decode;
  std::vector<Shared> shared;
  std::vector<int64_t> lengths; ///< tokens read of each text
};

} // namespace attnres::runtime
#endif

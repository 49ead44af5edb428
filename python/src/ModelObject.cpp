// A model in a folder as Python sees it: its parameters where they are mapped,
// its tokenizer, and texts that it continues.
#include "python/src/ModelObject.h"

#include "python/src/Errors.h"
#include "python/src/SharedDevice.h"
#include "runtime/generation/CachedModel.h"
#include "tools/compile/ProgramCache.h"
#include "tools/run/ModelFiles.h"
#include "tools/run/ModelTokenizer.h"
#include "tools/run/Options.h"
#include "tools/run/RunRecord.h"
#include "tools/run/TextStream.h"
#include "tools/run/TrainSettings.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>

namespace nb = nanobind;

namespace attnres::python {
namespace {

using Tokens = std::vector<int64_t>;

/// What generate() is asked for.
struct GenerationRequest {
  runtime::GenerationOptions options;
  std::vector<std::string> stops;
  bool stopAtEnd = true;
};

class ModelObject {
public:
  ModelObject(const std::string &path, bool mean, std::string tokenizer);

  const std::string &folder() const { return files.directory; }
  std::string config() const { return files.config.toJson(); }
  const CompileOptions &compilation() const { return options; }
  nb::dict parameters(nb::handle self) const;

  Tokens encode(const std::string &text) {
    return unwrap(reader().encode(text));
  }
  nb::bytes decode(const Tokens &tokens) {
    std::string text = reader().decode(tokens);
    return nb::bytes(text.data(), text.size());
  }
  std::optional<int64_t> endToken() { return reader().endToken(); }

  /// (text as bytes or None, tokens, why it ended) of each prompt.
  nb::list generate(const std::vector<Tokens> &prompts,
                    GenerationRequest request, bool withText,
                    const nb::object &onToken);

private:
  const runtime::Tokenizer &reader();
  std::shared_ptr<const runtime::Program> compile(int64_t batch, int64_t tokens,
                                                  int64_t capacity) const;
  void prepare(const std::shared_ptr<SharedDevice> &current,
               const std::vector<Tokens> &prompts, int64_t newTokens);

  run::ModelFiles files;
  CompileOptions options;
  std::string tokenizerFolder;
  std::unique_ptr<runtime::Tokenizer> tokenizer;
  // What continues texts, kept for the next ones.
  std::mutex use;
  std::shared_ptr<SharedDevice> device;
  std::unique_ptr<runtime::CachedModel> cached;
};

ModelObject::ModelObject(const std::string &path, bool mean,
                         std::string tokenizer)
    : files(python::unwrap(run::ModelFiles::open(path, mean))),
      tokenizerFolder(std::move(tokenizer)) {
  // As a command line that says nothing.
  CLI::App nothing;
  run::addDType(nothing, options);
  run::addStages(nothing, options);
  if (auto record =
          python::unwrap(run::RunRecord::ofCheckpoint(files.directory)))
    check(run::compileAsRun(record->settings, record->where, nothing, options));
}

nb::dict ModelObject::parameters(nb::handle self) const {
  nb::dict result;
  for (const runtime::TensorView &tensor : files.parameters.tensors()) {
    std::vector<size_t> shape(tensor.shape.begin(), tensor.shape.end());
    const void *data = tensor.data;
    nb::object owner = nb::borrow(self);
    if (reinterpret_cast<uintptr_t>(data) % alignof(float) != 0) {
      std::unique_ptr<char[]> copy(new char[static_cast<size_t>(tensor.bytes)]);
      std::memcpy(copy.get(), data, static_cast<size_t>(tensor.bytes));
      data = copy.get();
      owner = nb::capsule(copy.release(), [](void *memory) noexcept {
        delete[] static_cast<char *>(memory);
      });
    }
    result[tensor.name.c_str()] = nb::cast(nb::ndarray<nb::numpy, const float>(
        const_cast<void *>(data), shape.size(), shape.data(), owner));
  }
  return result;
}

const runtime::Tokenizer &ModelObject::reader() {
  if (!tokenizer)
    tokenizer = run::openModelTokenizer(files, tokenizerFolder);
  return *tokenizer;
}

std::shared_ptr<const runtime::Program>
ModelObject::compile(int64_t batch, int64_t tokens, int64_t capacity) const {
  CompileOptions sized = options;
  sized.batch = batch;
  sized.seqLen = tokens;
  sized.capacity = capacity;
  sized.isCancelled = isInterrupted;
  return std::make_shared<const runtime::Program>(
      unwrap(ProgramCache::standard().get(files.config.toJson(), sized, [&] {
        return compileModel(files.config, sized);
      })));
}

/// The least power of two that is at least `count`.
int64_t roundedUp(int64_t count) {
  int64_t power = 64;
  while (power < count)
    power *= 2;
  return power;
}

/// Programs are for one number of texts and of positions. Rounded up, these
/// serve many prompts.
void ModelObject::prepare(const std::shared_ptr<SharedDevice> &current,
                          const std::vector<Tokens> &prompts,
                          int64_t newTokens) {
  constexpr int64_t atOnce = 1024;
  int64_t longest = 1, batch = static_cast<int64_t>(prompts.size());
  for (const Tokens &prompt : prompts)
    longest = std::max(longest, static_cast<int64_t>(prompt.size()));
  int64_t needed = longest + newTokens;
  if (cached && device == current && cached->batch() == batch &&
      cached->capacity() >= needed)
    return;
  cached.reset();
  device = current;
  int64_t chunk = runtime::chunkLength(longest, atOnce);
  int64_t capacity =
      roundedUp(std::max(needed, runtime::positionsFor(longest, chunk)));
  auto decode = compile(batch, 1, capacity);
  auto prefill = chunk == 1 ? decode : compile(batch, chunk, capacity);
  cached = unwrap(runtime::CachedModel::create(
      device->device, prefill, decode,
      [&](const std::string &name) { return files.parameters.find(name); },
      runtime::ParameterMemory::Borrowed));
}

nb::list ModelObject::generate(const std::vector<Tokens> &prompts,
                               GenerationRequest request, bool withText,
                               const nb::object &onToken) {
  if (prompts.empty())
    throw Failure(invalidArgument("expected a prompt, got none"));
  for (size_t i = 0; i < prompts.size(); ++i)
    if (prompts[i].empty())
      throw Failure(invalidArgument("prompt ", i + 1, " is empty"));
  check(request.options.sampling.validate());
  if (request.options.maxNewTokens < 0)
    throw Failure(invalidArgument("expected at least 0 new tokens, got ",
                                  request.options.maxNewTokens));
  runtime::GenerationOptions generation = request.options;
  std::optional<run::TextStream> texts;
  if (withText) {
    const runtime::Tokenizer &known = reader();
    if (request.stopAtEnd)
      generation.endToken = known.endToken();
    generation.vocabulary = known.vocabularySize();
    texts.emplace(known, prompts, request.stops, /*prints=*/false);
  }
  // Python may stop everything: by a signal, or by an exception of the
  // observer.
  bool isStopped = false;
  runtime::GenerationObserver observer;
  if (texts)
    observer = texts->observer();
  auto told = observer.grew;
  observer.grew = [&](int64_t row, int64_t token) {
    if (told)
      told(row, token);
    if (isStopped || isInterrupted()) {
      isStopped = true;
      return;
    }
    if (onToken.is_none())
      return;
    nb::gil_scoped_acquire lock;
    PyObject *result =
        PyObject_CallFunction(onToken.ptr(), "LL", static_cast<long long>(row),
                              static_cast<long long>(token));
    isStopped = !result;
    Py_XDECREF(result);
  };
  auto cuts = texts ? texts->ends() : std::function<bool(int64_t, int64_t)>();
  generation.ends = [&](int64_t row, int64_t token) {
    return isStopped || (cuts && cuts(row, token));
  };
  std::shared_ptr<SharedDevice> current = currentDevice();
  Result<std::vector<runtime::Continuation>> grown = Status();
  {
    nb::gil_scoped_release unlocked;
    RunningHere once;
    std::lock_guard<std::mutex> ours(use);
    std::lock_guard<std::mutex> running(current->running);
    prepare(current, prompts, generation.maxNewTokens);
    grown = runtime::generate(*cached, prompts, generation, observer);
  }
  rethrowInterrupt();
  nb::list result;
  std::vector<runtime::Continuation> continuations = unwrap(std::move(grown));
  for (size_t i = 0; i < prompts.size(); ++i) {
    nb::object text = nb::none();
    if (texts)
      text = nb::bytes(texts->text(i).data(), texts->text(i).size());
    std::string_view reason = runtime::toString(continuations[i].reason);
    result.append(nb::make_tuple(text, nb::cast(continuations[i].tokens),
                                 nb::str(reason.data(), reason.size())));
  }
  return result;
}

} // namespace

void addModel(nb::module_ &module) {
  nb::class_<GenerationRequest> request(
      module, "GenerationOptions", "What attnres.Model.generate() asks for.");
  request.def(nb::init<>())
      .def_rw("stops", &GenerationRequest::stops)
      .def_rw("stop_at_end", &GenerationRequest::stopAtEnd);
  auto option = [&](const char *name, auto get) {
    using Value =
        std::decay_t<decltype(get(std::declval<GenerationRequest &>()))>;
    request.def_prop_rw(
        name, [get](GenerationRequest &self) -> Value { return get(self); },
        [get](GenerationRequest &self, Value value) { get(self) = value; });
  };
  option("max_new_tokens", [](GenerationRequest &r) -> int64_t & {
    return r.options.maxNewTokens;
  });
  option("temperature", [](GenerationRequest &r) -> double & {
    return r.options.sampling.temperature;
  });
  option("top_k", [](GenerationRequest &r) -> int64_t & {
    return r.options.sampling.topK;
  });
  option("top_p", [](GenerationRequest &r) -> double & {
    return r.options.sampling.topP;
  });
  option("min_p", [](GenerationRequest &r) -> double & {
    return r.options.sampling.minP;
  });
  option("repetition_penalty", [](GenerationRequest &r) -> double & {
    return r.options.sampling.repetitionPenalty;
  });
  option("seed", [](GenerationRequest &r) -> uint64_t & {
    return r.options.sampling.seed;
  });

  nb::class_<ModelObject>(module, "ModelFiles",
                          "A model in a folder; attnres.Model uses it.")
      .def(nb::init<const std::string &, bool, std::string>(), nb::arg("path"),
           nb::arg("ema") = false, nb::arg("tokenizer") = "")
      .def_prop_ro("folder", &ModelObject::folder)
      .def_prop_ro("config", &ModelObject::config)
      .def_prop_ro("dtype",
                   [](const ModelObject &self) {
                     return self.compilation().bf16 ? "bfloat16" : "float32";
                   })
      .def_prop_ro("depth_schedule",
                   [](const ModelObject &self) {
                     bool naive = self.compilation().stages.schedule ==
                                  DepthSchedule::Naive;
                     return naive ? "naive" : "two-phase";
                   })
      .def_prop_ro("attention",
                   [](const ModelObject &self) {
                     bool naive = self.compilation().stages.attention ==
                                  AttentionForm::Naive;
                     return naive ? "naive" : "flash";
                   })
      .def(
          "parameters",
          [](nb::handle self) {
            return nb::cast<const ModelObject &>(self).parameters(self);
          },
          nb::sig("def parameters(self) -> dict[str, "
                  "numpy.typing.NDArray[numpy.float32]]"))
      .def("encode", &ModelObject::encode, nb::arg("text"))
      .def("decode", &ModelObject::decode, nb::arg("tokens"))
      .def_prop_ro("end_token", &ModelObject::endToken)
      .def(
          "generate", &ModelObject::generate, nb::arg("prompts"),
          nb::arg("options"), nb::arg("with_text"),
          nb::arg("on_token") = nb::none(),
          nb::sig("def generate(self, prompts: collections.abc.Sequence["
                  "collections.abc.Sequence[int]], options: GenerationOptions, "
                  "with_text: bool, on_token: collections.abc.Callable[[int, "
                  "int], object] | None = None) -> list[tuple[bytes | None, "
                  "list[int], str]]"));
}

} // namespace attnres::python

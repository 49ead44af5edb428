//===- Run.cpp - one module through one pipeline --------------------------===//
//
// What holds after every pass: the module is valid; a failure has an error, a
// success has none; errors name a line; what the program computes is what it
// computed; a gradient is what differences of the loss give.
//
//===----------------------------------------------------------------------===//
#include "tools/fuzz/Run.h"

#include "tools/RegisterAll.h"
#include "tools/fuzz/Generator.h"
#include "tools/fuzz/Meaning.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::fuzz;

namespace {

/// `message` without the numbers, types and names that differ from module to
/// module.
std::string normalized(StringRef message) {
  std::string text;
  int nested = 0;
  for (char c : message.take_front(400)) {
    if (c == '<' && !text.empty() && (isalnum(text.back()) || nested))
      ++nested;
    if (nested == 0 && c == '\n')
      break;
    if (nested == 0 && !(isdigit(c) && !text.empty() && text.back() == '#'))
      text += isdigit(c) ? '#' : c;
    if (c == '>' && nested > 0)
      --nested;
  }
  return text;
}

/// The errors of a run.
struct Errors {
  int64_t count = 0;
  std::string first;
  bool verifying = false;
  std::string invalid;
};

class Checker : public PassInstrumentation {
public:
  Checker(Report &report, Errors &errors, std::unique_ptr<Meaning> meaning)
      : report(report), errors(errors), meaning(std::move(meaning)) {}

  void runBeforePass(Pass *pass, Operation *op) override {
    errorsBefore.push_back(errors.count);
    if (pass->getArgument().empty())
      return;
    if (auto module = dyn_cast<ModuleOp>(op);
        module && meaning && pass->getArgument() == "attnres-differentiate")
      meaning->beforeGradients(module);
    report.setPhase(pass->getArgument());
    report.counts.add(("pass " + pass->getArgument()).str());
  }

  void runAfterPass(Pass *pass, Operation *op) override {
    // Passes on functions go on to the next one where one failed.
    bool isLoud = errors.count > errorsBefore.pop_back_val();
    auto module = dyn_cast<ModuleOp>(op);
    if (pass->getArgument().empty() && !module)
      return;
    if (isLoud)
      report.fail(FindingKind::LoudSuccess, errors.first);
    errors.verifying = true;
    if (failed(verify(op)))
      report.fail(FindingKind::InvalidIr, errors.invalid);
    errors.verifying = false;
    if (!meaning || !module)
      return;
    report.counts.add("meanings compared");
    report.setPhase(("interpret after " + pass->getArgument()).str());
    if (pass->getArgument() == "attnres-differentiate") {
      report.counts.add("gradients compared");
      if (auto message = meaning->compareGradients(module))
        report.fail(FindingKind::WrongGradient, *message);
    }
    if (auto message = meaning->compare(module))
      report.fail(FindingKind::OtherMeaning, *message);
    report.setPhase("pass manager");
  }

  void runAfterPassFailed(Pass *pass, Operation *) override {
    errorsBefore.pop_back();
    if (!pass->getArgument().empty())
      report.counts.add(("error " + pass->getArgument()).str());
  }

private:
  Report &report;
  Errors &errors;
  /// How many there were before each pass that is running.
  SmallVector<int64_t> errorsBefore;
  std::unique_ptr<Meaning> meaning;
};

std::string printed(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text;
}

} // namespace

Runner::Runner(std::vector<std::string> corpus) : corpus(std::move(corpus)) {
  attnres::registerAllDialects(registry);
  attnres::registerAllPasses();
  loaded =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  loaded->loadAllAvailableDialects();
  for (const std::string &text : this->corpus)
    corpusHashes.push_back(llvm::xxh3_64bits(text));
}

/// The one whose hash with the seed is largest, so that another module in the
/// corpus changes the cases of few seeds.
StringRef Runner::fromCorpus(uint64_t seed) const {
  size_t chosen = 0;
  uint64_t largest = 0;
  for (size_t i = 0; i < corpus.size(); ++i) {
    uint64_t words[] = {corpusHashes[i], seed};
    uint64_t hash = llvm::xxh3_64bits(
        ArrayRef(reinterpret_cast<const uint8_t *>(words), sizeof(words)));
    if (hash >= largest) {
      largest = hash;
      chosen = i;
    }
  }
  return corpus[chosen];
}

Case Runner::generate(uint64_t seed, Report &report) {
  report.setPhase("generate");
  report.setText("");
  report.setPipeline("");
  fuzz::Random random(seed);
  OwningOpRef<ModuleOp> module;
  if (!corpus.empty() && random.chance(30)) {
    ScopedDiagnosticHandler silence(loaded.get(),
                                    [](Diagnostic &) { return success(); });
    module = parseSourceString<ModuleOp>(fromCorpus(seed), loaded.get());
  }
  bool mutated = module || random.chance(35);
  if (!module) {
    GeneratorOptions options;
    options.computable = random.chance(40);
    options.maxSteps = random.pick({2, 4, 8, 12});
    options.count = [&](StringRef name, bool accepted) {
      report.counts.add(((accepted ? "op " : "refused ") + name).str());
    };
    module = fuzz::generate(loaded.get(), random.bits() >> 16, options);
  }
  if (mutated) {
    report.setPhase("mutate");
    report.setText(printed(*module));
    fuzz::mutate(module, random);
  }
  Case made;
  made.text = printed(*module);
  made.pipeline = randomPipeline(random);
  made.seed = seed;
  return made;
}

Runner::Outcome Runner::runOnce(const Case &theCase, Report &report,
                                bool check) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  Errors errors;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
      return success();
    if (errors.verifying) {
      errors.invalid = diagnostic.str();
      return success();
    }
    if (errors.count++ == 0)
      errors.first = diagnostic.str();
    report.counts.add("message " + normalized(diagnostic.str()));
    if (isa<UnknownLoc>(diagnostic.getLocation()))
      report.fail(FindingKind::NoLocation, diagnostic.str());
    return success();
  });

  report.setPhase("parse");
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(theCase.text, &context, "module.mlir");
  if (!module)
    report.fail(FindingKind::NoRoundTrip, errors.first);
  PassManager passes(&context, ModuleOp::getOperationName());
  passes.enableVerifier(false); // the checker does it
  if (failed(parsePassPipeline(toString(theCase.pipeline), passes,
                               llvm::nulls()))) {
    report.counts.add("pipelines refused");
    return {};
  }
  if (check) {
    report.setPhase("interpret");
    passes.addInstrumentation(std::make_unique<Checker>(
        report, errors, std::make_unique<Meaning>(*module, theCase.seed)));
  }
  Outcome outcome;
  outcome.succeeded = succeeded(passes.run(*module));
  if (!outcome.succeeded && errors.count == 0)
    report.fail(FindingKind::SilentFailure, "fails without an error");
  if (outcome.succeeded)
    outcome.printed = printed(*module);
  report.counts.add(outcome.succeeded ? "pipelines that succeed"
                                      : "pipelines that end with an error");
  return outcome;
}

void Runner::run(const Case &theCase, Report &report) {
  report.setText(theCase.text);
  report.setPipeline(toString(theCase.pipeline));
  Outcome outcome = runOnce(theCase, report, /*check=*/true);
  if (!outcome.succeeded || theCase.seed % 8 != 0)
    return;
  Outcome again = runOnce(theCase, report, /*check=*/false);
  if (again.printed != outcome.printed)
    report.fail(FindingKind::OtherEachTime,
                "the same pipeline on the same module gives another module");
}

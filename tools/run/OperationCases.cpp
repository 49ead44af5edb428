#include "tools/run/OperationCases.h"

#include <cmath>
#include <fmt/format.h>

using namespace attnres::run;

namespace {

std::string argument(size_t index, const std::string &type) {
  return fmt::format("%a{}: {} {{attnres.name = \"a{}\", attnres.role = "
                     "#attnres.role<input>}}",
                     index, type, index);
}

/// @main of one operation: `operation` names its operands %a0, %a1, ...; the
/// function returns results 0 .. results.size() - 1. With `updates`, result i
/// is written to argument updates[i], or nowhere else if that is negative.
std::string module(const std::vector<std::string> &arguments,
                   const std::string &operation,
                   const std::vector<std::string> &results,
                   const std::vector<int> &updates = {}) {
  std::string list, types, values;
  for (size_t i = 0; i < arguments.size(); ++i)
    list += (i ? ", " : "") + argument(i, arguments[i]);
  std::string named;
  for (size_t i = 0; i < results.size(); ++i) {
    std::string update =
        updates.empty() || updates[i] < 0
            ? ""
            : fmt::format(", attnres.updates = {} : i64", updates[i]);
    named += fmt::format("{}{} {{attnres.name = \"r{}\"{}}}", i ? ", " : "",
                         results[i], i, update);
    types += (i ? ", " : "") + results[i];
    values += fmt::format("{}%r#{}", i ? ", " : "", i);
  }
  return fmt::format(
      "func.func @main({}) -> ({}) {{\n  %r:{} = {}\n  return {} "
      ": {}\n}}\n",
      list, named, results.size(), operation, values, types);
}

std::string tensor(const Shape &shape, const std::string &element) {
  return fmt::format("tensor<{}x{}>", fmt::join(shape, "x"), element);
}

/// Numbers below `count`.
InputRange below(int64_t count) { return {0, static_cast<double>(count)}; }

/// What is read once for each token that is generated is as large as this, by
/// the number of texts: more than caches hold.
constexpr int64_t kDecodedBytes = 128 << 20;

std::vector<OperationCase> matmulCases(const Shape &shape,
                                       const std::string &dtype) {
  int64_t m = shape[0], k = shape[1], n = shape[2];
  std::string x = tensor({m, k}, dtype), y = tensor({m, n}, dtype);
  std::string w = tensor({n, k}, dtype), gradient = tensor({n, k}, "f32");
  return {{fmt::format("linear {}x{} to {}", m, k, n),
           module({x, w},
                  fmt::format("\"attnres.linear\"(%a0, %a1) : ({}, {}) -> {}",
                              x, w, y),
                  {y}),
           Bound::Products},
          {fmt::format("its weight gradient, {}x{}", n, k),
           module({y, x},
                  fmt::format("\"attnres.matmul\"(%a0, %a1) "
                              "{{transpose_lhs}} : ({}, {}) -> {}",
                              y, x, gradient),
                  {gradient}),
           Bound::Products}};
}

std::vector<OperationCase> attentionCases(const Shape &shape,
                                          const std::string &dtype) {
  int64_t batch = shape[0], tokens = shape[1], heads = shape[2];
  std::string q = tensor(shape, dtype),
              lse = tensor({batch, tokens, heads}, "f32");
  std::string label =
      fmt::format("B{} T{} H{} D{} causal", batch, tokens, heads, shape[3]);
  return {
      {"attention " + label,
       module({q, q, q},
              fmt::format("\"attnres.attention\"(%a0, %a1, %a2) {{causal}} : "
                          "({0}, {0}, {0}) -> ({0}, {1})",
                          q, lse),
              {q, lse}),
       Bound::Arithmetic},
      {"its backward " + label,
       module({q, q, q, q, lse, q},
              fmt::format("\"attnres.attention_backward\"(%a0, %a1, %a2, %a3, "
                          "%a4, %a5) {{causal}} : ({0}, {0}, {0}, {0}, {1}, "
                          "{0}) -> ({0}, {0}, {0})",
                          q, lse),
              {q, q, q}),
       Bound::Arithmetic}};
}

std::vector<OperationCase> depthCases(const Shape &shape,
                                      const std::string &dtype) {
  int64_t sources = shape[0], rows = shape[1], width = shape[2];
  std::string v = tensor({rows, width}, dtype), w = tensor({width}, "f32"),
              lse = tensor({rows}, "f32");
  std::vector<std::string> arguments{w, w};
  std::string operands = "%a0, %a1", types = w + ", " + w, grads;
  for (int64_t i = 0; i < sources; ++i) {
    arguments.push_back(v);
    operands += fmt::format(", %a{}", i + 2);
    types += ", " + v;
    grads += v + ", ";
  }
  std::string label = fmt::format("{} sources {}x{}", sources, rows, width);
  OperationCase forward{
      "depth attention " + label,
      module(arguments,
             fmt::format("\"attnres.depth_attention\"({}) <{{eps = 1.0e-8 : "
                         "f64, operandSegmentSizes = array<i32: 1, 1, {}>}}> "
                         ": ({}) -> ({}, {})",
                         operands, sources, types, v, lse),
             {v, lse}),
      Bound::Copying};
  arguments.push_back(lse);
  arguments.push_back(v);
  std::vector<std::string> results(sources, v);
  results.push_back(w);
  results.push_back(w);
  OperationCase backward{
      "its backward " + label,
      module(arguments,
             fmt::format(
                 "\"attnres.depth_attention_backward\"({}, %a{}, %a{}) <{{eps "
                 "= 1.0e-8 : f64, operandSegmentSizes = array<i32: 1, 1, {}, "
                 "1, 1, 0, 0>}}> : ({}, {}, {}) -> ({}{}, {})",
                 operands, sources + 2, sources + 3, sources, types, lse, v,
                 grads, w, w),
             results),
      Bound::Copying};
  return {forward, backward};
}

std::vector<OperationCase> normCases(const Shape &shape,
                                     const std::string &dtype) {
  std::string x = tensor(shape, dtype), g = tensor({shape[1]}, "f32");
  std::string label = fmt::format("{}x{}", shape[0], shape[1]);
  return {{"RMSNorm " + label,
           module({x, g},
                  fmt::format("attnres.rms_norm %a0, %a1 {{eps = 1.0e-6 : f64}}"
                              " : {}, {}",
                              x, g),
                  {x}),
           Bound::Copying},
          {"its backward " + label,
           module({x, g, x},
                  fmt::format("attnres.rms_norm_backward %a0, %a1, %a2 {{eps = "
                              "1.0e-6 : f64}} : {}, {}, {}",
                              x, g, x),
                  {x, g}),
           Bound::Copying},
          {"LayerNorm " + label,
           module({x, g, g},
                  fmt::format("attnres.layer_norm %a0, %a1, %a2 {{eps = 1.0e-5 "
                              ": f64}} : {}, {}, {}",
                              x, g, g),
                  {x}),
           Bound::Copying},
          {"SwiGLU " + label,
           module({x, x}, fmt::format("attnres.swiglu %a0, %a1 : {}", x), {x}),
           Bound::Copying}};
}

std::vector<OperationCase> lossCases(const Shape &shape,
                                     const std::string &dtype) {
  int64_t rows = shape[0], classes = shape[1];
  std::string z = tensor(shape, dtype), t = tensor({rows}, "i64"),
              n = tensor({rows}, "f32"), scalar = "tensor<f32>";
  std::string label = fmt::format("{}x{}", rows, classes);
  return {{"cross entropy " + label,
           module({z, t},
                  fmt::format("attnres.cross_entropy %a0, %a1 : {}, {}", z, t),
                  {scalar, n}),
           Bound::Reading,
           {{}, below(classes)}},
          {"its backward " + label,
           module({z, t, n, scalar},
                  fmt::format("attnres.cross_entropy_rows_backward %a0, %a1, "
                              "%a2, %a3 : {}, {}, {}, {}",
                              z, t, n, scalar),
                  {z}),
           Bound::Copying,
           {{}, below(classes)}}};
}

std::vector<OperationCase> fusedLossCases(const Shape &shape,
                                          const std::string &dtype) {
  int64_t rows = shape[0], width = shape[1], classes = shape[2];
  std::string x = tensor({rows, width}, dtype),
              w = tensor({classes, width}, dtype),
              gradient = tensor({classes, width}, "f32"),
              t = tensor({rows}, "i64"), n = tensor({rows}, "f32"),
              scalar = "tensor<f32>";
  std::string label = fmt::format("{}x{} to {}", rows, width, classes);
  return {{"projection and cross entropy " + label,
           module({x, w, t},
                  fmt::format("attnres.linear_cross_entropy %a0, %a1, %a2 : "
                              "{}, {}, {}",
                              x, w, t),
                  {scalar, n}),
           Bound::Products,
           {{}, {}, below(classes)}},
          {"its backward " + label,
           module({x, w, t, n, scalar},
                  fmt::format("attnres.linear_cross_entropy_backward %a0, %a1, "
                              "%a2, %a3, %a4 : {}, {}, {}, {}, {}",
                              x, w, t, n, scalar),
                  {x, gradient}),
           Bound::Products,
           {{}, {}, below(classes)}}};
}

std::vector<OperationCase> optimizerCases(const Shape &shape,
                                          const std::string &) {
  std::string p = tensor(shape, "f32");
  // Parameter, gradient, moments; learning rate, step, scale of gradients.
  return {
      {fmt::format("AdamW {}x{}", shape[0], shape[1]),
       module({p, p, p, p, "tensor<f32>", "tensor<f32>", "tensor<f32>"},
              fmt::format("attnres.adamw %a0, %a1, %a2, %a3, %a4, %a5, %a6 "
                          "{{beta1 = 0.9 : f64, beta2 = 0.95 : f64, eps = "
                          "1.0e-8 : f64, weight_decay = 0.1 : f64}} : {0}, "
                          "{0}, {0}, {0}, tensor<f32>, tensor<f32>, "
                          "tensor<f32>",
                          p),
              {p, p, p}, {0, 2, 3}),
       Bound::Updating,
       std::vector<InputRange>(7, InputRange{0, 1})}}; // a moment is a square
}

std::vector<OperationCase> kdaCases(const Shape &shape,
                                    const std::string &dtype) {
  int64_t heads = shape[2], size = shape[3];
  // Keys of length 1, decays below 0, steps in (0, 1): states stay small.
  double extent = std::sqrt(3.0 / static_cast<double>(size));
  InputRange direction{-extent, extent};
  std::vector<InputRange> ranges{direction, direction, {}, {-1, 0}, {0, 1}};
  auto typesOf = [&](int64_t batch, int64_t tokens) {
    Shape rows{batch, tokens, heads, size};
    std::string q = tensor(rows, dtype);
    return std::vector<std::string>{q, q, q, tensor(rows, "f32"),
                                    tensor({batch, tokens, heads}, dtype)};
  };
  auto stateOf = [&](int64_t batch) {
    return tensor({batch, heads, size, size}, "f32");
  };
  auto label = [&](int64_t batch, int64_t tokens) {
    return fmt::format("B{} T{} H{} D{}", batch, tokens, heads, size);
  };
  int64_t batch = shape[0], tokens = shape[1];
  std::vector<std::string> operands = typesOf(batch, tokens);
  std::vector<std::string> gradients = operands, withGradient = operands;
  withGradient.push_back(operands[2]);
  OperationCase forward{
      "KDA " + label(batch, tokens),
      module(operands,
             fmt::format("attnres.kda %a0, %a1, %a2, %a3, %a4 : {}",
                         fmt::join(operands, ", ")),
             {operands[2], stateOf(batch)}),
      Bound::Arithmetic, ranges};
  OperationCase backward{
      "its backward " + label(batch, tokens),
      module(
          withGradient,
          fmt::format("attnres.kda_backward %a0, %a1, %a2, %a3, %a4, %a5 : {}",
                      fmt::join(withGradient, ", ")),
          gradients),
      Bound::Arithmetic, ranges};
  int64_t texts =
      std::max<int64_t>(kDecodedBytes / (4 * heads * size * size), 1);
  std::vector<std::string> ofToken = typesOf(texts, 1);
  ofToken.push_back(stateOf(texts));
  OperationCase decoding{
      "KDA decoding " + label(texts, 1),
      module(ofToken,
             fmt::format("attnres.kda %a0, %a1, %a2, %a3, %a4 state(%a5) : {}",
                         fmt::join(ofToken, ", ")),
             {ofToken[2], ofToken[5]}, {-1, 5}),
      Bound::Updating, ranges};
  return {forward, backward, decoding};
}

std::vector<OperationCase> mlaCases(const Shape &shape,
                                    const std::string &dtype) {
  int64_t batch = shape[0], tokens = shape[1], heads = shape[2];
  int64_t keySize = shape[3], valueSize = shape[4], latent = shape[5];
  std::string q = tensor({batch, tokens, heads, keySize}, dtype),
              v = tensor({batch, tokens, heads, valueSize}, dtype),
              lse = tensor({batch, tokens, heads}, "f32");
  std::string label = fmt::format("B{} T{} H{} K{} V{} causal", batch, tokens,
                                  heads, keySize, valueSize);
  OperationCase forward{
      "attention " + label,
      module(
          {q, q, v},
          fmt::format("attnres.attention %a0, %a1, %a2 {{causal}} : {}, {}, {}",
                      q, q, v),
          {v, lse}),
      Bound::Arithmetic};
  OperationCase backward{
      "its backward " + label,
      module({q, q, v, v, lse, v},
             fmt::format("attnres.attention_backward %a0, %a1, %a2, %a3, %a4, "
                         "%a5 {{causal}} : {}, {}, {}, {}, {}, {}",
                         q, q, v, v, lse, v),
             {q, q, v}),
      Bound::Arithmetic};
  int64_t bytes = (dtype == "bf16" ? 2 : 4) * tokens * latent;
  int64_t texts = std::max<int64_t>(kDecodedBytes / bytes, 1);
  std::string query = tensor({texts, 1, heads, latent}, dtype),
              cache = tensor({texts, tokens, 1, latent}, dtype),
              start = tensor({texts}, "i64"),
              sums = tensor({texts, 1, heads}, "f32");
  // Behind full caches, which are keys and values of all heads.
  double last = static_cast<double>(tokens - 1);
  OperationCase decoding{
      fmt::format("decoding B{} T{} H{} latent {}", texts, tokens, heads,
                  latent),
      module({query, cache, start},
             fmt::format("attnres.attention %a0, %a1, %a1 start(%a2) "
                         "{{causal}} : {}, {}, {}, {}",
                         query, cache, cache, start),
             {query, sums}),
      Bound::Reading,
      {{}, {}, {last, last}}};
  return {forward, backward, decoding};
}

std::vector<OperationCase> moeCases(const Shape &shape,
                                    const std::string &dtype) {
  int64_t rows = shape[0], k = shape[1], n = shape[2];
  int64_t experts = shape[3], choices = shape[4];
  std::string x = tensor({rows, k}, dtype),
              y = tensor({rows, choices, n}, dtype),
              dx = tensor({rows, choices, k}, dtype),
              sum = tensor({rows, n}, dtype),
              w = tensor({experts, n, k}, dtype),
              gradient = tensor({experts, n, k}, "f32"),
              chosen = tensor({rows, choices}, "i64"),
              weights = tensor({rows, choices}, "f32"),
              logits = tensor({rows, experts}, dtype),
              bias = tensor({experts}, "f32");
  std::vector<InputRange> ranges{{}, {}, below(experts)};
  auto product = [&](const std::string &name, const std::string &operation,
                     const std::vector<std::string> &operands,
                     const std::string &attributes, const std::string &result) {
    return OperationCase{
        name,
        module(operands,
               fmt::format("attnres.{} %a0, %a1, %a2 {} : {}", operation,
                           attributes, fmt::join(operands, ", ")),
               {result}),
        Bound::Products, ranges};
  };
  std::string label = fmt::format("{} of {} experts, {}x{} to {}", choices,
                                  experts, rows, k, n);
  std::vector<OperationCase> cases{
      product(label, "grouped_linear", {x, w, chosen}, "", y),
      product("its input gradient", "grouped_linear", {y, w, chosen},
              "{transpose}", dx),
      product("its weight gradient", "grouped_weight_grad", {y, x, chosen},
              fmt::format("{{matrices = {} : i64}}", experts), gradient)};
  // As many operations in one product.
  for (OperationCase &dense : matmulCases({rows * choices, k, n}, dtype))
    cases.push_back(dense);
  cases.push_back(
      {fmt::format("router of {}x{}, {} chosen", rows, experts, choices),
       module({logits, bias},
              fmt::format("attnres.router %a0, %a1 {{top_k = {} : i64}} : {}, "
                          "{}",
                          choices, logits, bias),
              {chosen, weights}),
       Bound::Copying});
  cases.push_back({fmt::format("sum of experts, {}x{}x{}", rows, choices, n),
                   module({y, weights},
                          fmt::format("attnres.combine_experts %a0 "
                                      "weights(%a1) : {}, {}",
                                      y, weights),
                          {sum}),
                   Bound::Copying});
  cases.push_back(
      {"its backward",
       module({y, weights, sum},
              fmt::format("attnres.combine_experts_backward %a0, %a1, %a2 : "
                          "{}, {}, {}",
                          y, weights, sum),
              {y, weights}),
       Bound::Copying});
  return cases;
}

} // namespace

const std::vector<OperationBenchmark> &attnres::run::operationBenchmarks() {
  static const std::vector<OperationBenchmark> benchmarks = {
      {"matmul",
       "linear layers",
       {"ROWS", "INPUTS", "OUTPUTS"},
       {{2048, 256, 256},
        {2048, 256, 768},
        {2048, 768, 256},
        {2048, 768, 768},
        {2048, 768, 3072},
        {2048, 3072, 768}},
       matmulCases},
      {"attention",
       "causal attention",
       {"BATCH", "TOKENS", "HEADS", "HEAD_SIZE"},
       {{8, 256, 4, 64}, {1, 2048, 8, 64}, {1, 2048, 8, 128}},
       attentionCases},
      {"depth",
       "depth attention",
       {"SOURCES", "ROWS", "WIDTH"},
       {{5, 16384, 768}, {9, 16384, 768}, {9, 65536, 256}},
       depthCases},
      {"norm",
       "normalization and SwiGLU",
       {"ROWS", "WIDTH"},
       {{65536, 256}, {16384, 768}, {4096, 4096}},
       normCases},
      {"loss",
       "cross entropy",
       {"ROWS", "CLASSES"},
       {{65536, 256}, {2048, 32000}},
       lossCases},
      {"fused-loss",
       "output projection and cross entropy in one",
       {"ROWS", "WIDTH", "CLASSES"},
       {{2048, 256, 256}, {512, 768, 32000}},
       fusedLossCases},
      {"optimizer",
       "AdamW",
       {"ROWS", "COLUMNS"},
       {{256, 256}, {768, 3072}, {32000, 768}},
       optimizerCases},
      {"kda",
       "Kimi delta attention",
       {"BATCH", "TOKENS", "HEADS", "HEAD_SIZE"},
       {{8, 256, 4, 64}, {1, 4096, 8, 128}},
       kdaCases},
      {"mla",
       "latent attention",
       {"BATCH", "TOKENS", "HEADS", "KEY_SIZE", "VALUE_SIZE", "LATENT"},
       {{8, 256, 4, 96, 64, 64}, {1, 2048, 8, 192, 128, 512}},
       mlaCases},
      {"moe",
       "mixtures of experts",
       {"ROWS", "INPUTS", "OUTPUTS", "EXPERTS", "CHOICES"},
       {{2048, 128, 256, 8, 2}, {2048, 768, 768, 16, 4}},
       moeCases}};
  return benchmarks;
}

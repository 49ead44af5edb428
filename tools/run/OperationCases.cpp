#include "tools/run/OperationCases.h"

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
/// is written to argument updates[i].
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
        updates.empty()
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
           Bound::Reading, classes},
          {"its backward " + label,
           module({z, t, n, scalar},
                  fmt::format("attnres.cross_entropy_rows_backward %a0, %a1, "
                              "%a2, %a3 : {}, {}, {}, {}",
                              z, t, n, scalar),
                  {z}),
           Bound::Copying, classes}};
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
           Bound::Products, classes},
          {"its backward " + label,
           module({x, w, t, n, scalar},
                  fmt::format("attnres.linear_cross_entropy_backward %a0, %a1, "
                              "%a2, %a3, %a4 : {}, {}, {}, {}, {}",
                              x, w, t, n, scalar),
                  {x, gradient}),
           Bound::Products, classes}};
}

std::vector<OperationCase> optimizerCases(const Shape &shape,
                                          const std::string &) {
  std::string p = tensor(shape, "f32");
  // Parameter, gradient, moments; learning rate, step, scale of gradients.
  return {{fmt::format("AdamW {}x{}", shape[0], shape[1]),
           module({p, p, p, p, "tensor<f32>", "tensor<f32>", "tensor<f32>"},
                  fmt::format("attnres.adamw %a0, %a1, %a2, %a3, %a4, %a5, %a6 "
                              "{{beta1 = 0.9 : f64, beta2 = 0.95 : f64, eps = "
                              "1.0e-8 : f64, weight_decay = 0.1 : f64}} : {0}, "
                              "{0}, {0}, {0}, tensor<f32>, tensor<f32>, "
                              "tensor<f32>",
                              p),
                  {p, p, p}, {0, 2, 3}),
           Bound::Updating, /*classes=*/1,
           /*leastInput=*/0}}; // a moment is a square
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
       optimizerCases}};
  return benchmarks;
}

#include "tools/run/OperationCases.h"

#include <array>
#include <fmt/format.h>

using namespace attnres::run;

namespace {

std::string argument(size_t index, const std::string &type) {
  return fmt::format(
      "%a{}: {} {{attnres.name = \"a{}\", attnres.role = \"input\"}}", index,
      type, index);
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

} // namespace

std::vector<OperationCase> attnres::run::matmulCases() {
  std::vector<OperationCase> cases;
  for (auto [m, k, n] : {std::array<int64_t, 3>{2048, 256, 256},
                         {2048, 256, 768},
                         {2048, 768, 256},
                         {2048, 768, 768},
                         {2048, 768, 3072},
                         {2048, 3072, 768}}) {
    std::string x = fmt::format("tensor<{}x{}xf32>", m, k);
    std::string w = fmt::format("tensor<{}x{}xf32>", n, k);
    std::string y = fmt::format("tensor<{}x{}xf32>", m, n);
    cases.push_back(
        {fmt::format("linear {}x{} to {}", m, k, n),
         module({x, w},
                fmt::format("\"attnres.linear\"(%a0, %a1) : ({}, {}) "
                            "-> {}",
                            x, w, y),
                {y}),
         Bound::Arithmetic});
    cases.push_back(
        {fmt::format("its weight gradient, {}x{}", n, k),
         module({y, x},
                fmt::format("\"attnres.matmul\"(%a0, %a1) {{transpose_lhs}} : "
                            "({}, {}) -> {}",
                            y, x, w),
                {w}),
         Bound::Arithmetic});
  }
  return cases;
}

std::vector<OperationCase> attnres::run::attentionCases() {
  std::vector<OperationCase> cases;
  for (auto [batch, tokens, heads, size] :
       {std::array<int64_t, 4>{8, 256, 4, 64},
        {1, 2048, 8, 64},
        {1, 2048, 8, 128}}) {
    std::string q =
        fmt::format("tensor<{}x{}x{}x{}xf32>", batch, tokens, heads, size);
    std::string lse = fmt::format("tensor<{}x{}x{}xf32>", batch, tokens, heads);
    std::string label =
        fmt::format("B{} T{} H{} D{} causal", batch, tokens, heads, size);
    cases.push_back(
        {"attention " + label,
         module({q, q, q},
                fmt::format("\"attnres.attention\"(%a0, %a1, %a2) {{causal}} : "
                            "({0}, {0}, {0}) -> ({0}, {1})",
                            q, lse),
                {q, lse}),
         Bound::Arithmetic});
    cases.push_back(
        {"its backward " + label,
         module(
             {q, q, q, q, lse, q},
             fmt::format("\"attnres.attention_backward\"(%a0, %a1, %a2, %a3, "
                         "%a4, %a5) {{causal}} : ({0}, {0}, {0}, {0}, {1}, "
                         "{0}) -> ({0}, {0}, {0})",
                         q, lse),
             {q, q, q}),
         Bound::Arithmetic});
  }
  return cases;
}

std::vector<OperationCase> attnres::run::depthCases() {
  std::vector<OperationCase> cases;
  for (auto [sources, rows, width] : {std::array<int64_t, 3>{5, 16384, 768},
                                      {9, 16384, 768},
                                      {9, 65536, 256}}) {
    std::string v = fmt::format("tensor<{}x{}xf32>", rows, width);
    std::string w = fmt::format("tensor<{}xf32>", width);
    std::string lse = fmt::format("tensor<{}xf32>", rows);
    std::vector<std::string> arguments{w, w};
    std::string operands = "%a0, %a1", types = w + ", " + w, grads;
    for (int64_t i = 0; i < sources; ++i) {
      arguments.push_back(v);
      operands += fmt::format(", %a{}", i + 2);
      types += ", " + v;
      grads += v + ", ";
    }
    std::string label = fmt::format("{} sources {}x{}", sources, rows, width);
    cases.push_back(
        {"depth attention " + label,
         module(
             arguments,
             fmt::format("\"attnres.depth_attention\"({}) <{{eps = 1.0e-8 : "
                         "f64, operandSegmentSizes = array<i32: 1, 1, {}>}}> "
                         ": ({}) -> ({}, {})",
                         operands, sources, types, v, lse),
             {v, lse}),
         Bound::Copying});
    arguments.push_back(lse);
    arguments.push_back(v);
    std::vector<std::string> results(sources, v);
    results.push_back(w);
    results.push_back(w);
    cases.push_back(
        {"its backward " + label,
         module(
             arguments,
             fmt::format(
                 "\"attnres.depth_attention_backward\"({}, %a{}, %a{}) <{{eps "
                 "= 1.0e-8 : f64, operandSegmentSizes = array<i32: 1, 1, {}, "
                 "1, 1, 0, 0>}}> : ({}, {}, {}) -> ({}{}, {})",
                 operands, sources + 2, sources + 3, sources, types, lse, v,
                 grads, w, w),
             results),
         Bound::Copying});
  }
  return cases;
}

std::vector<OperationCase> attnres::run::normCases() {
  std::vector<OperationCase> cases;
  for (auto [rows, width] :
       {std::array<int64_t, 2>{65536, 256}, {16384, 768}, {4096, 4096}}) {
    std::string x = fmt::format("tensor<{}x{}xf32>", rows, width);
    std::string g = fmt::format("tensor<{}xf32>", width);
    std::string label = fmt::format("{}x{}", rows, width);
    cases.push_back({"RMSNorm " + label,
                     module({x, g},
                            fmt::format("attnres.rms_norm %a0, %a1 {{eps = "
                                        "1.0e-6 : f64}} : {}, {}",
                                        x, g),
                            {x}),
                     Bound::Copying});
    cases.push_back({"its backward " + label,
                     module({x, g, x},
                            fmt::format("attnres.rms_norm_backward %a0, %a1, "
                                        "%a2 {{eps = 1.0e-6 : f64}} : {}, {}, "
                                        "{}",
                                        x, g, x),
                            {x, g}),
                     Bound::Copying});
    cases.push_back({"LayerNorm " + label,
                     module({x, g, g},
                            fmt::format("attnres.layer_norm %a0, %a1, %a2 "
                                        "{{eps = 1.0e-5 : f64}} : {}, {}, {}",
                                        x, g, g),
                            {x}),
                     Bound::Copying});
    cases.push_back(
        {"SwiGLU " + label,
         module({x, x}, fmt::format("attnres.swiglu %a0, %a1 : {}", x), {x}),
         Bound::Copying});
  }
  return cases;
}

std::vector<OperationCase> attnres::run::lossCases() {
  std::vector<OperationCase> cases;
  for (auto [rows, classes] :
       {std::array<int64_t, 2>{65536, 256}, {2048, 32000}}) {
    std::string z = fmt::format("tensor<{}x{}xf32>", rows, classes);
    std::string t = fmt::format("tensor<{}xi64>", rows);
    std::string n = fmt::format("tensor<{}xf32>", rows), scalar = "tensor<f32>";
    std::string label = fmt::format("{}x{}", rows, classes);
    cases.push_back(
        {"cross entropy " + label,
         module({z, t},
                fmt::format("attnres.cross_entropy %a0, %a1 : {}, {}", z, t),
                {scalar, n}),
         Bound::Reading, classes});
    cases.push_back(
        {"its backward " + label,
         module({z, t, n, scalar},
                fmt::format("attnres.cross_entropy_rows_backward %a0, %a1, "
                            "%a2, %a3 : {}, {}, {}, {}",
                            z, t, n, scalar),
                {z}),
         Bound::Copying, classes});
  }
  for (auto [rows, width, classes] :
       {std::array<int64_t, 3>{2048, 256, 256}, {512, 768, 32000}}) {
    std::string x = fmt::format("tensor<{}x{}xf32>", rows, width);
    std::string w = fmt::format("tensor<{}x{}xf32>", classes, width);
    std::string t = fmt::format("tensor<{}xi64>", rows);
    std::string n = fmt::format("tensor<{}xf32>", rows), scalar = "tensor<f32>";
    std::string label = fmt::format("{}x{} to {}", rows, width, classes);
    cases.push_back(
        {"projection and cross entropy " + label,
         module({x, w, t},
                fmt::format("attnres.linear_cross_entropy %a0, %a1, %a2 : {}, "
                            "{}, {}",
                            x, w, t),
                {scalar, n}),
         Bound::Arithmetic, classes});
    cases.push_back(
        {"its backward " + label,
         module({x, w, t, n, scalar},
                fmt::format("attnres.linear_cross_entropy_backward %a0, %a1, "
                            "%a2, %a3, %a4 : {}, {}, {}, {}, {}",
                            x, w, t, n, scalar),
                {x, w}),
         Bound::Arithmetic, classes});
  }
  return cases;
}

std::vector<OperationCase> attnres::run::optimizerCases() {
  std::vector<OperationCase> cases;
  for (auto [rows, columns] :
       {std::array<int64_t, 2>{256, 256}, {768, 3072}, {32000, 768}}) {
    std::string p = fmt::format("tensor<{}x{}xf32>", rows, columns);
    std::string label = fmt::format("{}x{}", rows, columns);
    // Parameter, gradient, moments; learning rate, step, scale of gradients.
    cases.push_back(
        {"AdamW " + label,
         module({p, p, p, p, "tensor<f32>", "tensor<f32>", "tensor<f32>"},
                fmt::format("attnres.adamw %a0, %a1, %a2, %a3, %a4, %a5, %a6 "
                            "{{beta1 = 0.9 : f64, beta2 = 0.95 : f64, eps = "
                            "1.0e-8 : f64, weight_decay = 0.1 : f64}} : {0}, "
                            "{0}, {0}, {0}, tensor<f32>, tensor<f32>, "
                            "tensor<f32>",
                            p),
                {p, p, p}, {0, 2, 3}),
         Bound::Copying, /*classes=*/1,
         /*leastInput=*/0}); // a moment is a square
  }
  return cases;
}

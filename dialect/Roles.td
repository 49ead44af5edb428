//===- Roles.td - what tensors and launches of a program are -*- tablegen -*-===//
//
// What an argument or result of @main is to whoever runs the program, and which
// part of a training step a launch belongs to.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_ROLES_TD
#define ATTNRES_ROLES_TD

include "dialect/StackOps.td"

def Role : I32EnumAttr<"Role", "what a tensor is to whoever runs the program", [
    I32EnumAttrCase<"Input", 0, "input">, I32EnumAttrCase<"Output", 1, "output">,
    I32EnumAttrCase<"Parameter", 2, "parameter">, I32EnumAttrCase<"State", 3, "state">,
    I32EnumAttrCase<"Gradient", 4, "gradient">, I32EnumAttrCase<"GradientSum", 5, "gradient_sum">,
    I32EnumAttrCase<"GradientSquares", 6, "gradient_squares">, I32EnumAttrCase<"GradientNorm", 7, "gradient_norm">,
    I32EnumAttrCase<"FirstMoment", 8, "first_moment">, I32EnumAttrCase<"SecondMoment", 9, "second_moment">,
    I32EnumAttrCase<"Cache", 10, "cache">]> {
  let cppNamespace = "::attnres";
  let genSpecializedAttr = 0;
}

def Attnres_RoleAttr : AttrDef<Attnres_Dialect, "Role"> {
  let mnemonic = "role";
  let summary = "what an argument or result of a program is";
  let description = [{
    `attnres.role` of arguments and results of @main. Of arguments:

    * `input`: given to every run, such as tokens, or the learning rate;
    * `parameter`: what is learned;
    * `state`: of each text, [B, ...], replaced by every run that reads more of
      the text;
    * `cache`: of each position of each text, [B, capacity, ...], such as keys;
      a run writes the positions that it reads;
    * `gradient_sum`: of a batch that is run in parts, the gradients so far;
    * `first_moment`, `second_moment`: of the optimizer.

    Of results:

    * `output`, which is what a result without a role is;
    * `gradient`: of the loss with respect to a parameter;
    * `gradient_squares`: sums of squares whose total is the squared norm of a
      gradient;
    * `gradient_norm`: of all gradients together.

    A result with `attnres.updates` has the role of the argument that it
    replaces and none of its own. What belongs to a parameter says to which, by
    its `attnres.name`.

    Examples: `#attnres.role<parameter>`, `#attnres.role<gradient of "w">`.
  }];
  let parameters = (ins EnumParameter<Role>:$kind, OptionalParameter<"::mlir::StringAttr">:$parameter);
  let builders = [
    AttrBuilder<(ins "::attnres::Role":$kind, CArg<"::llvm::StringRef", "{}">:$parameter), [{
      return $_get($_ctxt, kind, parameter.empty() ? ::mlir::StringAttr() : ::mlir::StringAttr::get($_ctxt, parameter));
    }]>
  ];
  let assemblyFormat = "`<` $kind (`of` $parameter^)? `>`";
  let genVerifyDecl = 1;
}

def Phase : I32EnumAttr<"Phase", "a part of a training step", [
    I32EnumAttrCase<"Forward", 0, "forward">, I32EnumAttrCase<"Backward", 1, "backward">,
    I32EnumAttrCase<"Update", 2, "update">]> {
  let cppNamespace = "::attnres";
  let genSpecializedAttr = 0;
}

def Attnres_PhaseAttr : AttrDef<Attnres_Dialect, "Phase"> {
  let mnemonic = "phase";
  let summary = "which part of a training step a launch belongs to";
  let description = [{
    `attnres.phase` of launches: `forward` makes the outputs and new states,
    `backward` the gradients and their norms, `update` new parameters and
    moments. A launch without it belongs to the forward pass.

    Example: `#attnres.phase<backward>`.
  }];
  let parameters = (ins EnumParameter<Phase>:$value);
  let assemblyFormat = "`<` $value `>`";
}

#endif

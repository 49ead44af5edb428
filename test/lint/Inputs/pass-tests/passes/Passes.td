class Counting<string name> : Pass<name> {
  let statistics = [Statistic<"n", "n", "n">];
}
def Whole : Counting<"attnres-whole"> {
  let summary = "do all";
}
def Check : Pass<"attnres-check", "ModuleOp"> {
  let summary = "prove that all is done";
}

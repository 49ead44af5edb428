def Alone : Counting<"attnres-alone"> {
  let summary = "count something";
}
def Bare : Pass<"attnres-bare"> {
  let summary = "do little";
}
def Guess : Counting<"attnres-guess"> {
  let summary = "do something";
}
def Lost : Counting<"attnres-lost"> {
  let summary = "do something";
}

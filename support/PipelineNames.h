// What one stage of a pipeline receives from its neighbours and sends them, as
// inputs and outputs of its program: a prefix, and the number of the value,
// which is the same on both sides.
#ifndef ATTNRES_SUPPORT_PIPELINENAMES_H
#define ATTNRES_SUPPORT_PIPELINENAMES_H

namespace attnres::names {

// Of the forward pass.
inline constexpr char fromPrevious[] = "from_previous.";
inline constexpr char toNext[] = "to_next.";
// Of the backward pass.
inline constexpr char fromNext[] = "from_next.";
inline constexpr char toPrevious[] = "to_previous.";

} // namespace attnres::names

#endif

// What inputs and outputs of programs are called by those who make them and
// those who bind them. What belongs to a parameter NAME has a prefix for people
// to read; passes and runtime go by roles.
#ifndef ATTNRES_SUPPORT_BINDINGNAMES_H
#define ATTNRES_SUPPORT_BINDINGNAMES_H

namespace attnres::names {

// Of texts, i64.
inline constexpr char tokens[] = "tokens";   ///< [B, T]
inline constexpr char targets[] = "targets"; ///< [B, T]: the token behind each
inline constexpr char start[] = "start";     ///< [B]: position of the first
inline constexpr char length[] = "length";   ///< [B]: tokens that are there
inline constexpr char last[] = "last";       ///< [B]: whose logits are wanted
/// [B, T]: where the text of each token begins in its row
inline constexpr char documents[] = "documents";

// Of a model.
inline constexpr char logits[] = "logits"; ///< [B, T, V], or of one token
inline constexpr char loss[] = "loss";     ///< f32
/// depth_weights.N: what mixture N makes of its sources, f32 [sources, ...].
inline constexpr char depthWeights[] = "depth_weights.";
/// activation.NAME, f32 [B, T]: the root mean square of what each token has at
/// that place of the model
inline constexpr char activation[] = "activation.";
// Of layer N of its kind, f32, see attnres-record-layers.
inline constexpr char routerLoad[] = "router_load."; ///< [experts, ...]
inline constexpr char decay[] = "decay.";            ///< [bins, B, T]
inline constexpr char stateNorm[] = "state_norm.";   ///< [heads, B]

// Of a training step, f32.
inline constexpr char step[] = "step"; ///< from 1
inline constexpr char learningRate[] = "learning_rate";
inline constexpr char lossWeight[] = "loss_weight"; ///< factor on gradients
/// i64 [2]: the seed and the number of the run, from 0, for dropout
inline constexpr char random[] = "random";
inline constexpr char gradientNorm[] = "grad_norm"; ///< before clipping
inline constexpr char gradient[] = "grad.";
inline constexpr char gradientSum[] = "sum.";
inline constexpr char gradientSquares[] = "grad_squares.";
inline constexpr char firstMoment[] = "m.";
inline constexpr char secondMoment[] = "v.";

} // namespace attnres::names

#endif

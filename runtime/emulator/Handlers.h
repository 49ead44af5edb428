// The execution functions that decoded instructions point to, one per kind of
// instruction. Each is implemented in the Execute*.cpp file of its family.

#ifndef ATTNRES_RUNTIME_EMULATOR_HANDLERS_H
#define ATTNRES_RUNTIME_EMULATOR_HANDLERS_H

#include "runtime/emulator/Program.h"

namespace attnres::emulator {

#define ATTNRES_HANDLER(name)                                                  \
  void name(Warp &warp, const Instruction &inst, uint32_t mask)

// ExecuteLane.cpp
ATTNRES_HANDLER(executeLane);
ATTNRES_HANDLER(executeNothing);
ATTNRES_HANDLER(executeReadClock);
ATTNRES_HANDLER(executeFrameAddress);
ATTNRES_HANDLER(executePack);
ATTNRES_HANDLER(executeUnpack);
ATTNRES_HANDLER(executeIsSpace);
ATTNRES_HANDLER(executeMapa);
ATTNRES_HANDLER(executeClusterRank);

// ExecuteControl.cpp
ATTNRES_HANDLER(executeBranch);
ATTNRES_HANDLER(executeBranchTable);
ATTNRES_HANDLER(executeCall);
ATTNRES_HANDLER(executeReturn);
ATTNRES_HANDLER(executeExit);
ATTNRES_HANDLER(executeTrap);

// ExecuteBarrier.cpp
ATTNRES_HANDLER(executeBarrier);
ATTNRES_HANDLER(executeWarpBarrier);
ATTNRES_HANDLER(executeClusterBarrier);
ATTNRES_HANDLER(executeFence);
ATTNRES_HANDLER(executeProxyFence);
ATTNRES_HANDLER(executeInitFence);
ATTNRES_HANDLER(executeNanosleep);

// ExecuteExchange.cpp
ATTNRES_HANDLER(executeShfl);
ATTNRES_HANDLER(executeVote);
ATTNRES_HANDLER(executeMatch);
ATTNRES_HANDLER(executeRedux);
ATTNRES_HANDLER(executeActiveMask);
ATTNRES_HANDLER(executeElect);

// ExecuteMemory.cpp
ATTNRES_HANDLER(executeLoad);
ATTNRES_HANDLER(executeLoadParameter);
ATTNRES_HANDLER(executeStore);

// ExecuteAtomic.cpp
ATTNRES_HANDLER(executeAtomic);

// ExecuteMatrix.cpp
ATTNRES_HANDLER(executeLdmatrix);
ATTNRES_HANDLER(executeStmatrix);
ATTNRES_HANDLER(executeMovmatrix);
ATTNRES_HANDLER(executeMma);
ATTNRES_HANDLER(executeWmmaLoad);
ATTNRES_HANDLER(executeWmmaStore);

// ExecuteWgmma.cpp
ATTNRES_HANDLER(executeWgmma);
ATTNRES_HANDLER(executeWgmmaFence);
ATTNRES_HANDLER(executeWgmmaCommit);
ATTNRES_HANDLER(executeWgmmaWait);

// ExecuteAsync.cpp
ATTNRES_HANDLER(executeCpAsync);
ATTNRES_HANDLER(executeCpAsyncCommit);
ATTNRES_HANDLER(executeCpAsyncWait);
ATTNRES_HANDLER(executeCpAsyncArrive);
ATTNRES_HANDLER(executeBulkCopy);
ATTNRES_HANDLER(executeBulkCommit);
ATTNRES_HANDLER(executeBulkWait);
ATTNRES_HANDLER(executeStAsync);

// ExecuteTensorMap.cpp
ATTNRES_HANDLER(executeTensorMapReplace);
ATTNRES_HANDLER(executeTensorMapCopy);

// ExecuteMbarrier.cpp
ATTNRES_HANDLER(executeMbarrierInit);
ATTNRES_HANDLER(executeMbarrierInvalidate);
ATTNRES_HANDLER(executeMbarrierArrive);
ATTNRES_HANDLER(executeMbarrierTransaction);
ATTNRES_HANDLER(executeMbarrierTest);
ATTNRES_HANDLER(executeMbarrierPending);

#undef ATTNRES_HANDLER

} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_HANDLERS_H

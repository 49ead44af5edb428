// A page in a browser that is drawn anew whenever it is asked for.
#ifndef ATTNRES_TOOLS_RUN_PAGESERVER_H
#define ATTNRES_TOOLS_RUN_PAGESERVER_H

#include "support/Status.h"

#include <functional>
#include <string>

namespace attnres::run {

/// Serves `page` as HTML at http://127.0.0.1:PORT/ until a signal comes (see
/// runtime::interruptSignal()); port 0 takes a free one. Only programs of this
/// machine reach it. An error of `page` becomes the answer. `ready` is told the
/// address. Fails when the port is taken.
Status servePage(int port, const std::function<Result<std::string>()> &page,
                 const std::function<void(const std::string &url)> &ready);

} // namespace attnres::run

#endif

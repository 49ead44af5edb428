// The file in Python that computes exported models.
#ifndef ATTNRES_TOOLS_RUN_MODELINGFILE_H
#define ATTNRES_TOOLS_RUN_MODELINGFILE_H

#include <string_view>

namespace attnres::run {

/// The text of modeling_attnres.py.
extern const std::string_view modelingFile;

} // namespace attnres::run

#endif

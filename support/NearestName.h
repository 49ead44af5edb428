// Suggestions for names that are not known.
#ifndef ATTNRES_SUPPORT_NEARESTNAME_H
#define ATTNRES_SUPPORT_NEARESTNAME_H

#include <string>
#include <vector>

namespace attnres {

/// "; did you mean 'NAME'?" with the closest of the names, when insertions,
/// deletions, replacements and exchanges of neighbours, of at most a third of
/// the letters, lead there; otherwise empty.
std::string didYouMean(const std::string &given,
                       const std::vector<std::string> &names);

} // namespace attnres
#endif

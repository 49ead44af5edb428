// What is wrong with a command line, in one line.
#include "tools/run/UsageError.h"

#include "runtime/NearestName.h"
#include "runtime/Status.h"

#include <algorithm>
#include <vector>

namespace attnres::run {

using runtime::didYouMean;
using runtime::inQuotes;

namespace {

std::vector<std::string> optionNames(const CLI::App &app) {
  std::vector<std::string> names;
  for (const CLI::Option *option : app.get_options())
    for (const std::string &name : option->get_lnames())
      names.push_back("--" + name);
  // Option groups are subcommands without a name.
  for (const CLI::App *group : app.get_subcommands(
           [](const CLI::App *child) { return child->get_name().empty(); }))
    for (const std::string &name : optionNames(*group))
      names.push_back(name);
  return names;
}

/// Without option groups; `parsed`: only those on the command line.
std::vector<const CLI::App *> namedSubcommands(const CLI::App &app,
                                               bool parsed) {
  std::vector<const CLI::App *> children;
  for (const CLI::App *child : app.get_subcommands(
           [](const CLI::App *child) { return !child->get_name().empty(); }))
    if (!parsed || child->parsed())
      children.push_back(child);
  return children;
}

std::vector<std::string> subcommandNames(const CLI::App &app) {
  std::vector<std::string> names;
  for (const CLI::App *child : namedSubcommands(app, /*parsed=*/false))
    names.push_back(child->get_name());
  return names;
}

} // namespace

std::string describeUsageError(const CLI::App &app, int argc,
                               const char *const *argv,
                               const CLI::ParseError &error) {
  std::vector<CLI::App *> parsed = app.get_subcommands();
  if (parsed.empty()) {
    if (argc < 2)
      return "a subcommand is required; --help lists them";
    std::string given = argv[1];
    bool isOption = given[0] == '-';
    return std::string(isOption ? "unknown option " : "unknown subcommand ") +
           inQuotes(given) +
           didYouMean(given,
                      isOption ? optionNames(app) : subcommandNames(app));
  }
  const CLI::App *command = parsed.front();
  while (!namedSubcommands(*command, /*parsed=*/true).empty())
    command = namedSubcommands(*command, /*parsed=*/true).front();
  std::vector<std::string> extras = app.remaining(/*recurse=*/true);
  bool needsSubcommand = !namedSubcommands(*command, /*parsed=*/false).empty();
  if (extras.empty() && needsSubcommand)
    return command->get_name() + " needs a subcommand; --help lists them";
  if (extras.empty())
    return error.what();
  auto option =
      std::find_if(extras.begin(), extras.end(), [](const std::string &text) {
        return !text.empty() && text[0] == '-';
      });
  if (needsSubcommand && option != extras.begin())
    return "unknown subcommand " + inQuotes(extras.front()) +
           didYouMean(extras.front(), subcommandNames(*command));
  if (option == extras.end())
    return "unexpected argument " + inQuotes(extras.front());
  std::string name = option->substr(0, option->find('='));
  return "unknown option " + inQuotes(name) +
         didYouMean(name, optionNames(*command));
}

} // namespace attnres::run

// attnres-run report: training runs as one HTML page.
#include "support/File.h"
#include "tools/run/Commands.h"
#include "tools/run/Options.h"

#include "tools/report/Csv.h"
#include "tools/report/Page.h"
#include "tools/report/Summary.h"

#include <memory>

namespace attnres::run {
namespace {

struct ReportCommand {
  std::vector<std::string> folders;
  std::string out, csv;
  bool json = false, logarithmicLoss = false;

  void run() const {
    for (const std::string &path : {out, csv})
      if (!path.empty())
        check(checkWritable(path));
    std::vector<report::RunFolder> runs;
    for (const std::string &folder : folders)
      runs.push_back(unwrap(report::RunFolder::open(folder)));
    // The page first: who reads the numbers may stop reading.
    std::string path = out.empty() && !json && csv.empty()
                           ? folders.front() + "/report.html"
                           : out;
    report::PageOptions options;
    options.logarithmicLoss = logarithmicLoss;
    if (!path.empty())
      writeText(report::drawPage(runs, options), path);
    if (!csv.empty())
      writeText(report::toCsv(runs), csv);
    std::string written =
        path + (path.empty() || csv.empty() ? "" : " and ") + csv;
    writeText(json ? report::summariesToJson(runs).dump(2) + "\n"
                   : "wrote " + written + "\n",
              "");
  }
};

} // namespace

void addReportCommand(CLI::App &app) {
  CLI::App *command =
      app.add_subcommand("report", "training runs as one HTML page");
  auto state = std::make_shared<ReportCommand>();
  command
      ->add_option("run", state->folders,
                   "folders that train wrote; several are compared")
      ->type_name("DIR...")
      ->required();
  command
      ->add_option("--out", state->out,
                   "the page; report.html in the first folder by default")
      ->type_name("FILE");
  command
      ->add_option("--csv", state->csv,
                   "the curves as a table, a line for each step; a page only "
                   "with --out")
      ->type_name("FILE");
  command->add_flag("--log-loss", state->logarithmicLoss,
                    "draw losses on a logarithmic axis");
  command->add_flag("--json", state->json,
                    "print final numbers and settings; a page only with --out");
  command->footer("Examples:\n  attnres-run report runs/block\n  attnres-run "
                  "report runs/off runs/static runs/block --out compare.html\n"
                  "  attnres-run report runs/block --csv curves.csv");
  command->callback([state] { state->run(); });
}

} // namespace attnres::run

// attnres-run report: training runs as one HTML page.
#include "runtime/training/Interrupt.h"
#include "support/File.h"
#include "support/Streams.h"
#include "tools/run/Commands.h"
#include "tools/run/Options.h"
#include "tools/run/PageServer.h"

#include "tools/report/Csv.h"
#include "tools/report/Page.h"
#include "tools/report/Summary.h"

#include <memory>

namespace attnres::run {
namespace {

struct ReportCommand {
  std::vector<std::string> folders;
  std::string out, csv;
  bool json = false, logarithmicLoss = false, watches = false;
  int port = 8765;

  void run() const {
    if (watches)
      return watch();
    for (const std::string &path : {out, csv})
      if (!path.empty())
        check(checkWritable(path));
    std::vector<report::RunFolder> runs = unwrap(openRuns());
    // The page first: who reads the numbers may stop reading.
    std::string path = out.empty() && !json && csv.empty()
                           ? folders.front() + "/report.html"
                           : out;
    if (!path.empty())
      writeText(report::drawPage(runs, pageOptions()), path);
    if (!csv.empty())
      writeText(report::toCsv(runs), csv);
    std::string written =
        path + (path.empty() || csv.empty() ? "" : " and ") + csv;
    writeText(json ? report::summariesToJson(runs).dump(2) + "\n"
                   : "wrote " + written + "\n",
              "");
  }

private:
  report::PageOptions pageOptions() const {
    report::PageOptions options;
    options.logarithmicLoss = logarithmicLoss;
    return options;
  }

  Result<std::vector<report::RunFolder>> openRuns() const {
    std::vector<report::RunFolder> runs;
    for (const std::string &folder : folders) {
      Result<report::RunFolder> run = report::RunFolder::open(folder);
      if (!run.ok())
        return run.status();
      runs.push_back(*std::move(run));
    }
    return runs;
  }

  /// Serves the page as the folders are when it is asked for.
  void watch() const {
    unwrap(openRuns()); // what is wrong now is said now
    runtime::catchInterrupts();
    check(servePage(
        port,
        [&]() -> Result<std::string> {
          auto runs = openRuns();
          if (!runs.ok())
            return runs.status();
          report::PageOptions options = pageOptions();
          options.reloadSeconds = kReloadSeconds;
          return report::drawPage(*runs, options);
        },
        [](const std::string &url) {
          writeText(url + " shows the runs as they go on; Ctrl-C ends\n", "");
          flushStandardOutput();
        }));
    throw Interrupted{runtime::interruptSignal()};
  }

  static constexpr int kReloadSeconds = 5;
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
  command->add_flag("--watch", state->watches,
                    "serve the page to the browsers of this machine, drawn "
                    "anew every few seconds, until Ctrl-C");
  command
      ->add_option("--port", state->port,
                   "of --watch, on 127.0.0.1; 0 for a free one")
      ->check(CLI::Range(0, 65535))
      ->capture_default_str();
  command->add_flag("--log-loss", state->logarithmicLoss,
                    "draw losses on a logarithmic axis");
  command->add_flag("--json", state->json,
                    "print final numbers and settings; a page only with --out");
  command->footer("Examples:\n  attnres-run report runs/block\n  attnres-run "
                  "report runs/off runs/static runs/block --out compare.html\n"
                  "  attnres-run report runs/block --csv curves.csv\n"
                  "  attnres-run report runs/block --watch");
  command->callback([state] { state->run(); });
}

} // namespace attnres::run

// A page in a browser that is drawn anew whenever it is asked for.
#include "tools/run/PageServer.h"

#include "runtime/training/Interrupt.h"

#include <httplib.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace attnres::run {

constexpr char kLoopback[] = "127.0.0.1";

Status servePage(int port, const std::function<Result<std::string>()> &page,
                 const std::function<void(const std::string &url)> &ready) {
  httplib::Server server;
  // Pages are drawn one at a time.
  server.new_task_queue = [] { return new httplib::ThreadPool(1); };
  server.set_keep_alive_max_count(1);
  // Of one process alone, but again right after it has ended.
  server.set_socket_options([](socket_t socket) {
    int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  int bound = port ? (server.bind_to_port(kLoopback, port) ? port : -1)
                   : server.bind_to_any_port(kLoopback);
  if (bound < 0)
    return ioError("port ", port, " of ", kLoopback, " is taken or not allowed");
  std::string here = concat(kLoopback, ":", bound);
  server.Get(
      "/", [&](const httplib::Request &request, httplib::Response &response) {
        // Another site's name that leads here would let its pages read this
        // one.
        std::string host = request.get_header_value("Host");
        if (host != here && host != concat("localhost:", bound)) {
          response.status = 403;
          return response.set_content("this page is for " + here + "\n",
                                      "text/plain");
        }
        Result<std::string> drawn = page();
        response.set_header("Cache-Control", "no-store");
        if (drawn.ok())
          return response.set_content(*drawn, "text/html; charset=utf-8");
        response.status = 503;
        response.set_content(drawn.status().message() + "\n",
                             "text/plain; charset=utf-8");
      });
  std::atomic<bool> ended = false;
  std::thread serving([&] {
    server.listen_after_bind();
    ended = true;
  });
  while (!server.is_running() && !ended)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  if (ended) {
    serving.join();
    return ioError("cannot listen on ", here);
  }
  ready("http://" + here + "/");
  while (!runtime::interruptSignal())
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  server.stop();
  serving.join();
  return {};
}

} // namespace attnres::run

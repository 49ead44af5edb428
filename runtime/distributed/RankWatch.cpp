// Signs of life between the ranks of a job.
#include "runtime/distributed/RankWatch.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <random>
#include <sstream>

#include <arpa/inet.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace attnres::runtime {

using Clock = std::chrono::steady_clock;

enum class RankWatch::Kind : uint32_t {
  Alive,
  Failed,  ///< rank `about` ends, for the reason in the text
  Goodbye, ///< the sender is done
};

namespace {

/// In front of every message's text. Ranks are machines of one kind.
struct Header {
  uint32_t kind;
  int32_t about;
  uint32_t bytes;
};
constexpr size_t mostText = 4096;

/// What a rank says first.
struct Greeting {
  uint64_t secret;
  int32_t rank;
};

class Socket {
public:
  explicit Socket(int fd) : fd(fd) {}
  Socket(const Socket &) = delete;
  Socket &operator=(const Socket &) = delete;
  ~Socket() {
    if (fd >= 0)
      ::close(fd);
  }
  int get() const { return fd; }
  int release() { return std::exchange(fd, -1); }

private:
  int fd;
};

bool sendAll(int socket, const void *data, size_t bytes) {
  const auto *next = static_cast<const char *>(data);
  while (bytes > 0) {
    ssize_t count = ::send(socket, next, bytes, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    next += count;
    bytes -= static_cast<size_t>(count);
  }
  return true;
}

void configure(int socket) {
  int one = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  timeval limit = {5, 0}; // nobody waits for one who does not read
  ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
}

/// "HOST PORT ADDRESS..." of a listening socket.
std::string placesOf(int listener) {
  sockaddr_in bound = {};
  socklen_t length = sizeof bound;
  ::getsockname(listener, reinterpret_cast<sockaddr *>(&bound), &length);
  char host[256] = "";
  ::gethostname(host, sizeof host - 1);
  std::string places = concat(host, " ", ntohs(bound.sin_port));
  ifaddrs *all = nullptr;
  if (::getifaddrs(&all) != 0)
    return places;
  for (ifaddrs *one = all; one; one = one->ifa_next) {
    if (!one->ifa_addr || one->ifa_addr->sa_family != AF_INET)
      continue;
    char text[INET_ADDRSTRLEN] = "";
    const auto *address = reinterpret_cast<sockaddr_in *>(one->ifa_addr);
    ::inet_ntop(AF_INET, &address->sin_addr, text, sizeof text);
    if (std::strncmp(text, "127.", 4) != 0)
      places += concat(" ", text);
  }
  ::freeifaddrs(all);
  return places;
}

} // namespace

Result<std::unique_ptr<RankWatch>> RankWatch::start(Communicator &communicator,
                                                    const Options &options,
                                                    OnFailure onFailure) {
  std::unique_ptr<RankWatch> watch(
      new RankWatch(communicator.rank(), options, std::move(onFailure)));
  if (communicator.size() == 1)
    return watch;
  if (Status status = watch->connect(communicator); !status.ok())
    return status;
  for (Peer &peer : watch->peers)
    peer.heard = Clock::now();
  watch->thread = std::thread([&self = *watch] { self.watch(); });
  return watch;
}

Status RankWatch::connect(Communicator &communicator) {
  // What has gone before it is accepted must not be waited for.
  Socket listener(rank == 0 ? ::socket(AF_INET,
                                       SOCK_STREAM | SOCK_CLOEXEC |
                                           SOCK_NONBLOCK,
                                       0)
                            : -1);
  std::string places;
  uint64_t secret = 0;
  if (rank == 0) {
    sockaddr_in any = {};
    any.sin_family = AF_INET;
    if (listener.get() < 0 ||
        ::bind(listener.get(), reinterpret_cast<sockaddr *>(&any),
               sizeof any) != 0 ||
        ::listen(listener.get(), communicator.size()) != 0)
      return ioError("cannot listen for other ranks: ", std::strerror(errno));
    places = placesOf(listener.get());
    std::random_device random;
    secret = (uint64_t{random()} << 32) | random();
  }
  if (Status status = communicator.broadcast(0, places); !status.ok())
    return status;
  if (Status status = communicator.broadcast(0, &secret, sizeof secret);
      !status.ok())
    return status;
  return rank == 0 ? acceptAll(listener.get(), secret, communicator.size())
                   : connectToFirst(places, secret);
}

Status RankWatch::acceptAll(int listener, uint64_t secret, int size) {
  auto deadline = Clock::now() + options.connecting;
  while (peers.size() + 1 < static_cast<size_t>(size)) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - Clock::now());
    pollfd ready = {listener, POLLIN, 0};
    int count = left.count() <= 0
                    ? 0
                    : ::poll(&ready, 1, static_cast<int>(left.count()));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return ioError("only ", peers.size() + 1, " of ", size,
                     " ranks connected in ", options.connecting.count(), " ms");
    Socket socket(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC));
    if (socket.get() < 0)
      continue;
    configure(socket.get());
    Greeting greeting = {};
    // Others than ranks may knock.
    if (::recv(socket.get(), &greeting, sizeof greeting, MSG_WAITALL) !=
            static_cast<ssize_t>(sizeof greeting) ||
        greeting.secret != secret || greeting.rank <= 0 ||
        greeting.rank >= size)
      continue;
    Peer peer;
    peer.rank = greeting.rank;
    peer.socket = socket.release();
    peers.push_back(std::move(peer));
  }
  return {};
}

Status RankWatch::connectToFirst(const std::string &places, uint64_t secret) {
  std::istringstream words(places);
  std::string host;
  uint16_t port = 0;
  words >> host >> port;
  std::vector<std::string> addresses;
  char own[256] = "";
  ::gethostname(own, sizeof own - 1);
  if (host == own)
    addresses.push_back("127.0.0.1");
  for (std::string address; words >> address;)
    addresses.push_back(address);
  std::string reason = "it has no address";
  for (const std::string &address : addresses) {
    sockaddr_in to = {};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    ::inet_pton(AF_INET, address.c_str(), &to.sin_addr);
    Socket socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    configure(socket.get()); // limits connect() as well
    Greeting greeting = {secret, rank};
    if (::connect(socket.get(), reinterpret_cast<sockaddr *>(&to), sizeof to) !=
            0 ||
        !sendAll(socket.get(), &greeting, sizeof greeting)) {
      reason = concat(address, ": ", std::strerror(errno));
      continue;
    }
    Peer peer;
    peer.socket = socket.release();
    peers.push_back(std::move(peer));
    return {};
  }
  return ioError("cannot reach rank 0 on ", host, ": ", reason);
}

RankWatch::~RankWatch() {
  stopping = true;
  if (thread.joinable())
    thread.join();
  for (Peer &peer : peers) {
    if (!peer.left)
      send(peer, Kind::Goodbye, rank, "");
    ::close(peer.socket);
  }
}

void RankWatch::send(const Peer &peer, Kind kind, int about,
                     const std::string &text) {
  Header header = {static_cast<uint32_t>(kind), about,
                   static_cast<uint32_t>(std::min(text.size(), mostText))};
  std::string message(reinterpret_cast<const char *>(&header), sizeof header);
  message += text.substr(0, header.bytes);
  std::lock_guard<std::mutex> lock(sending);
  // One who is gone is noticed where it is read.
  sendAll(peer.socket, message.data(), message.size());
}

void RankWatch::fail(const std::string &cause) {
  reported = true; // nobody else's failure matters to this rank
  for (const Peer &peer : peers)
    send(peer, Kind::Failed, rank, cause);
}

void RankWatch::watch() {
  auto lastPulse = Clock::now();
  while (!stopping) {
    std::vector<pollfd> ready;
    std::vector<Peer *> asked;
    for (Peer &peer : peers)
      if (!peer.left) {
        ready.push_back({peer.socket, POLLIN, 0});
        asked.push_back(&peer);
      }
    // Short, so that the end does not wait.
    ::poll(ready.data(), ready.size(), 50);
    for (size_t i = 0; i < ready.size(); ++i)
      if (ready[i].revents != 0)
        read(*asked[i]);
    auto now = Clock::now();
    if (now - lastPulse >= options.pulse) {
      lastPulse = now;
      for (Peer *peer : asked)
        if (!peer->left)
          send(*peer, Kind::Alive, rank, "");
    }
    for (Peer *peer : asked)
      if (!peer->left && now - peer->heard > options.silence)
        lose(*peer,
             concat("no sign of life for ", options.silence.count(), " ms"));
  }
}

void RankWatch::read(Peer &peer) {
  char buffer[4096];
  ssize_t count = ::recv(peer.socket, buffer, sizeof buffer, MSG_DONTWAIT);
  if (count < 0 && (errno == EAGAIN || errno == EINTR))
    return;
  if (count <= 0) {
    lose(peer, "its process is gone");
    return;
  }
  peer.heard = Clock::now();
  peer.received.append(buffer, static_cast<size_t>(count));
  takeMessages(peer);
}

void RankWatch::takeMessages(Peer &peer) {
  while (peer.received.size() >= sizeof(Header) && !peer.left) {
    Header header;
    std::memcpy(&header, peer.received.data(), sizeof header);
    size_t whole = sizeof header + std::min<size_t>(header.bytes, mostText);
    if (peer.received.size() < whole)
      return;
    std::string text =
        peer.received.substr(sizeof header, whole - sizeof header);
    peer.received.erase(0, whole);
    switch (static_cast<Kind>(header.kind)) {
    case Kind::Failed:
      peer.left = header.about == peer.rank;
      report(header.about, text);
      break;
    case Kind::Goodbye:
      peer.left = true;
      break;
    case Kind::Alive:
      break;
    }
  }
}

void RankWatch::lose(Peer &peer, const std::string &cause) {
  peer.left = true;
  report(peer.rank, cause);
}

/// Rank 0 tells the others what it heard first.
void RankWatch::report(int failed, const std::string &cause) {
  if (reported.exchange(true))
    return;
  if (rank == 0)
    for (const Peer &peer : peers)
      if (peer.rank != failed && !peer.left)
        send(peer, Kind::Failed, failed, cause);
  onFailure(failed, cause);
}

} // namespace attnres::runtime

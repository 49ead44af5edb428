// Event files of TensorBoard: curves of a run as it goes on.
#ifndef ATTNRES_RUNTIME_TRAINING_EVENTFILE_H
#define ATTNRES_RUNTIME_TRAINING_EVENTFILE_H

#include "support/Status.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attnres::runtime {

/// CRC-32C, of the polynomial 0x1EDC6F41 (Castagnoli).
uint32_t crc32c(std::string_view bytes);

/// One file of records, each an `Event` of tensorflow/core/util/event.proto:
///
///   u64 length, u32 masked CRC of it, the event, u32 masked CRC of it
///
/// little endian. Readers take events of all files of a folder together.
class EventFile {
public:
  /// Creates FOLDER/events.out.tfevents.SECONDS.attnres.PROCESS, and says that
  /// events of steps beyond `lastStep` in earlier files count no more.
  static Result<EventFile> create(const std::string &folder, int64_t lastStep);

  EventFile(EventFile &&other) noexcept;
  EventFile &operator=(EventFile &&) = delete;
  ~EventFile();

  /// Appends values of one step by tag; they are in the file when this returns.
  Status append(int64_t step,
                const std::vector<std::pair<std::string, double>> &values);

private:
  EventFile(std::string path, int fd) : path(std::move(path)), fd(fd) {}

  /// `content`: the fields of the event but its time and step.
  Status write(int64_t step, std::string_view content);

  std::string path;
  int fd;
};

} // namespace attnres::runtime
#endif

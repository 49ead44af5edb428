// Folders that hold a training run at one step.
#include "runtime/training/Checkpoint.h"

#include "support/File.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include <fcntl.h>
#include <stdio.h> // renameat2
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace attnres::runtime {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view stepPrefix = "step-";
constexpr std::string_view unfinishedPrefix = ".unfinished-";

/// step-NNNNNNNN, with at least eight digits so that names sort by step.
std::string folderName(int64_t step) {
  std::string digits = std::to_string(step);
  return concat(stepPrefix,
                std::string(digits.size() < 8 ? 8 - digits.size() : 0, '0'),
                digits);
}

/// The step in the name of a checkpoint; nothing for other names. Zeros before
/// the number do not matter.
std::optional<int64_t> stepOf(const std::string &name) {
  int64_t step = 0;
  const char *end = name.data() + name.size();
  if (name.compare(0, stepPrefix.size(), stepPrefix) != 0)
    return std::nullopt;
  auto [stop, error] =
      std::from_chars(name.data() + stepPrefix.size(), end, step);
  if (error != std::errc() || stop != end || step < 0)
    return std::nullopt;
  return step;
}

/// Moves a complete folder to its final name, in one step even if a folder of
/// that name exists; the old one is then under the first name.
Status moveIntoPlace(const std::string &from, const std::string &to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(),
                  RENAME_NOREPLACE) == 0)
    return {};
  if (errno == EEXIST && ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD,
                                     to.c_str(), RENAME_EXCHANGE) == 0)
    return {};
  // A file system without these flags.
  if (errno == EINVAL && ::rename(from.c_str(), to.c_str()) == 0)
    return {};
  return ioError(to, ": cannot rename: ", std::strerror(errno));
}

/// Removes a folder under a name that counts for nothing, unless it is held.
void removeUnlessHeld(const std::string &folder, const std::string &aside) {
  int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return;
  if (::flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) {
    std::error_code error;
    if (aside != folder)
      fs::rename(folder, aside, error);
    if (!error)
      fs::remove_all(aside, error);
  }
  ::close(fd);
}

} // namespace

std::vector<std::string> CheckpointFolder::list() const {
  std::vector<std::pair<int64_t, std::string>> found;
  std::error_code error;
  for (const auto &entry : fs::directory_iterator(path, error))
    if (std::string name = entry.path().filename();
        std::optional<int64_t> step = stepOf(name))
      if (entry.is_directory(error))
        found.emplace_back(*step, name);
  std::sort(found.begin(), found.end());
  std::vector<std::string> names;
  for (auto &[step, name] : found)
    names.push_back(std::move(name));
  return names;
}

std::string CheckpointFolder::latest() const {
  std::vector<std::string> names = list();
  return names.empty() ? "" : path + "/" + names.back();
}

std::string CheckpointFolder::find(int64_t step) const {
  std::string found = path + "/" + folderName(step);
  std::error_code error;
  return fs::is_directory(found, error) ? found : "";
}

Result<std::string> CheckpointFolder::save(int64_t step,
                                           const CheckpointContent &content) {
  std::string name = folderName(step);
  std::string aside =
      concat(path, "/", unfinishedPrefix, name, ".", ::getpid());
  std::error_code error;
  fs::remove_all(aside, error);
  fs::create_directories(aside, error);
  if (error)
    return ioError(aside, ": cannot create: ", error.message());
  auto write = [&]() -> Status {
    if (Status status =
            writeSafetensors(aside + "/model.safetensors", content.parameters);
        !status.ok())
      return status;
    if (Status status =
            writeSafetensors(aside + "/optimizer.safetensors", content.moments);
        !status.ok())
      return status;
    if (!content.means.empty())
      if (Status status =
              writeSafetensors(aside + "/ema.safetensors", content.means);
          !status.ok())
        return status;
    for (const auto &[file, text] : content.files)
      if (Status status = writeFileAtomically(aside + "/" + file, {text});
          !status.ok())
        return status;
    if (Status status = moveIntoPlace(aside, path + "/" + name); !status.ok())
      return status;
    return flushDirectory(path);
  };
  Status status = write();
  removeUnlessHeld(aside, aside); // what failed, or what was replaced
  if (!status.ok())
    return status;
  return path + "/" + name;
}

Status CheckpointFolder::setBest(int64_t step) {
  std::string best = run + "/best", aside = concat(best, ".", ::getpid());
  std::error_code error;
  fs::remove(aside, error);
  fs::create_directory_symlink("checkpoints/" + folderName(step), aside, error);
  if (!error)
    fs::rename(aside, best, error);
  if (!error)
    return flushDirectory(run);
  Status status = ioError(best, ": cannot link: ", error.message());
  fs::remove(aside, error);
  return status;
}

void CheckpointFolder::prune(int64_t keep, int64_t best) {
  std::vector<std::string> names = list();
  auto count = static_cast<int64_t>(names.size());
  for (int64_t i = 0; i + std::max<int64_t>(keep, 1) < count; ++i) {
    // A removal that is interrupted must not leave half a checkpoint under a
    // name that counts.
    const std::string &name = names[static_cast<size_t>(i)];
    if (stepOf(name) == best)
      continue;
    removeUnlessHeld(path + "/" + name, concat(path, "/", unfinishedPrefix,
                                               name, ".", ::getpid()));
  }
}

void CheckpointFolder::removeUnfinished() {
  std::error_code error;
  std::vector<fs::path> found;
  for (const auto &entry : fs::directory_iterator(path, error))
    if (std::string name = entry.path().filename();
        name.compare(0, unfinishedPrefix.size(), unfinishedPrefix) == 0)
      found.push_back(entry.path());
  for (const fs::path &entry : found)
    removeUnlessHeld(entry, entry);
}

Status checkTensors(const SafetensorsFile &file, const std::string &path,
                    const std::vector<TensorView> &tensors,
                    std::string_view stranger) {
  std::set<std::string> known;
  for (const TensorView &tensor : unstack(tensors)) {
    known.insert(tensor.name);
    const TensorView *stored = file.find(tensor.name);
    if (!stored)
      return invalidData(path, ": tensor ", inQuotes(tensor.name),
                         " is missing");
    if (stored->shape != tensor.shape)
      return invalidData(path, ": tensor ", inQuotes(tensor.name),
                         ": expected shape ", describeShape(tensor.shape),
                         ", got ", describeShape(stored->shape));
    if (stored->dtype != tensor.dtype)
      return invalidData(path, ": tensor ", inQuotes(tensor.name),
                         ": expected ", dtypeName(tensor.dtype), ", got ",
                         dtypeName(stored->dtype));
  }
  for (const TensorView &stored : file.tensors())
    if (!known.count(stored.name))
      return invalidData(path, ": tensor ", inQuotes(stored.name), " ",
                         stranger);
  return {};
}

Status loadTensors(const std::string &path,
                   const std::vector<TensorView> &tensors,
                   const std::vector<bool> &wanted) {
  Result<SafetensorsFile> file = SafetensorsFile::open(path);
  if (!file.ok())
    return file.status();
  if (Status status =
          checkTensors(*file, path, tensors, "is not part of the model");
      !status.ok())
    return status;
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (!wanted.empty() && !wanted[i])
      continue;
    for (const TensorView &tensor : unstack({tensors[i]}))
      if (tensor.bytes > 0)
        std::memcpy(const_cast<void *>(tensor.data),
                    file->find(tensor.name)->data,
                    static_cast<size_t>(tensor.bytes));
  }
  return {};
}

std::string resolveCheckpoint(const std::string &path) {
  std::error_code error;
  if (fs::exists(path + "/model.safetensors", error))
    return path;
  std::string latest = CheckpointFolder(path).latest();
  return latest.empty() ? path : latest;
}

HeldCheckpoint HeldCheckpoint::open(const std::string &path) {
  constexpr int tries = 100; // each lost one means that a newer one was saved
  std::string folder;
  for (int i = 0; i < tries; ++i) {
    folder = resolveCheckpoint(path);
    int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 && folder == path)
      break;
    if (fd < 0)
      continue;
    bool removing = ::flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    // It may have been removed or replaced before it was locked.
    struct stat opened, named;
    if (!removing && ::fstat(fd, &opened) == 0 &&
        ::stat(folder.c_str(), &named) == 0 && opened.st_ino == named.st_ino)
      return {folder, fd};
    ::close(fd);
  }
  return {folder, -1}; // who opens its files says what is wrong
}

HeldCheckpoint::HeldCheckpoint(HeldCheckpoint &&other) noexcept
    : folder(std::move(other.folder)), fd(std::exchange(other.fd, -1)) {}

HeldCheckpoint &HeldCheckpoint::operator=(HeldCheckpoint &&other) noexcept {
  std::swap(folder, other.folder);
  std::swap(fd, other.fd);
  return *this;
}

HeldCheckpoint::~HeldCheckpoint() {
  if (fd >= 0)
    ::close(fd);
}

std::string runOfCheckpoint(const std::string &path) {
  std::error_code error;
  if (fs::exists(path + "/run.json", error))
    return path;
  fs::path checkpoint = fs::weakly_canonical(path, error);
  fs::path run = checkpoint.parent_path().parent_path();
  bool isOne = checkpoint.parent_path().filename() == "checkpoints" &&
               fs::exists(run / "run.json", error);
  // As it was written, where it was written in full.
  return !isOne                         ? ""
         : fs::path(path).is_absolute() ? run.string()
                                        : fs::relative(run, error).string();
}

} // namespace attnres::runtime

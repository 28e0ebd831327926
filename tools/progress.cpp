// The line of progress: what is done, a bar, rate and time left, in the columns that the terminal has.
#include "progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

#include "output.h"

namespace wick::tools {

namespace {

using Clock = std::chrono::steady_clock;

std::string duration(double seconds) {
  char text[48];
  const auto whole = static_cast<long>(seconds);
  if (whole < 60) {
    std::snprintf(text, sizeof text, "%.0f s", seconds);
  } else if (whole < 3600) {
    std::snprintf(text, sizeof text, "%ld min %02ld s", whole / 60, whole % 60);
  } else {
    std::snprintf(text, sizeof text, "%ld h %02ld min", whole / 3600, whole / 60 % 60);
  }
  return text;
}

// "3.4/s", or "2.5 s each" where one takes longer than a second.
std::string rate(double each) {
  char text[48];
  if (each > 1) {
    std::snprintf(text, sizeof text, "%.1f s each", each);
  } else {
    std::snprintf(text, sizeof text, "%.1f/s", 1 / each);
  }
  return text;
}

size_t columns() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

// At most `width` columns: a longer line would be broken, and could not be written over.
std::string line_of(const std::string& what, size_t done, size_t total, double seconds, size_t width) {
  std::string tail = "  " + duration(seconds);
  if (total > 0) {
    tail = " " + std::to_string(done) + "/" + std::to_string(total);
    if (done > 0 && done < total && seconds > 0) {
      const double each = seconds / static_cast<double>(done);
      tail += "  " + rate(each) + ", " + duration(each * static_cast<double>(total - done)) + " left";
    } else if (done == 0) {
      tail += "  " + duration(seconds);
    }
  }
  std::string text = what;
  constexpr size_t kLeast = 8, kMost = 30, kName = 28;
  const size_t name = std::max(kName, text.size());
  if (total > 0 && name + tail.size() + 3 + kLeast <= width) {
    const size_t bar = std::min(kMost, width - name - tail.size() - 3);
    text.resize(name, ' ');
    std::string filled(std::min(done, total) * bar / total, '#');
    filled.resize(bar, '.');
    text += " [" + filled + "]";
  } else if (text.size() + tail.size() > width) {
    text.resize(width > tail.size() ? width - tail.size() : 0);
  }
  return (text + tail).substr(0, width);
}

}  // namespace

class Progress::Line {
 public:
  explicit Line(const std::string& what) : what_(what), start_(Clock::now()), thread_([this] { run(); }) {}

  ~Line() {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    changed_.notify_all();
    thread_.join();
    erase();
  }

  void show(const std::string& what, size_t done, size_t total) {
    const std::lock_guard lock(mutex_);
    if (what_ != what) start_ = Clock::now();
    what_ = what;
    done_ = done;
    total_ = total;
  }

  void clear() {
    const std::lock_guard lock(mutex_);
    erase();
    what_.clear();
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    const auto begin = Clock::now();
    while (!changed_.wait_for(lock, std::chrono::milliseconds(100), [this] { return ends_; })) {
      if (!what_.empty() && (drawn_ || Clock::now() - begin >= std::chrono::seconds(1))) draw();
    }
  }

  void draw() {
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    std::fprintf(stderr, "\r%s\x1b[K", line_of(what_, done_, total_, seconds, columns() - 1).c_str());
    std::fflush(stderr);
    drawn_ = shown_ = true;
  }

  void erase() {
    if (!shown_) return;
    std::fprintf(stderr, "\r\x1b[K");
    std::fflush(stderr);
    shown_ = false;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::string what_;
  size_t done_ = 0, total_ = 0;
  Clock::time_point start_;
  bool shown_ = false, drawn_ = false, ends_ = false;  // drawn: once, so that what follows is shown at once
  std::thread thread_;                                 // last: it uses the others
};

Progress::Progress(const std::string& what) {
  if (!is_terminal(true) || output().quiet) return;
  try {
    line_ = std::make_unique<Line>(what);
  } catch (const std::exception&) {  // no thread to be had: the work goes on without
  }
}

Progress::~Progress() = default;

void Progress::show(const std::string& what, size_t done, size_t total) {
  if (line_) line_->show(what, done, total);
}

void Progress::clear() {
  if (line_) line_->clear();
}

}  // namespace wick::tools

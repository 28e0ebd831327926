// Advice to the operating system about pages: huge pages, and pages that are no longer needed.
#include "core/pages.h"

#include <cstdlib>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace wick {

void release_free_memory() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

}  // namespace wick

#if defined(__linux__)

#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace wick {
namespace {

constexpr size_t kHugePage = size_t{2} << 20;
// Less is not worth the calls.
constexpr size_t kLeastBytes = size_t{64} << 10;

// Of /proc/self/pagemap: the page is in memory, and is one of a file.
constexpr uint64_t kPresent = uint64_t{1} << 63;
constexpr uint64_t kOfFile = uint64_t{1} << 61;

}  // namespace

void prefer_huge_pages(void* begin, size_t bytes) {
#if defined(MADV_HUGEPAGE)
  const auto from = (reinterpret_cast<uintptr_t>(begin) + kHugePage - 1) / kHugePage * kHugePage;
  const auto to = (reinterpret_cast<uintptr_t>(begin) + bytes) / kHugePage * kHugePage;
  if (from < to) madvise(reinterpret_cast<void*>(from), to - from, MADV_HUGEPAGE);
#endif
}

void release_file_pages(const void* begin, size_t bytes) {
  if (bytes < kLeastBytes) return;
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const uintptr_t first = (reinterpret_cast<uintptr_t>(begin) + page - 1) / page;
  const uintptr_t last = (reinterpret_cast<uintptr_t>(begin) + bytes) / page;
  const int map = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  if (map < 0) return;
  uint64_t entries[512];
  uintptr_t run = 0;  // pages before `at` to be given back
  const auto flush = [&](uintptr_t at) {
    if (run > 0) madvise(reinterpret_cast<void*>((at - run) * page), run * page, MADV_DONTNEED);
    run = 0;
  };
  for (uintptr_t at = first; at < last;) {
    const size_t count = std::min<size_t>(std::size(entries), last - at);
    const auto wanted = static_cast<ssize_t>(count * sizeof(uint64_t));
    if (pread(map, entries, static_cast<size_t>(wanted), static_cast<off_t>(at * sizeof(uint64_t))) != wanted) {
      flush(at);
      close(map);
      return;
    }
    for (size_t i = 0; i < count; ++i, ++at) {
      if ((entries[i] & kPresent) != 0 && (entries[i] & kOfFile) != 0) {
        ++run;
      } else {
        flush(at);
      }
    }
  }
  flush(last);
  close(map);
}

void release_program_pages() {
  // Called for each object in memory until one gives something else than 0.
  const auto release = [](dl_phdr_info* object, size_t, void* here) {
    const auto address = reinterpret_cast<uintptr_t>(here);
    const auto each_segment = [&](auto&& use) {
      for (size_t i = 0; i < object->dlpi_phnum; ++i) {
        const ElfW(Phdr)& segment = object->dlpi_phdr[i];
        if (segment.p_type == PT_LOAD) use(object->dlpi_addr + segment.p_vaddr, segment);
      }
    };
    bool is_this = false;
    each_segment([&](uintptr_t begin, const ElfW(Phdr) & s) {
      is_this = is_this || (begin <= address && address < begin + s.p_memsz);
    });
    if (!is_this) return 0;
    each_segment([](uintptr_t begin, const ElfW(Phdr) & s) {
      if ((s.p_flags & PF_W) == 0) release_file_pages(reinterpret_cast<const void*>(begin), s.p_memsz);
    });
    return 1;
  };
  dl_iterate_phdr(release, reinterpret_cast<void*>(&release_program_pages));
}

}  // namespace wick

#else

namespace wick {

void prefer_huge_pages(void*, size_t) {}
void release_file_pages(const void*, size_t) {}
void release_program_pages() {}

}  // namespace wick

#endif

// Any bytes as a PNG or JPEG image: they give pixels or an Error.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "fuzz/bounds.h"
#include "wick/image.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const int fd = memfd_create("image", 0);
  if (fd < 0 || ftruncate(fd, 0) != 0 || pwrite(fd, data, size, 0) != static_cast<ssize_t>(size)) return 0;
  wick::fuzz::run_bounded("image", [&] {
    const wick::image::Image image = wick::image::read("/proc/self/fd/" + std::to_string(fd));
    // Read as a kernel would: any overrun is the sanitizer's to find.
    uint64_t sum = 0;
    for (const uint8_t pixel : image.pixels) sum += pixel;
    const auto pixels = static_cast<size_t>(image.width) * static_cast<size_t>(image.height) * 3;
    if (image.pixels.size() != pixels || sum > pixels * 255) std::abort();
  });
  return 0;
}

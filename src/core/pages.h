// Advice to the operating system about memory. Nothing that a program can read is changed; where the system offers
// nothing of the kind, nothing happens.
#pragma once

#include <cstddef>

namespace wick {

// The memory is large and read over and over.
void prefer_huge_pages(void* begin, size_t bytes);

// The memory is not needed for now: pages that hold what a mapped file holds are released, to be read again from the
// file when they are touched. Pages that were written to stay. Nobody may write to the memory meanwhile.
void release_file_pages(const void* begin, size_t bytes);

// The same of the program's own code and read-only data, or of the shared library that has this code: what loading and
// planning have touched is not needed to run.
void release_program_pages();

// What was freed and is kept for later allocations goes back to the system, where the allocator can do that.
void release_free_memory();

}  // namespace wick

// Program: what a GPU does for one stretch of a plan, as data: memory, and dispatches of shaders in order.
#pragma once

#include <array>
#include <bit>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "gpu/device.h"
#include "ir/graph.h"
#include "wick/tensor.h"

namespace wick::gpu {

// Weights on the device.
struct Constant {
  std::shared_ptr<const Buffer> buffer;
  uint64_t offset = 0;
};

// A piece of memory that dispatches read and write.
struct Memory {
  enum class Kind : uint8_t { kArena, kInput, kOutput, kConstant } kind = Kind::kArena;
  uint64_t bytes = 0;
  uint64_t offset = 0;  // in the buffer of its kind; assigned when the program is finished
  Constant constant;
};
using MemoryId = uint32_t;
constexpr MemoryId kNoMemory = UINT32_MAX;

// Integers are kept as floats, which hold them exactly up to here, and truth values as 0 and 1.
constexpr int64_t kLargestInteger = int64_t{1} << 24;

// Elements in a memory, as a strided view. Strides and `at` count elements.
struct Value {
  MemoryId memory = kNoMemory;
  IntVec sizes, strides;
  int64_t at = 0;
  bool wide = false;  // integers of a program that stores elements as float16: they are floats
  int64_t low = -kLargestInteger, high = kLargestInteger;  // of integers: what they lie between

  bool defined() const { return memory != kNoMemory; }
};

// Push constants, in order.
class Words {
 public:
  template <class T>
  void add(T number) {
    if constexpr (std::is_floating_point_v<T>) {
      words_.push_back(std::bit_cast<uint32_t>(static_cast<float>(number)));
    } else {
      words_.push_back(static_cast<uint32_t>(number));
    }
  }
  template <class... T>
  void all_of(T... numbers) {
    (add(numbers), ...);
  }
  // `count` of them, right-aligned: the outermost are `missing`.
  void add_last(const IntVec& numbers, size_t count, int64_t missing) {
    const size_t skipped = count - numbers.size();
    for (size_t k = 0; k < count; ++k) add(k < skipped ? missing : numbers[k - skipped]);
  }
  // `count` of them, the first ones.
  void add_first(const IntVec& numbers, size_t count, int64_t missing) {
    for (size_t k = 0; k < count; ++k) add(k < numbers.size() ? numbers[k] : missing);
  }
  std::vector<uint32_t>& all() { return words_; }
  const std::vector<uint32_t>& all() const { return words_; }

 private:
  std::vector<uint32_t> words_;
};

struct Dispatch {
  Shader shader = Shader::k_copy;
  std::vector<uint32_t> constants;  // specialization; the first is the size of a workgroup
  Words push;
  std::array<MemoryId, 3> reads{kNoMemory, kNoMemory, kNoMemory};
  MemoryId write = kNoMemory;
  bool writes_part = false;  // others write the rest of the memory
  bool wide = false;         // the code that stores elements as floats, whatever the program does
  std::array<uint32_t, 3> workgroups{1, 1, 1};
  std::string name;
  const ir::Node* node = nullptr;

  // Where a result of pixels with channels last may be placed into a larger one: indices of push constants (offset and
  // distance of pixels), in units of so many elements, and of the constant that says whether `width` elements are
  // stored at once; -1: none.
  struct Placing {
    int at = -1, pixel = -1, wide = -1;
    uint32_t unit = 1, width = 4;
  } placing;
  int64_t operations = 0;  // multiplications and additions, of products; for profiles
};

// An input is copied to its memory as these strides say; a result from it.
struct Transfer {
  uint32_t tensor;  // of the trace
  MemoryId memory;
  IntVec sizes, strides;
  bool wide = false;                                       // as floats, whatever the program stores
  int64_t low = -kLargestInteger, high = kLargestInteger;  // integers beyond them are not for the GPU
};

struct Program {
  bool half = false;
  std::vector<Memory> memory;
  std::vector<Dispatch> dispatches;
  std::vector<Transfer> inputs, outputs;
  uint64_t arena_bytes = 0, input_bytes = 0, output_bytes = 0;
  uint64_t element_bytes() const { return half ? 2 : 4; }
};

// Drops dispatches whose results nothing uses, gives all memory its place: memory that is in use at the same time does
// not overlap. Places are multiples of `alignment`.
void finish(Program& program, uint64_t alignment);

}  // namespace wick::gpu

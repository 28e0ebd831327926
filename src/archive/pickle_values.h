// Values that exist only while a pickle is read, and the accounting that bounds the reading.
#pragma once

#include <string>

#include "archive/pickle_globals.h"
#include "core/cast.h"
#include "core/check.h"
#include "core/limits.h"
#include "wick/ivalue.h"

namespace wick {

// A list or dict being filled. Once it is part of another value it may not change any more: that keeps
// values free of cycles and makes `depth` final.
struct OpenList : ListImpl {
  const void* type_mark() const noexcept override { return &kTypeMark<OpenList>; }
  uint32_t depth = 1;
  bool placed = false;
};
struct OpenDict : DictImpl {
  const void* type_mark() const noexcept override { return &kTypeMark<OpenDict>; }
  uint32_t depth = 1;
  bool placed = false;
};

// Base of what may be on the stack or in argument tuples but never in a result.
class PickleInternal : public CustomObject {
 public:
  std::string_view class_name() const override { return name; }
  IValue get_state() const override { return {}; }
  std::string name;  // for messages
};

struct GlobalRef final : PickleInternal {
  const void* type_mark() const noexcept override { return &kTypeMark<GlobalRef>; }
  Global global;
};

// An instance between NEWOBJ and BUILD; `built` is set by BUILD.
struct PendingObject final : PickleInternal {
  const void* type_mark() const noexcept override { return &kTypeMark<PendingObject>; }
  IValue built;
  uint32_t depth = 0;
  bool done = false;
};

// A storage, or the part of one that an old file calls a view.
struct StorageRef final : PickleInternal {
  const void* type_mark() const noexcept override { return &kTypeMark<StorageRef>; }
  std::string key;
  bool untyped = false;
  DType dtype = DType::kByte;
  uint64_t begin = 0;  // in bytes
  uint64_t nbytes = 0;
};

// Where the reader is, for messages, and how much more it may do. References to earlier values (BINGET) let a
// few bytes ask for much work; it is held to a multiple of the bytes read so far.
class PickleContext {
 public:
  explicit PickleContext(const std::string& record) : record_(record) {}

  template <class... Parts>
  [[noreturn, gnu::always_inline]] void bad(const Parts&... parts) const {
    raise(static_cast<uint64_t>(ErrorCode::kCorruptFile) | text::kinds_of<Parts...>(4), text::word_of<Parts>(parts)...);
  }
  template <class... Parts>
  [[noreturn, gnu::always_inline]] void unsupported(const Parts&... parts) const {
    raise(static_cast<uint64_t>(ErrorCode::kUnsupported) | text::kinds_of<Parts...>(4), text::word_of<Parts>(parts)...);
  }
  template <class... Parts>
  [[noreturn, gnu::always_inline]] void too_much(const Parts&... parts) const {
    raise(static_cast<uint64_t>(ErrorCode::kLimitExceeded) | text::kinds_of<Parts...>(4),
          text::word_of<Parts>(parts)...);
  }

  void charge_work(uint64_t steps) {
    work_done_ += steps;
    if (work_done_ > limits::kPickleWorkPerByte * offset + kLeastWork) {
      too_much("the pickle asks for far more work than its length warrants");
    }
  }
  // Every value that is an allocation of its own: a byte of a pickle can ask for hundreds of bytes.
  void charge_object() {
    if (++objects_ > limits::kMaxPickleObjects) {
      too_much("the pickle has more than ", limits::kMaxPickleObjects, " objects");
    }
  }
  // Copies of tensor data are held to a multiple of the data that was loaded.
  void allow_copies(uint64_t loaded) { copy_left_ += limits::kPickleCopiesPerByte * loaded; }
  void charge_copy(uint64_t nbytes) {
    if (nbytes > copy_left_) too_much("the pickle asks for copies of far more data than it has");
    copy_left_ -= nbytes;
  }

  size_t offset = 0;  // of the current opcode

 private:
  static constexpr uint64_t kLeastWork = 1 << 16;

  [[noreturn, gnu::cold]] void raise(uint64_t code_and_kinds, ...) const;

  std::string record_;
  uint64_t work_done_ = 0;
  uint64_t objects_ = 0;
  uint64_t copy_left_ = 1 << 16;
};

}  // namespace wick

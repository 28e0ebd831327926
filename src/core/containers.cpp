// Dictionaries, objects, futures and equality of values.
#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>

#include "core/budget.h"
#include "core/check.h"
#include "core/copy.h"
#include "core/limits.h"
#include "core/tensor_impl.h"
#include "core/value_walk.h"
#include "core/word_map.h"
#include "wick/ivalue.h"

namespace wick {

namespace {

// The same for both zeros.
size_t hash_of(double v) { return std::bit_cast<uint64_t>(v + 0.0); }

size_t hash_of(const IValue& k, Descent& descent) {
  switch (k.tag()) {
    case IValue::Tag::kInt:
      return static_cast<size_t>(k.to_int());
    case IValue::Tag::kBool:
      return k.to_bool();
    case IValue::Tag::kDouble:
      return hash_of(k.to_double());
    case IValue::Tag::kComplex:
      return hash_of(k.to_complex().real()) * 31 + hash_of(k.to_complex().imag());
    case IValue::Tag::kString:
      return hash_of_text(k.to_string());
    case IValue::Tag::kDevice:
      return static_cast<size_t>(k.to_device().type * 256 + k.to_device().index);
    case IValue::Tag::kTensor:
      return std::hash<const void*>()(k.to_tensor().impl());
    case IValue::Tag::kTuple: {
      const std::vector<IValue>& items = k.to_tuple().items;
      const Descent::Level level(descent, items.size());
      size_t h = 7;
      for (const IValue& v : items) h = h * 31 + hash_of(v, descent);
      return h;
    }
    case IValue::Tag::kEnum: {
      const Descent::Level level(descent, 1);
      return hash_of(k.to_enum().value, descent);
    }
    default:
      fail_with<ErrorCode::kTypeMismatch>("unhashable type: '", k.tag_name(), "'");
  }
}

size_t hash_of(const IValue& k) {
  Descent descent("hashed");
  return hash_of(k, descent);
}

bool same_key(const IValue& a, const IValue& b, Descent& descent) {
  if (a.is_tuple() && b.is_tuple()) {
    const auto& x = a.to_tuple().items;
    const auto& y = b.to_tuple().items;
    const Descent::Level level(descent, x.size());
    return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                      [&](const IValue& v, const IValue& w) { return same_key(v, w, descent); });
  }
  // A NaN key equals itself here, so that the slots and the entries always agree.
  if (a.is_double() && b.is_double() && std::isnan(a.to_double()) && std::isnan(b.to_double())) return true;
  return a.is_same(b);
}

constexpr uint32_t kErasedSlot = UINT32_MAX;  // skipped on the way to another key

uint32_t& free_place(std::vector<uint32_t>& slots, size_t hash) {
  while (slots[hash & (slots.size() - 1)] != 0) ++hash;
  return slots[hash & (slots.size() - 1)];
}

}  // namespace

uint32_t* DictImpl::slot_of(const IValue& key, size_t hash) {
  Descent descent("compared");
  for (size_t at = hash; !slots_.empty(); ++at) {
    uint32_t& slot = slots_[at & (slots_.size() - 1)];
    if (slot == 0) break;
    if (slot != kErasedSlot && same_key(entries_[slot - 1].first, key, descent)) return &slot;
  }
  return nullptr;
}

// Of a key that is not there.
uint32_t& DictImpl::free_slot(size_t hash) {
  ++slots_used_;
  return free_place(slots_, hash);
}

// Drops erased slots; reserves space for as many keys again.
void DictImpl::compact() {
  WICK_CHECK(entries_.size() < limits::kMaxDictEntries, kLimitExceeded, "a dict has more than ",
             limits::kMaxDictEntries, " entries");
  std::vector<uint32_t> slots(std::bit_ceil(std::max<size_t>(size() * 4, 8)));
  uint32_t place = 0;
  for (const auto& entry : entries_) {  // hashing may throw: the dict is changed afterwards
    free_place(slots, scatter(hash_of(entry.first))) = ++place;
  }
  slots_.swap(slots);
  slots_used_ = place;
}

IValue* DictImpl::find(const IValue& key) {
  const uint32_t* slot = slot_of(key, scatter(hash_of(key)));
  return slot ? &entries_[*slot - 1].second : nullptr;
}

void DictImpl::set(IValue key, IValue value) {
  const size_t hash = scatter(hash_of(key));
  if (const uint32_t* slot = slot_of(key, hash)) {
    entries_[*slot - 1].second = std::move(value);
    return;
  }
  if (slots_used_ * 2 >= slots_.size()) compact();
  entries_.emplace_back(std::move(key), std::move(value));
  free_slot(hash) = static_cast<uint32_t>(entries_.size());
}

bool DictImpl::erase(const IValue& key) {
  uint32_t* slot = slot_of(key, scatter(hash_of(key)));
  if (!slot) return false;
  const uint32_t place = *slot;
  *slot = kErasedSlot;
  // At once, not when the entries are next looked at: threads may read a dict that no thread changes.
  const std::pair<IValue, IValue> gone = std::move(entries_[place - 1]);  // destroyed last: that may run anything
  entries_.erase(entries_.begin() + (place - 1));
  if (place <= entries_.size()) {
    for (uint32_t& other : slots_) other -= other > place && other != kErasedSlot ? 1 : 0;
  }
  return true;
}

const std::vector<std::pair<IValue, IValue>>& DictImpl::entries() { return entries_; }

namespace {

// Held only while one slot is copied or swapped.
class SpinLock {
 public:
  explicit SpinLock(std::atomic_flag& flag) : flag_(flag) {
    while (flag_.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
  }
  ~SpinLock() { flag_.clear(std::memory_order_release); }

 private:
  std::atomic_flag& flag_;
};

}  // namespace

IValue ObjectImpl::get(size_t slot) const {
  SpinLock lock(busy_);
  if (slot < slots_.size()) return slots_[slot];
  fail_with<ErrorCode::kIndexOutOfRange>("object of class ", cls->name, " has no attribute number ", slot);
}

void ObjectImpl::set(size_t slot, IValue value) {
  WICK_CHECK(slot < limits::kMaxAttributes, kLimitExceeded, "attribute number ", slot, " of class ", cls->name,
             " is too large");
  SpinLock lock(busy_);
  if (slot >= slots_.size()) slots_.resize(slot + 1);
  slots_[slot].swap(value);  // the old value is destroyed after the lock is gone
}

size_t ObjectImpl::slot_count() const {
  SpinLock lock(busy_);
  return slots_.size();
}

IValue ObjectImpl::attr(std::string_view name) const {
  const int64_t slot = cls->slot_of(name);
  WICK_CHECK(slot >= 0, kNotFound, "class ", cls->name, " has no attribute '", name, "'");
  return get(static_cast<size_t>(slot));
}

struct FutureImpl::State {
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  IValue value;
  std::exception_ptr error;
  std::vector<std::unique_ptr<Continuation>> next;
};

FutureImpl::FutureImpl() : state_(std::make_unique<State>()) {}
FutureImpl::~FutureImpl() = default;

void FutureImpl::finish(IValue value, std::exception_ptr error) {
  std::vector<std::unique_ptr<Continuation>> next;
  {
    std::lock_guard lock(state_->mutex);
    state_->value = std::move(value);
    state_->error = std::move(error);
    state_->done = true;
    next.swap(state_->next);
  }
  state_->changed.notify_all();
  for (const auto& f : next) f->run();
}

void FutureImpl::complete(IValue value) { finish(std::move(value), nullptr); }
void FutureImpl::fail(std::exception_ptr error) { finish(IValue(), std::move(error)); }

bool FutureImpl::done() const {
  std::lock_guard lock(state_->mutex);
  return state_->done;
}

IValue FutureImpl::wait() {
  State& s = *state_;
  std::unique_lock lock(s.mutex);
  if (Budget::current()) {
    // A task may have been forked by another run, with other bounds or none.
    while (!s.changed.wait_for(lock, std::chrono::milliseconds(10), [&] { return s.done; })) check_budget();
  } else {
    s.changed.wait(lock, [&] { return s.done; });
  }
  if (!s.error) return s.value;
  try {
    std::rethrow_exception(s.error);
  } catch (const Error& error) {
    throw Error(error);  // a copy for each who waits: callers add to it where they were
  }
}

void FutureImpl::add(std::unique_ptr<Continuation> next) {
  {
    std::lock_guard lock(state_->mutex);
    if (!state_->done) {
      state_->next.push_back(std::move(next));
      return;
    }
  }
  next->run();
}

namespace {

bool equal_tensors(const Tensor& a, const Tensor& b) {
  if (a.is_same(b)) return true;
  if (!(a.sizes() == b.sizes())) return false;
  if (a.numel() == 0) return true;
  const DType common = is_complex(a.dtype()) || is_complex(b.dtype())     ? DType::kComplexDouble
                       : is_floating(a.dtype()) || is_floating(b.dtype()) ? DType::kDouble
                                                                          : DType::kLong;
  const Tensor x = contiguous(to_dtype(a, common)), y = contiguous(to_dtype(b, common));
  if (common == DType::kLong) return std::memcmp(x.raw_data(), y.raw_data(), x.nbytes()) == 0;
  const double* p = static_cast<const double*>(x.raw_data());
  const double* q = static_cast<const double*>(y.raw_data());
  const int64_t n = x.numel() * (common == DType::kComplexDouble ? 2 : 1);
  for (int64_t i = 0; i < n; ++i) {
    if (p[i] != q[i]) return false;
  }
  return true;
}

bool equal_at(const IValue& a, const IValue& b, Descent& descent);

bool equal_items(const std::vector<IValue>& a, const std::vector<IValue>& b, Descent& descent) {
  if (a.size() != b.size()) return false;
  const Descent::Level level(descent, a.size());
  for (size_t i = 0; i < a.size(); ++i) {
    if (!equal_at(a[i], b[i], descent)) return false;
  }
  return true;
}

bool equal_at(const IValue& a, const IValue& b, Descent& descent) {
  if (a.is_number() && b.is_number()) {
    if (a.is_complex() || b.is_complex()) return a.to_scalar().to_complex() == b.to_scalar().to_complex();
    if (a.is_double() || b.is_double()) return a.to_scalar().to_double() == b.to_scalar().to_double();
    return a.to_scalar().to_int() == b.to_scalar().to_int();
  }
  if (a.tag() != b.tag()) return false;
  switch (a.tag()) {
    case IValue::Tag::kTensor:
      return equal_tensors(a.to_tensor(), b.to_tensor());
    case IValue::Tag::kList:
      return equal_items(a.to_list().items, b.to_list().items, descent);
    case IValue::Tag::kTuple:
      return equal_items(a.to_tuple().items, b.to_tuple().items, descent);
    case IValue::Tag::kDict: {
      DictImpl& x = a.to_dict();
      DictImpl& y = b.to_dict();
      if (x.size() != y.size()) return false;
      const Descent::Level level(descent, x.size());
      for (const auto& [key, value] : x.entries()) {
        const IValue* other = y.find(key);
        if (!other || !equal_at(value, *other, descent)) return false;
      }
      return true;
    }
    default:
      return a.is_same(b);
  }
}

}  // namespace

bool equal(const IValue& a, const IValue& b) {
  Descent descent("compared");
  return equal_at(a, b, descent);
}

}  // namespace wick

// Dictionaries, objects, futures and equality of values.
#include <chrono>
#include <cmath>
#include <cstring>
#include <thread>

#include "core/check.h"
#include "core/copy.h"
#include "core/limits.h"
#include "wick/ivalue.h"

namespace wick {

namespace {

// Keys come from files: without a seed that differs from run to run, keys could be chosen that all fall into
// one bucket. The order of entries does not depend on it.
size_t scatter(uint64_t h) {
  static const char anchor = 0;
  static const uint64_t seed =
      static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count()) * 0x9e3779b97f4a7c15u ^
      reinterpret_cast<uintptr_t>(&anchor);
  h ^= seed;
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
  return h ^ (h >> 31);
}

size_t hash_of(const IValue& k) {
  switch (k.tag()) {
    case IValue::Tag::kInt:
      return std::hash<int64_t>()(k.to_int());
    case IValue::Tag::kBool:
      return std::hash<bool>()(k.to_bool());
    case IValue::Tag::kDouble:
      return std::hash<double>()(k.to_double());
    case IValue::Tag::kComplex:
      return std::hash<double>()(k.to_complex().real()) * 31 + std::hash<double>()(k.to_complex().imag());
    case IValue::Tag::kString:
      return std::hash<std::string>()(k.to_string());
    case IValue::Tag::kDevice:
      return std::hash<std::string>()(k.to_device().str());
    case IValue::Tag::kTensor:
      return std::hash<const void*>()(k.to_tensor().impl());
    case IValue::Tag::kTuple: {
      size_t h = 7;
      for (const IValue& v : k.to_tuple().items) h = h * 31 + hash_of(v);
      return h;
    }
    case IValue::Tag::kEnum:
      return hash_of(k.to_enum().value);
    default:
      fail_with<ErrorCode::kTypeMismatch>("unhashable type: '", k.tag_name(), "'");
  }
}

}  // namespace

size_t DictImpl::Hash::operator()(const IValue& k) const { return scatter(hash_of(k)); }

bool DictImpl::Same::operator()(const IValue& a, const IValue& b) const {
  if (a.is_tuple() && b.is_tuple()) {
    const auto& x = a.to_tuple().items;
    const auto& y = b.to_tuple().items;
    if (x.size() != y.size()) return false;
    for (size_t i = 0; i < x.size(); ++i) {
      if (!(*this)(x[i], y[i])) return false;
    }
    return true;
  }
  // A NaN key equals itself here, so that the index and the entries always agree.
  if (a.is_double() && b.is_double() && std::isnan(a.to_double()) && std::isnan(b.to_double())) return true;
  return a.is_same(b);
}

IValue* DictImpl::find(const IValue& key) {
  const auto it = index_.find(key);
  return it == index_.end() ? nullptr : &entries_[it->second].second;
}

void DictImpl::set(IValue key, IValue value) {
  const auto [it, fresh] = index_.try_emplace(key, entries_.size());
  if (!fresh) {
    entries_[it->second].second = std::move(value);
    return;
  }
  entries_.emplace_back(std::move(key), std::move(value));
  dead_.push_back(false);
}

bool DictImpl::erase(const IValue& key) {
  const auto it = index_.find(key);
  if (it == index_.end()) return false;
  const size_t at = it->second;
  index_.erase(it);
  entries_[at] = {};
  dead_[at] = true;
  ++dead_count_;
  return true;
}

void DictImpl::clear() {
  entries_.clear();
  dead_.clear();
  index_.clear();
  dead_count_ = 0;
}

void DictImpl::compact() {
  size_t to = 0;
  for (size_t from = 0; from < entries_.size(); ++from) {
    if (dead_[from]) continue;
    if (to != from) entries_[to] = std::move(entries_[from]);
    index_[entries_[to].first] = to;
    ++to;
  }
  entries_.resize(to);
  dead_.assign(to, false);
  dead_count_ = 0;
}

const std::vector<std::pair<IValue, IValue>>& DictImpl::entries() {
  if (dead_count_ > 0) compact();
  return entries_;
}

int64_t ClassInfo::slot_of(std::string_view attribute) const {
  for (size_t i = 0; i < attributes.size(); ++i) {
    if (attributes[i] == attribute) return static_cast<int64_t>(i);
  }
  return -1;
}

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

constexpr size_t kMaxSlots = 1 << 20;

}  // namespace

IValue ObjectImpl::get(size_t slot) const {
  SpinLock lock(busy_);
  if (slot < slots_.size()) return slots_[slot];
  fail_with<ErrorCode::kIndexOutOfRange>("object of class ", cls->name, " has no attribute number ", slot);
}

void ObjectImpl::set(size_t slot, IValue value) {
  WICK_CHECK(slot < kMaxSlots, kLimitExceeded, "attribute number ", slot, " of class ", cls->name, " is too large");
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

void FutureImpl::complete(IValue value) {
  std::vector<std::function<void()>> next;
  {
    std::lock_guard lock(mutex_);
    value_ = std::move(value);
    done_ = true;
    next.swap(next_);
  }
  changed_.notify_all();
  for (const auto& f : next) f();
}

void FutureImpl::fail(std::exception_ptr error) {
  std::vector<std::function<void()>> next;
  {
    std::lock_guard lock(mutex_);
    error_ = std::move(error);
    done_ = true;
    next.swap(next_);
  }
  changed_.notify_all();
  for (const auto& f : next) f();
}

bool FutureImpl::done() const {
  std::lock_guard lock(mutex_);
  return done_;
}

IValue FutureImpl::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return done_; });
  if (error_) std::rethrow_exception(error_);
  return value_;
}

void FutureImpl::then(std::function<void()> next) {
  {
    std::lock_guard lock(mutex_);
    if (!done_) {
      next_.push_back(std::move(next));
      return;
    }
  }
  next();
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

bool equal_at(const IValue& a, const IValue& b, size_t depth);

bool equal_items(const std::vector<IValue>& a, const std::vector<IValue>& b, size_t depth) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!equal_at(a[i], b[i], depth)) return false;
  }
  return true;
}

bool equal_at(const IValue& a, const IValue& b, size_t depth) {
  WICK_CHECK(depth < limits::kMaxValueDepth, kLimitExceeded, "values are nested too deeply to be compared");
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
      return equal_items(a.to_list().items, b.to_list().items, depth + 1);
    case IValue::Tag::kTuple:
      return equal_items(a.to_tuple().items, b.to_tuple().items, depth + 1);
    case IValue::Tag::kDict: {
      DictImpl& x = a.to_dict();
      DictImpl& y = b.to_dict();
      if (x.size() != y.size()) return false;
      for (const auto& [key, value] : x.entries()) {
        const IValue* other = y.find(key);
        if (!other || !equal_at(value, *other, depth + 1)) return false;
      }
      return true;
    }
    default:
      return a.is_same(b);
  }
}

}  // namespace

bool equal(const IValue& a, const IValue& b) { return equal_at(a, b, 0); }

}  // namespace wick

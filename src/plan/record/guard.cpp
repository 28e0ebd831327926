// Guards: dtype, sizes, strides and values that a plan depends on.
#include "plan/record/guard.h"

#include <bit>

#include "core/limits.h"

namespace wick::plan {
namespace {

using Tag = IValue::Tag;

constexpr size_t kMaxDepth = 16;  // containers nested deeper are not worth a plan

bool is_plain(Tag tag) {
  return tag == Tag::kNone || tag == Tag::kBool || tag == Tag::kInt || tag == Tag::kDevice || tag == Tag::kComplex ||
         tag == Tag::kString || tag == Tag::kUninitialized;
}

bool same_plain(const IValue& a, const IValue& b) {
  return a.tag() == Tag::kString    ? a.to_string() == b.to_string()
         : a.tag() == Tag::kComplex ? a.to_complex() == b.to_complex()
                                    : a.is_same(b);
}

// NaN equals NaN and 0.0 differs from -0.0: the question is whether the same thing would be computed.
bool same_bits(double a, double b) { return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b); }

}  // namespace

Guard Guard::of(const IValue& value, bool same_tensors) {
  size_t left = limits::kMaxGuardParts;
  Guard g = of(value, same_tensors, 0, left);
  if (g.never_) g.items_ = {};
  return g;
}

Guard Guard::of(const IValue& value, bool same_tensors, size_t depth, size_t& left) {
  Guard g;
  g.tag_ = value.tag();
  g.never_ = depth > kMaxDepth;
  const auto add_items = [&](const std::vector<IValue>& items) {
    g.never_ = g.never_ || items.size() > left;
    if (g.never_) return;
    left -= items.size();
    for (const IValue& item : items) {
      g.items_.push_back(of(item, same_tensors, depth + 1, left));
      g.never_ = g.items_.back().never_;
      if (g.never_) return;
    }
  };
  switch (value.tag()) {
    case Tag::kTensor: {
      const TensorImpl& t = *value.to_tensor().impl();
      g.dtype_ = t.dtype;
      g.sizes_ = t.sizes;
      g.strides_ = t.strides;
      g.never_ = g.never_ || t.row_lengths;
      if (same_tensors) {
        g.tensor_ = Ref(value.to_tensor().impl());
        g.storage_ = t.storage;
      }
      if (t.quantizer) {
        g.never_ = g.never_ || t.quantizer->scheme != QScheme::kPerTensorAffine;
        g.scale_ = t.quantizer->scale;
        g.zero_point_ = t.quantizer->zero_point;
      }
      return g;
    }
    case Tag::kList:
      add_items(value.to_list().items);
      return g;
    case Tag::kTuple:
      add_items(value.to_tuple().items);
      return g;
    case Tag::kDict: {
      std::vector<IValue> keys;
      g.never_ = g.never_ || value.to_dict().size() > left;
      if (g.never_) return g;
      for (const auto& [key, item] : value.to_dict().entries()) {
        keys.push_back(key);
        keys.push_back(item);
      }
      add_items(keys);
      return g;
    }
    case Tag::kFuture:
    case Tag::kGenerator:
      g.never_ = true;
      return g;
    default:
      g.value_ = value;
      return g;
  }
}

bool Guard::matches_tensor(const Tensor& tensor) const {
  const TensorImpl& t = *tensor.impl();
  if (tensor_ && (&t != tensor_.get() || t.storage != storage_)) return false;
  if (t.dtype != dtype_ || !(t.sizes == sizes_) || !(t.strides == strides_) || t.row_lengths) return false;
  return !t.quantizer || (t.quantizer->scheme == QScheme::kPerTensorAffine && t.quantizer->scale == scale_ &&
                          t.quantizer->zero_point == zero_point_);
}

bool Guard::matches(const IValue& value) const {
  if (never_ || value.tag() != tag_) return false;
  if (is_plain(tag_)) return same_plain(value_, value);
  const auto match_items = [&](const std::vector<IValue>& items) {
    if (items.size() != items_.size()) return false;
    for (size_t i = 0; i < items.size(); ++i) {
      if (!items_[i].matches(items[i])) return false;
    }
    return true;
  };
  switch (tag_) {
    case Tag::kDouble:
      return same_bits(value_.to_double(), value.to_double());
    case Tag::kTensor:
      return matches_tensor(value.to_tensor());
    case Tag::kList:
      return match_items(value.to_list().items);
    case Tag::kTuple:
      return match_items(value.to_tuple().items);
    case Tag::kDict: {
      const auto& entries = value.to_dict().entries();
      if (entries.size() * 2 != items_.size()) return false;
      for (size_t i = 0; i < entries.size(); ++i) {
        if (!items_[2 * i].matches(entries[i].first) || !items_[2 * i + 1].matches(entries[i].second)) return false;
      }
      return true;
    }
    default:
      return value_.is_same(value);
  }
}

void visit_guarded_tensors(const IValue& value, const Callback<void(const Tensor&)>& visit) {
  const auto visit_items = [&](const std::vector<IValue>& items) {
    for (const IValue& item : items) visit_guarded_tensors(item, visit);
  };
  switch (value.tag()) {
    case Tag::kTensor:
      return visit(value.to_tensor());
    case Tag::kList:
      return visit_items(value.to_list().items);
    case Tag::kTuple:
      return visit_items(value.to_tuple().items);
    case Tag::kDict:
      for (const auto& [key, item] : value.to_dict().entries()) {
        visit_guarded_tensors(key, visit);
        visit_guarded_tensors(item, visit);
      }
      return;
    default:
      return;
  }
}

}  // namespace wick::plan

// Guards: dtype, sizes, strides and values that a plan depends on.
#include "plan/record/guard.h"

#include <bit>

#include "core/limits.h"
#include "core/value_walk.h"

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

Guard Guard::of(const IValue& value, bool same_tensors, bool same_objects) {
  Wanted wanted{same_tensors, same_objects, limits::kMaxGuardParts};
  Guard g = of(value, wanted, 0);
  if (g.never_) g.items_.clear();
  return g;
}

Guard Guard::of(const IValue& value, Wanted& wanted, size_t depth) {
  Guard g;
  g.tag_ = value.tag();
  g.never_ = depth > kMaxDepth;
  switch (value.tag()) {
    case Tag::kTensor: {
      const TensorImpl& t = *value.to_tensor().impl();
      g.dtype_ = t.dtype;
      g.sizes_ = t.sizes;
      g.strides_ = t.strides;
      g.never_ = g.never_ || t.row_lengths;
      if (wanted.same_tensors) {
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
    case Tag::kTuple:
    case Tag::kDict: {
      const size_t count = item_count(value);
      g.never_ = g.never_ || count > wanted.left;
      if (!g.never_) wanted.left -= count;
      for (size_t i = 0; i < count && !g.never_; ++i) {
        g.items_.push_back(of(item_at(value, i), wanted, depth + 1));
        g.never_ = g.items_.back().never_;
      }
      return g;
    }
    case Tag::kFuture:
    case Tag::kGenerator:
      g.never_ = true;
      return g;
    case Tag::kObject:
      if (wanted.same_objects) {
        g.value_ = value;
      } else {
        g.class_ = value.to_object().cls;
      }
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
  switch (tag_) {
    case Tag::kDouble:
      return same_bits(value_.to_double(), value.to_double());
    case Tag::kTensor:
      return matches_tensor(value.to_tensor());
    case Tag::kList:
    case Tag::kTuple:
    case Tag::kDict:
      if (item_count(value) != items_.size()) return false;
      for (size_t i = 0; i < items_.size(); ++i) {
        if (!items_[i].matches(item_at(value, i))) return false;
      }
      return true;
    case Tag::kObject:
      return class_ ? value.to_object().cls == class_ : value_.is_same(value);
    default:
      return value_.is_same(value);
  }
}

void visit_guarded_tensors(const IValue& value, const Callback<void(const Tensor&)>& visit) {
  if (value.is_tensor()) return visit(value.to_tensor());
  each_item(value, [&](const IValue& item) { visit_guarded_tensors(item, visit); });
}

}  // namespace wick::plan

// Strides of values, their reshapes and views.
#include "gpu/layout.h"

#include <algorithm>

namespace wick::gpu {

IntVec dense_strides(const IntVec& sizes) {
  IntVec out = sizes;
  int64_t step = 1;
  for (size_t d = sizes.size(); d-- > 0;) {
    out[d] = step;
    step *= std::max<int64_t>(sizes[d], 1);
  }
  return out;
}

IntVec image_strides(const IntVec& sizes) {
  IntVec out = sizes;
  int64_t step = sizes[1];
  out[1] = 1;
  for (size_t d = sizes.size(); d-- > 2;) {
    out[d] = step;
    step *= sizes[d];
  }
  out[0] = step;
  return out;
}

IntVec strides_in_order(const IntVec& sizes, const IntVec& like) {
  IntVec order;  // dims, the greatest stride first
  for (size_t d = 0; d < sizes.size(); ++d) {
    size_t at = order.size();
    while (at > 0 && like[static_cast<size_t>(order[at - 1])] < like[d]) --at;
    order.insert(at, static_cast<int64_t>(d));
  }
  IntVec out = sizes;
  int64_t step = 1;
  for (size_t k = order.size(); k-- > 0;) {
    const auto d = static_cast<size_t>(order[k]);
    out[d] = step;
    step *= sizes[d];
  }
  return out;
}

bool same_strides(IntSpan sizes, IntSpan a, IntSpan b) {
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] != 1 && a[d] != b[d]) return false;
  }
  return true;
}

std::optional<IntVec> reshaped_strides(const IntVec& sizes, const IntVec& strides, const IntVec& to) {
  IntVec out = to;
  size_t next = to.size();
  // From the innermost dim on: a run of dims that lie one after the other is cut into new ones.
  for (size_t d = sizes.size(); d > 0;) {
    int64_t run = sizes[d - 1];
    int64_t base = strides[d - 1];
    bool has_base = sizes[d - 1] != 1;
    --d;
    while (d > 0) {
      if (sizes[d - 1] == 1) {
        --d;
      } else if (!has_base) {
        base = strides[d - 1];
        run = sizes[d - 1];
        has_base = true;
        --d;
      } else if (strides[d - 1] == base * run) {
        run *= sizes[d - 1];
        --d;
      } else {
        break;
      }
    }
    int64_t made = 1;
    while (next > 0 && (made < run || to[next - 1] == 1)) {
      out[next - 1] = base * made;
      made *= to[next - 1];
      --next;
    }
    if (made != run) return std::nullopt;
  }
  for (; next > 0; --next) {
    if (to[next - 1] != 1) return std::nullopt;
    out[next - 1] = 1;
  }
  return out;
}

namespace {

// From the first element to the last.
int64_t reach_of(const IntVec& sizes, const IntVec& strides) {
  int64_t reach = 0;
  for (size_t d = 0; d < sizes.size(); ++d) reach += (sizes[d] - 1) * strides[d];
  return reach;
}

}  // namespace

std::optional<Value> viewed(const Value& base, const RecordedView& view) {
  Value out = base;
  out.sizes = view.sizes;
  if (same_strides(view.base_sizes, view.base_strides, base.strides)) {
    // It may reach beyond the base, into what only the processor has.
    const int64_t first = view.at - view.base_at;
    if (first < 0 || first + reach_of(view.sizes, view.strides) > reach_of(view.base_sizes, view.base_strides)) {
      return std::nullopt;
    }
    out.strides = view.strides;
    out.at = base.at + first;
    return out;
  }
  // Coordinates in the base: each dim of the view must move along one dim of the base.
  const IntVec& sizes = view.base_sizes;
  IntVec order;  // dims of the base by their recorded strides, the greatest first
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == 1) continue;
    if (view.base_strides[d] <= 0) return std::nullopt;
    size_t at = order.size();
    while (at > 0 && view.base_strides[static_cast<size_t>(order[at - 1])] < view.base_strides[d]) --at;
    order.insert(at, static_cast<int64_t>(d));
  }
  for (size_t k = 0; k + 1 < order.size(); ++k) {
    const auto outer = static_cast<size_t>(order[k]), inner = static_cast<size_t>(order[k + 1]);
    if (view.base_strides[outer] < view.base_strides[inner] * sizes[inner]) return std::nullopt;
  }
  IntVec first(sizes.size(), 0), reach(sizes.size(), 0);  // the view's first coordinate, and how far it goes
  int64_t rest = view.at - view.base_at;
  if (rest < 0) return std::nullopt;
  out.at = base.at;
  for (int64_t d64 : order) {
    const auto d = static_cast<size_t>(d64);
    first[d] = rest / view.base_strides[d];
    rest %= view.base_strides[d];
    out.at += first[d] * base.strides[d];
  }
  if (rest != 0) return std::nullopt;
  out.strides = view.sizes;
  for (size_t v = 0; v < view.sizes.size(); ++v) {
    out.strides[v] = 0;
    if (view.sizes[v] == 1 || view.strides[v] == 0) continue;
    bool found = false;
    for (int64_t d64 : order) {
      const auto d = static_cast<size_t>(d64);
      if (view.strides[v] < view.base_strides[d] || view.strides[v] % view.base_strides[d] != 0) continue;
      const int64_t steps = view.strides[v] / view.base_strides[d];
      reach[d] += steps * (view.sizes[v] - 1);
      out.strides[v] = steps * base.strides[d];
      found = true;
      break;
    }
    if (!found) return std::nullopt;
  }
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (first[d] + reach[d] >= std::max<int64_t>(sizes[d], 1)) return std::nullopt;
  }
  return out;
}

void coalesce(IntVec& sizes, std::vector<IntVec*> strides) {
  IntVec kept;
  std::vector<IntVec> out(strides.size());
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == 1) continue;
    bool merges = !kept.empty();
    for (size_t k = 0; k < strides.size() && merges; ++k) merges = out[k].back() == (*strides[k])[d] * sizes[d];
    if (merges) {
      kept.back() *= sizes[d];
      for (size_t k = 0; k < strides.size(); ++k) out[k].back() = (*strides[k])[d];
    } else {
      kept.push_back(sizes[d]);
      for (size_t k = 0; k < strides.size(); ++k) out[k].push_back((*strides[k])[d]);
    }
  }
  if (kept.empty()) {
    kept.push_back(1);
    for (IntVec& o : out) o.push_back(1);
  }
  sizes = kept;
  for (size_t k = 0; k < strides.size(); ++k) *strides[k] = out[k];
}

std::optional<int64_t> pixel_distance(const Value& v, bool image) {
  const size_t dims = v.sizes.size();
  if (dims == 0 || (image && dims != 3 && dims != 4)) return std::nullopt;
  const size_t channel = image ? 1 : dims - 1;
  if (v.sizes[channel] != 1 && v.strides[channel] != 1) return std::nullopt;
  IntVec sizes, strides;
  for (size_t d = 0; d < dims; ++d) {
    if (d == channel) continue;
    sizes.push_back(v.sizes[d]);
    strides.push_back(v.strides[d]);
  }
  coalesce(sizes, {&strides});
  if (sizes.size() > 1) return std::nullopt;
  return sizes[0] == 1 ? v.sizes[channel] : strides[0];
}

}  // namespace wick::gpu

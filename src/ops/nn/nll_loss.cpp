// Losses over classes: negative log likelihood, cross entropy, margins.
#include <cmath>

#include "ops/nn/common.h"
#include "ops/nn/loss.h"
#include "ops/nn/softmax.h"

namespace wick::ops {

namespace {

void check_class_target(const Tensor& target) {
  WICK_CHECK(target.dtype() == DType::kLong || target.dtype() == DType::kByte, kTypeMismatch,
             "expected scalar type Long but found ", name_of(target.dtype()));
}

void check_weight(const OptTensor& weight, int64_t classes) {
  WICK_CHECK(!has(weight) || (weight->dim() == 1 && weight->numel() == classes), kShapeMismatch,
             "weight tensor should be defined either for all ", classes,
             " classes or no classes but got weight tensor of "
             "shape: ",
             has(weight) ? weight->sizes() : IntSpan());
}

// Input seen as batch x classes x points, target as batch x points.
struct ClassLoss {
  Tensor losses;  // batch x points, in the compute dtype
  double sum = 0;
  double weight = 0;
};

ClassLoss class_loss(const Tensor& self, const Tensor& target, const OptTensor& weight, int64_t classes, int64_t points,
                     int64_t ignore_index, const char* op) {
  ClassLoss r;
  const Tensor x = contiguous(widened(self));
  const Tensor t = contiguous(to_dtype(target, DType::kLong));
  r.losses = Tensor::zeros({t.numel()}, x.dtype());
  for_float(x.dtype(), op, self.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const std::vector<T> w = param_values<T>(weight, classes, T(1));
    const T* in = x.data_ptr<T>();
    const int64_t* ids = t.data_ptr<int64_t>();
    for (int64_t i = 0, count = t.numel(); i < count; ++i) {
      if (ids[i] == ignore_index) continue;
      WICK_CHECK(ids[i] >= 0 && ids[i] < classes, kIndexOutOfRange, "Target ", ids[i], " is out of bounds.");
      const T factor = w[static_cast<size_t>(ids[i])];
      const T loss = -in[(i / points * classes + ids[i]) * points + i % points] * factor;
      r.losses.data_ptr<T>()[i] = loss;
      r.sum += static_cast<double>(loss);
      r.weight += static_cast<double>(factor);
    }
  });
  return r;
}

std::tuple<Tensor, Tensor> reduced(const ClassLoss& r, IntSpan shape, DType dtype, int64_t reduction) {
  if (reduction == kReduceNone) return {to_dtype(reshaped(r.losses, shape), dtype), Tensor::scalar(0.0, dtype)};
  const double loss = reduction == kReduceMean ? r.sum / r.weight : r.sum;
  return {Tensor::scalar(loss, dtype), Tensor::scalar(r.weight, dtype)};
}

}  // namespace

std::tuple<Tensor, Tensor> nll_loss_forward(const Tensor& self, const Tensor& target, const OptTensor& weight,
                                            int64_t reduction, int64_t ignore_index) {
  WICK_CHECK(self.dim() > 0 && self.dim() <= 2, kShapeMismatch, "input tensor should be 1D or 2D");
  WICK_CHECK(target.dim() <= 1, kShapeMismatch, "0D or 1D target tensor expected, multi-target not supported");
  const bool single = self.dim() == 1 && target.dim() == 0;
  WICK_CHECK(single || (target.dim() == 1 && self.size(0) == target.size(0)), kShapeMismatch,
             "size mismatch (got input: ", self.sizes(), ", target: ", target.sizes(), ")");
  const int64_t classes = self.size(-1);
  check_weight(weight, classes);
  check_class_target(target);
  check_dtype(is_floating(self.dtype()), "nll_loss_out_frame", self.dtype());
  // A vector of N classes with N targets is a batch of one-class rows only in PyTorch's size check.
  WICK_CHECK(single || self.dim() == 2, kShapeMismatch, "size mismatch (got input: ", self.sizes(),
             ", target: ", target.sizes(), ")");
  return reduced(class_loss(self, target, weight, classes, 1, ignore_index, "nll_loss_out_frame"), target.sizes(),
                 self.dtype(), reduction);
}

std::tuple<Tensor, Tensor> nll_loss2d_forward(const Tensor& self, const Tensor& target, const OptTensor& weight,
                                              int64_t reduction, int64_t ignore_index) {
  WICK_CHECK(target.dim() == 3, kShapeMismatch,
             "only batches of spatial targets supported (3D tensors) but got targets of dimension: ", target.dim());
  WICK_CHECK(self.dim() == 4, kShapeMismatch,
             "only batches of spatial inputs supported (4D tensors), but got input of dimension: ", self.dim());
  check_weight(weight, self.size(1));
  WICK_CHECK(self.size(0) == target.size(0) && self.size(2) == target.size(1) && self.size(3) == target.size(2),
             kShapeMismatch, "size mismatch (got input: ", self.sizes(), " , target: ", target.sizes());
  check_class_target(target);
  check_dtype(is_floating(self.dtype()), "nll_loss2d_forward_out_frame", self.dtype());
  return reduced(class_loss(self, target, weight, self.size(1), std::max<int64_t>(1, self.size(2) * self.size(3)),
                            ignore_index, "nll_loss2d_forward_out_frame"),
                 target.sizes(), self.dtype(), reduction);
}

Tensor nll_loss(const Tensor& self, const Tensor& target, const OptTensor& weight, int64_t reduction,
                int64_t ignore_index) {
  return std::get<0>(nll_loss_forward(self, target, weight, reduction, ignore_index));
}

Tensor nll_loss2d(const Tensor& self, const Tensor& target, const OptTensor& weight, int64_t reduction,
                  int64_t ignore_index) {
  return std::get<0>(nll_loss2d_forward(self, target, weight, reduction, ignore_index));
}

Tensor nll_loss_nd(const Tensor& self, const Tensor& target, const OptTensor& weight, int64_t reduction,
                   int64_t ignore_index) {
  const int64_t rank = self.dim();
  WICK_CHECK(rank >= 1, kShapeMismatch, "Expected 1 or more dimensions (got ", rank, ")");
  WICK_CHECK(rank == 1 || (target.dim() > 0 && self.size(0) == target.size(0)), kShapeMismatch,
             "Expected input batch_size (", self.size(0), ") to match target batch_size (",
             target.dim() > 0 ? target.size(0) : 1, ").");
  if (rank <= 2) return nll_loss(self, target, weight, reduction, ignore_index);
  if (rank == 4) return nll_loss2d(self, target, weight, reduction, ignore_index);
  IntVec expected(self.sizes());
  expected.erase(1);
  WICK_CHECK(target.sizes() == expected.span(), kShapeMismatch, "Expected target size ", expected, ", got ",
             target.sizes());
  const int64_t points = product(self.sizes(), 2, self.sizes().size());
  const Tensor out =
      nll_loss2d(reshaped(contiguous(self), {self.size(0), self.size(1), 1, points}),
                 reshaped(contiguous(target), {self.size(0), 1, points}), weight, reduction, ignore_index);
  return reduction == kReduceNone ? reshaped(out, expected) : out;
}

namespace {

Tensor cross_entropy_of_probabilities(const Tensor& self, const Tensor& target, const OptTensor& weight,
                                      int64_t reduction, double smoothing) {
  const int64_t class_dim = self.dim() == 1 ? 0 : 1;
  const int64_t classes = self.size(class_dim);
  WICK_CHECK(!has(weight) || (weight->dim() == 1 && weight->numel() == classes), kShapeMismatch,
             "cross_entropy: weight tensor should be defined either for all ", classes,
             " classes or no classes but got weight tensor of shape: ", has(weight) ? weight->sizes() : IntSpan());
  const Tensor x = contiguous(widened(log_softmax(self, class_dim, self.dtype())));
  const Tensor t = contiguous(to_dtype(target, x.dtype()));
  const DimSplit s = split_at(x.sizes(), class_dim);
  IntVec shape(self.sizes());
  shape.erase(static_cast<size_t>(class_dim));
  Tensor losses = Tensor::zeros(shape, x.dtype());
  for_float(x.dtype(), "cross_entropy_loss", self.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const std::vector<T> w = param_values<T>(weight, classes, T(1));
    const T keep = static_cast<T>(1 - smoothing), spread = static_cast<T>(smoothing / static_cast<double>(classes));
    for (int64_t i = 0; i < s.outer * s.size * s.inner; ++i) {
      const T p = smoothing > 0 ? t.data_ptr<T>()[i] * keep + spread : t.data_ptr<T>()[i];
      const size_t c = static_cast<size_t>(i / s.inner % s.size);
      losses.data_ptr<T>()[i / (s.inner * s.size) * s.inner + i % s.inner] -= x.data_ptr<T>()[i] * p * w[c];
    }
  });
  const Tensor rounded = to_dtype(losses, ResultType().add(self).add(target).get());
  return reduce_loss(rounded, reduction);
}

}  // namespace

Tensor cross_entropy_loss(const Tensor& self, const Tensor& target, const OptTensor& weight, int64_t reduction,
                          int64_t ignore_index, double label_smoothing) {
  if (self.sizes() == target.sizes()) {
    WICK_CHECK(is_floating(target.dtype()), kTypeMismatch,
               "Expected floating point type for target with class probabilities, got ", name_of(target.dtype()));
    WICK_CHECK(ignore_index < 0, kInvalidArgument, "ignore_index is not supported for floating point target");
    WICK_CHECK(label_smoothing <= 1, kInvalidArgument,
               "label_smoothing must be between 0.0 and 1.0. Got: ", label_smoothing);
    WICK_CHECK(reduction >= kReduceNone && reduction <= kReduceSum, kInvalidArgument,
               "Invalid reduction type encountered in cross_entropy: ", reduction);
    return cross_entropy_of_probabilities(self, target, weight, reduction, label_smoothing);
  }
  const int64_t class_dim = self.dim() == 1 ? 0 : 1;
  const Tensor logs = log_softmax(self, class_dim, self.dtype());
  if (label_smoothing <= 0) return nll_loss_nd(logs, target, weight, reduction, ignore_index);
  WICK_CHECK(label_smoothing <= 1, kInvalidArgument,
             "label_smoothing must be between 0.0 and 1.0. Got: ", label_smoothing);
  const Tensor likelihood = nll_loss_nd(logs, target, weight, reduction, ignore_index);
  // The uniform part: minus the weighted sum over the classes, at the positions that count.
  const int64_t classes = self.size(class_dim);
  const Tensor x = contiguous(widened(logs));
  const Tensor ids = contiguous(to_dtype(target, DType::kLong));
  const DimSplit s = split_at(x.sizes(), class_dim);
  Tensor smooth = Tensor::zeros({s.outer * s.inner}, x.dtype());
  double sum = 0, total = 0;
  for_float(x.dtype(), "cross_entropy_loss", self.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const std::vector<T> w = param_values<T>(weight, classes, T(1));
    for (int64_t i = 0, numel = smooth.numel(); i < numel; ++i) {
      const int64_t id = ids.data_ptr<int64_t>()[i];
      if (id == ignore_index) continue;
      T value = 0;
      for (int64_t c = 0; c < classes; ++c) {
        value -= x.data_ptr<T>()[(i / s.inner * classes + c) * s.inner + i % s.inner] * w[static_cast<size_t>(c)];
      }
      smooth.data_ptr<T>()[i] = value;
      sum += static_cast<double>(value);
      total += static_cast<double>(w[static_cast<size_t>(id)]);
    }
  });
  const double share = label_smoothing / static_cast<double>(classes);
  if (reduction == kReduceNone) {
    Tensor out = widened(clone(likelihood, MemoryFormat::kContiguous));
    for_float(x.dtype(), "cross_entropy_loss", [&](auto zero) {
      using T = decltype(zero);
      for (int64_t i = 0, numel = out.numel(); i < numel; ++i) {
        out.data_ptr<T>()[i] = static_cast<T>(1 - label_smoothing) * out.data_ptr<T>()[i] +
                               static_cast<T>(share) * smooth.data_ptr<T>()[i];
      }
    });
    return to_dtype(out, self.dtype());
  }
  if (reduction == kReduceMean) sum /= total;
  return Tensor::scalar((1 - label_smoothing) * likelihood.item().to_double() + share * sum, self.dtype());
}

Tensor multi_margin_loss(const Tensor& self, const Tensor& target, const Scalar& p, const Scalar& margin,
                         const OptTensor& weight, int64_t reduction) {
  const int64_t power = p.to_int();
  WICK_CHECK(power == 1 || power == 2, kInvalidArgument, "only p == 1 and p == 2 supported");
  WICK_CHECK((self.dim() == 2 && self.size(1) != 0) || (self.dim() == 1 && self.size(0) != 0) || self.dim() == 0,
             kShapeMismatch,
             "Expected non-empty vector or matrix with optional 0-dim batch size, but got: ", self.sizes());
  const int64_t rows = self.dim() < 2 ? 1 : self.size(0);
  const int64_t classes = self.dim() == 0 ? 1 : self.size(-1);
  WICK_CHECK(target.dim() <= 1 && target.numel() == rows, kShapeMismatch,
             "inconsistent target size, got: ", target.sizes());
  WICK_CHECK(!has(weight) || weight->numel() == classes, kShapeMismatch, "inconsistent weight size, expected ", classes,
             " but got ", has(weight) ? weight->sizes() : IntSpan());
  WICK_CHECK(target.dtype() == DType::kLong, kTypeMismatch, "expected scalar type Long but found ",
             name_of(target.dtype()));
  check_dtype(is_floating(self.dtype()), "multi_margin_loss", self.dtype());
  const Tensor x = contiguous(widened(self));
  const Tensor t = contiguous(target);
  Tensor losses = Tensor::empty({rows}, x.dtype());
  for_float(x.dtype(), "multi_margin_loss", self.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const std::vector<T> w = param_values<T>(weight, classes, T(1));
    for (int64_t n = 0; n < rows; ++n) {
      const int64_t id = t.data_ptr<int64_t>()[n];
      WICK_CHECK(id >= 0 && id < classes, kIndexOutOfRange, "target out of range");
      const T* row = x.data_ptr<T>() + n * classes;
      T sum = 0;
      for (int64_t d = 0; d < classes; ++d) {
        const T z = margin.to<T>() - row[id] + row[d];
        if (d != id && z > T(0)) sum += (power == 1 ? z : z * z) * w[static_cast<size_t>(id)];
      }
      losses.data_ptr<T>()[n] = sum / static_cast<T>(classes);
    }
  });
  const Tensor rounded = to_dtype(losses, self.dtype());
  if (reduction == kReduceNone && target.dim() == 0) return reshaped(rounded, {});
  return reduce_loss(rounded, reduction);
}

std::tuple<Tensor, Tensor> multilabel_margin_loss_forward(const Tensor& self, const Tensor& target, int64_t reduction) {
  WICK_CHECK((self.dim() == 2 && self.size(1) != 0) || (self.dim() == 1 && self.size(0) != 0) || self.dim() == 0,
             kShapeMismatch,
             "Expected non-empty vector or matrix with optional 0-dim batch size, but got: ", self.sizes());
  WICK_CHECK(target.sizes() == self.sizes() || (self.dim() <= 1 && target.dim() <= 1 && target.numel() == self.numel()),
             kShapeMismatch, "inconsistent size ", target.sizes(), " for argument #2 'target'");
  WICK_CHECK(target.dtype() == DType::kLong, kTypeMismatch, "expected scalar type Long but found ",
             name_of(target.dtype()));
  check_dtype(is_floating(self.dtype()), "multilabel_margin_loss_forward_out_frame", self.dtype());
  const int64_t rows = self.dim() < 2 ? 1 : self.size(0);
  const int64_t classes = self.dim() == 0 ? 1 : self.size(-1);
  const Tensor x = contiguous(widened(self));
  const Tensor t = contiguous(target);
  Tensor losses = Tensor::empty({rows}, x.dtype());
  Tensor is_target = Tensor::zeros(target.sizes(), x.dtype());
  for_float(x.dtype(), "multilabel_margin_loss_forward_out_frame", self.dtype(), [&](auto zero) {
    using T = decltype(zero);
    for (int64_t n = 0; n < rows; ++n) {
      const T* row = x.data_ptr<T>() + n * classes;
      const int64_t* ids = t.data_ptr<int64_t>() + n * classes;
      T* mark = is_target.data_ptr<T>() + n * classes;
      for (int64_t k = 0; k < classes; ++k) {
        WICK_CHECK(ids[k] >= -1 && ids[k] < classes, kIndexOutOfRange, "argument #2 'target' is out of range");
      }
      int64_t count = 0;
      for (; count < classes && ids[count] >= 0; ++count) mark[ids[count]] = T(1);
      T sum = 0;
      for (int64_t k = 0; k < count; ++k) {
        for (int64_t d = 0; d < classes; ++d) {
          const T z = T(1) - row[ids[k]] + row[d];
          if (mark[d] == T(0) && z > T(0)) sum += z;
        }
      }
      losses.data_ptr<T>()[n] = sum / static_cast<T>(classes);
    }
  });
  Tensor rounded = to_dtype(losses, self.dtype());
  rounded = reduction == kReduceNone && self.dim() < 2 ? reshaped(rounded, {}) : reduce_loss(rounded, reduction);
  return {rounded, to_dtype(is_target, self.dtype())};
}

Tensor multilabel_margin_loss(const Tensor& self, const Tensor& target, int64_t reduction) {
  return std::get<0>(multilabel_margin_loss_forward(self, target, reduction));
}

}  // namespace wick::ops

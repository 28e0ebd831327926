// Distances and similarities between vectors, and cross products.
#pragma once

#include "ops/boxing.h"

namespace wick::ops {

Tensor cosine_similarity(const Tensor& x1, const Tensor& x2, int64_t dim, double eps);
Tensor pairwise_distance(const Tensor& x1, const Tensor& x2, double p, double eps, bool keepdim);
// compute_mode: none or 0 choose by size, 1 always by matrix product, 2 never (p = 2 only).
Tensor cdist(const Tensor& x1, const Tensor& x2, double p, std::optional<int64_t> compute_mode);
Tensor euclidean_dist(const Tensor& x1, const Tensor& x2);
Tensor pdist(const Tensor& self, double p);
Tensor dist(const Tensor& self, const Tensor& other, const Scalar& p);
Tensor cross(const Tensor& self, const Tensor& other, std::optional<int64_t> dim);
Tensor linalg_cross(const Tensor& self, const Tensor& other, int64_t dim);

}  // namespace wick::ops

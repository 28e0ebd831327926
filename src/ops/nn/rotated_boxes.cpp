// Intersection over union of rotated boxes.
#include <array>
#include <cmath>
#include <vector>

#include "ops/nn/common.h"
#include "ops/nn/vision.h"

namespace wick::ops {

namespace {

struct Point {
  double x, y;
};

double side(const Point& a, const Point& b, const Point& p) {
  return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

// Corners in counter-clockwise order.
std::array<Point, 4> corners(const double* box) {
  const double angle = box[4] * M_PI / 180, c = std::cos(angle) / 2, s = std::sin(angle) / 2;
  const double w = box[2], h = box[3];
  std::array<Point, 4> p;
  p[0] = {box[0] + s * h + c * w, box[1] + c * h - s * w};
  p[1] = {box[0] - s * h + c * w, box[1] - c * h - s * w};
  p[2] = {2 * box[0] - p[0].x, 2 * box[1] - p[0].y};
  p[3] = {2 * box[0] - p[1].x, 2 * box[1] - p[1].y};
  if (side(p[0], p[1], p[2]) < 0) std::swap(p[1], p[3]);
  return p;
}

// Area of the part of `subject` inside `clip`, both convex and counter-clockwise.
double shared_area(const std::array<Point, 4>& subject, const std::array<Point, 4>& clip) {
  std::vector<Point> polygon(subject.begin(), subject.end()), next;
  for (size_t e = 0; e < 4 && !polygon.empty(); ++e) {
    const Point &a = clip[e], &b = clip[(e + 1) % 4];
    next.clear();
    for (size_t i = 0; i < polygon.size(); ++i) {
      const Point &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
      const double sp = side(a, b, p), sq = side(a, b, q);
      if (sp >= 0) next.push_back(p);
      if ((sp > 0 && sq < 0) || (sp < 0 && sq > 0)) {
        const double t = sp / (sp - sq);
        next.push_back({p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)});
      }
    }
    polygon.swap(next);
  }
  double twice = 0;
  for (size_t i = 0; i < polygon.size(); ++i) {
    const Point &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
    twice += p.x * q.y - q.x * p.y;
  }
  return std::abs(twice) / 2;
}

}  // namespace

Tensor box_iou_rotated(const Tensor& boxes1, const Tensor& boxes2) {
  for (const Tensor* t : {&boxes1, &boxes2}) {
    WICK_CHECK(t->dim() == 2 && t->size(1) == 5, kShapeMismatch, "boxes should have shape [N, 5], got ", t->sizes());
    check_dtype(is_floating(t->dtype()), "box_iou_rotated", t->dtype());
  }
  const Tensor a = contiguous(to_dtype(boxes1, DType::kDouble)), b = contiguous(to_dtype(boxes2, DType::kDouble));
  Tensor out = Tensor::zeros({a.size(0), b.size(0)}, DType::kFloat);
  const double *pa = a.data_ptr<double>(), *pb = b.data_ptr<double>();
  for (int64_t i = 0; i < a.size(0); ++i) {
    const double area = pa[5 * i + 2] * pa[5 * i + 3];
    for (int64_t j = 0; j < b.size(0); ++j) {
      const double other = pb[5 * j + 2] * pb[5 * j + 3];
      if (area < 1e-14 || other < 1e-14) continue;
      // Relative to their common center, far-away boxes lose no digits.
      double u[5], v[5];
      std::copy_n(pa + 5 * i, 5, u);
      std::copy_n(pb + 5 * j, 5, v);
      for (int k = 0; k < 2; ++k) {
        const double center = (u[k] + v[k]) / 2;
        u[k] -= center;
        v[k] -= center;
      }
      const double shared = shared_area(corners(u), corners(v));
      out.data_ptr<float>()[i * b.size(0) + j] = static_cast<float>(shared / (area + other - shared));
    }
  }
  return out;
}

}  // namespace wick::ops

// The singular value decomposition, apart from its users: it is the costliest part of Eigen to compile.
#include "ops/linalg/matrices.h"

#include <Eigen/SVD>

namespace wick::ops::linalg {

template <class S>
Svd<S> decompose_svd(const Matrix<S>& a, SvdVectors vectors, const char* name) {
  WICK_CHECK(a.allFinite(), kInvalidArgument, name,
             ": The algorithm failed to converge because the input matrix contained non-finite values.");
  const unsigned parts = vectors == SvdVectors::kNone   ? 0
                         : vectors == SvdVectors::kFull ? Eigen::ComputeFullU | Eigen::ComputeFullV
                                                        : Eigen::ComputeThinU | Eigen::ComputeThinV;
  const Eigen::JacobiSVD<Matrix<S>> svd(a, parts);
  Svd<S> out;
  out.s = svd.singularValues();
  if (vectors != SvdVectors::kNone) {
    out.u = svd.matrixU();
    out.v = svd.matrixV();
  }
  return out;
}
template Svd<double> decompose_svd<double>(const Matrix<double>&, SvdVectors, const char*);
template Svd<Complex> decompose_svd<Complex>(const Matrix<Complex>&, SvdVectors, const char*);

}  // namespace wick::ops::linalg

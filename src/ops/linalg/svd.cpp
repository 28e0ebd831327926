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
  Svd<S> out;
  const auto take = [&](const auto& svd) {
    out.s = svd.singularValues();
    if (vectors == SvdVectors::kNone) return;
    out.u = svd.matrixU();
    out.v = svd.matrixV();
  };
  // Jacobi's rotations are the surer way for small matrices, and too many for large ones. Complex matrices are too rare
  // for the compiler's time that a second way takes.
  if constexpr (std::is_same_v<S, double>) {
    constexpr Eigen::Index kSmall = 16;
    if (std::min(a.rows(), a.cols()) > kSmall) {
      take(Eigen::BDCSVD<Matrix<S>>(a, parts));
      return out;
    }
  }
  take(Eigen::JacobiSVD<Matrix<S>>(a, parts));
  return out;
}
template Svd<double> decompose_svd<double>(const Matrix<double>&, SvdVectors, const char*);
template Svd<Complex> decompose_svd<Complex>(const Matrix<Complex>&, SvdVectors, const char*);

}  // namespace wick::ops::linalg

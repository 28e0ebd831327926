// Memory in and out: from_blob with strides, offsets, deleters and dtypes; accessors, data pointers, copies, resizing.
#include <torch/script.h>
#include <torch/torch.h>

#include <cstring>
#include <numeric>

#include "common.h"

struct Buffer {
  explicit Buffer(size_t n) : data(new float[n]) { std::iota(data, data + n, 0.f); }
  ~Buffer() {
    delete[] data;
    std::cout << "released\n";
  }
  float* data;
};

int main() {
  float raw[2][3] = {{1, 2, 3}, {4, 5, 6}};
  auto t = torch::from_blob(raw, {2, 3});
  raw[0][0] = 10;
  std::cout << t << t.data_ptr<float>()[1] << (t.data_ptr() == static_cast<void*>(raw)) << "\n";
  auto transposed = torch::from_blob(raw, {3, 2}, {1, 3});
  std::cout << transposed << transposed.is_contiguous() << transposed.strides() << transposed.stride(-1) << "\n";
  auto every_other = torch::from_blob(&raw[0][0], {3}, {2}, torch::kFloat32);
  std::cout << every_other << "\n";
  {
    auto* buffer = new Buffer(8);
    auto owned = torch::from_blob(
        buffer->data, {2, 4}, [buffer](void*) { delete buffer; }, torch::TensorOptions().dtype(torch::kFloat));
    auto view = owned[1].slice(0, 1, 3);
    owned.reset();
    std::cout << view << view.storage_offset() << " " << view.use_count() << "\n";
  }
  {
    auto shared = std::make_shared<std::vector<double>>(4, 2.5);
    auto kept = torch::from_blob(
        shared->data(), {4}, [shared](void*) mutable { shared.reset(); }, torch::kFloat64);
    std::cout << shared.use_count() << kept.sum().item<double>() << "\n";
  }
  auto maker = at::for_blob(raw, {2, 2}).strides(at::IntArrayRef{3, 1}).options(at::kFloat).make_tensor();
  std::cout << maker << "\n";
  std::vector<int> ints(6, 3);
  std::vector<int16_t> shorts{1, -2, 3};
  std::vector<int64_t> longs{1, 2};
  std::cout << torch::from_blob(ints.data(), {2, 3}, torch::kInt) << torch::from_blob(shorts.data(), {3}, torch::kInt16)
            << torch::from_blob(longs.data(), (int64_t)longs.size(), at::kLong) << "\n";
  bool flags[3] = {true, false, true};
  std::cout << torch::from_blob(flags, {3}, torch::kBool) << torch::from_blob(flags, 3, torch::kUInt8) << "\n";
  auto x = torch::arange(24).reshape({2, 3, 4}).to(torch::kFloat);
  auto a = x.accessor<float, 3>();
  float sum = 0;
  for (int64_t i = 0; i < a.size(0); i++)
    for (int64_t j = 0; j < a.size(1); j++) {
      auto row = a[i][j];
      for (int64_t k = 0; k < row.size(0); k++) sum += row[k] * (row.stride(0) == 1);
    }
  a[1][2][3] = -1;
  std::cout << sum << " " << x[1][2][3].item<float>() << " " << a.sizes() << a.strides() << "\n";
  auto packed = x.packed_accessor32<float, 3>();
  std::cout << packed[1][0][2] << packed.size(2) << " " << x.packed_accessor64<float, 3>()[0][1][1] << "\n";
  auto p = x.permute({2, 0, 1});
  auto pa = p.accessor<float, 3>();
  std::cout << pa[3][1][0] << " " << pa.stride(0) << "\n";
  std::vector<float> v(x.data_ptr<float>(), x.data_ptr<float>() + x.numel());
  std::memcpy(v.data(), p.contiguous().data_ptr<float>(), sizeof(float) * p.numel());
  std::cout << v[1] << " " << v.size() << " " << x.nbytes() << x.itemsize() << x.element_size() << "\n";
  auto y = torch::empty({2, 2}, torch::kInt32);
  std::memcpy(y.data_ptr(), ints.data(), y.numel() * sizeof(int));
  y.copy_(torch::tensor({{1.7, -2.2}, {3., 4.}}));
  std::cout << y << y.data_ptr<int>()[3] << *y.data<int32_t>() << "\n";
  x.resize_({4, 6});
  std::cout << x.sizes() << x.view({-1})[23] << x.view(-1).size(0) << "\n";
  auto z = torch::zeros({2, 2});
  z.set_data(torch::ones({3}));
  std::cout << z << z.storage().nbytes() << " " << z.numel() << "\n";
  auto same = z;
  same[0] = 5;
  std::cout << z[0].item<int>() << z.is_same(same) << z.clone().is_same(z) << z.equal(same)
            << same.is_alias_of(z.view({1, 3})) << "\n";
  std::cout << torch::empty({0}).numel() << torch::Tensor().defined() << at::Tensor() << torch::empty({0, 3}).sizes()
            << "\n";
  auto h = torch::ones({2}, torch::kHalf);
  std::cout << static_cast<float>(h.data_ptr<at::Half>()[0]) << h.data_ptr<c10::Half>()[1] << "\n";
}

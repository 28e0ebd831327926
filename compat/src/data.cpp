// torch::data: samplers and the files of MNIST.
#include <torch/data.h>

#include <algorithm>
#include <fstream>

namespace torch {
namespace data {
namespace samplers {

void SequentialSampler::reset(c10::optional<size_t> new_size) {
  if (new_size) size_ = *new_size;
  index_ = 0;
}
c10::optional<std::vector<size_t>> SequentialSampler::next(size_t batch_size) {
  if (index_ >= size_) return c10::nullopt;
  std::vector<size_t> out(std::min(batch_size, size_ - index_));
  for (size_t& i : out) i = index_++;
  return out;
}
void SequentialSampler::save(serialize::OutputArchive& archive) const {
  archive.write("index", torch::tensor(static_cast<int64_t>(index_), at::kLong), /*is_buffer=*/true);
}
void SequentialSampler::load(serialize::InputArchive& archive) {
  at::Tensor index;
  archive.read("index", index, /*is_buffer=*/true);
  index_ = static_cast<size_t>(index.item<int64_t>());
}

RandomSampler::RandomSampler(int64_t size, at::ScalarType index_dtype) : indices_(at::randperm(size, index_dtype)) {}
void RandomSampler::reset(c10::optional<size_t> new_size) {
  const int64_t size = new_size ? static_cast<int64_t>(*new_size) : indices_.numel();
  indices_ = at::randperm(size, indices_.scalar_type());
  index_ = 0;
}
c10::optional<std::vector<size_t>> RandomSampler::next(size_t batch_size) {
  const int64_t left = indices_.numel() - index_;
  if (left <= 0) return c10::nullopt;
  std::vector<size_t> out(std::min(batch_size, static_cast<size_t>(left)));
  const at::Tensor slice = indices_.slice(0, index_, index_ + static_cast<int64_t>(out.size())).to(at::kLong);
  const int64_t* data = slice.data_ptr<int64_t>();
  std::copy(data, data + out.size(), out.begin());
  index_ += static_cast<int64_t>(out.size());
  return out;
}
void RandomSampler::save(serialize::OutputArchive& archive) const {
  archive.write("index", torch::tensor(index_, at::kLong), /*is_buffer=*/true);
  archive.write("indices", indices_, /*is_buffer=*/true);
}
void RandomSampler::load(serialize::InputArchive& archive) {
  at::Tensor index, indices;
  archive.read("index", index, /*is_buffer=*/true);
  archive.read("indices", indices, /*is_buffer=*/true);
  TORCH_CHECK(index.item<int64_t>() >= 0, "The sampler's index is negative");
  index_ = index.item<int64_t>();
  indices_ = indices;
}

void StreamSampler::reset(c10::optional<size_t> new_size) {
  if (new_size) epoch_size_ = *new_size;
  examples_retrieved_so_far_ = 0;
}
c10::optional<BatchSize> StreamSampler::next(size_t batch_size) {
  if (examples_retrieved_so_far_ >= epoch_size_) return c10::nullopt;
  const size_t size = std::min(batch_size, epoch_size_ - examples_retrieved_so_far_);
  examples_retrieved_so_far_ += size;
  return BatchSize(size);
}
void StreamSampler::save(serialize::OutputArchive& archive) const {
  archive.write("examples_retrieved_so_far", torch::tensor(static_cast<int64_t>(examples_retrieved_so_far_), at::kLong),
                /*is_buffer=*/true);
}
void StreamSampler::load(serialize::InputArchive& archive) {
  at::Tensor count;
  archive.read("examples_retrieved_so_far", count, /*is_buffer=*/true);
  examples_retrieved_so_far_ = static_cast<size_t>(count.item<int64_t>());
}

}  // namespace samplers

namespace datasets {
namespace {

// The bytes of a file of the published form, with the sizes that its head gives.
at::Tensor read_idx(const std::string& path, uint8_t dims, const char* what) {
  std::ifstream in(path, std::ios::binary);
  TORCH_CHECK(in, "Error opening ", what, " file at ", path);
  unsigned char head[4] = {};
  in.read(reinterpret_cast<char*>(head), sizeof head);
  constexpr unsigned char kBytes = 8;  // the code of unsigned bytes
  TORCH_CHECK(in && head[0] == 0 && head[1] == 0 && head[2] == kBytes && head[3] == dims, path, " is no ", what,
              " file of MNIST");
  std::vector<int64_t> sizes;
  for (uint8_t d = 0; d < dims; ++d) {
    unsigned char b[4] = {};
    in.read(reinterpret_cast<char*>(b), sizeof b);
    sizes.push_back(int64_t{b[0]} << 24 | int64_t{b[1]} << 16 | int64_t{b[2]} << 8 | int64_t{b[3]});
  }
  const auto start = in.tellg();
  in.seekg(0, std::ios::end);
  const int64_t held = in ? static_cast<int64_t>(in.tellg() - start) : 0;
  in.seekg(start);
  int64_t left = held;  // a product of sizes that may overflow is not made
  for (int64_t size : sizes) left = size > 0 ? left / size : 0;
  TORCH_CHECK(left > 0, path, " is shorter than its head says");
  at::Tensor out = at::empty(sizes, at::kByte);
  in.read(static_cast<char*>(out.data_ptr()), out.numel());
  TORCH_CHECK(in, "Error reading ", what, " file at ", path);
  return out;
}
std::string joined(const std::string& root, const std::string& name) {
  return root.empty() || root.back() == '/' ? root + name : root + "/" + name;
}

}  // namespace

MNIST::MNIST(const std::string& root, Mode mode) : train_(mode == Mode::kTrain) {
  const std::string set = train_ ? "train" : "t10k";
  images_ = read_idx(joined(root, set + "-images-idx3-ubyte"), 3, "images").unsqueeze(1).to(at::kFloat).div_(255);
  targets_ = read_idx(joined(root, set + "-labels-idx1-ubyte"), 1, "targets").to(at::kLong);
  TORCH_CHECK(images_.size(0) == targets_.size(0), "There are ", images_.size(0), " images and ", targets_.size(0),
              " targets in ", root);
}
Example<> MNIST::get(size_t index) {
  return {images_[static_cast<int64_t>(index)], targets_[static_cast<int64_t>(index)]};
}
c10::optional<size_t> MNIST::size() const { return static_cast<size_t>(images_.size(0)); }

}  // namespace datasets
}  // namespace data
}  // namespace torch

// Tensors of other libraries, and c10's pointers and containers.
#include <ATen/DLConvertor.h>
#include <ATen/dlpack.h>
#include <c10/util/ExclusivelyOwned.h>
#include <c10/util/MaybeOwned.h>
#include <c10/util/flat_hash_map.h>
#include <c10/util/hash.h>
#include <c10/util/intrusive_ptr.h>
#include <c10/util/order_preserving_flat_hash_map.h>
#include <c10/util/variant.h>
#include <torch/torch.h>

#include "common.h"

struct Counted : c10::intrusive_ptr_target {
  explicit Counted(std::vector<std::string>* log) : log_(log) {}
  ~Counted() override { log_->push_back("destroyed"); }
  void release_resources() override { log_->push_back("released"); }
  std::vector<std::string>* log_;
};

struct Name {
  std::string operator()(int) const { return "int"; }
  std::string operator()(const std::string& s) const { return "string " + s; }
  std::string operator()(double) const { return "double"; }
};

int main() {
  const auto x = torch::arange(6, torch::kFloat).view({2, 3});
  DLManagedTensor* shared = at::toDLPack(x.t());
  const DLTensor& view = shared->dl_tensor;
  std::cout << view.ndim << view.shape[0] << view.shape[1] << view.strides[0] << view.strides[1] << view.byte_offset
            << int(view.dtype.code) << int(view.dtype.bits) << view.dtype.lanes << view.device.device_type
            << view.device.device_id << (view.data == x.data_ptr()) << "\n";
  {
    const auto back = at::fromDLPack(shared);
    std::cout << back.equal(x.t()) << (back.data_ptr() == x.data_ptr()) << back.is_contiguous() << "\n";
  }
  for (const auto dtype : {torch::kByte, torch::kChar, torch::kShort, torch::kInt, torch::kLong, torch::kHalf,
                           torch::kBFloat16, torch::kDouble, torch::kComplexFloat}) {
    const auto t = torch::ones({2}, dtype);
    const DLDataType d = at::getDLDataType(t);
    std::cout << int(d.code) << "/" << int(d.bits) << " ";
    DLManagedTensor* managed = at::toDLPack(t.slice(0, 1));
    const auto again = at::fromDLPack(managed);
    std::cout << again.scalar_type() << again.numel() << " ";
  }
  std::cout << "\n";
  try {
    at::toDLPack(torch::ones({2}, torch::kBool));
  } catch (const c10::Error& e) {
    std::cout << e.what_without_backtrace() << "\n";
  }
  // Memory of the application, without strides, told when it is no longer used.
  static bool freed = false;
  static float numbers[] = {1, 2, 3, 4};
  static int64_t shape[] = {2, 2};
  DLManagedTensor own{};
  own.dl_tensor.data = numbers;
  own.dl_tensor.device = {kDLCPU, 0};
  own.dl_tensor.ndim = 2;
  own.dl_tensor.dtype = {kDLFloat, 32, 1};
  own.dl_tensor.shape = shape;
  own.deleter = [](DLManagedTensor*) { freed = true; };
  {
    const auto t = at::fromDLPack(&own);
    std::cout << t << freed;
  }
  std::cout << freed << "\n";
  try {
    own.dl_tensor.dtype = {kDLFloat, 128, 1};
    at::fromDLPack(&own);
  } catch (const c10::Error&) {
    std::cout << "no such type\n";
  }

  std::vector<std::string> log;
  auto strong = c10::make_intrusive<Counted>(&log);
  c10::weak_intrusive_ptr<Counted> weak(strong);
  std::cout << strong.use_count() << weak.use_count() << weak.expired() << weak.lock().defined() << "\n";
  auto weak_copy = weak;
  strong.reset();
  std::cout << weak.expired() << weak.lock().defined() << log.size() << log[0] << "\n";
  weak.reset();
  std::cout << log.size();
  weak_copy.reset();
  std::cout << log.size() << log.back() << "\n";

  c10::variant<int, std::string, double> v = std::string("text");
  std::cout << v.index() << c10::get<std::string>(v) << c10::holds_alternative<int>(v)
            << (c10::get_if<std::string>(&v) != nullptr) << c10::visit(Name(), v) << "\n";
  v = 4;
  std::cout << c10::get<0>(v) << c10::visit(Name(), v) << (c10::get_if<double>(&v) == nullptr) << "\n";
  try {
    c10::get<double>(v);
  } catch (const c10::bad_variant_access&) {
    std::cout << "holds no double\n";
  }
  c10::variant<c10::monostate, int> nothing;
  std::cout << nothing.index() << "\n";
  const auto copied = v;
  std::cout << (copied == v) << c10::get<int>(copied) << "\n";

  ska::flat_hash_map<std::string, int> map{{"a", 1}};
  map["b"] = 2;
  map.emplace("c", 3);
  ska::flat_hash_set<int> set{1, 2, 2};
  ska_ordered::order_preserving_flat_hash_map<std::string, int> ordered;
  for (const char* key : {"z", "y", "x"}) ordered[key] = 1;
  ordered.erase("y");
  ordered["y"] = 2;
  std::cout << map.size() << map.count("b") << map.at("c") << set.size();
  for (const auto& entry : ordered) std::cout << entry.first << entry.second;
  std::cout << "\n";
  std::unordered_map<std::pair<int, int>, int, c10::hash<std::pair<int, int>>> by_pair{{{1, 2}, 3}};
  std::cout << by_pair.at({1, 2}) << (c10::get_hash(1, 2) == c10::get_hash(1, 2)) << "\n";
  c10::ExclusivelyOwned<at::Tensor> owned(torch::ones({3}));
  std::cout << owned->numel() << std::move(owned).take().numel() << "\n";
  const auto borrowed = x.expect_contiguous();
  std::cout << borrowed->is_same(x) << "\n";
}

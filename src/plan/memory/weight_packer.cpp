// Packing of a plan's weights: memory for the packed forms, and release of what they were made of.
#include "plan/memory/weight_packer.h"

#include "core/copy.h"
#include "core/pages.h"

namespace wick::plan {
namespace {

// Weights from which on the program's pages are released before they are packed.
constexpr size_t kManyWeights = size_t{1} << 20;

}  // namespace

// Matrices and kernels among the constants; vectors add little, and are folded often.
WeightPacker::WeightPacker(const Trace& trace, PackCache& cache) : cache_(cache) {
  WordSet seen;
  size_t small = 0, large = 0;
  for (const TracedTensor& t : trace.tensors) {
    if (t.origin != TracedTensor::Origin::kConstant || t.dtype != DType::kFloat || t.sizes.size() < 2) continue;
    const void* at = t.constant.raw_data();
    const size_t bytes = t.constant.nbytes();
    if (!seen.insert(at)) continue;
    weight_bytes_ += bytes;
    if (cache_.sources.contains(at)) continue;
    (bytes < PackMemory::kLarge ? small : large) += bytes;
  }
  // Panels are padded to whole vectors.
  cache_.memory.expect(small + small / 16);
  // Releases what loading and recording have freed, and the pages of their code.
  if (small + large < kManyWeights) return;
  release_free_memory();
  release_program_pages();
}

Packed WeightPacker::pack_once(const PackKey& key, size_t elements, const Callback<void(float*)>& pack) {
  Packed form = cache_.find(key);
  if (form) return form;
  std::shared_ptr<float> made = cache_.memory.take(elements);
  pack(made.get());
  for (const Tensor& t : key.tensors()) {
    if (t.defined() && t.dim() >= 2 && cache_.sources.insert(t.raw_data()) && t.nbytes() < PackMemory::kLarge) {
      cache_.memory.note(t.nbytes());
    }
  }
  pages_.add(key.tensors());
  form = std::move(made);
  cache_.add(key, form, elements * sizeof(float));
  return form;
}

Packed WeightPacker::packed_vector(const Tensor& t) {
  if (!t.defined()) return nullptr;
  constexpr int64_t kVector = -4;  // the form a key names
  return packed(PackKey({t}, {kVector}), static_cast<size_t>(t.numel()),
                [&](float* dst) { copy_into(Tensor::from_blob(dst, t.sizes()), t); });
}

}  // namespace wick::plan

// Row tiles: an expansion, its depthwise convolution and the projection that follows become one step, which computes a
// few rows of each at a time.
#include <algorithm>

#include "config/build.h"
#include "kernels/conv_chain.h"
#include "plan/patterns/patterns.h"
#include "plan/steps/conv_step.h"

namespace wick::plan {
namespace {

class RowTilesStep : public Step {
 public:
  // Reads: the image and, where the projection adds one, the residual. Of the three layers the first or the
  // last may be missing.
  explicit RowTilesStep(std::vector<std::unique_ptr<Step>> steps)
      : Step(steps.back()->node()), steps_(std::move(steps)), pixel_(layer(steps_.size() - 1).output_pixel()) {}

  void run(Workspace& w) const override {
    const kernels::FlushDenormals flush;
    kernels::ConvChain chain;
    size_t next = 0;
    chain.has_expand = !is_depthwise(0);
    if (chain.has_expand) chain.expand = layer(next++).layer();
    chain.depthwise = layer(next++).layer();
    chain.has_project = next < steps_.size();
    if (chain.has_project) chain.project = layer(next).layer();
    kernels::Conv2d& last = chain.has_project ? chain.project : chain.depthwise;
    const kernels::ConvShape& out = last.shape;
    (chain.has_expand ? chain.expand : chain.depthwise).read_dense(input<float>(w, 0));
    last.y = kernels::dense_view(output<float>(w, 0), out.out[1], out.out[2], pixel_);
    if (reads_.size() > 1) {
      last.residual = kernels::dense_view(input<float>(w, 1), out.out[1], out.out[2], out.out_channels);
    }
    const kernels::Workers workers = product_workers(work());
    float* const means = writes_.size() > 1 ? output<float>(w, 1) : nullptr;
    run_with_means(chain.depthwise, kernels::chain_scratch_size(chain, workers.count), means, w, workers,
                   [&](float* scratch) { kernels::run_chain(chain, scratch, workers); });
  }

  bool set_output_pixel(int64_t elements) override {
    pixel_ = elements;
    return true;
  }
  bool give_means() override { return is_depthwise(steps_.size() - 1); }
  StepName name() const override {
    const bool two = steps_.size() == 2;
    return StepName("row tiles: ", steps_[0]->name().text(), "; ", steps_[1]->name().text(), two ? "" : "; ",
                    two ? "" : steps_[2]->name().text(), writes_.size() > 1 ? " means" : "")
        .with_operations(2 * work());
  }
  std::string_view kind() const override { return "row_tiles"; }

 private:
  double work() const {
    double sum = 0;
    for (size_t k = 0; k < steps_.size(); ++k) sum += work_of(layer(k).layer());
    return sum;
  }
  bool is_depthwise(size_t k) const { return layer(k).layer().method == kernels::ConvMethod::kDepthwise; }
  const LayerStep& layer(size_t k) const { return static_cast<const LayerStep&>(*steps_[k]); }

  const std::vector<std::unique_ptr<Step>> steps_;
  int64_t pixel_;
};

}  // namespace

bool is_plain_direct(const LayerStep& step) {
  const kernels::ConvMethod method = step.layer().method;
  return (method == kernels::ConvMethod::kDirect || kernels::reads_planes(method)) && step.layer().shape.groups == 1;
}

bool is_projection(const LayerStep& step) {
  const kernels::ConvShape& s = step.layer().shape;
  return is_plain_direct(step) && step.layer().method == kernels::ConvMethod::kDirect && s.taps() == 1 &&
         s.stride[1] == 1 && s.stride[2] == 1 && s.pad[1] == 0 && s.pad[2] == 0;
}

Readers::Readers(std::vector<Emission>& emissions, const std::vector<SlotInfo>& slots)
    : emissions_(emissions), slots_(slots), is_base_(slots.size()), count_(slots.size()), reader_(slots.size()) {
  for (const SlotInfo& info : slots) {
    if (info.base != kNoSlot) is_base_[info.base] = true;
  }
  for (size_t e = 0; e < emissions.size(); ++e) {
    for (Slot slot : emissions[e].reads) {
      ++count_[slot];
      reader_[slot] = e;
    }
  }
}

Emission* Readers::only_reader(const Emission& e) const {
  const Slot slot = e.writes[0];
  if (slots_[slot].kind != SlotInfo::Kind::kArena || is_base_[slot] || count_[slot] != 1) return nullptr;
  Emission& reader = emissions_[reader_[slot]];
  return &reader > &e && reader.reads[0] == slot ? &reader : nullptr;
}

namespace {

// Row tiles that begin with an expansion, or with the depthwise layer.
void fuse_row_tiles_from(bool expansion, std::vector<Emission>& emissions, const std::vector<SlotInfo>& slots) {
  const auto is_depthwise = [](const LayerStep* step, const Emission& e) {
    return step != nullptr && step->layer().method == kernels::ConvMethod::kDepthwise && e.reads.size() == 1;
  };
  Readers readers(emissions, slots);
  for (size_t e = 0; e < emissions.size(); ++e) {
    const LayerStep* first = layer_of(emissions[e]);
    if (first == nullptr || emissions[e].reads.size() != 1 || !kernels::chain_pays(first->layer().shape)) continue;
    if (expansion && !is_plain_direct(*first)) continue;
    Emission* const expand = expansion ? &emissions[e] : nullptr;
    Emission* const depthwise = expansion ? readers.only_reader(emissions[e]) : &emissions[e];
    if (depthwise == nullptr || !is_depthwise(layer_of(*depthwise), *depthwise)) continue;
    Emission* project = readers.only_reader(*depthwise);
    const LayerStep* last_layer = project == nullptr ? nullptr : layer_of(*project);
    if (last_layer == nullptr || !is_projection(*last_layer)) project = nullptr;
    if (expand == nullptr && project == nullptr) continue;
    Emission& last = project != nullptr ? *project : *depthwise;
    std::vector<Slot> reads = last.reads, writes = last.writes;
    reads[0] = emissions[e].reads[0];
    std::vector<std::unique_ptr<Step>> steps;
    for (Emission* part : {expand, depthwise, project}) {
      if (part == nullptr) continue;
      steps.push_back(std::move(part->step));
      part->reads.clear();
    }
    auto tiles = std::make_unique<RowTilesStep>(std::move(steps));
    tiles->set_slots(reads, writes);
    last = {std::move(tiles), std::move(reads), std::move(writes), false};
    readers.move_first(last);
  }
  std::erase_if(emissions, [](const Emission& e) { return e.step == nullptr; });
}

}  // namespace

void fuse_row_tiles(std::vector<Emission>& emissions, const std::vector<SlotInfo>& slots) {
  // Those hide the larger images.
  fuse_row_tiles_from(true, emissions, slots);
  fuse_row_tiles_from(false, emissions, slots);
}

}  // namespace wick::plan

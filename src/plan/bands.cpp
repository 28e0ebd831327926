#include <algorithm>

#include "kernels/conv_chain.h"
#include "plan/conv_step.h"

namespace wick::plan {
namespace {

using LayerStep = ConvStep<kernels::Conv2d>;

class BandStep : public Step {
 public:
  // Reads: what is expanded and, where the projection adds one, the residual.
  BandStep(std::unique_ptr<Step> expand, std::unique_ptr<Step> depthwise, std::unique_ptr<Step> project)
      : Step(project->node()),
        steps_{std::move(expand), std::move(depthwise), std::move(project)},
        pixel_(layer(2).output_pixel()) {}

  void run(Workspace& w) const override {
    const kernels::FlushDenormals flush;
    kernels::ConvChain chain{layer(0).layer(), layer(1).layer(), layer(2).layer(), layer(0).reads_planes()};
    const kernels::ConvShape& in = chain.expand.shape;
    const kernels::ConvShape& out = chain.project.shape;
    chain.expand.x = kernels::dense_view(input<float>(w, 0), in.in[1], in.in[2], in.in_channels);
    chain.project.y = kernels::dense_view(output<float>(w, 0), out.out[1], out.out[2], pixel_);
    if (reads_.size() > 1) {
      chain.project.residual = kernels::dense_view(input<float>(w, 1), out.out[1], out.out[2], out.out_channels);
    }
    const kernels::Workers workers =
        product_workers(work_of(chain.expand) + work_of(chain.depthwise) + work_of(chain.project));
    w.kernel_scratch.reserve(kernels::chain_scratch_size(chain, workers.count));
    kernels::run_chain(chain, w.kernel_scratch.data(), workers);
  }

  bool set_output_pixel(int64_t elements) override {
    pixel_ = elements;
    return true;
  }
  StepName name() const override {
    return StepName("band: ", steps_[0]->name().text(), "; ", steps_[1]->name().text(), "; ", steps_[2]->name().text());
  }
  std::string_view kind() const override { return "band"; }

 private:
  const LayerStep& layer(size_t k) const { return static_cast<const LayerStep&>(*steps_[k]); }

  const std::unique_ptr<Step> steps_[3];
  int64_t pixel_;
};

const LayerStep* layer_of(const Emission& e) { return dynamic_cast<const LayerStep*>(e.step.get()); }

bool is_plain_direct(const LayerStep& step) {
  return step.layer().method == kernels::ConvMethod::kDirect && step.layer().shape.groups == 1;
}

bool is_projection(const kernels::ConvShape& s) {
  return s.taps() == 1 && s.stride[1] == 1 && s.stride[2] == 1 && s.pad[1] == 0 && s.pad[2] == 0;
}

// The only emission that reads what `e` gives; null when there is another use of it.
Emission* only_reader(std::vector<Emission>& emissions, const std::vector<SlotInfo>& slots, size_t e) {
  const Slot slot = emissions[e].writes[0];
  if (slots[slot].kind != SlotInfo::Kind::kArena) return nullptr;
  for (const SlotInfo& info : slots) {
    if (info.base == slot) return nullptr;
  }
  Emission* reader = nullptr;
  for (size_t k = e + 1; k < emissions.size(); ++k) {
    const auto count = std::count(emissions[k].reads.begin(), emissions[k].reads.end(), slot);
    if (count == 0) continue;
    if (reader != nullptr || count > 1 || emissions[k].reads[0] != slot) return nullptr;
    reader = &emissions[k];
  }
  return reader;
}

}  // namespace

void fuse_bands(std::vector<Emission>& emissions, std::vector<SlotInfo>& slots) {
  for (size_t e = 0; e < emissions.size(); ++e) {
    const LayerStep* expand = layer_of(emissions[e]);
    if (expand == nullptr || !is_plain_direct(*expand) || emissions[e].reads.size() != 1 ||
        !kernels::chain_pays(expand->layer().shape)) {
      continue;
    }
    Emission* const second = only_reader(emissions, slots, e);
    const LayerStep* depthwise = second == nullptr ? nullptr : layer_of(*second);
    if (depthwise == nullptr || depthwise->layer().method != kernels::ConvMethod::kDepthwise ||
        second->reads.size() != 1) {
      continue;
    }
    Emission* const third = only_reader(emissions, slots, static_cast<size_t>(second - emissions.data()));
    const LayerStep* project = third == nullptr ? nullptr : layer_of(*third);
    if (project == nullptr || !is_plain_direct(*project) || !is_projection(project->layer().shape)) continue;
    std::vector<Slot> reads = third->reads, writes = third->writes;
    reads[0] = emissions[e].reads[0];
    auto band =
        std::make_unique<BandStep>(std::move(emissions[e].step), std::move(second->step), std::move(third->step));
    band->set_slots(reads, writes);
    emissions[e].reads.clear();
    second->reads.clear();
    *third = {std::move(band), std::move(reads), std::move(writes), false};
  }
  std::erase_if(emissions, [](const Emission& e) { return e.step == nullptr; });
}

}  // namespace wick::plan

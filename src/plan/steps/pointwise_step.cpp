// Runs a chain of pointwise kernels tile by tile.
#include "plan/steps/pointwise_step.h"

#include <algorithm>
#include <bit>

#include "kernels/divide.h"
#include "kernels/math.h"
#include "ops/workers.h"
#include "plan/steps/half_step.h"

namespace wick::plan {
namespace {

constexpr int64_t kTile = 512;

struct alignas(64) Tile {
  float values[kTile];
};

class PointwiseStep : public Step {
 public:
  PointwiseStep(const ir::Node* node, TileProgram program, StepName name)
      : Step(node), program_(std::move(program)), name_(std::move(name)) {
    inner_ = program_.sizes.empty() ? 1 : program_.sizes.back();
    rows_ = 1;
    for (size_t d = 0; d + 1 < program_.sizes.size(); ++d) rows_ *= program_.sizes[d];
    tiles_ = kernels::ceil_div(inner_, kTile);
    assign_temps();
  }

  void run(Workspace& w) const override {
    const void* bases[TileProgram::kMaxInputs];
    for (size_t k = 0, slot = 0; k < program_.inputs.size(); ++k) {
      bases[k] = program_.inputs[k].is_number ? nullptr : input<void>(w, slot++);
    }
    void* const out = output<void>(w, 0);
    const double work = static_cast<double>(rows_) * static_cast<double>(inner_) *
                        static_cast<double>(program_.instructions.size()) * 4;
    ops::workers_for(work).each(rows_ * tiles_,
                                [&](int64_t first, int64_t last) { run_tiles(bases, out, first, last); });
    if (program_.layers) look_for_overflow(w, bases);
  }

  StepName name() const override { return program_.gives_half ? StepName(name_.text(), " fp16") : name_; }
  std::string_view kind() const override { return "pointwise"; }

 private:
  // Where the result is of floats, numbers leave float16 here.
  void look_for_overflow(const Workspace& w, const void* const* bases) const {
    if (program_.gives_half) {
      return find_overflow(w, *program_.layers, node(), output<uint16_t>(w, 0), rows_ * inner_);
    }
    bool finite = true;
    for (size_t k = 0, slot = 0; k < program_.inputs.size(); ++k) {
      if (program_.inputs[k].is_number) continue;
      const int64_t count = w.tensors[reads_[slot++]].numel();
      if (program_.inputs[k].is_half) finite = finite && are_finite(static_cast<const uint16_t*>(bases[k]), count);
    }
    leave_half(w, *program_.layers, finite);
  }

  // Results live in temporaries from the instruction that makes them to the one that uses them.
  void assign_temps() {
    const size_t inputs = program_.inputs.size(), count = program_.instructions.size();
    std::vector<size_t> last(inputs + count, 0);
    for (size_t i = 0; i < count; ++i) {
      const TileInstruction& in = program_.instructions[i];
      for (size_t k = 0; k < in.operand_count; ++k) last[in.operands[k]] = i;
    }
    std::vector<uint32_t> free;
    temp_.resize(count);
    for (size_t i = 0; i + 1 < count; ++i) {
      const TileInstruction& in = program_.instructions[i];
      // An operand that ends here gives up its tile: the kernels allow the result to be an operand.
      for (size_t k = 0; k < in.operand_count; ++k) {
        const uint32_t o = in.operands[k];
        const bool repeated = k == 1 && in.operands[0] == o;
        if (o >= inputs && last[o] == i && !repeated) free.push_back(temp_[o - inputs]);
      }
      if (free.empty()) free.push_back(temps_++);
      temp_[i] = free.back();
      free.pop_back();
    }
  }

  void run_tiles(const void* const* bases, void* out, int64_t first, int64_t last) const {
    Tile result;
    Tile temps[TileProgram::kMaxInstructions];
    Tile filled[TileProgram::kMaxInputs];
    float filled_with[TileProgram::kMaxInputs];
    bool is_filled[TileProgram::kMaxInputs] = {};
    const size_t inputs = program_.inputs.size();
    for (int64_t task = first; task < last; ++task) {
      const int64_t row = task / tiles_, from = task % tiles_ * kTile;
      const int64_t n = std::min(kTile, inner_ - from);
      const float* operand[TileProgram::kMaxInputs];
      for (size_t k = 0; k < inputs; ++k) {
        const TileInput& in = program_.inputs[k];
        float number = in.number;
        if (!in.is_number) {
          const int64_t at = row_offset(in, row);
          const bool is_repeated = inner_ != 1 && in.strides.back() == 0;
          if (in.is_half) {
            const uint16_t* const halves = static_cast<const uint16_t*>(bases[k]) + at;
            if (!is_repeated) {
              kernels::half_to_float(halves + from, filled[k].values, n);
              operand[k] = filled[k].values;
              continue;
            }
            kernels::half_to_float(halves, &number, 1);
          } else {
            const float* const floats = static_cast<const float*>(bases[k]) + at;
            if (!is_repeated) {
              operand[k] = floats + from;
              continue;
            }
            number = *floats;
          }
        }
        if (!is_filled[k] || std::bit_cast<uint32_t>(filled_with[k]) != std::bit_cast<uint32_t>(number)) {
          std::fill_n(filled[k].values, std::min(kTile, inner_), number);
          filled_with[k] = number;
          is_filled[k] = true;
        }
        operand[k] = filled[k].values;
      }
      const int64_t to = row * inner_ + from;
      float* const last_result = program_.gives_half ? result.values : static_cast<float*>(out) + to;
      for (size_t i = 0; i < program_.instructions.size(); ++i) {
        const TileInstruction& in = program_.instructions[i];
        void* p[3];
        p[0] = i + 1 == program_.instructions.size() ? last_result : temps[temp_[i]].values;
        for (size_t k = 0; k < in.operand_count; ++k) {
          const uint32_t o = in.operands[k];
          p[k + 1] = o < inputs ? const_cast<float*>(operand[o]) : temps[temp_[o - inputs]].values;
        }
        in.kernel(p, n, in.params.data());
      }
      if (program_.gives_half) kernels::float_to_half(result.values, static_cast<uint16_t*>(out) + to, n);
    }
  }

  int64_t row_offset(const TileInput& in, int64_t row) const {
    int64_t offset = 0;
    for (size_t d = program_.sizes.size() - 1; d-- > 0 && row > 0;) {
      offset += row % program_.sizes[d] * in.strides[d];
      row /= program_.sizes[d];
    }
    return offset;
  }

  const TileProgram program_;
  const StepName name_;
  int64_t inner_, rows_, tiles_;
  std::vector<uint32_t> temp_;  // by instruction
  uint32_t temps_ = 0;
};

}  // namespace

void coalesce(TileProgram& program) {
  IntVec sizes;
  std::vector<IntVec> strides(program.inputs.size());
  for (size_t d = 0; d < program.sizes.size(); ++d) {
    if (program.sizes[d] == 1) continue;
    bool merges = !sizes.empty();
    for (size_t k = 0; k < program.inputs.size() && merges; ++k) {
      const TileInput& in = program.inputs[k];
      merges = in.is_number || strides[k].back() == in.strides[d] * program.sizes[d];
    }
    if (merges) {
      sizes.back() *= program.sizes[d];
    } else {
      sizes.push_back(program.sizes[d]);
    }
    for (size_t k = 0; k < program.inputs.size(); ++k) {
      if (program.inputs[k].is_number) continue;
      if (merges) {
        strides[k].back() = program.inputs[k].strides[d];
      } else {
        strides[k].push_back(program.inputs[k].strides[d]);
      }
    }
  }
  if (sizes.empty()) {
    sizes.push_back(1);
    for (IntVec& s : strides) s.push_back(0);
  }
  program.sizes = sizes;
  for (size_t k = 0; k < program.inputs.size(); ++k) program.inputs[k].strides = strides[k];
}

std::unique_ptr<Step> pointwise_step(const ir::Node* node, TileProgram program, StepName name) {
  return std::make_unique<PointwiseStep>(node, std::move(program), std::move(name));
}

}  // namespace wick::plan

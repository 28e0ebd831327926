// Inputs to try a model with, of shapes that the layers they lead to accept.
#include "passes/sample_inputs.h"
#include "core/budget.h"

#include <chrono>
#include <random>
#include <unordered_set>

#include "api/module_access.h"
#include "api/run.h"
#include "core/check.h"
#include "core/copy.h"
#include "passes/program_copy.h"
#include "passes/rewriter.h"
#include "wick/module.h"

namespace wick::passes {

namespace {

using ir::Node;
using ir::Value;

// A tensor to try: floats from a normal distribution, or whole numbers below `below`.
struct Shape {
  IntVec sizes;
  int64_t below = 0;  // 0: floats
};

constexpr int64_t kTokens = 8;
constexpr int64_t kFewChannels = 3;

void add_images(std::vector<Shape>& out, int64_t channels) {
  for (int64_t side : {64, 224, 299, 32, 28, 128, 16, 8, 512, 256}) out.push_back({{1, channels, side, side}});
}

const Tensor* tensor_at(const Node& node, size_t i) {
  return i < node.inputs.size() ? known_tensor(node.inputs[i]) : nullptr;
}

// Of a convolution of one to three spatial dims. `groups`: the argument's index.
std::vector<Shape> conv_shapes(const Node& node, const Tensor& weight, size_t groups) {
  const int64_t group_count = groups < node.inputs.size() ? known_int(node.inputs[groups]).value_or(1) : 1;
  const int64_t channels = weight.size(1) * group_count;
  std::vector<Shape> out;
  if (weight.dim() == 4) add_images(out, channels);
  if (weight.dim() == 3) {
    for (int64_t length : {64, 1024, 16000, 16}) out.push_back({{1, channels, length}});
  }
  if (weight.dim() == 5) {
    for (int64_t side : {32, 112, 16}) out.push_back({{1, channels, side == 16 ? 16 : 8, side, side}});
  }
  return out;
}

std::vector<Shape> transposed_shapes(const Tensor& weight) {
  const int64_t channels = weight.size(0);
  if (weight.dim() == 3) return {{{1, channels, 16}}};
  std::vector<Shape> out;
  for (int64_t side : {16, 7, 1}) out.push_back({{1, channels, side, side}});
  return out;
}

// The first tensor of a list of weights.
const Tensor* first_weight(const Value* list) {
  const IValue* items = known(list);
  if (items && items->is_list() && !items->to_list().items.empty() && items->to_list().items[0].is_tensor()) {
    return &items->to_list().items[0].to_tensor();
  }
  const Node* made = list->def;
  const bool is_list = made && made->kind == ir::NodeKind::kListConstruct && !made->inputs.empty();
  return is_list ? known_tensor(made->inputs[0]) : nullptr;
}

std::vector<Shape> recurrent_shapes(const Node& node) {
  std::vector<Shape> out;
  for (const Value* input : node.inputs) {
    const Tensor* first = first_weight(input);
    if (first && first->dim() == 2) out = {{{3, 2, first->size(1)}}, {{3, first->size(1)}}, {{1, 5, first->size(1)}}};
  }
  return out;
}

// Of a layer that is a product with a matrix.
std::vector<Shape> dense_shapes(const Node& node) {
  const Tensor* w = tensor_at(node, is_op(&node, "aten::addmm") ? 2 : 1);
  if (!w || w->dim() != 2) return {};
  if (is_op(&node, "aten::addmm")) return {{{2, w->size(0)}}};
  if (is_op(&node, "aten::matmul")) return {{{2, w->size(0)}}, {{2, 5, w->size(0)}}};
  const int64_t n = w->size(1);
  return {{{2, n}}, {{1, n}}, {{2, 5, n}}, {{n}}, {{2, 3, 4, n}}};
}

std::vector<Shape> embedding_shapes(const Node& node) {
  const Tensor* table = tensor_at(node, 0);
  if (!table || table->dim() != 2) return {};
  const int64_t rows = table->size(0);
  return {{{1, kTokens}, rows}, {{2, kTokens}, rows}, {{kTokens, 1}, rows}, {{kTokens}, rows}};
}

std::vector<Shape> norm_shapes(const Node& node) {
  if (is_op(&node, "aten::layer_norm")) {
    const std::optional<IntVec> sizes = known_ints(node.inputs[1]);
    if (!sizes) return {};
    IntVec batch{2, 5};
    for (int64_t size : *sizes) batch.push_back(size);
    return {{batch}};
  }
  const Tensor* w = tensor_at(node, 1);
  if (!w || w->dim() != 1) return {};
  return {{{2, w->size(0), 8, 8}}, {{2, w->size(0)}}, {{2, w->size(0), 8}}, {{1, w->size(0), 4, 8, 8}}};
}

// Shapes a layer takes as its input; empty when the node does not tell.
std::vector<Shape> shapes_for(const Node& node) {
  const Tensor* w = tensor_at(node, 1);
  const auto has_weight = [&](const char* op, int64_t dims) { return w && w->dim() == dims && is_op(&node, op); };
  if (has_weight("aten::conv1d", 3) || has_weight("aten::conv2d", 4) || has_weight("aten::conv3d", 5)) {
    return conv_shapes(node, *w, 6);
  }
  if (w && w->dim() >= 3 && is_op(&node, "aten::_convolution")) return conv_shapes(node, *w, 8);
  if (has_weight("aten::conv_transpose1d", 3) || has_weight("aten::conv_transpose2d", 4)) return transposed_shapes(*w);
  if (is_op(&node, {"aten::linear", "aten::addmm", "aten::matmul"})) return dense_shapes(node);
  if (is_op(&node, {"aten::embedding", "aten::embedding_bag"})) return embedding_shapes(node);
  if (is_op(&node, {"aten::lstm", "aten::gru", "aten::rnn_tanh", "aten::rnn_relu"})) return recurrent_shapes(node);
  if (is_op(&node, {"aten::batch_norm", "aten::layer_norm"})) return norm_shapes(node);
  return {};
}

// The layers a value leads to, near ones first.
std::vector<Shape> guess(const Value* value) {
  constexpr size_t kMaxSteps = 200;
  std::vector<const Value*> queue{value};
  std::unordered_set<const Value*> seen{value};
  for (size_t i = 0; i < queue.size() && i < kMaxSteps; ++i) {
    for (const Node* user : queue[i]->users) {
      if (user->kind == ir::NodeKind::kOp && user->op) {
        if (std::vector<Shape> shapes = shapes_for(*user); !shapes.empty()) return shapes;
      }
      for (const Value* output : user->outputs) {
        if (seen.insert(output).second) queue.push_back(output);
      }
      for (const ir::Block* block : user->blocks) {
        for (const Value* param : block->params) {
          if (seen.insert(param).second) queue.push_back(param);
        }
      }
    }
  }
  return {};
}

std::vector<Shape> anything() {
  return {{{1, kFewChannels, 64, 64}},
          {{2, 4}},
          {{4}},
          {{2, 3, 4}},
          {{2, 3, 4, 5}},
          {{1, 1}},
          {{1, kTokens}, kTokens},
          {{kTokens}, kTokens},
          {{}},
          {{1, 1, 28, 28}},
          {{4, 4}},
          {{kFewChannels, 64, 64}}};
}

class Sampler {
 public:
  Sampler(const ir::Program& program, const ir::Program& frozen, const std::string& method, uint64_t seed)
      : program_(program), frozen_(frozen), method_(method), generator_(seed) {}

  std::optional<SampleInputs> run() {
    const ir::Function* function = frozen_.find_method(method_);
    if (!function) return std::nullopt;
    const std::vector<Value*>& params = function->graph.body()->params;
    size_t rounds = 1;
    for (size_t i = 1; i < params.size(); ++i) {
      std::vector<Shape> shapes = guess(params[i]);
      const std::vector<Shape> others = anything();
      shapes.insert(shapes.end(), others.begin(), others.end());
      rounds = std::max(rounds, shapes.size());
      shapes_.push_back(std::move(shapes));
      const auto& arguments = function->schema.arguments;
      types_.push_back(function->has_schema && i < arguments.size() ? arguments[i].type : types::tensor());
      defaults_.push_back(i < arguments.size() && arguments[i].has_default ? std::optional(arguments[i].default_value)
                                                                           : std::nullopt);
    }
    // Every parameter's k-th guess together; then each apart with the first guesses of the others.
    for (size_t k = 0; k < rounds; ++k) {
      if (auto found = attempt(std::vector<size_t>(shapes_.size(), k))) return found;
    }
    for (size_t i = 0; shapes_.size() > 1 && i < shapes_.size(); ++i) {
      for (size_t k = 0; k < shapes_[i].size(); ++k) {
        std::vector<size_t> choice(shapes_.size(), 0);
        choice[i] = k;
        if (auto found = attempt(choice)) return found;
      }
    }
    return std::nullopt;
  }

 private:
  // Of the inputs of one attempt, and of its run: nobody has asked for more.
  static constexpr int64_t kMaxElements = int64_t{1} << 23, kMaxValues = 1 << 12;
  static constexpr uint64_t kMaxMemory = uint64_t{4} << 30;

  // Nothing when the inputs of this attempt would be too large: sizes come from the file.
  std::optional<Tensor> random(const Shape& shape) {
    double elements = 1;
    for (int64_t size : shape.sizes) elements *= static_cast<double>(size);
    if (elements > static_cast<double>(elements_left_)) return std::nullopt;
    elements_left_ -= static_cast<int64_t>(elements);
    if (shape.below > 0) {
      const Tensor t = Tensor::empty(shape.sizes, DType::kLong);
      std::uniform_int_distribution<int64_t> pick(0, shape.below - 1);
      for (int64_t i = 0, count = t.numel(); i < count; ++i) t.data_ptr<int64_t>()[i] = pick(generator_);
      return t;
    }
    const Tensor t = Tensor::empty(shape.sizes);
    std::normal_distribution<float> pick;
    for (int64_t i = 0, count = t.numel(); i < count; ++i) t.data_ptr<float>()[i] = pick(generator_);
    return t;
  }

  static std::string describe(const Shape& shape) {
    return cat(shape.below > 0 ? "int64 " : "float ", IntSpan(shape.sizes));
  }

  std::optional<IValue> value_of(const Type& type, const Shape& shape, std::string& text) {
    if (--values_left_ < 0) return std::nullopt;
    switch (type.kind()) {
      case TypeKind::kTensor:
      case TypeKind::kAny: {
        text = describe(shape);
        const std::optional<Tensor> tensor = random(shape);
        return tensor ? std::optional<IValue>(*tensor) : std::nullopt;
      }
      case TypeKind::kInt:
      case TypeKind::kNumber:
        text = "1";
        return IValue(1);
      case TypeKind::kFloat:
        text = "0.5";
        return IValue(0.5);
      case TypeKind::kBool:
        text = "True";
        return IValue(true);
      case TypeKind::kString:
        text = "''";
        return IValue("");
      case TypeKind::kOptional:
        return value_of(*type.element(0), shape, text);
      case TypeKind::kList: {
        std::vector<IValue> items;
        for (int i = 0; i < 2; ++i) {
          std::optional<IValue> item = value_of(*type.element(0), shape, text);
          if (!item) return std::nullopt;
          items.push_back(std::move(*item));
        }
        text = cat("[", text, "] * 2");
        return IValue::list(type.element(0), std::move(items));
      }
      case TypeKind::kTuple: {
        std::vector<IValue> items;
        std::string all;
        for (const TypePtr& element : type.elements()) {
          std::optional<IValue> item = value_of(*element, shape, text);
          if (!item) return std::nullopt;
          items.push_back(std::move(*item));
          all += (all.empty() ? "" : ", ") + text;
        }
        text = cat("(", all, ")");
        return IValue::tuple(std::move(items));
      }
      default:
        return std::nullopt;
    }
  }

  std::optional<SampleInputs> attempt(const std::vector<size_t>& choice) {
    constexpr auto kMaxTime = std::chrono::seconds(20);
    constexpr size_t kMaxAttempts = 80;
    if (++attempts_ > kMaxAttempts || std::chrono::steady_clock::now() - start_ > kMaxTime) return std::nullopt;
    elements_left_ = kMaxElements;
    values_left_ = kMaxValues;
    SampleInputs out;
    for (size_t i = 0; i < choice.size(); ++i) {
      std::string text = "default";
      std::optional<IValue> value = defaults_[i];
      if (!value) value = value_of(*types_[i], shapes_[i][std::min(choice[i], shapes_[i].size() - 1)], text);
      if (!value) return std::nullopt;
      out.description += (i ? ", " : "") + text;
      out.arguments.push_back(std::move(*value));
    }
    try {
      const std::shared_ptr<ir::Program> copy = copy_program(program_, method_names(program_));
      Module module = make_module(copy);
      module.set_planning(false);
      const BoundedWork bounded(
          "a trial run", {.timeout = kMaxTime, .max_memory = kMaxMemory, .max_operations = 1'000'000, .max_forks = 0});
      std::vector<IValue> own;
      for (const IValue& argument : out.arguments) own.push_back(copy_value(argument));
      module.run_method(method_, std::move(own));
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const Error& e) {
      // The time is the trial's own.
      if (e.code() == ErrorCode::kOutOfMemory || e.code() == ErrorCode::kCancelled) throw;
      return std::nullopt;
    }
    return out;
  }

  const ir::Program& program_;
  const ir::Program& frozen_;
  const std::string& method_;
  std::mt19937_64 generator_;
  std::vector<std::vector<Shape>> shapes_;  // by parameter
  std::vector<TypePtr> types_;
  std::vector<std::optional<IValue>> defaults_;
  int64_t elements_left_ = 0, values_left_ = 0;
  size_t attempts_ = 0;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

std::optional<SampleInputs> sample_inputs(const ir::Program& program, const ir::Program& frozen,
                                          const std::string& method, uint64_t seed) {
  return Sampler(program, frozen, method, seed).run();
}

}  // namespace wick::passes

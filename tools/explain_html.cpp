// The HTML page of `wick explain`: two graphs side by side, as SVG.
#include "explain_html.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "core/check.h"
#include "html.h"
#include "ir/effects.h"
#include "passes/rewriter.h"

namespace wick::tools {

namespace {

constexpr int kRow = 34, kBox = 24, kWidth = 420, kIndent = 16, kLanes = 90, kMargin = 12;
constexpr double kLetter = 7.3;  // width of one in the boxes' font
// Larger graphs would make pages that browsers are slow with.
constexpr size_t kMaxBoxes = 4000;

const char* color(const std::string& name) {
  if (name.find("prepack") != std::string::npos) return "#cdeac0";
  if (name.find("conv") != std::string::npos || name.find("linear") != std::string::npos ||
      name.find("addmm") != std::string::npos)
    return "#bcd8f0";
  if (name.find("norm") != std::string::npos) return "#f6d7b0";
  if (name.find("relu") != std::string::npos || name.find("hardtanh") != std::string::npos ||
      name.find("clamp") != std::string::npos || name.find("hard") != std::string::npos) {
    return "#f3c6d3";
  }
  if (name.find("dropout") != std::string::npos) return "#e3d4f0";
  return name.starts_with("prim::") ? "#eeeeee" : "#f7f7f2";
}

// Whether the blocks do nothing but refuse.
bool only_raises(const ir::Node& node) {
  for (const ir::Block* block : node.blocks) {
    for (const ir::Node* inner : block->nodes) {
      const bool says = ir::is_pure(*inner) || passes::is_op(inner, {"prim::RaiseException", "aten::warn"}) ||
                        (inner->kind == ir::NodeKind::kIf && inner->outputs.empty() && only_raises(*inner));
      if (!says) return false;
    }
  }
  return true;
}

// Nodes that only serve to refuse wrong inputs: a reader looks for the layers.
class Checks {
 public:
  explicit Checks(ir::Graph& graph) : rewriter_(graph) { visit(*graph.body()); }

  bool has(const ir::Node* node) const { return nodes_.contains(node); }

 private:
  void visit(ir::Block& block) {
    for (auto it = block.nodes.rbegin(); it != block.nodes.rend(); ++it) {
      ir::Node* node = *it;
      const bool is_test = node->kind == ir::NodeKind::kIf && node->outputs.empty() && only_raises(*node);
      if (is_test || (!node->outputs.empty() && serves_checks(*node))) {
        nodes_.insert(node);
      } else {
        for (ir::Block* inner : node->blocks) visit(*inner);
      }
    }
  }

  bool serves_checks(const ir::Node& node) const {
    bool used = false;
    for (const ir::Value* output : node.outputs) {
      if (rewriter_.is_result(output)) return false;
      for (const ir::Node* user : output->users) {
        used = true;
        // A message in a branch that raises counts with the branch.
        const ir::Node* owner = user;
        while (owner && !nodes_.contains(owner)) owner = owner->block->owner;
        if (!owner) return false;
      }
    }
    return used;
  }

  const passes::Rewriter rewriter_;
  std::set<const ir::Node*> nodes_;
};

// One model's forward as a column of boxes with lines from results to uses. With the rows of the other graph's layers,
// the layers stand beside those.
class Picture {
 public:
  explicit Picture(const ir::Program& program) : program_(program) {}

  // Where its layers are, once it is drawn.
  const std::vector<size_t>& layer_rows() const { return layer_rows_; }

  std::string run(const std::vector<size_t>& beside = {}) {
    const std::shared_ptr<ir::Program> frozen = passes::frozen_copy(program_, {"forward"});
    ir::Function* forward = frozen->find_method("forward");
    const Checks checks(forward->graph);
    checks_ = &checks;
    beside_ = beside;
    const ir::Block& body = *forward->graph.body();
    for (size_t i = 1; i < body.params.size(); ++i) {
      box(forward->schema.arguments.size() > i ? forward->schema.arguments[i].name : "input", "#ffffff", 0);
      places_[body.params[i]] = row_ - 1;
    }
    nodes(body, 0);
    box("result", "#ffffff", 0);
    for (const ir::Value* result : body.results) line(result, row_ - 1);
    const int height = static_cast<int>(row_) * kRow + kMargin * 2;
    return cat("<svg width=\"", kWidth + kLanes + 2 * kMargin, "\" height=\"", height, "\" viewBox=\"0 0 ",
               kWidth + kLanes + 2 * kMargin, " ", height, "\">", lines_, boxes_, "</svg>");
  }

 private:
  void nodes(const ir::Block& block, int depth) {
    for (const ir::Node* node : block.nodes) {
      if (node->kind == ir::NodeKind::kConstant || checks_->has(node) || row_ > kMaxBoxes) continue;
      if (passes::is_layer(*node)) {
        const size_t number = layer_rows_.size();
        if (number < beside_.size()) row_ = std::max(row_, beside_[number]);
        layer_rows_.push_back(row_);
      }
      const std::string name = ir::name_of(*node);
      box(name + sizes(*node), color(name), depth);
      const size_t here = row_ - 1;
      for (const ir::Value* input : node->inputs) line(input, here);
      for (const ir::Value* output : node->outputs) places_[output] = here;
      for (const ir::Block* inner : node->blocks) {
        for (const ir::Value* param : inner->params) places_[param] = here;
        nodes(*inner, depth + 1);
      }
    }
  }

  static std::string sizes(const ir::Node& node) {
    for (const ir::Value* input : node.inputs) {
      if (const Tensor* tensor = passes::known_tensor(input)) return cat(" ", tensor->sizes());
      const IValue* value = passes::known(input);
      if (!value || !value->is_custom()) continue;
      const IValue state = value->to_custom().get_state();
      const std::vector<IValue>* items = state.is_tuple()  ? &state.to_tuple().items
                                         : state.is_list() ? &state.to_list().items
                                                           : nullptr;
      if (!items || items->empty() || !(*items)[0].is_tensor()) continue;
      std::string text = cat(" ", (*items)[0].to_tensor().sizes());
      const IValue& low = (*items)[items->size() - 2];
      const IValue& high = items->back();
      if (items->size() > 3 && low.is_number()) text += cat(" ≥ ", low.to_double());
      if (items->size() > 3 && high.is_number()) text += cat(" ≤ ", high.to_double());
      return text;
    }
    return {};
  }

  void box(const std::string& text, const char* fill, int depth) {
    const int x = kMargin + kLanes + std::min(depth, 8) * kIndent, y = kMargin + static_cast<int>(row_) * kRow;
    const auto max_letters = static_cast<size_t>((kWidth - std::min(depth, 8) * kIndent - 16) / kLetter);
    boxes_ += cat("<g><title>", escaped(text), "</title><rect x=\"", x, "\" y=\"", y, "\" width=\"",
                  kWidth - std::min(depth, 8) * kIndent, "\" height=\"", kBox, "\" rx=\"4\" fill=\"", fill, "\"/>");
    boxes_ += cat("<text x=\"", x + 8, "\" y=\"", y + 16, "\">",
                  escaped(text.size() > max_letters ? text.substr(0, max_letters - 1) + "…" : text), "</text></g>");
    rows_.insert(row_++);
  }

  void line(const ir::Value* from, size_t to) {
    const auto place = places_.find(from);
    if (place == places_.end() || place->second == to) return;
    const int x = kMargin + kLanes, y0 = kMargin + static_cast<int>(place->second) * kRow + kBox / 2;
    const int y1 = kMargin + static_cast<int>(to) * kRow + kBox / 2;
    const size_t distance = to - place->second;
    if (distance == 1 || drawn_between(place->second, to) == 0) {
      const int middle = x + kWidth / 2;
      lines_ += cat("<path d=\"M", middle, " ", y0, "L", middle, " ", y1, "\"/>");
      return;
    }
    const int reach = std::min<int>(kLanes - 6, 12 + static_cast<int>(distance) * 3);
    lines_ += cat("<path d=\"M", x, " ", y0, "C", x - reach, " ", y0);
    lines_ += cat(" ", x - reach, " ", y1, " ", x, " ", y1, "\"/>");
  }

  // Boxes between two rows: rows left empty have none.
  size_t drawn_between(size_t from, size_t to) const {
    return static_cast<size_t>(std::distance(rows_.upper_bound(from), rows_.lower_bound(to)));
  }

  const ir::Program& program_;
  const Checks* checks_ = nullptr;
  std::unordered_map<const ir::Value*, size_t> places_;  // rows
  std::vector<size_t> layer_rows_, beside_;
  std::set<size_t> rows_;  // that have a box
  size_t row_ = 0;
  std::string boxes_, lines_;
};

std::string table(const passes::ModelSummary& before, const passes::ModelSummary& after) {
  std::set<std::string> names;
  for (const auto& [name, count] : before.operators) names.insert(name);
  for (const auto& [name, count] : after.operators) names.insert(name);
  auto count = [](const passes::ModelSummary& summary, const std::string& name) {
    const auto it = summary.operators.find(name);
    return it == summary.operators.end() ? size_t{0} : it->second;
  };
  std::string out =
      "<div class=\"wide\"><table class=\"sort\"><tr><th>operator<th class=\"n\">before<th class=\"n\">after</tr>";
  for (const std::string& name : names) {
    const size_t x = count(before, name), y = count(after, name);
    const char* style = y == 0 ? " class=\"gone\"" : x == 0 ? " class=\"new\"" : "";
    out += cat("<tr", style, "><td>", escaped(name), "<td class=\"n\">", x, "<td class=\"n\">", y, "</tr>");
  }
  return out + "</table></div>";
}

}  // namespace

std::string explain_page(const ExplainedModel& before, const ExplainedModel& after,
                         const std::vector<std::string>& lines) {
  std::string out = page_begin("Explanation", cat(before.name, " → ", after.name));
  out +=
      "<style>.gone td{color:var(--bad)}.new td{color:var(--good)}.graphs{display:flex;gap:24px;align-items:flex-start;"
      "overflow-x:auto}.graphs svg{border:1px solid var(--line);background:var(--band)}.graphs text{font:12px "
      "monospace;fill:#222}"
      ".graphs rect{stroke:#888}.graphs path{stroke:#99a;fill:none;stroke-width:1.2}span.box{border:1px solid #888;"
      "border-radius:4px;padding:2px 8px;color:#222;display:inline-block;margin:0 4px 4px 0}</style><ul>";
  for (const std::string& line : lines) out += cat("<li>", escaped(line), "</li>");
  out += "</ul>" + table(before.summary, after.summary);
  if (!before.program.find_method("forward") || !after.program.find_method("forward")) return out + page_end();
  constexpr std::pair<const char*, const char*> kLegend[] = {
      {"conv2d", "layer"},    {"prepacked", "packed layer"}, {"batch_norm", "batch norm"},
      {"relu", "activation"}, {"dropout", "dropout"},        {"prim::If", "control"}};
  out += "<p>";
  for (const auto& [name, text] : kLegend) {
    out += cat("<span class=\"box\" style=\"background:", color(name), "\">", text, "</span> ");
  }
  out += "Equal layers stand side by side; checks that only refuse wrong inputs are left out.</p>";
  Picture left(before.program), right(after.program);
  const std::string first = left.run();
  out += "<div class=\"graphs\"><div><h2>before</h2>" + first + "</div><div><h2>after</h2>" +
         right.run(before.summary.layers == after.summary.layers ? left.layer_rows() : std::vector<size_t>()) +
         "</div></div>" + page_end();
  return out;
}

}  // namespace wick::tools

#include "explain_html.h"

#include <map>
#include <set>
#include <unordered_map>

#include "core/check.h"
#include "html.h"
#include "passes/rewriter.h"

namespace wick::tools {

namespace {

constexpr int kRow = 34, kBox = 24, kWidth = 300, kIndent = 16, kLanes = 90, kMargin = 12;
// Larger graphs would make pages that browsers are slow with.
constexpr size_t kMaxBoxes = 4000;

const char* colour(const std::string& name) {
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

// One model's forward as a column of boxes with lines from results to uses.
class Picture {
 public:
  explicit Picture(const ir::Program& program) : program_(program) {}

  std::string run() {
    const std::shared_ptr<ir::Program> frozen = passes::frozen_copy(program_);
    const ir::Function* forward = frozen->find_method("forward");
    if (!forward) return "<p>The model has no forward.</p>";
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
      if (node->kind == ir::NodeKind::kConstant || row_ > kMaxBoxes) continue;
      const std::string name = ir::name_of(*node);
      box(name + sizes(*node), colour(name), depth);
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
      if (items->size() > 3 && (low.is_number() || high.is_number()))
        text += cat(" in ", repr(low), " .. ", repr(high));
      return text;
    }
    return {};
  }

  void box(const std::string& text, const char* fill, int depth) {
    const int x = kMargin + kLanes + std::min(depth, 8) * kIndent, y = kMargin + static_cast<int>(row_) * kRow;
    boxes_ += cat("<g><title>", escaped(text), "</title><rect x=\"", x, "\" y=\"", y, "\" width=\"",
                  kWidth - std::min(depth, 8) * kIndent, "\" height=\"", kBox, "\" rx=\"4\" fill=\"", fill,
                  "\"/><text x=\"", x + 8, "\" y=\"", y + 16, "\">",
                  escaped(text.size() > 44 ? text.substr(0, 43) + "…" : text), "</text></g>");
    ++row_;
  }

  void line(const ir::Value* from, size_t to) {
    const auto place = places_.find(from);
    if (place == places_.end() || place->second == to) return;
    const int x = kMargin + kLanes, y0 = kMargin + static_cast<int>(place->second) * kRow + kBox / 2;
    const int y1 = kMargin + static_cast<int>(to) * kRow + kBox / 2;
    const size_t distance = to - place->second;
    if (distance == 1) {
      const int middle = x + kWidth / 2;
      lines_ += cat("<path d=\"M", middle, " ", y0, "L", middle, " ", y1, "\"/>");
      return;
    }
    const int reach = std::min<int>(kLanes - 6, 12 + static_cast<int>(distance) * 3);
    lines_ += cat("<path d=\"M", x, " ", y0, "C", x - reach, " ", y0, " ", x - reach, " ", y1, " ", x, " ", y1, "\"/>");
  }

  const ir::Program& program_;
  std::unordered_map<const ir::Value*, size_t> places_;  // rows
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
  std::string out = "<table><tr><th>operator</th><th>before</th><th>after</th></tr>";
  for (const std::string& name : names) {
    const size_t x = count(before, name), y = count(after, name);
    const char* style = y == 0 ? " class=\"gone\"" : x == 0 ? " class=\"new\"" : "";
    out += cat("<tr", style, "><td>", escaped(name), "</td><td>", x, "</td><td>", y, "</td></tr>");
  }
  return out + "</table>";
}

}  // namespace

std::string explain_page(const ExplainedModel& before, const ExplainedModel& after,
                         const std::vector<std::string>& lines) {
  std::string out =
      "<!DOCTYPE html><html><head><meta charset=\"utf-8\"><title>wick explain</title><style>"
      "body{font:14px sans-serif;margin:24px;color:#222}td,th{padding:2px 12px;text-align:left}"
      "td+td,th+th{text-align:right}.gone{color:#a33}.new{color:#27632a}.graphs{display:flex;gap:24px;align-items:flex-"
      "start}"
      "svg{border:1px solid #ddd;background:#fff}svg text{font:12px monospace}svg rect{stroke:#888}"
      "svg path{stroke:#99a;fill:none;stroke-width:1.2}</style></head><body>";
  out += cat("<h1>", escaped(before.name), " → ", escaped(after.name), "</h1><ul>");
  for (const std::string& line : lines) out += cat("<li>", escaped(line), "</li>");
  out += "</ul>" + table(before.summary, after.summary);
  out += "<div class=\"graphs\"><div><h2>before</h2>" + Picture(before.program).run() + "</div><div><h2>after</h2>" +
         Picture(after.program).run() + "</div></div></body></html>\n";
  return out;
}

}  // namespace wick::tools

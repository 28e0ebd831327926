// What a model holds, graphs, profiles, comparisons, traces and timing.
#include "wick/inspect.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <chrono>
#include <iterator>

#include "errors.h"
#include "records.h"
#include "running.h"
#include "values.h"
#include "wick/compare.h"
#include "wick/profile.h"
#include "wick/trace.h"

namespace wick_python {

using wick::IValue;
using wick::Module;

namespace {

void bind_info(nb::module_& m) {
  nb::class_<wick::OperatorUse> use(m, "OperatorUse", "An operator that a model's code names.");
  use.def(
         "__init__",
         [](wick::OperatorUse* self, const std::string& name, size_t count, bool available, const std::string& where) {
           new (self) wick::OperatorUse{name, count, available, where};
         },
         nb::arg("name"), nb::arg("count"), nb::arg("available"), nb::arg("where"))
      .def_ro("name", &wick::OperatorUse::name)
      .def_ro("count", &wick::OperatorUse::count)
      .def_ro("available", &wick::OperatorUse::available)
      .def_ro("where", &wick::OperatorUse::where)
      .def("__repr__", [](const wick::OperatorUse& use) {
        return "<wick.OperatorUse " + use.name + " x" + std::to_string(use.count) +
               (use.available ? ">" : ", missing>");
      });
  make_picklable(use, &wick::OperatorUse::name, &wick::OperatorUse::count, &wick::OperatorUse::available,
                 &wick::OperatorUse::where);
  nb::class_<wick::ModelInfo> info(m, "RawInfo");
  info.def_ro("kind", &wick::ModelInfo::kind)
      .def_ro("bytecode_version", &wick::ModelInfo::bytecode_version)
      .def_ro("operator_version", &wick::ModelInfo::operator_version)
      .def_ro("producer", &wick::ModelInfo::producer)
      .def_ro("operators", &wick::ModelInfo::operators)
      .def_ro("bundled_inputs", &wick::ModelInfo::bundled_inputs);
  make_picklable(info, &wick::ModelInfo::kind, &wick::ModelInfo::bytecode_version, &wick::ModelInfo::operator_version,
                 &wick::ModelInfo::producer, &wick::ModelInfo::operators, &wick::ModelInfo::bundled_inputs);
  m.def("inspect_model", [](const Module& module) { return run_released([&] { return inspect_model(module); }); });
  m.def("check_records", [](nb::handle path) {
    const std::string name = path_of(path);
    with_file(name, FileUse::kRead, [&] {
      run_released([&] {
        wick::check_records(name);
        return 0;
      });
    });
  });
  nb::class_<wick::GraphNode> node(m, "GraphNode");
  node.def_ro("name", &wick::GraphNode::name)
      .def_ro("inputs", &wick::GraphNode::inputs)
      .def_ro("outputs", &wick::GraphNode::outputs)
      .def_ro("types", &wick::GraphNode::types)
      .def_ro("detail", &wick::GraphNode::detail)
      .def_ro("where", &wick::GraphNode::where)
      .def_ro("blocks", &wick::GraphNode::blocks)
      .def("__repr__", [](const wick::GraphNode& node) {
        std::string out = "<wick.GraphNode ";
        for (const std::string& name : node.outputs) out += name + " ";
        out += (node.outputs.empty() ? "" : "= ") + node.name + "(";
        for (size_t i = 0; i < node.inputs.size(); ++i) out += (i ? ", " : "") + node.inputs[i];
        return out + ")>";
      });
  make_picklable(node, &wick::GraphNode::name, &wick::GraphNode::inputs, &wick::GraphNode::outputs,
                 &wick::GraphNode::types, &wick::GraphNode::detail, &wick::GraphNode::where, &wick::GraphNode::blocks);
  nb::class_<wick::MethodGraph> graph(m, "RawGraph");
  graph.def_ro("name", &wick::MethodGraph::name)
      .def_ro("inputs", &wick::MethodGraph::inputs)
      .def_ro("input_types", &wick::MethodGraph::input_types)
      .def_ro("outputs", &wick::MethodGraph::outputs)
      .def_ro("nodes", &wick::MethodGraph::nodes);
  make_picklable(graph, &wick::MethodGraph::name, &wick::MethodGraph::inputs, &wick::MethodGraph::input_types,
                 &wick::MethodGraph::outputs, &wick::MethodGraph::nodes);
  m.def("method_graph", [](const Module& module, const std::string& method) { return method_graph(module, method); });
  m.def("nearest_operator", [](const std::string& name) { return wick::nearest_operator(name); });
  m.def("graph_text", [](const Module& module, const std::string& method) { return graph_text(module, method); });
}

void bind_trace(nb::module_& m) {
  nb::class_<wick::TraceGap> gap(m, "TraceGap");
  gap.def_ro("function", &wick::TraceGap::function)
      .def_ro("what", &wick::TraceGap::what)
      .def_ro("where", &wick::TraceGap::where)
      .def_ro("operators", &wick::TraceGap::operators)
      .def_ro("count", &wick::TraceGap::count)
      .def("__repr__",
           [](const wick::TraceGap& gap) { return "<wick.TraceGap " + gap.what + " in " + gap.function + ">"; });
  make_picklable(gap, &wick::TraceGap::function, &wick::TraceGap::what, &wick::TraceGap::where,
                 &wick::TraceGap::operators, &wick::TraceGap::count);
  nb::class_<wick::TraceResult> result(m, "TraceResult");
  result.def_ro("yaml", &wick::TraceResult::yaml)
      .def_ro("operators", &wick::TraceResult::operators)
      .def_ro("gaps", &wick::TraceResult::gaps)
      .def_ro("methods_not_run", &wick::TraceResult::methods_not_run)
      .def_ro("operators_not_called", &wick::TraceResult::operators_not_called)
      .def("__repr__", [](const wick::TraceResult& t) {
        return "<wick.TraceResult: " + std::to_string(t.operators.size()) + " operators, " +
               std::to_string(t.gaps.size()) + " gaps>";
      });
  make_picklable(result, &wick::TraceResult::yaml, &wick::TraceResult::operators, &wick::TraceResult::gaps,
                 &wick::TraceResult::methods_not_run, &wick::TraceResult::operators_not_called);
  m.def(
      "trace_files",
      [](nb::handle paths, nb::handle inputs, const std::string& method, std::vector<std::string> merge,
         const std::vector<std::string>& isa, nb::handle progress) {
        const auto show = progress_of(progress);
        std::vector<wick::TraceRun> runs;
        for (std::vector<IValue>& values : to_inputs(inputs))
          runs.push_back({method, "input " + std::to_string(runs.size()), std::move(values)});
        wick::TraceResult out;
        for (nb::handle file : paths) {
          const std::string path = path_of(file);
          wick::TraceResult one = with_file(path, FileUse::kRead, [&] {
            return run_released([&] { return wick::trace(path, runs, merge, isa, show); });
          });
          merge = {one.yaml};  // which has the lists before it
          out.yaml = std::move(one.yaml);
          out.operators = std::move(one.operators);
          std::move(one.gaps.begin(), one.gaps.end(), std::back_inserter(out.gaps));
          for (auto [from, to] : {std::pair(&one.methods_not_run, &out.methods_not_run),
                                  std::pair(&one.operators_not_called, &out.operators_not_called)}) {
            for (std::string& name : *from) {
              if (std::find(to->begin(), to->end(), name) == to->end()) to->push_back(std::move(name));
            }
          }
        }
        return out;
      },
      nb::arg("paths"), nb::arg("inputs"), nb::arg("method"), nb::arg("merge"), nb::arg("isa"),
      nb::arg("progress").none());
}

// Seconds of each run.
std::vector<double> times_of(const Module& module, const std::optional<std::string>& method,
                             const std::vector<IValue>& args, int runs) {
  std::vector<double> out;
  for (int i = 0; i < runs; ++i) {
    const auto start = std::chrono::steady_clock::now();
    method ? module.run_method(*method, args) : module(args);
    out.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return out;
}

}  // namespace

void bind_inspect(nb::module_& m) {
  bind_info(m);
  bind_trace(m);
  nb::class_<wick::Difference> difference(m, "Difference");
  difference.def_ro("label", &wick::Difference::label)
      .def_ro("what", &wick::Difference::what)
      .def_ro("problem", &wick::Difference::comparable)
      .def_ro("largest", &wick::Difference::largest)
      .def_ro("relative", &wick::Difference::relative)
      .def_ro("mean", &wick::Difference::mean)
      .def("within", &wick::Difference::within, nb::arg("tolerance"))
      .def("__repr__", [](const wick::Difference& d) {
        return "<wick.Difference " + d.label + ": " +
               (d.comparable.empty() ? d.what + ", largest " + std::to_string(d.largest) : d.comparable) + ">";
      });
  make_picklable(difference, &wick::Difference::label, &wick::Difference::what, &wick::Difference::comparable,
                 &wick::Difference::largest, &wick::Difference::relative, &wick::Difference::mean);
  m.def(
      "compare_values",
      [](nb::handle a, nb::handle b, const std::string& label) {
        const IValue first = to_value(a), second = to_value(b);
        return run_released([&] { return wick::compare_values(first, second, label); });
      },
      nb::arg("a").none(), nb::arg("b").none(), nb::arg("label") = "result");
  m.def(
      "deep_copy", [](nb::handle value) { return to_python(wick::deep_copy(to_value(value))); },
      nb::arg("value").none());
  nb::class_<wick::ProfileStep> step(m, "ProfileStep");
  step.def_ro("name", &wick::ProfileStep::name)
      .def_ro("output", &wick::ProfileStep::output)
      .def_ro("layer", &wick::ProfileStep::module)
      .def_ro("operations", &wick::ProfileStep::operations)
      .def_ro("bytes", &wick::ProfileStep::bytes)
      .def_ro("is_planned", &wick::ProfileStep::is_planned)
      .def_prop_ro("start", [](const wick::ProfileStep& s) { return static_cast<double>(s.start_ns) * 1e-9; })
      .def_prop_ro("seconds", [](const wick::ProfileStep& s) { return static_cast<double>(s.duration_ns) * 1e-9; })
      .def("__repr__", [](const wick::ProfileStep& s) {
        return "<wick.ProfileStep " + s.name + " -> " + s.output + ": " +
               std::to_string(static_cast<double>(s.duration_ns) * 1e-6) + " ms>";
      });
  make_picklable(step, &wick::ProfileStep::name, &wick::ProfileStep::output, &wick::ProfileStep::start_ns,
                 &wick::ProfileStep::duration_ns, &wick::ProfileStep::module, &wick::ProfileStep::operations,
                 &wick::ProfileStep::bytes, &wick::ProfileStep::is_planned);
  nb::class_<wick::Profile> profile(m, "RawProfile");
  profile.def_ro("steps", &wick::Profile::steps)
      .def_prop_ro("seconds", [](const wick::Profile& p) { return static_cast<double>(p.run_ns) * 1e-9; })
      .def_ro("regions", &wick::Profile::regions)
      .def_ro("arena_bytes", &wick::Profile::arena_bytes)
      .def_ro("packed_bytes", &wick::Profile::packed_bytes);
  make_picklable(profile, &wick::Profile::steps, &wick::Profile::run_ns, &wick::Profile::regions,
                 &wick::Profile::arena_bytes, &wick::Profile::packed_bytes);
  m.def(
      "profile_module",
      [](const Module& module, nb::handle args, const std::string& method, int runs, nb::handle progress) {
        const std::vector<IValue> values = to_values(args);
        const auto show = progress_of(progress);
        return run_released([&] { return wick::profile(module, values, method, runs, show); });
      },
      nb::arg("module"), nb::arg("args"), nb::arg("method"), nb::arg("runs"), nb::arg("progress").none());
  m.def(
      "times_of",
      [](const Module& module, const std::optional<std::string>& method, nb::handle args, int runs) {
        const std::vector<IValue> values = to_values(args);
        return run_released([&] { return times_of(module, method, values, runs); });
      },
      nb::arg("module"), nb::arg("method").none(), nb::arg("args"), nb::arg("runs"));
}

}  // namespace wick_python

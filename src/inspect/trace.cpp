// The tracer of selective builds as a function of the public API.
#include "wick/trace.h"

#include "core/check.h"
#include "select/trace.h"

namespace wick {

TraceResult trace(const std::string& path, const std::vector<TraceRun>& runs, const std::vector<std::string>& merge,
                  const std::vector<std::string>& isa,
                  const std::function<void(const char* what, size_t done, size_t total)>& progress) {
  select::OperatorList list;
  for (const std::string& text : merge) list.merge(select::parse_op_list(text));
  std::vector<select::TraceInput> inputs = select::bundled_trace_inputs(load(path));
  for (const TraceRun& run : runs) inputs.push_back({run.method, run.label, run.arguments});
  WICK_CHECK(!inputs.empty(), kNotFound, path,
             " has no bundled inputs to run it on; give some, or store them with 'wick bundle'");
  select::TraceReport report = select::trace_model(path, inputs, isa, progress);
  report.list.debug_info.push_back(path.substr(path.rfind('/') + 1));
  list.merge(report.list);

  TraceResult out;
  out.yaml = select::to_yaml(list);
  for (const auto& [name, properties] : list.operators) out.operators.push_back(name);
  for (const select::Gap& gap : report.gaps)
    out.gaps.push_back({gap.function, gap.what, gap.where, gap.operators, gap.count});
  out.methods_not_run = report.methods_not_run;
  out.operators_not_called = report.operators_not_called;
  return out;
}

}  // namespace wick

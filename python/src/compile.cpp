// Saving, optimizing, quantizing and bundling; the functions of wick/_api.py are made of these.
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "errors.h"
#include "records.h"
#include "running.h"
#include "values.h"
#include "wick/bundle.h"
#include "wick/optimize.h"
#include "wick/quantize.h"
#include "wick/save.h"

namespace wick_python {

using wick::Module;

namespace {

nb::bytes bytes_of(const std::vector<uint8_t>& data) { return nb::bytes(data.data(), data.size()); }

void bind_save(nb::module_& m) {
  m.def(
      "save_module",
      [](const Module& module, nb::handle path, bool lite, int64_t bytecode_version, bool debug_info, bool source,
         bool stored_state) -> nb::object {
        wick::SaveOptions options;
        options.bytecode_version = bytecode_version;
        options.debug_info = debug_info;
        options.source = source;
        options.stored_state = stored_state;
        const auto data = [&] {
          return run_released([&] { return lite ? save_lite(module, options) : save_torchscript(module, options); });
        };
        if (path.is_none()) return bytes_of(data());
        const std::string name = path_of(path);
        with_file(name, FileUse::kWrite, [&] {
          run_released([&] {
            lite ? save_lite(module, name, options) : save_torchscript(module, name, options);
            return 0;
          });
        });
        return nb::none();
      },
      nb::arg("module"), nb::arg("path").none(), nb::arg("lite"), nb::arg("bytecode_version"), nb::arg("debug_info"),
      nb::arg("source"), nb::arg("stored_state"));
  m.def(
      "save_tensors",
      [](nb::handle value, nb::handle path) {
        const wick::IValue converted = to_value(value);
        const std::string name = path_of(path);
        with_file(name, FileUse::kWrite, [&] {
          run_released([&] {
            wick::save_tensors(converted, name);
            return 0;
          });
        });
      },
      nb::arg("value").none(), nb::arg("path"), "Writes what torch.load reads.");
  m.def("export_opnames", [](const Module& module) { return run_released([&] { return export_opnames(module); }); });
  m.def("bundle_module", [](Module& module, nb::handle inputs, nb::handle random, const std::string& method,
                            const std::vector<std::string>& info) {
    std::vector<wick::BundledInput> all;
    for (const std::vector<wick::IValue>& one : to_inputs(inputs)) {
      wick::BundledInput& input = all.emplace_back();
      for (const wick::IValue& value : one) input.emplace_back(value);
    }
    for (nb::handle shapes : nb::borrow<nb::object>(random)) {
      wick::BundledInput& input = all.emplace_back();
      for (nb::handle shape : nb::borrow<nb::object>(shapes))
        input.push_back(wick::BundledArgument::randn(nb::cast<std::vector<int64_t>>(shape)));
    }
    run_released([&] {
      bundle_inputs(module, all, method, info);
      return 0;
    });
  });
  m.def("strip_bundled", [](Module& module) { return strip_bundled_inputs(module); });
}

void bind_optimize(nb::module_& m) {
  nb::class_<wick::OutputDifference> difference(m, "OutputDifference");
  difference.def_ro("output", &wick::OutputDifference::output)
      .def_ro("difference", &wick::OutputDifference::difference)
      .def_ro("magnitude", &wick::OutputDifference::magnitude)
      .def_ro("is_stable", &wick::OutputDifference::is_stable);
  make_picklable(difference, &wick::OutputDifference::output, &wick::OutputDifference::difference,
                 &wick::OutputDifference::magnitude, &wick::OutputDifference::is_stable);
  nb::class_<wick::PassReport> pass(m, "PassReport");
  pass.def_ro("name", &wick::PassReport::name)
      .def_ro("changes", &wick::PassReport::changes)
      .def_ro("differences", &wick::PassReport::differences)
      .def("__repr__", [](const wick::PassReport& p) {
        return "<wick.PassReport " + p.name + ": " + std::to_string(p.changes) + " changes>";
      });
  make_picklable(pass, &wick::PassReport::name, &wick::PassReport::changes, &wick::PassReport::differences);
  nb::class_<wick::OptimizeReport> optimized(m, "OptimizeReport");
  optimized.def_ro("passes", &wick::OptimizeReport::passes)
      .def_ro("notes", &wick::OptimizeReport::notes)
      .def_ro("methods", &wick::OptimizeReport::methods)
      .def_ro("verified", &wick::OptimizeReport::verified)
      .def_ro("compared_on", &wick::OptimizeReport::compared_on);
  make_picklable(optimized, &wick::OptimizeReport::passes, &wick::OptimizeReport::notes, &wick::OptimizeReport::methods,
                 &wick::OptimizeReport::verified, &wick::OptimizeReport::compared_on);
  m.def(
      "optimize_module",
      [](const Module& module, const std::string& backend, const std::vector<std::string>& blocklist,
         const std::vector<std::string>& preserve_methods, bool verify, double tolerance, bool strict,
         nb::handle inputs, uint64_t seed, nb::handle progress) {
        wick::OptimizeOptions options;
        options.backend = backend;
        options.blocklist = blocklist;
        options.preserve_methods = preserve_methods;
        options.verify = verify;
        options.tolerance = tolerance;
        options.strict = strict;
        options.inputs = to_inputs(inputs);
        options.seed = seed;
        options.progress = progress_of(progress);
        wick::OptimizeReport report;
        Module made = run_released([&] { return optimize(module, options, &report); });
        return nb::make_tuple(made, report);
      },
      nb::arg("module"), nb::arg("backend"), nb::arg("blocklist"), nb::arg("preserve_methods"), nb::arg("verify"),
      nb::arg("tolerance"), nb::arg("strict"), nb::arg("inputs"), nb::arg("seed"), nb::arg("progress").none());
  m.def("optimizer_passes", &wick::optimizer_passes, "The names a blocklist may hold.");
}

}  // namespace

void bind_compile(nb::module_& m) {
  bind_save(m);
  bind_optimize(m);
  nb::class_<wick::LayerReport> layer(m, "LayerReport");
  layer.def_ro("name", &wick::LayerReport::name)
      .def_ro("op", &wick::LayerReport::op)
      .def_ro("quantized", &wick::LayerReport::quantized)
      .def_ro("reason", &wick::LayerReport::reason)
      .def_ro("snr", &wick::LayerReport::snr)
      .def_ro("own_snr", &wick::LayerReport::own_snr)
      .def_ro("harm", &wick::LayerReport::harm)
      .def_ro("measured", &wick::LayerReport::measured)
      .def_ro("scale", &wick::LayerReport::scale)
      .def_ro("zero_point", &wick::LayerReport::zero_point)
      .def_ro("least", &wick::LayerReport::least)
      .def_ro("greatest", &wick::LayerReport::greatest)
      .def_ro("histogram", &wick::LayerReport::histogram)
      .def("__repr__", [](const wick::LayerReport& l) {
        return "<wick.LayerReport " + l.name + ": " + (l.quantized ? l.op : "float, " + l.reason) + ">";
      });
  make_picklable(layer, &wick::LayerReport::name, &wick::LayerReport::op, &wick::LayerReport::quantized,
                 &wick::LayerReport::reason, &wick::LayerReport::snr, &wick::LayerReport::own_snr,
                 &wick::LayerReport::harm, &wick::LayerReport::measured, &wick::LayerReport::scale,
                 &wick::LayerReport::zero_point, &wick::LayerReport::least, &wick::LayerReport::greatest,
                 &wick::LayerReport::histogram);
  nb::class_<wick::QuantizeReport> quantized(m, "QuantizeReport");
  quantized.def_ro("layers", &wick::QuantizeReport::layers)
      .def_ro("measured", &wick::QuantizeReport::measured)
      .def_ro("output_snr", &wick::QuantizeReport::output_snr)
      .def_ro("loss", &wick::QuantizeReport::loss)
      .def_ro("inputs", &wick::QuantizeReport::inputs);
  make_picklable(quantized, &wick::QuantizeReport::layers, &wick::QuantizeReport::measured,
                 &wick::QuantizeReport::output_snr, &wick::QuantizeReport::loss, &wick::QuantizeReport::inputs);
  m.def(
      "quantize_module",
      [](const Module& module, const std::string& mode, nb::handle calibration, bool per_channel,
         const std::string& observer, bool half, const std::vector<std::string>& skip, double max_loss,
         size_t report_inputs, nb::handle progress) {
        wick::QuantizeOptions options;
        options.per_channel = per_channel;
        options.observer = observer == "minmax"           ? wick::Observer::kMinMax
                           : observer == "moving-average" ? wick::Observer::kMovingAverage
                                                          : wick::Observer::kHistogram;
        options.weights = half ? wick::WeightType::kFloat16 : wick::WeightType::kInt8;
        options.skip = skip;
        options.max_loss = max_loss;
        options.report_inputs = report_inputs;
        options.progress = progress_of(progress);
        const std::vector<std::vector<wick::IValue>> inputs = to_inputs(calibration);
        wick::Quantized made = run_released([&] {
          return mode == "static"    ? quantize_static(module, inputs, options)
                 : mode == "float16" ? quantize_float16(module)
                                     : quantize_dynamic(module, options);
        });
        return nb::make_tuple(made.module, made.report);
      },
      nb::arg("module"), nb::arg("mode"), nb::arg("calibration"), nb::arg("per_channel"), nb::arg("observer"),
      nb::arg("half"), nb::arg("skip"), nb::arg("max_loss"), nb::arg("report_inputs"), nb::arg("progress").none());
}

}  // namespace wick_python

// wick_parity_runner: runs a batch of operator and model cases that lib/generate.py wrote, and saves what came out.
//
//   wick_parity_runner [--backend gpu|gpu16] BATCH OUT PROGRESS [FIRST LAST | N,N,N]
//                                                        runs cases FIRST..LAST-1, or these (all by default)
//   wick_parity_runner --list                            prints the schemas of all operators in this build
//   wick_parity_runner --traits                          prints each operator's name and traits
//   wick_parity_runner --resave IN OUT                   reads what torch.save wrote and writes it again
//
// BATCH is a torch.save container: a list of (name, kind, target, args). PROGRESS is a file that holds the number of
// the case being run, so that the caller can tell which one crashed. OUT holds one tuple a case:
//   ("ok", value, mutated, aliases) or ("error", code, message);
// on a GPU (float32, or float16 storage) also
//   ("gpu", value, dispatches, steps of the processor, difference from the processor's result) or ("never",): its
//   dtypes are never there.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unordered_map>

#include "archive/pickle.h"
#include "core/operator.h"
#include "core/tensor_impl.h"
#include "parity/executors.h"
#include "parity/gpu_runs.h"
#include "parity/wire.h"
#include "wick/save.h"
#include "wick/wick.h"

namespace wick::parity {
namespace {

constexpr uint64_t kSeed = 20;  // as lib/reference.py seeds PyTorch

// Which arguments' storage each tensor of a result shares: a list (one entry per tensor) of lists of argument numbers.
IValue aliases_of(const IValue& result, const std::vector<std::vector<Tensor>>& inputs) {
  std::vector<Tensor> outputs;
  collect_tensors(result, outputs);
  std::vector<IValue> rows;
  for (const Tensor& output : outputs) {
    std::vector<int64_t> shared;
    for (size_t i = 0; i < inputs.size(); ++i) {
      for (const Tensor& input : inputs[i]) {
        if (input.storage() == output.storage() && input.storage()->nbytes() > 0) {
          shared.push_back(static_cast<int64_t>(i));
          break;
        }
      }
    }
    rows.push_back(IValue::int_list(shared));
  }
  return IValue::list(types::any(), std::move(rows));
}

IValue result_of(std::vector<IValue> returned) {
  if (returned.empty()) return {};
  return returned.size() == 1 ? returned[0] : IValue::tuple(std::move(returned));
}

IValue ok(const IValue& result, std::vector<IValue> mutated, IValue aliases) {
  return IValue::tuple({"ok", to_wire(result), IValue::list(types::any(), std::move(mutated)), std::move(aliases)});
}

IValue on_gpu(const GpuOutcome& out) {
  return IValue::tuple({"gpu", to_wire(out.value), static_cast<int64_t>(out.on_gpu),
                        static_cast<int64_t>(out.on_processor), out.difference});
}

IValue run_operator(const std::string& name, const std::vector<IValue>& encoded, const GpuRuns* gpu) {
  const Operator* op = find_operator(name);
  if (!op) return IValue::tuple({"error", "missing_operator", "operator " + name + " is not in this build"});
  WireReader reader;
  std::vector<IValue> args;
  for (size_t i = 0; i < encoded.size(); ++i) {
    const bool typed = i < op->schema.arguments.size();
    args.push_back(reader.read(encoded[i], typed ? op->schema.arguments[i].type : types::any()));
  }
  if (gpu != nullptr) {
    GpuOutcome out;
    return gpu->run_operator(name, args, out) ? on_gpu(out) : IValue::tuple({"never"});
  }
  std::vector<std::vector<Tensor>> inputs(args.size());
  for (size_t i = 0; i < args.size(); ++i) collect_tensors(args[i], inputs[i]);

  const IValue result = result_of(call_operator(name, args));

  std::vector<IValue> mutated;
  for (size_t i = 0; i < args.size() && i < op->schema.arguments.size(); ++i) {
    if (op->schema.arguments[i].is_mutated) {
      mutated.push_back(IValue::tuple({static_cast<int64_t>(i), to_wire(args[i])}));
    }
  }
  return ok(result, std::move(mutated), aliases_of(result, inputs));
}

// The first argument holds the bytes of the .ptl or .pt. Without a method the model is called, with its hooks.
IValue run_model(const std::string& method, const std::vector<IValue>& encoded, const GpuRuns* gpu) {
  const Tensor& bytes = encoded.at(0).to_tensor();
  const auto load_module = [&] { return load(std::span(bytes.data_ptr<uint8_t>(), bytes.nbytes())); };
  const auto make_args = [&] {
    WireReader reader;
    std::vector<IValue> args;
    for (size_t i = 1; i < encoded.size(); ++i) args.push_back(reader.read(encoded[i]));
    return args;
  };
  if (gpu != nullptr) return on_gpu(gpu->run_model(load_module(), load_module(), method, make_args));
  return ok(run_both(load_module, method, make_args, kSeed), {}, IValue::list(types::any(), {}));
}

IValue run_case(const IValue& item, const GpuRuns* gpu) {
  const std::vector<IValue>& fields = item.to_tuple().items;
  const std::string& kind = fields.at(1).to_string();
  const std::string& target = fields.at(2).to_string();
  const std::vector<IValue>& args = fields.at(3).to_list().items;
  manual_seed(kSeed);
  try {
    manual_seed(kSeed);
    if (kind == "op") return run_operator(target, args, gpu);
    if (kind == "model") return run_model(target, args, gpu);
    if (kind == "call") return run_model({}, args, gpu);
    return IValue::tuple({"error", "harness", "unknown kind of case: " + kind});
  } catch (const Error& e) {
    return IValue::tuple({"error", wick::to_string(e.code()), e.message()});
  } catch (const std::exception& e) {
    return IValue::tuple({"error", "not_a_wick_error", std::string(e.what())});
  }
}

void note_progress(const char* path, size_t index) {
  if (FILE* f = std::fopen(path, "w")) {
    std::fprintf(f, "%zu\n", index);
    std::fclose(f);
  }
}

void print_traits() {
  for (std::string_view schema : all_operator_schemas()) {
    const Operator& op = *find_operator(schema_full_name(schema));
    std::printf("%s", op.schema.full_name().c_str());
    for (const NamedTrait& named : kNamedTraits) {
      if (op.has(named.trait)) std::printf(" %s", named.name);
    }
    std::printf("\n");
  }
}

int run_batch(int argc, char** argv, const GpuRuns* gpu) {
  const IValue batch = load_saved(argv[1]);
  const std::vector<IValue>& cases = batch.to_list().items;
  std::vector<size_t> chosen;
  if (argc == 5) {
    for (const char* at = argv[4]; *at != 0; at += *at == ',') {
      char* end = nullptr;
      chosen.push_back(std::strtoull(at, &end, 10));
      if (end == at) throw std::runtime_error("not a list of case numbers");
      at = end;
    }
  } else {
    const size_t first = argc > 5 ? std::strtoull(argv[4], nullptr, 10) : 0;
    const size_t last = argc > 5 ? std::strtoull(argv[5], nullptr, 10) : cases.size();
    for (size_t i = first; i < last && i < cases.size(); ++i) chosen.push_back(i);
  }
  std::vector<IValue> results;
  for (size_t i : chosen) {
    note_progress(argv[3], i);
    results.push_back(run_case(cases.at(i), gpu));
  }
  note_progress(argv[3], cases.size());
  save_tensors(IValue::list(types::any(), std::move(results)), argv[2]);
  return 0;
}

}  // namespace
}  // namespace wick::parity

int main(int argc, char** argv) {
  try {
    if (argc == 2 && std::strcmp(argv[1], "--list") == 0) {
      for (std::string_view schema : wick::all_operator_schemas()) {
        std::printf("%.*s\n", static_cast<int>(schema.size()), schema.data());
      }
      return 0;
    }
    if (argc == 2 && std::strcmp(argv[1], "--traits") == 0) {
      wick::parity::print_traits();
      return 0;
    }
    if (argc == 4 && std::strcmp(argv[1], "--resave") == 0) {
      wick::save_tensors(wick::load_tensors(argv[2]), argv[3]);
      return 0;
    }
    std::unique_ptr<wick::parity::GpuRuns> gpu;
    if (argc > 2 && std::strcmp(argv[1], "--backend") == 0) {
      gpu = std::make_unique<wick::parity::GpuRuns>(std::strcmp(argv[2], "gpu16") == 0);
      argc -= 2;
      argv += 2;
    }
    if (argc >= 4 && argc <= 6) return wick::parity::run_batch(argc, argv, gpu.get());
    std::fprintf(stderr,
                 "usage: wick_parity_runner [--backend gpu|gpu16] BATCH OUT PROGRESS [FIRST LAST | N,N,N] | --list | "
                 "--traits | --resave IN OUT\n");
    return 2;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "wick_parity_runner: %s\n", e.what());
    return 3;
  }
}

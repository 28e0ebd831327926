// soak [RUNS] [THREADS]: many runs of small models on several threads, with errors, cancellations, tasks and caches
// that grow; memory must not grow with them. Prints what it has done and ends with "N passed, M failed".
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <thread>

#include "unit/frontend/script/run.h"
#include "wick/wick.h"

namespace wick::test {
namespace {

constexpr int kRounds = 10;  // after each, memory is measured
// Of the heap in use, between the end of the first rounds and the last: what allocators and caches of threads may keep.
constexpr int64_t kMostGrowth = 1 << 20;
constexpr int64_t kMostResidentGrowth = 24 << 20;

constexpr const char* kHead =
    "class M(Module):\n"
    "  __parameters__ = []\n"
    "  __buffers__ = []\n"
    "  training : bool\n";

Tensor waves(const IntVec& sizes) {
  Tensor t = Tensor::empty(sizes);
  for (int64_t i = 0; i < t.numel(); ++i) t.data<float>()[i] = 0.1F * std::sin(0.7F * static_cast<float>(i) + 1);
  return t;
}

Tensor ones(const IntVec& sizes) {
  Tensor t = Tensor::empty(sizes);
  std::fill_n(t.data<float>(), t.numel(), 1.0F);
  return t;
}

// A model, and how one run of it is checked: what run number `turn` gives.
struct Case {
  const char* name;
  std::string text;
  std::vector<IValue> constants;
  bool (*run)(const Module& module, uint64_t turn);
};

bool is_near(const IValue& value, double want) {
  return std::abs(value.to_tensor().data_ptr<const float>()[0] - want) < 1e-3 * std::max(1.0, std::abs(want));
}

bool fails_with(ErrorCode code, const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& e) {
    return e.code() == code;
  }
  return false;
}

// Planned: one of a few shapes.
bool run_planned(const Module& module, uint64_t turn) {
  const int64_t rows = 1 + static_cast<int64_t>(turn % 3);
  return module.forward({waves({rows, 3, 8, 8})}).to_tensor().sizes() == IntSpan({rows, 5});
}

// A shape for nearly every run: plans are made and dropped.
bool run_shapes(const Module& module, uint64_t turn) {
  const auto n = static_cast<int64_t>(1 + turn % 257);
  return is_near(module.forward({ones({n})}), 2.0 * static_cast<double>(n));
}

bool run_tasks(const Module& module, uint64_t) { return is_near(module.forward({ones({4})}), 24); }

// The cache grows to a hundred entries and begins anew.
bool run_cache(const Module& module, uint64_t) {
  const IValue result = module.forward({ones({2})});
  return result.to_int() >= 1 && result.to_int() <= 200;  // other threads append between the question and the answer
}

bool run_words(const Module& module, uint64_t turn) {
  return module.forward({static_cast<int64_t>(turn % 20)}).to_dict().size() == turn % 20;
}

bool run_errors(const Module& module, uint64_t turn) {
  if (turn % 2 == 0) return fails_with(ErrorCode::kModelException, [&] { module.forward({ones({2})}); });
  return fails_with(ErrorCode::kShapeMismatch,
                    [&] {
                      module.forward({ones({3, 5})});
                    }) ||
         fails_with(ErrorCode::kInvalidArgument, [&] {
           module.forward({ones({3, 5})});
         });
}

bool run_bounded(const Module& module, uint64_t turn) {
  const Tensor x = ones({2});
  const Cancellation stop;
  stop.cancel();
  switch (turn % 3) {
    case 0:
      return fails_with(ErrorCode::kLimitExceeded, [&] { module.forward({x}, {.max_operations = 200}); });
    case 1:
      return fails_with(ErrorCode::kCancelled, [&] { module.forward({x}, {.cancellation = stop}); });
    default:
      return fails_with(ErrorCode::kLimitExceeded, [&] { module.forward({x}, {.max_memory = 4096}); });
  }
}

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"planned",
       std::string(kHead) + "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n"
                            "    a = torch.hardswish(torch.conv2d(x, CONSTANTS.c0, None, [1, 1], [1, 1]))\n"
                            "    return torch.linear(torch.mean(a, [2, 3]), CONSTANTS.c1, CONSTANTS.c2)\n",
       {waves({8, 3, 3, 3}), waves({5, 8}), waves({5})},
       run_planned},
      {"shapes",
       std::string(kHead) + "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n"
                            "    return torch.sum(torch.add(torch.relu(x), x))\n",
       {},
       run_shapes},
      {"tasks",
       "def work(x: Tensor, n: int) -> Tensor:\n"
       "  parts = annotate(List[Tensor], [])\n"
       "  for i in range(n):\n"
       "    _0 = torch.append(parts, torch.mul(x, 1.))\n"
       "  return torch.sum(torch.cat(parts))\n" +
           std::string(kHead) +
           "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n"
           "    def __forked():\n"
           "      return __torch__.work(x, 4, )\n"
           "    task = fork(__forked)\n"
           "    own = __torch__.work(x, 2, )\n"
           "    return torch.add(own, torch.wait(task))\n",
       {},
       run_tasks},
      {"cache",
       "class M(Module):\n"
       "  __parameters__ = []\n"
       "  __buffers__ = []\n"
       "  training : bool\n"
       "  cache : List[Tensor]\n"
       "  def forward(self: __torch__.M, x: Tensor) -> int:\n"
       "    cache = self.cache\n"
       "    if torch.ge(torch.len(cache), 100):\n"
       "      self.cache = annotate(List[Tensor], [])\n"
       "      cache = self.cache\n"
       "    _0 = torch.append(cache, torch.add(x, 1.))\n"
       "    return torch.len(cache)\n",
       {},
       run_cache},
      {"words",
       std::string(kHead) + "  def forward(self: __torch__.M, n: int) -> Dict[str, List[str]]:\n"
                            "    out = annotate(Dict[str, List[str]], {})\n"
                            "    for i in range(n):\n"
                            "      out[\"word number {}\".format(i)] = [\"{}\".format(i), \"a longer text than fits in "
                            "place: {}\".format(n)]\n"
                            "    return out\n",
       {},
       run_words},
      {"errors",
       std::string(kHead) + "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n"
                            "    if torch.eq(torch.dim(x), 1):\n"
                            "      ops.prim.RaiseException(\"one dimension\")\n"
                            "    return torch.matmul(x, torch.ones([4, 4]))\n",
       {},
       run_errors},
      {"bounded",
       std::string(kHead) + "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n"
                            "    parts = annotate(List[Tensor], [])\n"
                            "    y = x\n"
                            "    while True:\n"
                            "      y = torch.add(y, torch.ones([200]).select(0, 0))\n"
                            "      _0 = torch.append(parts, torch.mul(y, 2.))\n"
                            "    return y\n",
       {},
       run_bounded},
  };
  return all;
}

// A module of the text; attributes besides `training` are empty lists of tensors.
Module made_of(script::Text& text) {
  text.program->kind = ir::FileKind::kTorchScript;
  auto root = make_ref<ObjectImpl>();
  root->cls = text.importer.class_named("__torch__.M")->info;
  root->set(0, IValue(false));
  for (size_t i = 1; i < root->cls->attributes.size(); ++i) root->set(i, IValue::list(types::tensor(), {}));
  text.program->root = IValue(root);
  text.function("M.forward");
  return make_module(text.program);
}

int64_t heap_bytes() {
  malloc_trim(0);
  const struct mallinfo2 info = mallinfo2();
  return static_cast<int64_t>(info.uordblks + info.hblkhd);
}

int64_t resident_bytes() {
  long total = 0, resident = 0;
  if (FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld %ld", &total, &resident) != 2) resident = 0;
    std::fclose(file);
  }
  return static_cast<int64_t>(resident) * sysconf(_SC_PAGESIZE);
}

int soak(uint64_t runs, int threads) {
  std::vector<std::unique_ptr<script::Text>> texts;
  std::vector<Module> modules;
  for (const Case& c : cases()) {
    texts.push_back(std::make_unique<script::Text>(c.text, c.constants));
    modules.push_back(made_of(*texts.back()));
  }
  std::atomic<uint64_t> failed{0};
  std::vector<std::atomic<uint64_t>> failed_in(cases().size());
  std::vector<int64_t> heap, resident;
  const auto start = std::chrono::steady_clock::now();
  for (int round = 0; round < kRounds; ++round) {
    std::vector<std::thread> workers;
    for (int t = 0; t < threads; ++t) {
      workers.emplace_back([&, t] {
        const uint64_t count = runs / kRounds / static_cast<uint64_t>(threads);
        for (uint64_t i = 0; i < count; ++i) {
          const size_t at = (i + static_cast<uint64_t>(t)) % cases().size();
          const uint64_t turn = (i + static_cast<uint64_t>(t)) / cases().size() + static_cast<uint64_t>(round) * count;
          bool is_right = false;
          try {
            is_right = cases()[at].run(modules[at], turn);
          } catch (const std::exception& e) {
            if (failed_in[at].load() == 0) std::printf("%s: %s\n", cases()[at].name, e.what());
          }
          if (is_right) continue;
          failed.fetch_add(1);
          failed_in[at].fetch_add(1);
        }
      });
    }
    for (std::thread& worker : workers) worker.join();
    // Tasks that nobody waited for end by themselves.
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    heap.push_back(heap_bytes());
    resident.push_back(resident_bytes());
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    std::printf("%8" PRIu64 " runs, %6.1f s: heap %.2f MB, resident %.2f MB\n",
                runs / kRounds * static_cast<uint64_t>(round + 1), seconds.count(),
                static_cast<double>(heap.back()) / 1e6, static_cast<double>(resident.back()) / 1e6);
  }
  for (size_t i = 0; i < cases().size(); ++i) {
    if (failed_in[i].load() > 0) std::printf("%s: %" PRIu64 " wrong runs\n", cases()[i].name, failed_in[i].load());
  }
  // The first rounds fill caches and plans.
  constexpr size_t kWarm = 3;
  const bool heap_grew = heap.back() - *std::max_element(heap.begin(), heap.begin() + kWarm) > kMostGrowth;
  const bool grew =
      resident.back() - *std::max_element(resident.begin(), resident.begin() + kWarm) > kMostResidentGrowth;
  if (heap_grew || grew) std::printf("memory grows\n");
  const int failures = (failed.load() > 0) + heap_grew + grew;
  std::printf("%d passed, %d failed\n", 3 - failures, failures);
  return failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace wick::test

int main(int argc, char** argv) {
  const uint64_t runs = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  const int threads = argc > 2 ? std::atoi(argv[2]) : 8;
  if (runs < 1000 || threads < 1 || threads > 256) {
    std::fprintf(stderr, "usage: wick_soak [RUNS (at least 1000)] [THREADS]\n");
    return 2;
  }
  wick::set_num_threads(4);
  return wick::test::soak(runs, threads);
}

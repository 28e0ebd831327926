// wick run: runs a method of a model and prints or saves the result.
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "archive/writer.h"
#include "arguments.h"
#include "calibration.h"
#include "commands.h"
#include "files.h"
#include "inputs.h"
#include "output.h"
#include "print.h"
#include "progress.h"
#include "wick/save.h"
#include "wick/wick.h"

namespace wick::tools {

namespace {

CommandSpec spec() {
  return {"run",
          "MODEL",
          "Runs a method of a model. The result is printed, or written to a file that torch.load reads.",
          {
              {"--method", "NAME", "the method to run (default: call the model: forward with its hooks)"},
              {"--eval", nullptr, "switch a model saved in training mode to inference first"},
              {"--input", "IN.pt", "arguments: what torch.save of a tuple wrote; may be given again for more"},
              {"--input-dims", "D,D,..[;..]",
               "arguments of these sizes, e.g. 1,3,224,224 or \"1,10;1,10\"; filled with ones"},
              {"--input-type", "T[;T..]", "float, int64, uint8_t, ... of each of them (default: float)"},
              {"--image", "FILE|FOLDER",
               "a PNG or JPEG image as a normalized [1, 3, H, W] argument; given again, or a folder: one run each"},
              {"--size", "N|WxH", "scale the image: short side N and center crop, or exactly W x H"},
              {"--mean", "R,G,B", "subtracted from pixels / 255 (default 0.485,0.456,0.406)"},
              {"--std", "R,G,B", "then divided by (default 0.229,0.224,0.225)"},
              {"--seed", "N", "seed of the random numbers that the model draws"},
              {"--csv", "FILE", "with --top: write image, rank, class, label, score and softmax, a line each"},
              {"--bundled", "K", "run on the model's bundled input number K"},
              {"--output", "OUT.pt", "write the result to this file"},
              {"--top", "K", "print the K best scores"},
              {"--labels", "FILE", "names of the classes, one a line, for --top"},
              {"--threads", "N", "threads to use (default: the performance cores)"},
              WICK_BACKEND_OPTIONS,
              {"--no-plan", nullptr, "run operator by operator, without plans"},
              {"--copy", nullptr, "read the model into memory; a mapped file must not be truncated while it is used"},
              {"--exact", nullptr, "no convolution method that rounds differently (Winograd)"},
          }};
}

std::vector<std::string> read_lines(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Error(ErrorCode::kNotFound, "cannot open the labels " + path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

// One list of arguments, and the picture it is of.
struct Job {
  std::string image;
  std::vector<IValue> inputs;
};

std::vector<std::string> images_given(const Arguments& arguments) {
  std::vector<std::string> out;
  for (const std::string& path : arguments.all("--image")) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
      for (std::string& image : images_of(path)) out.push_back(std::move(image));
    } else {
      out.push_back(path);
    }
  }
  return out;
}

Job make_job(const Arguments& arguments, const Module& module, const std::string& method, long bundled,
             const std::string& image) {
  if (bundled >= 0) return {"", bundled_arguments(module, method, bundled)};
  if (arguments.has("--input-dims")) {
    return {"", ones_arguments(arguments.get("--input-dims"), arguments.get("--input-type"))};
  }
  Job job{image, {}};
  if (!image.empty()) job.inputs.push_back(normalized_image(image, arguments.get("--size"), arguments));
  for (IValue& value : saved_arguments(arguments.all("--input"))) job.inputs.push_back(std::move(value));
  check_arguments_given(module, method, job.inputs, "--input IN.pt, --image FILE, --input-dims D,D,.. or --bundled K");
  return job;
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string csv_lines(const std::string& image, const std::vector<Score>& scores) {
  std::string out;
  size_t rank = 0;
  for (size_t i = 0; i < scores.size(); ++i) {
    rank = i == 0 || scores[i - 1].row != scores[i].row ? 1 : rank + 1;
    char numbers[80];
    std::snprintf(numbers, sizeof numbers, ",%.9g,%.9g\n", scores[i].score, scores[i].probability);
    out += quoted(image) + "," + std::to_string(rank) + "," + std::to_string(scores[i].index) + "," +
           quoted(scores[i].label) + numbers;
  }
  return out;
}

void append_scores(Json& json, const std::vector<Score>& scores) {
  json.begin_array();
  for (const Score& s : scores) {
    json.begin_object().key("row").number(static_cast<long>(s.row)).key("class").number(static_cast<long>(s.index));
    json.key("label").string(s.label).key("score").number(s.score).key("softmax").number(s.probability).end_object();
  }
  json.end_array();
}

double milliseconds(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

// Throws UsageError for options that do not go together.
void check_options(const Arguments& arguments, size_t images) {
  const bool files = arguments.has("--input") || arguments.has("--image");
  if (arguments.has("--bundled") + arguments.has("--input-dims") + files > 1) {
    throw UsageError("give either --bundled, --input-dims, or --input and --image");
  }
  if (arguments.has("--input-type") && !arguments.has("--input-dims")) {
    throw UsageError("--input-type is for --input-dims");
  }
  if (images > 1 && arguments.has("--output")) throw UsageError("--output holds one result: give one --image");
  if (arguments.has("--csv") && !arguments.has("--top")) throw UsageError("--csv needs --top K: the scores it writes");
}

// The model, and the switches that the options set.
Module module_to_run(const Arguments& arguments) {
  Module module = load_file(arguments.operand(0), {.copy = arguments.has("--copy")});
  if (arguments.has("--eval")) module.eval();
  if (arguments.has("--no-plan")) module.set_planning(false);
  if (arguments.has("--exact")) module.set_exact(true);
  apply_backend_options(arguments, module);
  if (arguments.has("--seed")) manual_seed(static_cast<uint64_t>(arguments.get_number("--seed", 0, 0)));
  return module;
}

}  // namespace

CommandSpec spec_run() { return spec(); }

int command_run(int argc, char** argv) {
  const Arguments arguments(spec(), argc, argv, 1);
  if (arguments.wants_help()) return print_help(spec()), 0;
  apply_machine_options(arguments);
  const long top = arguments.get_number("--top", 0, 1);
  const long bundled = arguments.get_number("--bundled", -1, 0);
  const std::vector<std::string> images = images_given(arguments);
  check_options(arguments, images.size());
  const std::string method = arguments.get("--method", "forward");
  const std::vector<std::string> labels =
      arguments.has("--labels") ? read_lines(arguments.get("--labels")) : std::vector<std::string>{};

  const auto start = std::chrono::steady_clock::now();
  const Module module = module_to_run(arguments);
  const auto loaded = std::chrono::steady_clock::now();

  Json json;
  json.begin_object().key("model").string(arguments.operand(0)).key("method").string(method);
  json.key("load_ms").number(milliseconds(start, loaded)).key("runs").begin_array();
  std::string csv = "image,rank,class,label,score,softmax\n";
  double run_ms = 0;
  Progress progress;
  const size_t count = std::max<size_t>(1, images.size());
  for (size_t i = 0; i < count; ++i) {
    progress.show("running", i, count);
    Job job = make_job(arguments, module, method, bundled, images.empty() ? "" : images[i]);
    const auto ready = std::chrono::steady_clock::now();
    const IValue result =
        arguments.has("--method") ? module.run_method(method, std::move(job.inputs)) : module(std::move(job.inputs));
    const double took = milliseconds(ready, std::chrono::steady_clock::now());
    run_ms += took;
    json.begin_object();
    if (!job.image.empty()) json.key("image").string(job.image);
    json.key("run_ms").number(took);
    const bool prints = !output().json && !output().quiet;
    if (prints && count > 1) {
      progress.clear();
      std::printf("%s\n", job.image.c_str());
    }
    if (top > 0) {
      const std::vector<Score> scores = top_scores(result, top, labels);
      csv += csv_lines(job.image, scores);
      if (output().json) append_scores(json.key("top"), scores);
      if (prints) print_top(result, top, labels);
    } else {
      if (output().json) append_value(json.key("result"), result);
      if (prints && !arguments.has("--output")) print_value(result);
    }
    json.end_object();
    if (arguments.has("--output")) {
      save_tensors(result, arguments.get("--output"));
      say("wrote %s\n", arguments.get("--output").c_str());
    }
  }
  progress.clear();
  if (arguments.has("--csv")) {
    write_file(arguments.get("--csv"), {reinterpret_cast<const uint8_t*>(csv.data()), csv.size()});
    say("wrote %s\n", arguments.get("--csv").c_str());
  }
  if (output().json) print_json(json.end_array().end_object());
  if (count > 1) {
    say("loaded in %.1f ms, ran %s %zu times in %.1f ms\n", milliseconds(start, loaded), method.c_str(), count, run_ms);
  } else {
    say("loaded in %.1f ms, ran %s in %.1f ms\n", milliseconds(start, loaded), method.c_str(), run_ms);
  }
  return 0;
}

}  // namespace wick::tools

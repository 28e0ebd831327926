// Times model_lite.ptl with inputs of ones, and logs what PyTorch's TestApp does, line by line.
#ifdef BUILD_LITE_INTERPRETER
#import "Benchmark.h"

#include <torch/csrc/jit/mobile/import.h>
#include <torch/csrc/jit/mobile/module.h>
#include <torch/script.h>

#include <iostream>
#include <string>
#include <vector>

#include "caffe2/core/timer.h"
#include "caffe2/utils/string_utils.h"

namespace {

struct Settings {
  std::string model;
  std::string inputDims = "1,3,224,224";
  std::string inputType = "float";
  int warmup = 10;
  int iterations = 10;
  bool printOutput = false;
};
Settings settings;

std::string textOf(id value, const std::string& fallback) {
  return [value isKindOfClass:[NSString class]] ? std::string([value UTF8String]) : fallback;
}

int numberOf(id value, int fallback) { return [value isKindOfClass:[NSNumber class]] ? [value intValue] : fallback; }

std::vector<c10::IValue> makeInputs() {
  std::vector<std::string> dims = caffe2::split(';', settings.inputDims);
  std::vector<std::string> types = caffe2::split(';', settings.inputType);
  CAFFE_ENFORCE_EQ(dims.size(), types.size(), "Input dims and type should have the same number of items.");
  std::vector<c10::IValue> inputs;
  for (size_t i = 0; i < dims.size(); ++i) {
    std::vector<int64_t> sizes;
    for (const std::string& size : caffe2::split(',', dims[i])) {
      sizes.push_back(c10::stoi(size));
    }
    if (types[i] == "float") {
      inputs.push_back(torch::ones(sizes, at::kFloat));
    } else if (types[i] == "uint8_t") {
      inputs.push_back(torch::ones(sizes, at::kByte));
    } else {
      CAFFE_THROW("Unsupported input type: ", types[i]);
    }
  }
  return inputs;
}

}  // namespace

@implementation Benchmark

+ (BOOL)setup:(NSDictionary*)config {
  NSString* path = [[NSBundle mainBundle] pathForResource:@"model_lite" ofType:@"ptl"];
  if (!path || ![[NSFileManager defaultManager] fileExistsAtPath:path]) {
    NSLog(@"model_lite.ptl doesn't exist!");
    return NO;
  }
  Settings given;
  given.model = path.UTF8String;
  given.inputDims = textOf(config[@"input_dims"], given.inputDims);
  given.inputType = textOf(config[@"input_type"], given.inputType);
  given.warmup = numberOf(config[@"warmup"], given.warmup);
  given.iterations = numberOf(config[@"iter"], given.iterations);
  given.printOutput = numberOf(config[@"print_output"], 0) != 0;
  settings = given;
  return YES;
}

+ (NSString*)run {
  NSMutableString* lines = [[NSMutableString alloc] init];
  auto log = [lines](NSString* line) {
    NSLog(@"%@", line);
    [lines appendFormat:@"%@\n", line];
  };
  try {
    CAFFE_ENFORCE(settings.warmup >= 0, "Number of warm up runs should be non negative, provided ", settings.warmup, ".");
    CAFFE_ENFORCE(settings.iterations >= 0, "Number of main runs should be non negative, provided ",
                  settings.iterations, ".");
    std::vector<c10::IValue> inputs = makeInputs();
    c10::InferenceMode mode;
    auto module = torch::jit::_load_for_mobile(settings.model);
    if (settings.printOutput) {
      std::cout << module.forward(inputs) << std::endl;
    }
    log(@"Running warmup runs");
    for (int i = 0; i < settings.warmup; ++i) {
      module.forward(inputs);
    }
    log(@"Main runs");
    caffe2::Timer timer;
    for (int i = 0; i < settings.iterations; ++i) {
      module.forward(inputs);
    }
    auto milliseconds = timer.MilliSeconds();
    log([NSString stringWithFormat:@"Main run finished. Milliseconds per iter: %.3f", milliseconds / settings.iterations]);
    log([NSString stringWithFormat:@"Iters per second: : %.3f", 1000.0 * settings.iterations / milliseconds]);
    log(@"Done.");
  } catch (const std::exception& exception) {
    log([NSString stringWithUTF8String:exception.what()]);
  }
  return lines;
}

@end
#endif

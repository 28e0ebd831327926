// Every model of the bundle runs with the lite interpreter's API.
#import <XCTest/XCTest.h>

#include <torch/csrc/jit/mobile/import.h>
#include <torch/csrc/jit/mobile/module.h>
#include <torch/script.h>

@interface TestLiteInterpreter : XCTestCase
@end

@implementation TestLiteInterpreter

- (void)testMobileNetV2 {
  NSString* path = [[NSBundle bundleForClass:[self class]] pathForResource:@"model_lite" ofType:@"ptl"];
  XCTAssertNotNil(path);
  auto module = torch::jit::_load_for_mobile(path.UTF8String);
  c10::InferenceMode mode;
  auto output = module.forward({torch::ones({1, 3, 224, 224}, at::kFloat)}).toTensor();
  XCTAssertTrue(output.numel() == 1000);
}

// Models with inputs of their own (torch.utils.bundled_inputs) run on the first of these, others on nothing.
- (void)testEveryModel {
  NSArray<NSString*>* paths = [[NSBundle bundleForClass:[self class]] pathsForResourcesOfType:@"ptl" inDirectory:nil];
  XCTAssertTrue(paths.count > 0);
  for (NSString* path in paths) {
    if ([path.lastPathComponent isEqualToString:@"model_lite.ptl"]) {
      continue;
    }
    try {
      c10::InferenceMode mode;
      auto module = torch::jit::_load_for_mobile(path.UTF8String);
      auto bundled = module.find_method("get_all_bundled_inputs");
      if (bundled) {
        auto inputs = (*bundled)({}).toList().get(0).toTuple()->elements();
        module.get_method("forward")(inputs);
      } else {
        module.forward({});
      }
    } catch (const std::exception& exception) {
      XCTFail(@"%@: %s", path.lastPathComponent, exception.what());
    }
  }
}

@end

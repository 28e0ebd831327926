// A TorchScript model runs.
#import <XCTest/XCTest.h>

#include <torch/script.h>

@interface TestFullJIT : XCTestCase
@end

@implementation TestFullJIT

- (void)testFullJIT {
  NSString* path = [[NSBundle bundleForClass:[self class]] pathForResource:@"model" ofType:@"pt"];
  XCTAssertNotNil(path);
  auto module = torch::jit::load(path.UTF8String);
  c10::InferenceMode mode;
  auto output = module.forward({torch::ones({1, 3, 224, 224}, at::kFloat)}).toTensor();
  XCTAssertTrue(output.numel() == 1000);
}

@end

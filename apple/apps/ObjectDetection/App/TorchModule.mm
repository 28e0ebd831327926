// Finds objects with a YOLOv5 model.
#import "TorchModule.h"
#import <Libtorch-Lite/Libtorch-Lite.h>

static const int kInputSize = 640;

@implementation TorchModule {
 @protected
  torch::jit::mobile::Module _impl;
}

- (nullable instancetype)initWithFileAtPath:(NSString*)filePath {
  self = [super init];
  if (self) {
    try {
      _impl = torch::jit::_load_for_mobile(filePath.UTF8String);
    } catch (const std::exception& exception) {
      NSLog(@"%s", exception.what());
      return nil;
    }
  }
  return self;
}

- (nullable NSArray<NSNumber*>*)detectImage:(void*)imageBuffer {
  try {
    at::Tensor tensor = torch::from_blob(imageBuffer, {1, 3, kInputSize, kInputSize}, at::kFloat);
    c10::InferenceMode guard;
    CFAbsoluteTime start = CFAbsoluteTimeGetCurrent();
    auto outputTuple = _impl.forward({tensor}).toTuple();
    NSLog(@"inference time: %f", CFAbsoluteTimeGetCurrent() - start);
    auto outputTensor = outputTuple->elements()[0].toTensor();
    float* floatBuffer = outputTensor.data_ptr<float>();
    if (!floatBuffer) {
      return nil;
    }
    int64_t count = outputTensor.size(1) * outputTensor.size(2);
    NSMutableArray* results = [[NSMutableArray alloc] initWithCapacity:count];
    for (int64_t i = 0; i < count; i++) {
      [results addObject:@(floatBuffer[i])];
    }
    return [results copy];
  } catch (const std::exception& exception) {
    NSLog(@"%s", exception.what());
  }
  return nil;
}

@end

// Turns speech into words with a wav2vec2 model that decodes by itself.
#import "InferenceModule.h"
#import <LibTorch-Lite.h>

@implementation InferenceModule {
 @protected
  torch::jit::mobile::Module _impl;
}

- (nullable instancetype)initWithFileAtPath:(NSString*)filePath {
  self = [super init];
  if (self) {
    try {
      auto qengines = at::globalContext().supportedQEngines();
      if (std::find(qengines.begin(), qengines.end(), at::QEngine::QNNPACK) != qengines.end()) {
        at::globalContext().setQEngine(at::QEngine::QNNPACK);
      }
      _impl = torch::jit::_load_for_mobile(filePath.UTF8String);
    } catch (const std::exception& exception) {
      NSLog(@"%s", exception.what());
      return nil;
    }
  }
  return self;
}

- (nullable NSString*)recognize:(void*)samples bufLength:(int)length {
  try {
    at::Tensor tensor = torch::from_blob(samples, {1, length}, at::kFloat);
    c10::InferenceMode guard;
    auto result = _impl.forward({tensor}).toStringRef();
    return [NSString stringWithCString:result.c_str() encoding:NSUTF8StringEncoding];
  } catch (const std::exception& exception) {
    NSLog(@"%s", exception.what());
  }
  return nil;
}

@end

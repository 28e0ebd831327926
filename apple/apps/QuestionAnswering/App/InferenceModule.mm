// Finds the answer to a question in a text with a DistilBERT model.
#import "InferenceModule.h"
#import <LibTorch-Lite-Nightly/LibTorch-Lite.h>

#define kLength 360

// The place of the largest score. The model's two outputs are interleaved: each is every second float.
static int64_t largest(const at::Tensor& logits) {
  float* scores = logits.data_ptr<float>();
  int64_t step = logits.stride(1);
  int64_t best = 0;
  for (int64_t i = 1; i < kLength; i++) {
    if (scores[i * step] > scores[best * step]) {
      best = i;
    }
  }
  return best;
}

@implementation InferenceModule {
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

- (nullable NSArray<NSNumber*>*)answerForTokens:(NSArray<NSNumber*>*)tokens {
  try {
    int64_t inputs[kLength] = {0};
    NSUInteger count = MIN(tokens.count, (NSUInteger)kLength);
    for (NSUInteger i = 0; i < count; i++) {
      inputs[i] = tokens[i].longLongValue;
    }
    at::Tensor tensor = torch::from_blob((void*)inputs, {1, kLength}, at::kLong);
    c10::InferenceMode guard;
    auto outputDict = _impl.forward({at::IValue(tensor)}).toGenericDict();
    auto start = outputDict.at("start_logits").toTensor();
    auto end = outputDict.at("end_logits").toTensor();
    return @[ @(largest(start)), @(largest(end)) ];
  } catch (const std::exception& exception) {
    NSLog(@"%s", exception.what());
  }
  return nil;
}

@end

// Segments an image with a TorchScript model: the classes of the pixels as colors.
#import "TorchModule.h"
#import <LibTorch/LibTorch.h>
#import <QuartzCore/QuartzCore.h>

static const int kClasses = 21;
static const int kDog = 12;
static const int kPerson = 15;
static const int kSheep = 17;

@implementation TorchModule {
 @protected
  torch::jit::script::Module _impl;
}

- (nullable instancetype)initWithFileAtPath:(NSString*)filePath {
  self = [super init];
  if (self) {
    try {
      _impl = torch::jit::load(filePath.UTF8String);
      _impl.eval();
    } catch (const std::exception& exception) {
      NSLog(@"%s", exception.what());
      return nil;
    }
  }
  return self;
}

- (nullable unsigned char*)segmentImage:(void*)imageBuffer withWidth:(int)width withHeight:(int)height {
  try {
    at::Tensor tensor = torch::from_blob(imageBuffer, {1, 3, width, height}, at::kFloat);
    c10::InferenceMode guard;
    CFTimeInterval startTime = CACurrentMediaTime();
    auto outputDict = _impl.forward({tensor}).toGenericDict();
    CFTimeInterval elapsedTime = CACurrentMediaTime() - startTime;
    NSLog(@"inference time:%f", elapsedTime);
    auto outputTensor = outputDict.at("out").toTensor();
    float* floatBuffer = outputTensor.data_ptr<float>();
    if (!floatBuffer) {
      return nil;
    }

    unsigned char* colors = (unsigned char*)calloc((size_t)width * height, 3);
    for (int j = 0; j < width; j++) {
      for (int k = 0; k < height; k++) {
        int best = 0;
        float maximum = -100000.0;
        for (int i = 0; i < kClasses; i++) {
          float score = floatBuffer[i * (width * height) + j * width + k];
          if (score > maximum) {
            maximum = score;
            best = i;
          }
        }
        int pixel = 3 * (j * width + k);
        if (best == kPerson) colors[pixel] = 255;
        if (best == kDog) colors[pixel + 1] = 255;
        if (best == kSheep) colors[pixel + 2] = 255;
      }
    }
    return colors;
  } catch (const std::exception& exception) {
    NSLog(@"%s", exception.what());
  }
  return nil;
}

@end

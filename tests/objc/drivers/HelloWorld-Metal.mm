#import "TorchModule.h"
#import "input.h"

int main(int, char** argv) {
  @autoreleasepool {
    NSString* folder = [NSString stringWithUTF8String:argv[1]];
    TorchModule* none = [[TorchModule alloc] initWithFileAtPath:[folder stringByAppendingPathComponent:@"nothing.ptl"]];
    std::printf("missing file: %s\n", none ? "loaded" : "nil");
    TorchModule* module = [[TorchModule alloc] initWithFileAtPath:[folder stringByAppendingPathComponent:@"classifier.ptl"]];
    std::vector<float> image = waves(3 * 224 * 224);
    for (int run = 0; run < 3; ++run) print([module predictImage:image.data()], 20);
    NSArray<NSNumber*>* scores = [module predictImage:image.data()];
    NSUInteger best = 0;
    for (NSUInteger i = 1; i < scores.count; ++i) {
      if ([scores[i] compare:scores[best]] == NSOrderedDescending) best = i;
    }
    std::printf("best %lu\n", static_cast<unsigned long>(best));
  }
  return 0;
}

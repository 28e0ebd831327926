#import "TorchModule.h"
#import "input.h"

int main(int, char** argv) {
  @autoreleasepool {
    NSString* folder = [NSString stringWithUTF8String:argv[1]];
    TorchModule* module = [[TorchModule alloc] initWithFileAtPath:[folder stringByAppendingPathComponent:@"detector.ptl"]];
    std::vector<float> image = waves(3 * 640 * 640, 0, 1);
    NSArray<NSNumber*>* rows = [module detectImage:image.data()];
    print(rows, 170);
    double sum = 0;
    for (NSNumber* number in rows) sum += number.doubleValue;
    std::printf("sum %.2f\n", sum);
  }
  return 0;
}

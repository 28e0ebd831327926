#import "InferenceModule.h"
#import "input.h"

int main(int, char** argv) {
  @autoreleasepool {
    NSString* folder = [NSString stringWithUTF8String:argv[1]];
    InferenceModule* module = [[InferenceModule alloc] initWithFileAtPath:[folder stringByAppendingPathComponent:@"recognizer.ptl"]];
    std::vector<float> samples = waves(96000, -1, 1);
    for (int length : {96000, 16000, 400}) {
      std::printf("%s\n", [module recognize:samples.data() bufLength:length].UTF8String);
    }
    std::printf("too short: %s\n", [module recognize:samples.data() bufLength:10] ? "words" : "nil");
  }
  return 0;
}

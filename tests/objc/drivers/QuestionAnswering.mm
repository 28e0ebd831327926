#import "InferenceModule.h"
#import "input.h"

int main(int, char** argv) {
  @autoreleasepool {
    NSString* folder = [NSString stringWithUTF8String:argv[1]];
    InferenceModule* module = [[InferenceModule alloc] initWithFileAtPath:[folder stringByAppendingPathComponent:@"answers.ptl"]];
    for (int seed = 1; seed < 9; ++seed) {
      NSMutableArray<NSNumber*>* tokens = [[NSMutableArray alloc] init];
      for (int i = 0; i < 60 * seed; ++i) [tokens addObject:@((i * i * seed + 17 * i + seed) % 1000)];
      print([module answerForTokens:tokens], 2);
    }
    std::printf("out of range: %s\n", [module answerForTokens:@[ @1000 ]] ? "answer" : "nil");
  }
  return 0;
}

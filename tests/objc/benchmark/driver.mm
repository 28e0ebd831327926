// Runs a Benchmark class as TestApp's view controller does; resources come from the folder that is the first argument.
#import "Benchmark.h"

#include <cstdio>

static NSString* folder;

@implementation NSBundle (Resources)
- (NSString*)pathForResource:(NSString*)name ofType:(NSString*)type {
  return [[folder stringByAppendingPathComponent:name] stringByAppendingPathExtension:type];
}
@end

int main(int, char** argv) {
  @autoreleasepool {
    folder = [NSString stringWithUTF8String:argv[1]];
    NSData* data = [NSData dataWithContentsOfFile:[[NSBundle mainBundle] pathForResource:@"config" ofType:@"json"]];
    NSDictionary* config = [NSJSONSerialization JSONObjectWithData:data options:0 error:NULL];
    if (![Benchmark setup:config]) {
      std::printf("no setup\n");
      return 0;
    }
    std::printf("%s", [Benchmark run].UTF8String);
  }
  return 0;
}

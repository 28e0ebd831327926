#import "TorchModule.h"
#import "input.h"

int main(int, char** argv) {
  @autoreleasepool {
    NSString* folder = [NSString stringWithUTF8String:argv[1]];
    TorchModule* module = [[TorchModule alloc] initWithFileAtPath:[folder stringByAppendingPathComponent:@"segmenter.pt"]];
    for (int size : {250, 64, 250}) {
      std::vector<float> image = waves(3 * size * size);
      unsigned char* colors = [module segmentImage:image.data() withWidth:size withHeight:size];
      int counts[4] = {0, 0, 0, 0};
      for (int pixel = 0; pixel < size * size; ++pixel) {
        const unsigned char* color = colors + 3 * pixel;
        ++counts[color[0] ? 1 : color[1] ? 2 : color[2] ? 3 : 0];
      }
      std::printf("%d: other %d, person %d, dog %d, sheep %d\n", size, counts[0], counts[1], counts[2], counts[3]);
      for (int row = 0; row < size; row += size / 16) {
        for (int column = 0; column < size; column += size / 16) {
          const unsigned char* color = colors + 3 * (row * size + column);
          std::putchar(color[0] ? 'P' : color[1] ? 'D' : color[2] ? 'S' : '.');
        }
        std::putchar('\n');
      }
      free(colors);
    }
  }
  return 0;
}

// Reads config.json, runs the benchmark beside the main queue, shows its lines.
#import "ViewController.h"

#ifdef BUILD_LITE_INTERPRETER
#import "Benchmark.h"
#endif

@interface ViewController ()
@property(nonatomic, strong) UITextView* textView;
@end

@implementation ViewController

- (void)viewDidLoad {
  [super viewDidLoad];
#ifdef BUILD_LITE_INTERPRETER
  self.textView = [[UITextView alloc] initWithFrame:self.view.bounds];
  self.textView.autoresizingMask = UIViewAutoresizingFlexibleWidth | UIViewAutoresizingFlexibleHeight;
  self.textView.editable = NO;
  [self.view addSubview:self.textView];

  NSString* path = [[NSBundle mainBundle] pathForResource:@"config" ofType:@"json"];
  NSData* data = path ? [NSData dataWithContentsOfFile:path] : nil;
  if (!data) {
    NSLog(@"Config.json not found!");
    return;
  }
  NSDictionary* config = [NSJSONSerialization JSONObjectWithData:data options:0 error:nil];
  if (![config isKindOfClass:[NSDictionary class]]) {
    NSLog(@"Parse config.json failed!");
    return;
  }
  if ([Benchmark setup:config]) {
    [self runBenchmark];
  }
#endif
}

#ifdef BUILD_LITE_INTERPRETER
- (void)runBenchmark {
  self.textView.text = @"Start benchmarking...\n";
  dispatch_async(dispatch_get_global_queue(QOS_CLASS_USER_INITIATED, 0), ^{
    NSString* lines = [Benchmark run];
    dispatch_async(dispatch_get_main_queue(), ^{
      self.textView.text = [self.textView.text stringByAppendingString:lines];
    });
  });
}
#endif

@end

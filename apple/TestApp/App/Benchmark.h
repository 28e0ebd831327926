// Times a model of the app's bundle.
#ifdef BUILD_LITE_INTERPRETER
#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

@interface Benchmark : NSObject

/// Takes what config.json says: input_dims, input_type, warmup, iter, print_output. NO when there is no model.
+ (BOOL)setup:(NSDictionary*)config;
/// The lines that were logged.
+ (NSString*)run;

@end

NS_ASSUME_NONNULL_END
#endif

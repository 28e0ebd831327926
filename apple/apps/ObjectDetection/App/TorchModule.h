// The model, for Swift.
#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

@interface TorchModule : NSObject

/// nil when the file is no model that can be loaded.
- (nullable instancetype)initWithFileAtPath:(NSString*)filePath
    NS_SWIFT_NAME(init(fileAtPath:))NS_DESIGNATED_INITIALIZER;
+ (instancetype)new NS_UNAVAILABLE;
- (instancetype)init NS_UNAVAILABLE;

/// Rows of 85: center x, y, width, height, score of an object, scores of 80 classes. `imageBuffer` holds 3 x 640 x 640
/// floats from 0 to 1: planes of red, green and blue.
- (nullable NSArray<NSNumber*>*)detectImage:(void*)imageBuffer NS_SWIFT_NAME(detect(image:));

@end

NS_ASSUME_NONNULL_END

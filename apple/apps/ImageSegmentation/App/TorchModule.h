// The model, for Swift.
#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

@interface TorchModule : NSObject

/// nil when the file is no model that can be loaded.
- (nullable instancetype)initWithFileAtPath:(NSString*)filePath
    NS_SWIFT_NAME(init(fileAtPath:))NS_DESIGNATED_INITIALIZER;
+ (instancetype)new NS_UNAVAILABLE;
- (instancetype)init NS_UNAVAILABLE;

/// Colors of the classes, three bytes a pixel, to be freed by the caller; NULL when the model fails. `imageBuffer`
/// holds 3 x height x width floats: planes of red, green and blue, normalized.
- (nullable unsigned char*)segmentImage:(void*)imageBuffer
                              withWidth:(int)width
                             withHeight:(int)height NS_SWIFT_NAME(segment(image:withWidth:withHeight:));

@end

NS_ASSUME_NONNULL_END

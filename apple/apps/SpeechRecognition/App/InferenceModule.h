// The model, for Swift.
#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

@interface InferenceModule : NSObject

/// nil when the file is no model that can be loaded.
- (nullable instancetype)initWithFileAtPath:(NSString*)filePath
    NS_SWIFT_NAME(init(fileAtPath:))NS_DESIGNATED_INITIALIZER;
+ (instancetype)new NS_UNAVAILABLE;
- (instancetype)init NS_UNAVAILABLE;

/// The words in `length` samples at 16 kHz, from -1 to 1.
- (nullable NSString*)recognize:(void*)samples bufLength:(int)length NS_SWIFT_NAME(recognize(_:bufLength:));

@end

NS_ASSUME_NONNULL_END

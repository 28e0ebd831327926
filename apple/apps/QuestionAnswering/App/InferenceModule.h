// The model, for Swift.
#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

@interface InferenceModule : NSObject

/// nil when the file is no model that can be loaded.
- (nullable instancetype)initWithFileAtPath:(NSString*)filePath
    NS_SWIFT_NAME(init(fileAtPath:))NS_DESIGNATED_INITIALIZER;
+ (instancetype)new NS_UNAVAILABLE;
- (instancetype)init NS_UNAVAILABLE;

/// Places of the first and the last word of the answer among `tokens`, of which 360 are used.
- (nullable NSArray<NSNumber*>*)answerForTokens:(NSArray<NSNumber*>*)tokens NS_SWIFT_NAME(answer(tokens:));

@end

NS_ASSUME_NONNULL_END

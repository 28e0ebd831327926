#import "InferenceModule.h"

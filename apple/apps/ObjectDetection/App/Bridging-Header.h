#import "TorchModule.h"

// Included first: what Apple's Foundation has and GNUstep's has not.
#define NS_SWIFT_NAME(...)
#define NS_SWIFT_UNAVAILABLE(...)
#define NS_REFINED_FOR_SWIFT
#ifdef __OBJC__
#import <Foundation/Foundation.h>
#ifndef NS_DESIGNATED_INITIALIZER
#define NS_DESIGNATED_INITIALIZER
#endif
#ifndef NS_UNAVAILABLE
#define NS_UNAVAILABLE
#endif
#undef nil
#define nil nullptr
enum { kNilOptions = 0 };
@class UIImage;
#import <QuartzCore/QuartzCore.h>
#endif

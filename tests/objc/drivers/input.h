// Inputs that are the same everywhere, and printing of results.
#pragma once
#import <Foundation/Foundation.h>

#include <cmath>
#include <cstdio>
#include <vector>

inline std::vector<float> waves(size_t count, float low = -2, float high = 2) {
  std::vector<float> out(count);
  unsigned state = 12345;
  for (size_t i = 0; i < count; ++i) {
    state = state * 1664525u + 1013904223u;
    const float noise = static_cast<float>(state >> 8) / (1 << 24);
    const float wave = 0.5f + 0.5f * std::sin(0.013f * static_cast<float>(i % 5000));
    out[i] = low + (high - low) * (0.5f * noise + 0.5f * wave);
  }
  return out;
}

inline void print(NSArray<NSNumber*>* numbers, NSUInteger limit) {
  std::printf("%lu numbers\n", static_cast<unsigned long>(numbers.count));
  for (NSUInteger i = 0; i < numbers.count && i < limit; ++i) std::printf("%.4f\n", numbers[i].doubleValue);
}

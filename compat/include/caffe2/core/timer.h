// caffe2::Timer.
#pragma once

#include <chrono>

namespace caffe2 {

class Timer {
 public:
  Timer() { Start(); }
  void Start() { start_ = std::chrono::high_resolution_clock::now(); }
  float NanoSeconds() {
    return static_cast<float>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::high_resolution_clock::now() - start_)
            .count());
  }
  float MicroSeconds() { return NanoSeconds() / 1000.f; }
  float MilliSeconds() { return NanoSeconds() / 1000000.f; }
  float Seconds() { return NanoSeconds() / 1000000000.f; }

 private:
  std::chrono::time_point<std::chrono::high_resolution_clock> start_;
};

}  // namespace caffe2

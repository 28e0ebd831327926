// Sums over a workgroup of kThreads, the same for every invocation.
const uint kFirstSums = kThreads >= 64u ? kThreads / 8u : 1u;
shared float parts[kThreads];
shared float first_sums[kFirstSums];

float add_up(float own) {
  const uint lane = gl_LocalInvocationID.x;
  parts[lane] = own;
  barrier();
  float all = 0.0;
  if (kFirstSums == 1u) {
    for (uint k = 0u; k < kThreads; ++k) all += parts[k];
    barrier();
    return all;
  }
  if (lane < kFirstSums) {
    float sum = 0.0;
    [[unroll]] for (uint k = 0u; k < 8u; ++k) sum += parts[k * kFirstSums + lane];
    first_sums[lane] = sum;
  }
  // The next call writes parts, which nothing reads behind this, and first_sums behind its own barrier.
  barrier();
  [[unroll]] for (uint k = 0u; k < kFirstSums; ++k) all += first_sums[k];
  return all;
}

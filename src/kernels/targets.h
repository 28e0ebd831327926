// Instruction sets the kernels are compiled for. Include before any Highway header.
//
// Kernels keep vectors in arrays, so the scalable instruction sets are left out. On x86 SSE4.2 is the least
// (x86-64-v2), so no emulated variant is compiled.
#pragma once

// A build for some instruction sets only (WICK_ISA) says which are the others, and which is the least.
#ifndef WICK_DISABLED_TARGETS
#define WICK_DISABLED_TARGETS 0
#endif
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | WICK_DISABLED_TARGETS)
#ifdef WICK_BASELINE_TARGET
#define HWY_BASELINE_TARGETS WICK_BASELINE_TARGET
#elif defined(__x86_64__) || defined(_M_X64) || defined(__i386__)
#define HWY_BASELINE_TARGETS HWY_SSE4
#endif

// Loops over arrays of vectors must be unrolled early, or the arrays end up in memory.
#if defined(__clang__)
#define WICK_UNROLL _Pragma("clang loop unroll(full)")
#else
#define WICK_UNROLL _Pragma("GCC unroll 24")
#endif

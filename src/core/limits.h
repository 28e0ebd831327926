// Limits on what a file or model may ask for. Documented in docs/limits.md.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wick::limits {

inline constexpr size_t kMaxPickleDepth = 512;        // nesting of containers in a pickle
inline constexpr size_t kMaxTypeDepth = 64;           // nesting of a type string
inline constexpr size_t kMaxTypeParts = 4096;         // types in the type of a named tuple, counted wherever they occur
inline constexpr size_t kMaxTensorDims = 64;          // dimensions of a tensor
inline constexpr uint32_t kMaxCallDepth = 1000;       // method calls inside method calls
inline constexpr size_t kMaxBlockDepth = 256;         // nested ifs and loops in one function
inline constexpr int64_t kMaxRegisters = 1 << 20;     // registers of one bytecode function
inline constexpr size_t kMaxRecords = 1 << 20;        // records in a container
inline constexpr uint64_t kMaxInflatedRatio = 1100;   // deflate cannot exceed about 1032
inline constexpr uint64_t kMaxTextRatio = 32;         // of deflated records that are not tensors, when larger than
inline constexpr uint64_t kFreelyInflated = 1 << 24;  // this many bytes
inline constexpr uint64_t kMaxInflatedTotal = 1 << 28;  // of all deflated records, or kMaxTextRatio times the file
inline constexpr uint64_t kMaxPickleObjects = 1 << 22;  // containers, strings, tensors and globals in a pickle
inline constexpr uint64_t kPickleWorkPerByte = 64;      // steps of work on values that are referred to again
inline constexpr uint64_t kPickleCopiesPerByte = 8;     // bytes copied for each byte of tensor data
inline constexpr size_t kMaxNameLength = 4096;          // characters of the name of a class or attribute
inline constexpr size_t kBytecodeTextPerByte = 64;      // characters of names for each byte of bytecode.pkl
inline constexpr size_t kValuesPerInstruction = 8;      // results of ifs, loops and unpacking, on average
inline constexpr size_t kMaxSyntaxDepth = 256;          // nesting of an expression in source code
inline constexpr size_t kMaxSyntaxNodes = 1 << 22;      // expressions and statements in the source code of a model
inline constexpr size_t kFlatbufferReadsPerByte = 8;    // how often, on average, a byte of a flatbuffer may be used

// Bytes that code that restores objects may hold while a file is loaded: these, and so many for each byte of the file.
inline constexpr uint64_t kFreeRestoreMemory = 1 << 28;
inline constexpr uint64_t kRestoreMemoryPerByte = 16;

inline constexpr size_t kMaxInlineDepth = 128;          // calls inside calls that inlining puts into one function
inline constexpr size_t kFreelyInlinedNodes = 1 << 16;  // nodes that inlining may add to a program, and
inline constexpr size_t kInlinedNodesPerValue = 32;     // so many more for each value of the program, but
inline constexpr size_t kMaxInlinedNodes = 1 << 20;     // never more than these

inline constexpr size_t kMaxValueDepth = 512;      // containers inside containers when a value is printed or hashed
inline constexpr size_t kMaxValueParts = 1 << 22;  // items of containers inside containers, wherever they are held
inline constexpr size_t kMaxGuardParts = 4096;     // values in one value that a plan depends on
inline constexpr size_t kMaxValueTypes = 1 << 16;  // types in the type told from a value, counted wherever they occur
inline constexpr size_t kStackReserve = 32 << 10;  // bytes of a thread's stack that what recurses leaves free
inline constexpr size_t kCallReserve = 128 << 10;  // the same of calls inside calls, which run operators
inline constexpr size_t kMaxTextLength = 1 << 30;  // bytes of a string an operator makes
inline constexpr size_t kMaxListLength = 1 << 28;  // elements of a list made by repetition or range

}  // namespace wick::limits

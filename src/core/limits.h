// Limits on what a file or model may ask for. scripts/limits_doc.py makes the table of docs/limits.md of this header:
// the comment above a constant is its row.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wick::limits {

// Containers.

// Records in a zip archive.
inline constexpr size_t kMaxRecords = 1 << 20;
// Inflated bytes of a deflated record for each byte stored; deflate cannot exceed about 1032.
inline constexpr uint64_t kMaxInflatedRatio = 1100;
// Inflated bytes of a deflated pickle, source or extra file; above, the next row holds.
inline constexpr uint64_t kFreelyInflated = 1 << 24;
// Inflated bytes of a larger pickle, source or extra file for each byte stored.
inline constexpr uint64_t kMaxTextRatio = 32;
// Inflated bytes of all deflated records that are read, or 32 times the file when that is more.
inline constexpr uint64_t kMaxInflatedTotal = 1 << 28;
// Reads of vectors and strings of a flatbuffer for each of its bytes, on average.
inline constexpr size_t kFlatbufferReadsPerByte = 8;

// Pickles.

// Containers inside of containers in a pickle.
inline constexpr size_t kMaxPickleDepth = 512;
// Containers, strings, tensors and globals in a pickle.
inline constexpr uint64_t kMaxPickleObjects = 1 << 22;
// Steps of work on values that a pickle references again, for each byte read.
inline constexpr uint64_t kPickleWorkPerByte = 64;
// Bytes copied for each byte of tensor data: lazily conjugated tensors, 4-bit tensors, sparse ones made dense.
inline constexpr uint64_t kPickleCopiesPerByte = 8;

// Programs.

// Characters of the name of a class or attribute.
inline constexpr size_t kMaxNameLength = 4096;
// Attributes of an object.
inline constexpr size_t kMaxAttributes = 1 << 20;
// Types inside of types.
inline constexpr size_t kMaxTypeDepth = 64;
// Types in the type of a named tuple, counted wherever they occur.
inline constexpr size_t kMaxTypeParts = 4096;
// Types in a type that source code builds up.
inline constexpr size_t kMaxBuiltTypeParts = 2048;
// Registers of one bytecode function.
inline constexpr int64_t kMaxRegisters = 1 << 20;
// Characters of the names of operators, methods and arguments for each byte of bytecode.
inline constexpr size_t kBytecodeTextPerByte = 64;
// Results of ifs, loops and unpacking for each instruction of a function, on average.
inline constexpr size_t kValuesPerInstruction = 8;
// Ifs and loops inside of each other in one function.
inline constexpr size_t kMaxBlockDepth = 256;
// Expressions inside of each other in source code.
inline constexpr size_t kMaxSyntaxDepth = 256;
// Expressions and statements in the source code of a model.
inline constexpr size_t kMaxSyntaxNodes = 1 << 22;
// Nodes and values that a function in source code may lower to, besides those of the next row.
inline constexpr size_t kFreelyLoweredNodes = 1 << 16;
// Nodes and values that it may lower to for each of its expressions and statements.
inline constexpr size_t kLoweredNodesPerSyntaxNode = 128;
// Functions in source code that are lowered inside of each other, to know what their callers return.
inline constexpr int kMaxNestedFunctions = 64;
// Calls inside of calls that are inlined into one function.
inline constexpr size_t kMaxInlineDepth = 128;
// Nodes that inlining may add to a program, besides those of the next row.
inline constexpr size_t kFreelyInlinedNodes = 1 << 16;
// Nodes that inlining may add for each value of the program.
inline constexpr size_t kInlinedNodesPerValue = 32;
// Nodes that inlining may add at all.
inline constexpr size_t kMaxInlinedNodes = 1 << 20;
// Characters of one text that debug records refer to; a longer one is not shown.
inline constexpr size_t kMaxSourceText = 1 << 22;
// Characters of all texts that the debug records of a model refer to; further ones are not shown.
inline constexpr size_t kMaxSourceTexts = 1 << 26;
// Inlined calls that an error names for one instruction.
inline constexpr size_t kMaxNamedCalls = 256;

// Running.

// Calls inside of calls; fewer where the thread's stack is small.
inline constexpr uint32_t kMaxCallDepth = 1000;
// Bytes of a thread's stack that calls inside of calls leave to operators.
inline constexpr size_t kCallReserve = 128 << 10;
// Bytes of a thread's stack that all other recursion leaves free: values, source code, ifs and loops.
inline constexpr size_t kStackReserve = 32 << 10;
// Bytes that code that restores objects may hold while a file is loaded, besides those of the next row.
inline constexpr uint64_t kFreeRestoreMemory = 1 << 28;
// Bytes that it may hold for each byte of the file.
inline constexpr uint64_t kRestoreMemoryPerByte = 16;
// Dimensions of a tensor.
inline constexpr size_t kMaxTensorDims = 64;
// Bytes of a string that an operator makes.
inline constexpr size_t kMaxTextLength = 1 << 30;
// Elements of a list made by repetition, concatenation, a range or from a tensor.
inline constexpr size_t kMaxListLength = 1 << 28;
// Entries of a dict.
inline constexpr size_t kMaxDictEntries = 1 << 30;
// Views that operators such as `split` and `unbind` make of one tensor.
inline constexpr int64_t kMaxViews = 1 << 24;
// Extent of an image, kernel, padding, stride or dilation of convolutions and pools; the arithmetic of larger sizes
// would overflow.
inline constexpr int64_t kMaxImageExtent = (int64_t{1} << 31) - 1;
// Sampling points in a bin of `roi_align`, along each side.
inline constexpr int64_t kMaxSampleGrid = 1 << 12;
// Matrices in one product (`linalg_multi_dot`), whose best order is searched.
inline constexpr size_t kMaxMatrixChain = 512;
// Elements of the result of `combinations`.
inline constexpr int64_t kMaxCombinations = int64_t{1} << 31;
// Elements of one of `combinations`.
inline constexpr int64_t kMaxCombined = 1 << 20;
// Weights of a sparse linear layer when it is made dense.
inline constexpr int64_t kMaxSparseWeights = int64_t{1} << 31;
// Bins in which `embedding_bag_4bit_prepack` searches the best range.
inline constexpr int64_t kMaxSearchBins = 1 << 16;

// Values.

// Characters of the text of a value or tensor; parts that it holds many times are printed each time.
inline constexpr size_t kMaxReprLength = 1 << 26;
// Containers inside of containers when a value is printed, hashed, compared or copied.
inline constexpr size_t kMaxValueDepth = 512;
// Items of containers inside of containers, counted wherever they are held, when a value is printed, hashed or
// compared.
inline constexpr size_t kMaxValueParts = 1 << 22;
// Types in the type that is told from a value, counted wherever they occur; the rest is `Any`.
inline constexpr size_t kMaxValueTypes = 1 << 16;
// Values in one value that a plan depends on, counted wherever they are held; beyond, the interpreter runs.
inline constexpr size_t kMaxGuardParts = 4096;

}  // namespace wick::limits

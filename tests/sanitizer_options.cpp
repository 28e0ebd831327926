// How AddressSanitizer behaves in test programs: a refused allocation is an answer the tests ask for, not a finding.
extern "C" const char* __asan_default_options();  // NOLINT(bugprone-reserved-identifier): the sanitizer looks it up

const char* __asan_default_options() { return "allocator_may_return_null=1:max_allocation_size_mb=4096"; }

extern "C" const char* __lsan_default_suppressions();  // NOLINT(bugprone-reserved-identifier)

// References are counted: lists that hold themselves, which these tests are about, are never freed, as in PyTorch.
const char* __lsan_default_suppressions() { return "leak:hostile_values_test.cpp\n"; }

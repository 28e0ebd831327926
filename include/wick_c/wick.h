/* Wick's C API: loading PyTorch model files and running them, for C and for other languages to stand on.
 *
 * In a folder of its own, without a header of C++ beside it: a module map may name the folder whole.
 *
 * Objects are handles. What a function gives through its parameter `out` belongs to the caller, who releases it; what
 * it takes it does not keep, but for a share of its own. Releasing NULL does nothing. Pointers that are returned
 * (names, sizes, data, texts) are valid until the handle they come from is released, unless said otherwise.
 *
 * A function that can fail returns a wick_status, WICK_OK when it has not, and then, if `error` is not NULL, gives an
 * error to be released. A NULL handle, or a NULL `out`, is WICK_INVALID_ARGUMENT.
 *
 *   wick_module* module = NULL;
 *   wick_error* error = NULL;
 *   if (wick_module_load_file("model.ptl", NULL, &module, &error) != WICK_OK) {
 *     fprintf(stderr, "%s\n", wick_error_message(error));
 *     wick_error_release(error);
 *   }
 *
 * Threads: handles may be used from several threads as the objects of the C++ API are: reading and running at the same
 * time is allowed, changing is not; each thread has handles of its own or none is released meanwhile.
 *
 * ABI: functions and numbers are added, not changed or removed, while WICK_C_API_VERSION stays. Structs of options
 * begin with their size, so that they can grow: make them with WICK_RUN_OPTIONS_INIT and WICK_LOAD_OPTIONS_INIT.
 */
#ifndef WICK_C_WICK_H
#define WICK_C_WICK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define WICK_C_API
#else
#define WICK_C_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define WICK_C_API_VERSION 1

/* WICK_C_API_VERSION of the library, and its release ("0.1.0"). */
WICK_C_API uint32_t wick_api_version(void);
WICK_C_API const char* wick_version(void);

/* --- Errors --- */

typedef int32_t wick_status;
enum {
  WICK_OK = 0,
  WICK_INVALID_ARGUMENT = 1,
  WICK_NOT_FOUND = 2,
  WICK_IO = 3,
  WICK_CORRUPT_FILE = 4,
  WICK_UNSUPPORTED_VERSION = 5,
  WICK_MISSING_OPERATOR = 6,
  WICK_UNSUPPORTED = 7,
  WICK_TYPE_MISMATCH = 8,
  WICK_SHAPE_MISMATCH = 9,
  WICK_INDEX_OUT_OF_RANGE = 10,
  WICK_MODEL_EXCEPTION = 11,
  WICK_OUT_OF_MEMORY = 12,
  WICK_LIMIT_EXCEEDED = 13,
  WICK_CANCELLED = 14,
  WICK_DEADLINE_EXCEEDED = 15,
  WICK_INTERNAL = 16
};
/* "corrupt_file"; "unknown" for a number that is no status. */
WICK_C_API const char* wick_status_name(wick_status status);

typedef struct wick_error wick_error;
WICK_C_API wick_status wick_error_code(const wick_error* error);
/* All that is known: what was expected and found, and where. "" of NULL. */
WICK_C_API const char* wick_error_message(const wick_error* error);
/* Of that, the lines that say where in the model it happened (module path, source line); "" when that is not known. */
WICK_C_API const char* wick_error_source(const wick_error* error);
WICK_C_API void wick_error_release(wick_error* error);

/* Texts that functions give as `char** out`. */
WICK_C_API void wick_string_release(char* text);

/* --- Tensors --- */

/* PyTorch's numbers of element types. */
typedef int32_t wick_dtype;
enum {
  WICK_UINT8 = 0,
  WICK_INT8 = 1,
  WICK_INT16 = 2,
  WICK_INT32 = 3,
  WICK_INT64 = 4,
  WICK_FLOAT16 = 5,
  WICK_FLOAT32 = 6,
  WICK_FLOAT64 = 7,
  WICK_COMPLEX32 = 8,
  WICK_COMPLEX64 = 9,
  WICK_COMPLEX128 = 10,
  WICK_BOOL = 11,
  WICK_QINT8 = 12,
  WICK_QUINT8 = 13,
  WICK_QINT32 = 14,
  WICK_BFLOAT16 = 15,
  WICK_UINT16 = 27,
  WICK_UINT32 = 28,
  WICK_UINT64 = 29
};

typedef struct wick_tensor wick_tensor;
typedef void (*wick_deleter)(void* data, void* context);

/* Of zeros. */
WICK_C_API wick_status wick_tensor_zeros(wick_dtype dtype, const int64_t* sizes, size_t dims, wick_tensor** out,
                                         wick_error** error);
/* Uses the caller's memory, which must hold every element that sizes and strides (in elements; NULL: contiguous) reach.
 * `deleter`, unless NULL, is called with `data` and `context` when no tensor uses it any more, from whichever thread
 * that is; also when this fails. */
WICK_C_API wick_status wick_tensor_from_blob(void* data, wick_dtype dtype, const int64_t* sizes, size_t dims,
                                             const int64_t* strides, wick_deleter deleter, void* context,
                                             wick_tensor** out, wick_error** error);
/* Copies `nbytes` bytes, which are all the elements in order. */
WICK_C_API wick_status wick_tensor_from_copy(const void* data, size_t nbytes, wick_dtype dtype, const int64_t* sizes,
                                             size_t dims, wick_tensor** out, wick_error** error);
/* Another handle to the same tensor; NULL of NULL. */
WICK_C_API wick_tensor* wick_tensor_retain(const wick_tensor* tensor);
WICK_C_API void wick_tensor_release(wick_tensor* tensor);

/* Of NULL these give -1, 0, NULL or false. */
WICK_C_API wick_dtype wick_tensor_dtype(const wick_tensor* tensor);
WICK_C_API size_t wick_tensor_dims(const wick_tensor* tensor);
WICK_C_API const int64_t* wick_tensor_sizes(const wick_tensor* tensor);
WICK_C_API const int64_t* wick_tensor_strides(const wick_tensor* tensor); /* in elements */
WICK_C_API int64_t wick_tensor_numel(const wick_tensor* tensor);
WICK_C_API size_t wick_tensor_itemsize(const wick_tensor* tensor);
WICK_C_API bool wick_tensor_is_contiguous(const wick_tensor* tensor);
/* The first element. The others are where the strides say: of a tensor that is not contiguous not one after the other.
 */
WICK_C_API void* wick_tensor_data(const wick_tensor* tensor);

/* The tensor itself when it is contiguous, else a copy that is. */
WICK_C_API wick_status wick_tensor_contiguous(const wick_tensor* tensor, wick_tensor** out, wick_error** error);
/* Converted to another element type. */
WICK_C_API wick_status wick_tensor_to(const wick_tensor* tensor, wick_dtype dtype, wick_tensor** out,
                                      wick_error** error);
/* All elements in order, whatever the strides; `nbytes` must be as many as they take. */
WICK_C_API wick_status wick_tensor_copy_to(const wick_tensor* tensor, void* buffer, size_t nbytes, wick_error** error);
/* Scale and zero point of a tensor that is quantized with one of each. */
WICK_C_API wick_status wick_tensor_qparams(const wick_tensor* tensor, double* scale, int64_t* zero_point,
                                           wick_error** error);
/* As PyTorch prints it. */
WICK_C_API wick_status wick_tensor_repr(const wick_tensor* tensor, char** out, wick_error** error);

/* --- Values: all that models take and give --- */

typedef int32_t wick_kind;
enum {
  WICK_KIND_NONE = 0,
  WICK_KIND_BOOL = 1,
  WICK_KIND_INT = 2,
  WICK_KIND_DOUBLE = 3,
  WICK_KIND_COMPLEX = 4,
  WICK_KIND_STRING = 5,
  WICK_KIND_TENSOR = 6,
  WICK_KIND_LIST = 7,
  WICK_KIND_TUPLE = 8,
  WICK_KIND_DICT = 9,
  WICK_KIND_OBJECT = 10,
  WICK_KIND_DEVICE = 11,
  WICK_KIND_ENUM = 12,
  WICK_KIND_FUTURE = 13,
  WICK_KIND_GENERATOR = 14,
  WICK_KIND_CUSTOM = 15
};

/* Lists, dicts, tensors and objects are shared by handles, as in Python: a change through one is seen through all. */
typedef struct wick_value wick_value;

WICK_C_API wick_status wick_value_none(wick_value** out, wick_error** error);
WICK_C_API wick_status wick_value_bool(bool value, wick_value** out, wick_error** error);
WICK_C_API wick_status wick_value_int(int64_t value, wick_value** out, wick_error** error);
WICK_C_API wick_status wick_value_double(double value, wick_value** out, wick_error** error);
WICK_C_API wick_status wick_value_complex(double real, double imaginary, wick_value** out, wick_error** error);
/* `length` bytes of UTF-8. */
WICK_C_API wick_status wick_value_string(const char* text, size_t length, wick_value** out, wick_error** error);
WICK_C_API wick_status wick_value_tensor(const wick_tensor* tensor, wick_value** out, wick_error** error);
WICK_C_API wick_status wick_value_device(const char* name, wick_value** out, wick_error** error); /* "cpu" */
WICK_C_API wick_status wick_value_int_list(const int64_t* values, size_t count, wick_value** out, wick_error** error);
WICK_C_API wick_status wick_value_double_list(const double* values, size_t count, wick_value** out, wick_error** error);
/* `element_type` as annotations write it ("Tensor", "List[int]"); NULL: that of the values. */
WICK_C_API wick_status wick_value_list(const char* element_type, const wick_value* const* values, size_t count,
                                       wick_value** out, wick_error** error);
WICK_C_API wick_status wick_value_tuple(const wick_value* const* values, size_t count, wick_value** out,
                                        wick_error** error);
/* An empty one: key_type "str" and value_type "Tensor" where they are NULL. */
WICK_C_API wick_status wick_value_dict(const char* key_type, const char* value_type, wick_value** out,
                                       wick_error** error);
WICK_C_API wick_value* wick_value_retain(const wick_value* value);
WICK_C_API void wick_value_release(wick_value* value);

WICK_C_API wick_kind wick_value_kind(const wick_value* value); /* -1 of NULL */
/* "Dict[str, Tensor]" */
WICK_C_API wick_status wick_value_type(const wick_value* value, char** out, wick_error** error);
/* As str() in TorchScript writes it. */
WICK_C_API wick_status wick_value_repr(const wick_value* value, char** out, wick_error** error);

/* WICK_TYPE_MISMATCH for a value of another kind; a double is also read of an int. */
WICK_C_API wick_status wick_value_get_bool(const wick_value* value, bool* out, wick_error** error);
WICK_C_API wick_status wick_value_get_int(const wick_value* value, int64_t* out, wick_error** error);
WICK_C_API wick_status wick_value_get_double(const wick_value* value, double* out, wick_error** error);
WICK_C_API wick_status wick_value_get_complex(const wick_value* value, double* real, double* imaginary,
                                              wick_error** error);
/* Ends with a zero byte, which `length` does not count; valid until the value is released. */
WICK_C_API wick_status wick_value_get_string(const wick_value* value, const char** out, size_t* length,
                                             wick_error** error);
WICK_C_API wick_status wick_value_get_tensor(const wick_value* value, wick_tensor** out, wick_error** error);
WICK_C_API wick_status wick_value_get_device(const wick_value* value, char** out, wick_error** error);
/* The value of an enum's member, waits for a future's. */
WICK_C_API wick_status wick_value_get_inner(const wick_value* value, wick_value** out, wick_error** error);

/* Lists, tuples and dicts. Items of a dict are its entries in the order they were added. */
WICK_C_API wick_status wick_value_size(const wick_value* value, size_t* out, wick_error** error);
WICK_C_API wick_status wick_value_item(const wick_value* value, size_t index, wick_value** out, wick_error** error);
WICK_C_API wick_status wick_value_append(wick_value* list, const wick_value* item, wick_error** error);
WICK_C_API wick_status wick_value_entry(const wick_value* dict, size_t index, wick_value** key, wick_value** value,
                                        wick_error** error);
/* WICK_NOT_FOUND when the dict has no such key. */
WICK_C_API wick_status wick_value_find(const wick_value* dict, const wick_value* key, wick_value** out,
                                       wick_error** error);
WICK_C_API wick_status wick_value_set(wick_value* dict, const wick_value* key, const wick_value* value,
                                      wick_error** error);
/* An entry of a dict with keys of text, a field of a named tuple, or an attribute of an object. */
WICK_C_API wick_status wick_value_field(const wick_value* value, const char* name, wick_value** out,
                                        wick_error** error);

/* --- Running models --- */

/* Stops the loads and runs that it is given to, from another thread or a signal handler. */
typedef struct wick_cancellation wick_cancellation;
WICK_C_API wick_status wick_cancellation_create(wick_cancellation** out, wick_error** error);
WICK_C_API void wick_cancellation_cancel(const wick_cancellation* cancellation);
WICK_C_API bool wick_cancellation_is_cancelled(const wick_cancellation* cancellation);
WICK_C_API void wick_cancellation_release(wick_cancellation* cancellation);

/* 0 is no bound, or the default. As LoadOptions and RunOptions of the C++ API. */
typedef struct wick_load_options {
  size_t struct_size;
  bool allow_missing_operators;
  bool copy;
  int64_t timeout_ms;
  uint64_t max_memory;
  uint64_t max_plan_memory;
  const wick_cancellation* cancellation;
} wick_load_options;
#define WICK_LOAD_OPTIONS_INIT \
  { sizeof(wick_load_options), false, false, 0, 0, 0, NULL }

typedef struct wick_run_options {
  size_t struct_size;
  int64_t timeout_ms;
  uint64_t max_memory;
  int64_t max_operations;
  int32_t max_threads;
  const wick_cancellation* cancellation;
} wick_run_options;
#define WICK_RUN_OPTIONS_INIT \
  { sizeof(wick_run_options), 0, 0, 0, 0, NULL }

typedef struct wick_module wick_module;

/* `options` may be NULL everywhere. */
WICK_C_API wick_status wick_module_load_file(const char* path, const wick_load_options* options, wick_module** out,
                                             wick_error** error);
/* The bytes are copied. */
WICK_C_API wick_status wick_module_load_memory(const void* bytes, size_t size, const wick_load_options* options,
                                               wick_module** out, wick_error** error);
/* `read` puts `size` bytes from `offset` on into `buffer` and returns how many these were; another number fails. */
typedef size_t (*wick_reader)(void* context, uint64_t offset, void* buffer, size_t size);
WICK_C_API wick_status wick_module_load_callback(wick_reader read, void* context, uint64_t size,
                                                 const wick_load_options* options, wick_module** out,
                                                 wick_error** error);
WICK_C_API wick_module* wick_module_retain(const wick_module* module);
WICK_C_API void wick_module_release(wick_module* module);

WICK_C_API size_t wick_module_method_count(const wick_module* module);
/* NULL beyond the last. */
WICK_C_API const char* wick_module_method_name(const wick_module* module, size_t index);
WICK_C_API bool wick_module_has_method(const wick_module* module, const char* method);
/* Arguments without self. `name` and `type` may be NULL; texts are released by wick_string_release. */
WICK_C_API wick_status wick_module_argument_count(const wick_module* module, const char* method, size_t* out,
                                                  wick_error** error);
WICK_C_API wick_status wick_module_argument(const wick_module* module, const char* method, size_t index, char** name,
                                            char** type, wick_error** error);

/* Runs a method; a NULL `method` is "forward". Missing arguments take their defaults. The last `named` arguments are
 * given by the names of `names`. */
WICK_C_API wick_status wick_module_run(const wick_module* module, const char* method, const wick_value* const* args,
                                       size_t count, const wick_run_options* options, wick_value** out,
                                       wick_error** error);
WICK_C_API wick_status wick_module_run_named(const wick_module* module, const char* method,
                                             const wick_value* const* args, size_t count, const char* const* names,
                                             size_t named, const wick_run_options* options, wick_value** out,
                                             wick_error** error);

/* Dots reach into submodules. */
WICK_C_API wick_status wick_module_attribute(const wick_module* module, const char* path, wick_value** out,
                                             wick_error** error);
WICK_C_API wick_status wick_module_set_attribute(wick_module* module, const char* path, const wick_value* value,
                                                 wick_error** error);
/* A file stored beside the model; valid until the module is released. WICK_NOT_FOUND when there is none. */
WICK_C_API wick_status wick_module_extra_file(const wick_module* module, const char* name, const char** data,
                                              size_t* size, wick_error** error);
/* As Module's members of the C++ API. */
WICK_C_API wick_status wick_module_set_max_threads(wick_module* module, int32_t threads, wick_error** error);
WICK_C_API wick_status wick_module_set_planning(wick_module* module, bool on, wick_error** error);

/* Of all modules: threads an operator may use, the calling one included (0: the default); the random numbers. */
WICK_C_API void wick_set_num_threads(int32_t threads);
WICK_C_API int32_t wick_num_threads(void);
WICK_C_API void wick_manual_seed(uint64_t seed);

#ifdef __cplusplus
}
#endif

#endif

/* use_from_c MODEL: the C API from C: loads a model, runs its first bundled input by a method, prints what comes out. */
#include <stdio.h>
#include <wick_c/wick.h>

static int fail(wick_error* error) {
  fprintf(stderr, "%s: %s\n", wick_status_name(wick_error_code(error)), wick_error_message(error));
  wick_error_release(error);
  return 1;
}

int main(int argc, char** argv) {
  wick_module* module = NULL;
  wick_tensor* input = NULL;
  wick_tensor* result = NULL;
  wick_value* argument = NULL;
  wick_value* output = NULL;
  wick_error* error = NULL;
  wick_run_options options = WICK_RUN_OPTIONS_INIT;
  const int64_t sizes[] = {1, 3, 64, 64};
  int64_t i;
  if (argc < 2 || wick_api_version() != WICK_C_API_VERSION) return 2;
  if (wick_module_load_file("no such file", NULL, &module, NULL) != WICK_NOT_FOUND) return 2;
  if (wick_module_load_file(argv[1], NULL, &module, &error)) return fail(error);
  if (wick_tensor_zeros(WICK_FLOAT32, sizes, 4, &input, &error)) return fail(error);
  if (wick_value_tensor(input, &argument, &error)) return fail(error);
  options.timeout_ms = 60000;
  if (wick_module_run(module, NULL, (const wick_value* const*)&argument, 1, &options, &output, &error))
    return fail(error);
  if (wick_value_get_tensor(output, &result, &error)) return fail(error);
  for (i = 0; i < (int64_t)wick_tensor_dims(result); ++i) printf("%lld ", (long long)wick_tensor_sizes(result)[i]);
  printf("\n");
  wick_tensor_release(input);
  wick_tensor_release(result);
  wick_value_release(argument);
  wick_value_release(output);
  wick_module_release(module);
  return 0;
}

// The C API's errors, texts and settings of the process.
#include <cstdlib>
#include <cstring>
#include <new>

#include "c_api/handles.h"

namespace wick::c_api {
namespace {

static_assert(static_cast<int>(ErrorCode::kInvalidArgument) + 1 == WICK_INVALID_ARGUMENT);
static_assert(static_cast<int>(ErrorCode::kMissingOperator) + 1 == WICK_MISSING_OPERATOR);
static_assert(static_cast<int>(ErrorCode::kModelException) + 1 == WICK_MODEL_EXCEPTION);
static_assert(static_cast<int>(ErrorCode::kInternal) + 1 == WICK_INTERNAL);

wick_status status_of(ErrorCode code) { return static_cast<wick_status>(code) + 1; }

void fill(wick_error** error, wick_status code, const char* message) noexcept {
  if (!error) return;
  try {
    const char* line = std::strchr(message, '\n');
    *error = new wick_error{code, message, line ? line + 1 : ""};
  } catch (...) {
    *error = nullptr;  // no memory to say so: the status does
  }
}

}  // namespace

wick_status give_error(wick_error** error) noexcept {
  try {
    throw;
  } catch (const Error& e) {
    const wick_status code = status_of(e.code());
    fill(error, code, e.what());
    return code;
  } catch (const std::bad_alloc&) {
    fill(error, WICK_OUT_OF_MEMORY, "out of memory");
    return WICK_OUT_OF_MEMORY;
  } catch (const std::exception& e) {
    fill(error, WICK_INTERNAL, e.what());
    return WICK_INTERNAL;
  } catch (...) {
    fill(error, WICK_INTERNAL, "an exception of an unknown type");
    return WICK_INTERNAL;
  }
}

char* new_string(std::string_view text) {
  auto* out = static_cast<char*>(std::malloc(text.size() + 1));
  if (!out) throw std::bad_alloc();
  std::memcpy(out, text.data(), text.size());
  out[text.size()] = 0;
  return out;
}

}  // namespace wick::c_api

extern "C" {

uint32_t wick_api_version(void) { return WICK_C_API_VERSION; }
const char* wick_version(void) { return WICK_VERSION; }

const char* wick_status_name(wick_status status) {
  if (status == WICK_OK) return "ok";
  if (status < WICK_OK || status > WICK_INTERNAL) return "unknown";
  return wick::to_string(static_cast<wick::ErrorCode>(status - 1));
}

wick_status wick_error_code(const wick_error* error) { return error ? error->code : WICK_OK; }
const char* wick_error_message(const wick_error* error) { return error ? error->message.c_str() : ""; }
const char* wick_error_source(const wick_error* error) { return error ? error->source.c_str() : ""; }
void wick_error_release(wick_error* error) { delete error; }
void wick_string_release(char* text) { std::free(text); }

void wick_set_num_threads(int32_t threads) {
  wick::c_api::guard(nullptr, [&] { wick::set_num_threads(threads); });
}
int32_t wick_num_threads(void) {
  int32_t threads = 1;
  wick::c_api::guard(nullptr, [&] { threads = wick::num_threads(); });
  return threads;
}
void wick_manual_seed(uint64_t seed) {
  wick::c_api::guard(nullptr, [&] { wick::manual_seed(seed); });
}

}  // extern "C"

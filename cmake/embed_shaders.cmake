# Writes an archive of compiled shaders as a constant array of bytes: -DINPUT -DOUTPUT.
file(READ ${INPUT} hex HEX)
# The time in gzip's header is left out, so that equal shaders give an equal file.
string(SUBSTRING ${hex} 0 8 start)
string(SUBSTRING ${hex} 16 -1 rest)
set(hex "${start}00000000${rest}")
string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n" bytes
       "${bytes}")
file(WRITE ${OUTPUT} "// Made of the shaders by cmake/embed_shaders.cmake.
#include <cstddef>
#include <cstdint>
namespace wick::gpu {
extern const uint8_t k_shaders[];
extern const size_t k_shaders_size;
const uint8_t k_shaders[] = {
${bytes}};
const size_t k_shaders_size = sizeof(k_shaders);
}  // namespace wick::gpu
")

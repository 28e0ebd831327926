# Writes a SPIR-V file as a constant array of words: -DINPUT -DOUTPUT -DNAME.
file(READ ${INPUT} hex HEX)
string(REGEX REPLACE "(..)(..)(..)(..)" "0x\\4\\3\\2\\1," words "${hex}")
string(REGEX REPLACE "(0x[0-9a-f]*,0x[0-9a-f]*,0x[0-9a-f]*,0x[0-9a-f]*,0x[0-9a-f]*,0x[0-9a-f]*,0x[0-9a-f]*,0x[0-9a-f]*,)"
       "\\1\n" words "${words}")
file(WRITE ${OUTPUT} "// Made of ${NAME} by cmake/embed_spirv.cmake.
#include <cstddef>
#include <cstdint>
namespace wick::gpu {
extern const uint32_t ${NAME}[];
extern const size_t ${NAME}_size;
const uint32_t ${NAME}[] = {
${words}};
const size_t ${NAME}_size = sizeof(${NAME}) / sizeof(uint32_t);
}  // namespace wick::gpu
")

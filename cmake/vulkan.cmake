# The GPU backend (src/gpu): shaders are compiled and embedded here; the Vulkan loader is opened at run time.
find_path(WICK_VULKAN_HEADERS vulkan/vulkan_core.h)
find_program(WICK_GLSLANG NAMES glslangValidator glslang)
set(vulkan_default OFF)
if(WICK_VULKAN_HEADERS AND WICK_GLSLANG AND NOT wick_selective AND NOT WICK_RUNTIME_ONLY)
  set(vulkan_default ON)
endif()
option(WICK_VULKAN "Run models on GPUs with Vulkan (needs Vulkan's headers and glslang)" ${vulkan_default})

set(wick_shader_sources "")
if(WICK_VULKAN)
  if(NOT WICK_VULKAN_HEADERS OR NOT WICK_GLSLANG)
    message(FATAL_ERROR "WICK_VULKAN needs vulkan/vulkan_core.h and glslangValidator: "
                        "install libvulkan-dev and glslang-tools, or configure with -DWICK_VULKAN=OFF")
  endif()
  set(shader_folder ${PROJECT_SOURCE_DIR}/src/gpu/shaders)
  file(GLOB shaders CONFIGURE_DEPENDS ${shader_folder}/*.comp)
  file(GLOB shader_headers CONFIGURE_DEPENDS ${shader_folder}/*.glsl)
  set(generated_shaders ${PROJECT_BINARY_DIR}/generated/src/gpu)
  file(MAKE_DIRECTORY ${generated_shaders})
  set(compiled_shaders "")
  foreach(shader ${shaders})
    get_filename_component(name ${shader} NAME_WE)
    if(wick_selective AND NOT name IN_LIST selected_shaders)
      continue()
    endif()
    foreach(precision fp32 fp16)
      # Matrices of subgroups are of float16; the other form is for tests.
      if(wick_selective AND name MATCHES "_matrix$" AND precision STREQUAL fp32)
        continue()
      endif()
      set(output ${name}.${precision})
      set(define "")
      if(precision STREQUAL fp16)
        set(define -DFP16)
      endif()
      add_custom_command(
        OUTPUT ${generated_shaders}/${output}
        COMMAND ${WICK_GLSLANG} -V --target-env vulkan1.1 -g0 --quiet ${define} -I${shader_folder} ${shader}
                -o ${generated_shaders}/${output}
        DEPENDS ${shader} ${shader_headers}
        VERBATIM)
      list(APPEND compiled_shaders ${output})
    endforeach()
  endforeach()
  # One archive: shaders have much in common.
  set(archive ${generated_shaders}/shaders.tar.gz)
  list(TRANSFORM compiled_shaders PREPEND ${generated_shaders}/ OUTPUT_VARIABLE compiled_paths)
  add_custom_command(
    OUTPUT ${archive}.cpp
    COMMAND ${CMAKE_COMMAND} -E tar czf ${archive} --format=gnutar --mtime=2000-01-01 -- ${compiled_shaders}
    COMMAND ${CMAKE_COMMAND} -DINPUT=${archive} -DOUTPUT=${archive}.cpp
            -P ${PROJECT_SOURCE_DIR}/cmake/embed_shaders.cmake
    WORKING_DIRECTORY ${generated_shaders}
    DEPENDS ${compiled_paths} ${PROJECT_SOURCE_DIR}/cmake/embed_shaders.cmake
    VERBATIM)
  set(wick_shader_sources ${archive}.cpp)
endif()

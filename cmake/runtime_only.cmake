# WICK_RUNTIME_ONLY: the runtime library alone, with its public API visible and nothing else, as small as compilers and
# linkers make it by themselves: hidden symbols, link-time optimization, unused sections dropped, identical code folded.
set_target_properties(wick_runtime PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
# Included before everything else; precompiled, it saves half of the compiler's work.
target_precompile_headers(wick_runtime PRIVATE ${PROJECT_SOURCE_DIR}/src/core/public_api.h)
set_property(SOURCE ${kernel_sources} PROPERTY SKIP_PRECOMPILE_HEADERS ON)
if(NOT BUILD_SHARED_LIBS)  # an archive must hold machine code, whatever links it
  set_property(TARGET wick_runtime PROPERTY INTERPROCEDURAL_OPTIMIZATION OFF)
endif()

if(NOT WICK_API MATCHES "^(all|run)$")
  message(FATAL_ERROR "WICK_API: '${WICK_API}' is neither all nor run")
endif()

if(CMAKE_BUILD_TYPE STREQUAL "MinSizeRel")
  # Tables for unwinding only of functions that an error may pass through.
  target_compile_options(wick_runtime PRIVATE -fexceptions -fno-unwind-tables
                                              -fno-asynchronous-unwind-tables)
  # Those tables find the callers; a register that leads to them is not needed.
  target_compile_options(wick_runtime PRIVATE -fomit-frame-pointer)
  # Nothing asks objects for their types, and with this API no class can be derived from.
  if(wick_selective AND BUILD_SHARED_LIBS AND WICK_API STREQUAL "run")
    target_compile_options(wick_runtime PRIVATE -fno-rtti)
  endif()
endif()

# What is in two parts of a link-time optimization is there twice: all of it at once.
set(whole_program "")
if(CMAKE_INTERPROCEDURAL_OPTIMIZATION AND BUILD_SHARED_LIBS)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(whole_program -flto-partition=one)
  elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    set(whole_program -flto=full)
    target_compile_options(wick_runtime PRIVATE ${whole_program})
  endif()
endif()

if(APPLE)
  # Apple's linker: names are given as the object files have them.
  set(exports ${PROJECT_SOURCE_DIR}/cmake/exports_${WICK_API}.txt)
  set_property(TARGET wick_runtime APPEND PROPERTY LINK_DEPENDS ${exports})
  target_link_options(wick_runtime PRIVATE ${whole_program} LINKER:-exported_symbols_list,${exports}
                      LINKER:-dead_strip_dylibs)
  return()
endif()

set(exports ${PROJECT_SOURCE_DIR}/cmake/exports_${WICK_API}.map)
if(wick_selective AND WICK_API STREQUAL "run")
  set(exports ${selection_folder}/exports.map)
endif()
set_property(TARGET wick_runtime APPEND PROPERTY LINK_DEPENDS ${exports})

# Calls between functions of the library need no table, even those of functions that it shows. What the linker fills
# in is filled in at once, and may not be written to afterwards.
target_link_options(wick_runtime PRIVATE ${whole_program}
                    LINKER:-z,noseparate-code,-z,now,--hash-style=gnu,-Bsymbolic-functions,--as-needed
                    LINKER:--version-script=${exports}
                    LINKER:-Map,${PROJECT_BINARY_DIR}/lib/libwick_runtime.map)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  target_link_options(wick_runtime PRIVATE -fuse-ld=lld LINKER:--icf=all,-O2,--build-id=none)
endif()
# Tables of names and functions need a relocation an entry: bits instead of 24 bytes, where the linker knows how.
include(CheckLinkerFlag)
set(CMAKE_REQUIRED_LINK_OPTIONS $<$<CXX_COMPILER_ID:Clang>:-fuse-ld=lld>)
check_linker_flag(CXX LINKER:-z,pack-relative-relocs has_packed_relocations)
unset(CMAKE_REQUIRED_LINK_OPTIONS)
if(has_packed_relocations)
  target_link_options(wick_runtime PRIVATE LINKER:-z,pack-relative-relocs)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND CMAKE_BUILD_TYPE STREQUAL "MinSizeRel")
  # Equal functions become one before they are compiled, too: then their callers may be equal.
  target_link_options(wick_runtime PRIVATE LINKER:-mllvm,-enable-merge-functions)
  # LLVM's outliner makes a function of any two instructions that stand in many places, and does not count its entry in
  # the tables for unwinding, which takes more: only what saves more than that. Older ones do not know the option.
  set(outliner LINKER:-mllvm,-outliner-benefit-threshold=32)
  check_linker_flag(CXX "-fuse-ld=lld;${outliner}" has_outliner_threshold)
  if(has_outliner_threshold)
    target_link_options(wick_runtime PRIVATE ${outliner})
  endif()
endif()

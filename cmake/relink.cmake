# The shared library of a selective build is linked twice: GCC optimizes it as one and keeps its assembly; there
# texts of messages are packed (scripts/pack_texts.py), instructions shortened (scripts/shorten_code.py), functions come to
# share pieces of code (scripts/share_code.py), tables for unwinding are shortened (scripts/pack_unwinding.py), and other
# libraries are called without tables of jumps (scripts/link_calls.py); the result is linked. Without Python it is linked
# once.
#
# The second time by lld, where it is installed (15 or later): GNU's linker fills up a page, of 16 KB on Android, in the
# file, and for Arm has packed relocations only since 2.43 or so.
find_package(Python3 COMPONENTS Interpreter QUIET)
set(lld_options "")
if(Python3_FOUND AND CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64|x86_64")
  find_program(WICK_LLD NAMES ld.lld-19 ld.lld-18 ld.lld-17 ld.lld-16 ld.lld-15 ld.lld)
  set(lld_version "")
  if(WICK_LLD)
    execute_process(COMMAND ${WICK_LLD} --version OUTPUT_VARIABLE lld_version)
  endif()
  if(lld_version MATCHES "LLD ([0-9]+)" AND CMAKE_MATCH_1 GREATER_EQUAL 15)
    # A cross compiler looks for linkers in folders of its own.
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/linker)
    file(CREATE_LINK ${WICK_LLD} ${CMAKE_BINARY_DIR}/linker/ld.lld SYMBOLIC)
    set(lld_options " -B${CMAKE_BINARY_DIR}/linker -fuse-ld=lld -Wl,-O2,-z,pack-relative-relocs,--as-needed,--build-id=none")
  endif()
endif()

if(Python3_FOUND)
  set(rule "${CMAKE_CXX_CREATE_SHARED_LIBRARY}")
  set(parts <TARGET>.ltrans0)
  string(REPLACE "<OBJECTS>" "-save-temps <OBJECTS>" optimize "${rule}")
  string(REPLACE "<OBJECTS>" "<TARGET>.o @<TARGET>.options${lld_options}" link "${rule}")
  set(CMAKE_CXX_CREATE_SHARED_LIBRARY
      "${optimize}"
      "\"${Python3_EXECUTABLE}\" \"${CMAKE_SOURCE_DIR}/scripts/pack_texts.py\" ${parts}.ltrans.s <TARGET>.s"
      "\"${Python3_EXECUTABLE}\" \"${CMAKE_SOURCE_DIR}/scripts/shorten_code.py\" <TARGET>.s <TARGET>.s"
      "\"${Python3_EXECUTABLE}\" \"${CMAKE_SOURCE_DIR}/scripts/share_code.py\" <TARGET>.s <TARGET>.s"
      "\"${Python3_EXECUTABLE}\" \"${CMAKE_SOURCE_DIR}/scripts/pack_unwinding.py\" <TARGET>.s <TARGET>.s"
      "\"${Python3_EXECUTABLE}\" \"${CMAKE_SOURCE_DIR}/scripts/link_calls.py\" <TARGET>.s <TARGET>.s <TARGET> <TARGET>.options"
      "<CMAKE_CXX_COMPILER> -c <TARGET>.s -o <TARGET>.o"
      "${link}"
      "\"${CMAKE_COMMAND}\" -E rm -f <TARGET>.s <TARGET>.o <TARGET>.options <TARGET>.res ${parts}.o ${parts}.ltrans.s ${parts}.ltrans.o")
  set_property(TARGET wick_runtime APPEND PROPERTY LINK_DEPENDS
               ${CMAKE_SOURCE_DIR}/scripts/shorten_code.py ${CMAKE_SOURCE_DIR}/scripts/share_code.py ${CMAKE_SOURCE_DIR}/scripts/pack_unwinding.py
               ${CMAKE_SOURCE_DIR}/scripts/link_calls.py ${CMAKE_SOURCE_DIR}/scripts/pack_texts.py)
  target_compile_definitions(wick_runtime PRIVATE WICK_PACKED_TEXTS)
endif()

# The C++ API of the operator table: wick/functions.h and the methods of Tensor, made of the operator lists when
# configuring (scripts/generate_api.py).
#
#   WICK_FUNCTIONS   ON: all of them; OFF: none; or names, separated by commas ("softmax,topk"). A program that links a
#                    static library gets those alone that it calls. A runtime-only library has none by default: a shared
#                    one would hold every operator.
set(WICK_FUNCTIONS "" CACHE STRING "Operators as C++ functions and methods: ON, OFF or names; empty: ON but where WICK_RUNTIME_ONLY")
set(wick_generated ${PROJECT_BINARY_DIR}/generated)

set(functions "${WICK_FUNCTIONS}")
if(functions STREQUAL "" AND WICK_RUNTIME_ONLY)
  set(functions OFF)
elseif(functions STREQUAL "")
  set(functions ON)
endif()

set(wick_function_sources "")
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
  set(words --output ${wick_generated})
  if(functions MATCHES "^(OFF|NO|FALSE|0)$")
    list(APPEND words --only=)
  elseif(NOT functions MATCHES "^(ON|YES|TRUE|1)$")
    list(APPEND words "--only=${functions}")
  endif()
  execute_process(COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/generate_api.py ${words}
                  RESULT_VARIABLE result ERROR_VARIABLE message)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "WICK_FUNCTIONS: ${message}")
  endif()
  include(${wick_generated}/sources.cmake)
  file(GLOB_RECURSE operator_lists CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/ops/*_list.cpp)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${operator_lists} scripts/generate_api.py
               scripts/cpp_signatures.py scripts/operator_lists.py)
else()
  message(STATUS "Without Python 3 there are no operators as C++ functions and methods (WICK_FUNCTIONS)")
  file(CONFIGURE OUTPUT ${wick_generated}/include/wick/tensor_methods.h CONTENT "// None: built without Python 3.\n")
  file(CONFIGURE OUTPUT ${wick_generated}/include/wick/functions.h
       CONTENT "// No functions: built without Python 3.\n#pragma once\n#include \"wick/tensor.h\"\n#define WICK_WITHOUT_FUNCTIONS\n")
endif()
# They are the part of the library that sees the methods it declares (see WICK_BUILDING in wick/tensor.h).
if(wick_function_sources)
  file(GLOB function_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/functions/*.cpp)
  set_source_files_properties(${wick_function_sources} ${function_sources} PROPERTIES SKIP_PRECOMPILE_HEADERS ON
                              COMPILE_OPTIONS -UWICK_BUILDING)
  list(APPEND runtime_sources ${wick_function_sources} ${function_sources})
endif()
